(** Average precision as a quadratic form, and its matrix. *)
From Book Require Export Numbers AveragePrecision.

(** * A quadratic form (A10): M has 1/max(i, k) in row i and column k *)

Lemma square_sum_S f n : sum (fun i => sum (fun k => f i k) (S n)) (S n) ==
  sum (fun i => sum (fun k => f i k) n) n + sum (fun i => f i (S n)) n + (sum (fun k => f (S n) k) n + f (S n) (S n)).
Proof. cbn [sum]. rewrite sum_plus. ring. Qed.

Theorem quadratic_form l R (N := length l) : (0 < R)%nat ->
  q R * average_precision l R == sum (fun k => sum (fun i => q (delta l i) * q (delta l k) / q k) k) N /\
  q R * average_precision l R ==
  (1 # 2) * (sum (fun i => sum (fun k => q (delta l i) * (1 / q (Nat.max i k)) * q (delta l k)) N) N + sum (fun k => q (delta l k) / q k) N).
Proof.
  intros P. assert (r : 0 < q R) by now apply q_pos.
  assert (A : q R * average_precision l R == sum (fun k => sum (fun i => q (delta l i) * q (delta l k) / q k) k) N).
  { unfold average_precision. fold N. transitivity (precision_sum l N); [field; lra|]. apply sum_ext. intros k K. unfold precision_at. rewrite hits_at_sum.
    rewrite (sum_ext (fun i => q (delta l i) * q (delta l k) / q k) (fun i => q (delta l k) / q k * q (delta l i))) by (intros; field; apply q_nonzero; lia).
    rewrite sum_scale. field. apply q_nonzero. lia. }
  split; [exact A|]. rewrite A. generalize N. intros n. induction n; [reflexivity|].
  rewrite (square_sum_S (fun i k => q (delta l i) * (1 / q (Nat.max i k)) * q (delta l k))). cbn [sum]. rewrite IHn.
  rewrite (sum_ext (fun i => q (delta l i) * (1 / q (Nat.max i (S n))) * q (delta l (S n))) (fun i => q (delta l i) * q (delta l (S n)) / q (S n)))
    by (intros; rewrite Nat.max_r by lia; field; apply q_nonzero; lia).
  rewrite (sum_ext (fun k => q (delta l (S n)) * (1 / q (Nat.max (S n) k)) * q (delta l k)) (fun i => q (delta l i) * q (delta l (S n)) / q (S n)))
    by (intros; rewrite Nat.max_l by lia; field; apply q_nonzero; lia).
  rewrite Nat.max_id.
  assert (Square : q (delta l (S n)) * q (delta l (S n)) == q (delta l (S n))) by (rewrite <- q_mult, q_eq; unfold delta; destruct (nth _ l false); reflexivity).
  rewrite Square. transitivity ((1 # 2) * (sum (fun i => sum (fun k => q (delta l i) * (1 / q (Nat.max i k)) * q (delta l k)) n) n + sum (fun k => q (delta l k) / q k) n) +
    (sum (fun i => q (delta l i) * q (delta l (S n)) / q (S n)) n + (1 # 2) * (q (delta l (S n)) * q (delta l (S n)) / q (S n) + q (delta l (S n)) / q (S n)))).
  - rewrite Square. field. apply q_nonzero. lia.
  - field. apply q_nonzero. lia.
Qed.

(** Near miss: it is the whole form. *)
Lemma quadratic_form_near_miss : ~ (forall l R, (0 < R)%nat ->
  q R * average_precision l R == sum (fun i => sum (fun k => q (delta l i) * (1 / q (Nat.max i k)) * q (delta l k)) (length l)) (length l)).
Proof. intros C. specialize (C [true; true] 2 ltac:(lia))%nat. discriminate. Qed.

(** A matrix is a function of row and column, both numbered from 1; its determinant is expanded along the first column. *)
Definition without_row (i : nat) (A : nat -> nat -> Q) (row column : nat) : Q := A (if (row <? i)%nat then row else S row) (S column).  (* and without column 1 *)
Fixpoint sign (i : nat) : Q := match i with O => - (1) | S j => - sign j end.  (* 1 for i = 1, and then by turns *)
Fixpoint determinant (n : nat) (A : nat -> nat -> Q) : Q :=
  match n with O => 1 | S m => sum (fun i => sign i * A i 1%nat * determinant m (without_row i A)) (S m) end.

Lemma determinant_S m A : determinant (S m) A = sum (fun i => sign i * A i 1%nat * determinant m (without_row i A)) (S m).
Proof. reflexivity. Qed.
Lemma determinant_ext n A B : (forall i k, (1 <= i <= n)%nat -> (1 <= k <= n)%nat -> A i k == B i k) -> determinant n A == determinant n B.
Proof.
  revert A B; induction n as [|n IH]; intros A B E; [reflexivity|]. apply sum_ext. intros i I. rewrite (E i 1%nat) by lia.
  rewrite (IH _ (without_row i B)); [reflexivity|]. intros r c R C. unfold without_row. destruct (Nat.ltb_spec r i); apply E; lia.
Qed.
Lemma pairs_cancel h n : (forall i k, (1 <= k < i)%nat -> (i <= S n)%nat -> h i k + h k (i - 1)%nat == 0) -> sum (fun i => sum (fun k => h i k) n) (S n) == 0.
Proof.
  induction n as [|n IH]; intros E; [simpl; ring|].
  transitivity (sum (fun i => sum (fun k => h i k) n) (S n) + sum (fun k => h (S (S n)) k + h k (S n)) (S n)).
  - change (sum (fun i => sum (fun k => h i k) (S n)) (S (S n))) with (sum (fun i => sum (fun k => h i k) n + h i (S n)) (S n) + sum (fun k => h (S (S n)) k) (S n)).
    rewrite (sum_plus (fun i => sum (fun k => h i k) n) (fun i => h i (S n))), (sum_plus (fun k => h (S (S n)) k) (fun k => h k (S n))). ring.
  - rewrite IH by (intros; apply E; lia). rewrite (sum_ext _ (fun _ => 0)), sum_const; [ring|]. intros k K. pose proof (E (S (S n)) k ltac:(lia) ltac:(lia)) as X.
    now replace (S (S n) - 1)%nat with (S n) in X by lia.
Qed.
Lemma determinant_equal_columns n A : (forall i, A i 1%nat == A i 2%nat) -> determinant (S (S n)) A == 0.
Proof.
  intros E. set (row := fun i k => if (k <? i)%nat then k else S k).
  set (h := fun i k => sign i * A i 1%nat * (sign k * A (row i k) 1%nat * determinant n (without_row k (without_row i A)))).
  transitivity (sum (fun i => sum (fun k => h i k) (S n)) (S (S n))).
  - apply sum_ext. intros i I. unfold h. rewrite sum_scale. apply Qmult_comp; [reflexivity|]. apply sum_ext. intros k K.
    unfold without_row at 1. fold (row i k). now rewrite <- E.
  - apply pairs_cancel. intros i k K I. unfold h, row. destruct (Nat.ltb_spec k i), (Nat.ltb_spec (i - 1) k); try lia. replace (S (i - 1)) with i by lia.
    assert (D : determinant n (without_row k (without_row i A)) == determinant n (without_row (i - 1) (without_row k A))).
    { apply determinant_ext. intros r c R C. unfold without_row. destruct (Nat.ltb_spec r k), (Nat.ltb_spec r (i - 1)); try lia.
      - destruct (Nat.ltb_spec r i), (Nat.ltb_spec r k); try lia. reflexivity.
      - destruct (Nat.ltb_spec (S r) i), (Nat.ltb_spec r k); try lia. reflexivity.
      - destruct (Nat.ltb_spec (S r) i), (Nat.ltb_spec (S r) k); try lia. reflexivity. }
    assert (G : sign i == - sign (i - 1)) by (destruct i; [lia|]; simpl; rewrite Nat.sub_0_r; reflexivity). rewrite D, G. ring.
Qed.
(** Column 2 may be subtracted from column 1. *)
Lemma determinant_subtract n A : determinant (S (S n)) A == sum (fun i => sign i * (A i 1%nat - A i 2%nat) * determinant (S n) (without_row i A)) (S (S n)).
Proof.
  assert (Z := determinant_equal_columns n (fun i k => if (k =? 1)%nat then A i 2%nat else A i k) ltac:(reflexivity)).
  assert (X : determinant (S (S n)) A == sum (fun i => sign i * A i 1%nat * determinant (S n) (without_row i A)) (S (S n))) by reflexivity.
  assert (Y : sum (fun i => sign i * A i 2%nat * determinant (S n) (without_row i A)) (S (S n)) == 0).
  { rewrite <- Z, determinant_S. apply sum_ext. intros i I. apply Qmult_comp; [reflexivity|]. apply determinant_ext. intros r c R C. unfold without_row.
    destruct (Nat.eqb_spec (S c) 1); [lia | reflexivity]. }
  rewrite X, (sum_ext (fun i => sign i * (A i 1%nat - A i 2%nat) * _) (fun i => sign i * A i 1%nat * determinant (S n) (without_row i A) + - (1) * (sign i * A i 2%nat * determinant (S n) (without_row i A)))) by (intros; ring).
  rewrite sum_plus, sum_scale, Y. ring.
Qed.
Lemma determinant_from a n : determinant (S n) (fun i k => 1 / q (Nat.max i k + a)) == q (fact a * fact (S a)) / (q (fact (S n + a)) * q (fact (S n + a))).
Proof.
  revert a; induction n as [|n IH]; intros a.
  - change (0 + 1 * (1 / q (S a)) * 1 == q (fact a * (S a * fact a)) / (q (S a * fact a) * q (S a * fact a))). rewrite !q_mult.
    assert (0 < q (S a)) by (apply q_pos; lia). assert (0 < q (fact a)) by (apply q_pos, lt_O_fact). field. lra.
  - rewrite determinant_subtract.
    change (S (S n)) with (1 + S n)%nat. rewrite sum_app, (sum_ext (fun i => sign (1 + i) * _ * _) (fun _ => 0)), sum_const.
    2: { intros i I. rewrite !Nat.max_l by lia. ring. }
    cbn [sum]. rewrite (determinant_ext (S n) _ (fun i k => 1 / q (Nat.max i k + S a))).
    2: { intros i k I K. unfold without_row. destruct (Nat.ltb_spec i 1); [lia|]. rewrite <- Nat.succ_max_distr, Nat.add_succ_r. reflexivity. }
    rewrite IH. replace (1 + S n + a)%nat with (S n + S a)%nat by lia. simpl Nat.max. change (sign 1) with (- - (1)).
    assert (F1 : 0 < q (fact a)) by (apply q_pos, lt_O_fact). assert (F2 : 0 < q (fact (S n + S a))) by (apply q_pos, lt_O_fact).
    change (1 + a)%nat with (S a). change (2 + a)%nat with (S (S a)). change (fact (S (S a))) with (S (S a) * fact (S a))%nat. change (fact (S a)) with (S a * fact a)%nat.
    rewrite !q_mult, !q_S. pose proof (q_nonneg a). field. lra.
Qed.

Theorem determinant_of_the_matrix N : (1 <= N)%nat -> determinant N (fun i k => 1 / q (Nat.max i k)) == 1 / (q (fact N) * q (fact N)).
Proof.
  intros P. destruct N as [|n]; [lia|]. transitivity (determinant (S n) (fun i k => 1 / q (Nat.max i k + 0))).
  - apply determinant_ext. intros. now rewrite Nat.add_0_r.
  - rewrite determinant_from, Nat.add_0_r. reflexivity.
Qed.

(** Near miss: it is 1/N!. *)
Lemma determinant_of_the_matrix_near_miss : ~ (forall N, (1 <= N)%nat -> determinant N (fun i k => 1 / q (Nat.max i k)) == 1 / q (fact N)).
Proof. intros C. specialize (C 2 ltac:(lia))%nat. discriminate. Qed.

(** M is positive definite: its form is above 0 for every x that is not 0 throughout; x may have values in any field with order. *)
Section PositiveDefinite.
Context {F : field_with_order}.
Add Field numbers : (field_is F).
Open Scope number_scope.
Implicit Types x : nat -> F.

Definition form x (N : nat) : F := Sum (fun i => Sum (fun k => x i * (1 / whole (Nat.max i k)) * x k) N) N.

Lemma form_S x n : form x (S n) == form x n + (x (S n) * (Sum x n + Sum x n) + x (S n) * x (S n)) / whole (S n).
Proof.
  assert (W : ~ whole (S n) == 0) by (apply whole_nonzero; lia).
  unfold form. cbn [Sum]. rewrite Sum_plus. rewrite Nat.max_id.
  rewrite (Sum_ext (fun i => x i * (1 / whole (Nat.max i (S n))) * x (S n)) (fun i => x (S n) / whole (S n) * x i)) by (intros; rewrite Nat.max_r by lia; field; auto).
  rewrite (Sum_ext (fun k => x (S n) * (1 / whole (Nat.max (S n) k)) * x k) (fun i => x (S n) / whole (S n) * x i)) by (intros; rewrite Nat.max_l by lia; field; auto).
  rewrite Sum_scale. field. auto.
Qed.
Lemma sum_of_squares x n :
  form x (S n) == Sum (fun m => (1 / whole m - 1 / whole (S m)) * (Sum x m * Sum x m)) n + 1 / whole (S n) * (Sum x (S n) * Sum x (S n)).
Proof.
  induction n as [|n IH].
  - unfold form. cbn [Sum]. simpl Nat.max. assert (~ whole 1 == 0) by (apply whole_nonzero; lia). field. auto.
  - rewrite form_S, IH. cbn [Sum]. assert (~ whole (S n) == 0) by (apply whole_nonzero; lia). assert (~ whole (S (S n)) == 0) by (apply whole_nonzero; lia). field. auto.
Qed.

Theorem matrix_is_positive_definite x N : (exists i, (1 <= i <= N)%nat /\ ~ x i == 0) -> 0 < form x N.
Proof.
  intros [i [I X]] L. destruct N as [|n]; [lia|]. rewrite sum_of_squares in L.
  assert (C : forall m, (1 <= m)%nat -> 0 < 1 / whole m - 1 / whole (S m)).
  { intros m M. assert (A : 0 < whole m) by now apply whole_pos. assert (B : 0 < whole (S m)) by (apply whole_pos; lia).
    setoid_replace (1 / whole m - 1 / whole (S m)) with (1 / (whole m * whole (S m))).
    - apply quotient_of_pos; [apply one_pos | now apply times_pos].
    - apply pos_nonzero in A, B. rewrite whole_S in *. field. auto. }
  assert (E : 0 < 1 / whole (S n)) by (apply quotient_of_pos; [apply one_pos | apply whole_pos; lia]).
  assert (P : forall m, (1 <= m <= n)%nat -> 0 <= (1 / whole m - 1 / whole (S m)) * (Sum x m * Sum x m)).
  { intros m M. apply times_nonneg; [apply less_at_most, C; lia | apply square_nonneg]. }
  assert (P' : 0 <= 1 / whole (S n) * (Sum x (S n) * Sum x (S n))) by (apply times_nonneg; [now apply less_at_most | apply square_nonneg]).
  assert (Z : Sum (fun m => (1 / whole m - 1 / whole (S m)) * (Sum x m * Sum x m)) n == 0).
  { apply at_most_antisym; [|now apply Sum_nonneg]. apply at_most_trans with (2 := L). apply difference_nonneg.
    setoid_replace (Sum (fun m => (1 / whole m - 1 / whole (S m)) * (Sum x m * Sum x m)) n + 1 / whole (S n) * (Sum x (S n) * Sum x (S n)) -
      Sum (fun m => (1 / whole m - 1 / whole (S m)) * (Sum x m * Sum x m)) n) with (1 / whole (S n) * (Sum x (S n) * Sum x (S n))) by ring. exact P'. }
  assert (Root : forall c t, 0 < c -> c * (t * t) == 0 -> t == 0).
  { intros c t B T. destruct (equal_decided t 0) as [|N]; auto. apply zero_product in T; [|now apply pos_nonzero]. now apply (zero_product t). }
  assert (T : forall m, (m <= S n)%nat -> Sum x m == 0).
  { intros m M. destruct m as [|m]; [reflexivity|]. destruct (Nat.eq_dec (S m) (S n)) as [->|].
    - apply (Root (1 / whole (S n))); auto. apply at_most_antisym; auto. rewrite Z in L.
      now setoid_replace (0 + 1 / whole (S n) * (Sum x (S n) * Sum x (S n))) with (1 / whole (S n) * (Sum x (S n) * Sum x (S n))) in L by ring.
    - apply (Root (1 / whole (S m) - 1 / whole (S (S m)))); [apply C; lia|]. apply (Sum_zero _ n P Z (S m)). lia. }
  apply X. destruct i as [|i]; [lia|]. pose proof (T (S i) ltac:(lia)) as A. cbn [Sum] in A. rewrite (T i) in A by lia. rewrite <- A. ring.
Qed.
End PositiveDefinite.

(** Near miss: so is the matrix with max(i, k) itself. *)
Lemma matrix_is_positive_definite_near_miss : ~ (forall (F : field_with_order) (x : nat -> F) N, (exists i, (1 <= i <= N)%nat /\ ~ x i == 0) ->
  0 < Sum (fun i => Sum (fun k => x i * whole (Nat.max i k) * x k) N) N)%F.
Proof.
  intros C. apply (C rational (fun i => if (i =? 1)%nat then 1 else - (1))%Q 2%nat).
  - exists 1%nat. split; [lia | discriminate].
  - discriminate.
Qed.
