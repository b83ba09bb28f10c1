(** Numbers: a field with an order in which every number is below a whole one. The rational numbers are such a field, and so are the real ones.
    What is proved for every such field holds for both, so 1/log2(i + 1) may be the discount of a rank. *)
From Book Require Export Ranking.
From Coq Require Import Field.

(** * Definitions *)

Record field_with_order := {
  number :> Type;
  equal : number -> number -> Prop; at_most : number -> number -> Prop;
  zero : number; one : number;
  add : number -> number -> number; subtract : number -> number -> number; negate : number -> number;
  times : number -> number -> number; divide : number -> number -> number; invert : number -> number;
  equal_is : Equivalence equal;
  add_is : Proper (equal ==> equal ==> equal) add; negate_is : Proper (equal ==> equal) negate;
  times_is : Proper (equal ==> equal ==> equal) times; invert_is : Proper (equal ==> equal) invert;
  field_is : field_theory zero one add times subtract negate divide invert equal;
  at_most_is : Proper (equal ==> equal ==> iff) at_most;
  at_most_trans : forall x y z, at_most x y -> at_most y z -> at_most x z;
  at_most_antisym : forall x y, at_most x y -> at_most y x -> equal x y;
  compared : forall x y, at_most x y \/ (at_most y x /\ ~ at_most x y);
  add_grows : forall x y z, at_most x y -> at_most (add x z) (add y z);
  times_nonneg : forall x y, at_most zero x -> at_most zero y -> at_most zero (times x y);
  whole_above : forall x, exists n, at_most x (Nat.iter n (fun y => add y one) zero) }.

(** Where no field is named, that of the section is meant. *)
Existing Class field_with_order.
Arguments equal {_}. Arguments at_most {_}. Arguments zero {_}. Arguments one {_}. Arguments add {_}. Arguments subtract {_}. Arguments negate {_}.
Arguments times {_}. Arguments divide {_}. Arguments invert {_}.
Definition whole {F : field_with_order} (n : nat) : F := Nat.iter n (fun y => add y one) zero.  (* a whole number as one of F *)
Arguments whole {F} n : simpl never.
Definition less {F : field_with_order} (x y : F) : Prop := ~ at_most y x.

Declare Scope number_scope.
Delimit Scope number_scope with F.
Bind Scope number_scope with number.
Notation "0" := zero : number_scope.
Notation "1" := one : number_scope.
Notation "x == y" := (equal x y) : number_scope.
Notation "x <= y" := (at_most x y) : number_scope.
Notation "x < y" := (less x y) : number_scope.
Notation "x + y" := (add x y) : number_scope.
Notation "x - y" := (subtract x y) : number_scope.
Notation "- x" := (negate x) : number_scope.
Notation "x * y" := (times x y) : number_scope.
Notation "x / y" := (divide x y) : number_scope.

Fixpoint Sum {F : field_with_order} (f : nat -> F) (n : nat) : F :=  (* f 1 + ... + f n *)
  match n with O => 0 | S m => Sum f m + f (S m) end%F.
Fixpoint power {F : field_with_order} (p : F) (n : nat) : F := match n with O => 1 | S m => power p m * p end%F.
(** From some place on, [f] is nearer to x than any distance above 0. *)
Definition tends_to {F : field_with_order} (f : nat -> F) (x : F) : Prop :=
  (forall distance, 0 < distance -> exists m, forall n, (m <= n)%nat -> x - distance < f n /\ f n < x + distance)%F.

Global Instance equal_equivalence (F : field_with_order) : Equivalence (@equal F) := equal_is F.
Global Instance add_proper (F : field_with_order) : Proper (equal ==> equal ==> equal) (@add F) := add_is F.
Global Instance times_proper (F : field_with_order) : Proper (equal ==> equal ==> equal) (@times F) := times_is F.
Global Instance negate_proper (F : field_with_order) : Proper (equal ==> equal) (@negate F) := negate_is F.
Global Instance invert_proper (F : field_with_order) : Proper (equal ==> equal) (@invert F) := invert_is F.
Global Instance at_most_proper (F : field_with_order) : Proper (equal ==> equal ==> iff) (@at_most F) := at_most_is F.
Global Instance subtract_proper (F : field_with_order) : Proper (equal ==> equal ==> equal) (@subtract F).
Proof. intros x x' X y y' Y. rewrite !(Rsub_def (F_R (field_is F))). now rewrite X, Y. Qed.
Global Instance divide_proper (F : field_with_order) : Proper (equal ==> equal ==> equal) (@divide F).
Proof. intros x x' X y y' Y. rewrite !(Fdiv_def (field_is F)). now rewrite X, Y. Qed.
Global Instance less_proper (F : field_with_order) : Proper (equal ==> equal ==> iff) (@less F).
Proof. intros x x' X y y' Y. unfold less. now rewrite X, Y. Qed.

Section Facts.
Context {F : field_with_order}.
Add Field numbers : (field_is F).
Open Scope number_scope.
Implicit Types x y z p : F.

(** * Order *)

Lemma total x y : x <= y \/ y <= x.
Proof. destruct (compared F x y); tauto. Qed.
Lemma at_most_equal x y : x == y -> x <= y.
Proof. intros ->. now destruct (total y y). Qed.
Lemma less_at_most x y : x < y -> x <= y.
Proof. intros L. destruct (total x y); [auto | contradiction]. Qed.
Lemma difference_nonneg x y : 0 <= y - x <-> x <= y.
Proof.
  split; intros L; [apply (add_grows F _ _ x) in L | apply (add_grows F _ _ (- x)) in L].
  - setoid_replace (0 + x) with x in L by ring. now setoid_replace (y - x + x) with y in L by ring.
  - setoid_replace (x + - x) with 0 in L by ring. now setoid_replace (y + - x) with (y - x) in L by ring.
Qed.
Lemma difference_pos x y : 0 < y - x <-> x < y.
Proof.
  unfold less. assert (E : y - x <= 0 <-> y <= x); [|now rewrite E]. rewrite <- (difference_nonneg y x), <- (difference_nonneg (y - x) 0).
  now setoid_replace (0 - (y - x)) with (x - y) by ring.
Qed.
Lemma pos_nonzero x : 0 < x -> ~ x == 0.
Proof. intros L E. apply L. now apply at_most_equal. Qed.
Lemma nonneg_nonzero_pos x : 0 <= x -> ~ x == 0 -> 0 < x.
Proof. intros L N M. apply N. now apply at_most_antisym. Qed.
Lemma at_most_less x y z : x <= y -> y < z -> x < z.
Proof. intros A B C. apply B. now apply at_most_trans with x. Qed.
Lemma less_at_most_less x y z : x < y -> y <= z -> x < z.
Proof. intros A B C. apply A. now apply at_most_trans with z. Qed.
Lemma nonneg_add x y : 0 <= x -> 0 <= y -> 0 <= x + y.
Proof. intros A B. apply at_most_trans with y; auto. apply (add_grows F _ _ y) in A. now setoid_replace (0 + y) with y in A by ring. Qed.
Lemma pos_add x y : 0 <= x -> 0 < y -> 0 < x + y.
Proof. intros A B. apply less_at_most_less with y; auto. apply (add_grows F _ _ y) in A. now setoid_replace (0 + y) with y in A by ring. Qed.
Lemma square_nonneg x : 0 <= x * x.
Proof.
  destruct (total 0 x); [now apply times_nonneg|]. setoid_replace (x * x) with ((0 - x) * (0 - x)) by ring.
  apply times_nonneg; now apply difference_nonneg.
Qed.
Lemma one_pos : 0 < 1.
Proof.
  apply nonneg_nonzero_pos; [|exact (F_1_neq_0 (field_is F))]. setoid_replace 1 with (1 * 1 : F) by ring. apply square_nonneg.
Qed.
Lemma zero_product x y : x * y == 0 -> ~ x == 0 -> y == 0.
Proof. intros E N. setoid_replace y with (x * y / x) by (field; auto). rewrite E. field. auto. Qed.
Lemma equal_decided x y : x == y \/ ~ x == y.
Proof.
  destruct (compared F x y) as [A|[_ A]]; [destruct (compared F y x) as [B|[_ B]]|].
  - left. now apply at_most_antisym.
  - right. intros E. apply B. rewrite E. now apply at_most_equal.
  - right. intros E. apply A. now apply at_most_equal.
Qed.
Lemma times_pos x y : 0 < x -> 0 < y -> 0 < x * y.
Proof.
  intros A B. apply nonneg_nonzero_pos; [now apply times_nonneg; apply less_at_most|]. intros E.
  apply zero_product in E; [now apply (pos_nonzero y) | now apply pos_nonzero].
Qed.
Lemma quotient_of_pos x y : 0 < x -> 0 < y -> 0 < x / y.
Proof.
  intros A B L. assert (M : 0 <= y * (0 - x / y)) by (apply times_nonneg; [now apply less_at_most | now apply difference_nonneg]).
  setoid_replace (y * (0 - x / y)) with (0 - x) in M by (field; now apply pos_nonzero). apply A. now apply difference_nonneg.
Qed.
Lemma quotient_of_nonneg x y : 0 <= x -> 0 < y -> 0 <= x / y.
Proof.
  intros A B. setoid_replace (x / y) with (x * (1 / y)) by (field; now apply pos_nonzero).
  apply times_nonneg; auto. apply less_at_most, quotient_of_pos; auto using one_pos.
Qed.

(** * Whole numbers *)

Lemma whole_S n : whole (S n) == whole n + 1 .
Proof. reflexivity. Qed.
Lemma whole_nonneg n : 0 <= (whole n : F).
Proof. induction n; [apply at_most_equal; reflexivity|]. rewrite whole_S. apply nonneg_add; auto. apply less_at_most, one_pos. Qed.
Lemma whole_pos n : (0 < n)%nat -> 0 < (whole n : F).
Proof. destruct n; [lia|]. intros _. rewrite whole_S. apply pos_add; auto using whole_nonneg, one_pos. Qed.
Lemma whole_nonzero n : (0 < n)%nat -> ~ (whole n : F) == 0.
Proof. intros. now apply pos_nonzero, whole_pos. Qed.
Lemma whole_add m n : whole (m + n) == whole m + whole n .
Proof. induction n; [rewrite Nat.add_0_r; change (whole 0 : F) with (0 : F); ring|]. rewrite Nat.add_succ_r, !whole_S, IHn. ring. Qed.
Lemma whole_times m n : whole (m * n) == whole m * whole n .
Proof. induction n; [rewrite Nat.mul_0_r; change (whole 0 : F) with (0 : F); ring|]. rewrite Nat.mul_succ_r, whole_add, whole_S, IHn. ring. Qed.
Lemma whole_at_most m n : whole m <= (whole n : F) <-> (m <= n)%nat.
Proof.
  assert (A : forall m n, (m <= n)%nat -> whole m <= (whole n : F)).
  { intros i k L. replace k with (i + (k - i))%nat by lia. rewrite whole_add. apply difference_nonneg.
    setoid_replace (whole i + whole (k - i) - whole i : F) with (whole (k - i) : F) by ring. apply whole_nonneg. }
  split; [|auto]. intros L. destruct (Nat.le_gt_cases m n) as [|G]; auto. exfalso. apply A in G. rewrite whole_S in G.
  apply one_pos. apply difference_nonneg. apply difference_nonneg in L, G.
  setoid_replace (0 - 1 : F) with (whole m - (whole n + 1) + (whole n - whole m) : F) by ring. now apply nonneg_add.
Qed.

(** * Sums *)

Lemma Sum_ext (f g : nat -> F) n : (forall i, (1 <= i <= n)%nat -> f i == g i) -> Sum f n == Sum g n.
Proof. induction n; intros H; simpl; [reflexivity|]. rewrite IHn, (H (S n)) by (intros; try apply H; lia). reflexivity. Qed.
Lemma Sum_plus (f g : nat -> F) n : Sum (fun i => f i + g i) n == Sum f n + Sum g n.
Proof. induction n; simpl; [ring|]. rewrite IHn. ring. Qed.
Lemma Sum_scale c (f : nat -> F) n : Sum (fun i => c * f i) n == c * Sum f n.
Proof. induction n; simpl; [ring|]. rewrite IHn. ring. Qed.
Lemma Sum_const (c : F) n : Sum (fun _ => c) n == whole n * c.
Proof. induction n; simpl; [change (whole 0) with 0; ring|]. rewrite IHn, whole_S. ring. Qed.
Lemma Sum_app (f : nat -> F) m n : Sum f (m + n) == Sum f m + Sum (fun i => f (m + i)%nat) n.
Proof. induction n; simpl; [rewrite Nat.add_0_r; ring|]. rewrite Nat.add_succ_r. simpl. rewrite IHn. ring. Qed.
Lemma Sum_first (f : nat -> F) n : Sum f (S n) == f 1%nat + Sum (fun i => f (S i)) n.
Proof. change (S n) with (1 + n)%nat. rewrite Sum_app. simpl. ring. Qed.
Lemma Sum_nonneg (f : nat -> F) n : (forall i, (1 <= i <= n)%nat -> 0 <= f i) -> 0 <= Sum f n.
Proof. induction n; intros H; simpl; [apply at_most_equal; reflexivity|]. apply nonneg_add; [apply IHn; intros; apply H; lia | apply H; lia]. Qed.
Lemma Sum_at_most (f g : nat -> F) n : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> Sum f n <= Sum g n.
Proof.
  intros H. apply difference_nonneg. setoid_replace (Sum g n - Sum f n) with (Sum (fun i => g i - f i) n).
  - apply Sum_nonneg. intros. now apply difference_nonneg, H.
  - clear H. induction n; simpl; [ring|]. rewrite <- IHn. ring.
Qed.
Lemma Sum_zero (f : nat -> F) n : (forall i, (1 <= i <= n)%nat -> 0 <= f i) -> Sum f n == 0 -> forall i, (1 <= i <= n)%nat -> f i == 0.
Proof.
  induction n; intros H Z i I; [lia|]. simpl in Z. assert (A : 0 <= Sum f n) by (apply Sum_nonneg; intros; apply H; lia). assert (B : 0 <= f (S n)) by (apply H; lia).
  assert (C : Sum f n == 0).
  { apply at_most_antisym; auto. apply difference_nonneg. now setoid_replace (0 - Sum f n) with (f (S n)) by (rewrite <- Z; ring). }
  rewrite C in Z. destruct (Nat.eq_dec i (S n)) as [->|]; [rewrite <- Z; ring | apply IHn; auto; try lia; intros; apply H; lia].
Qed.

(** * Powers and limits *)

Lemma power_pos p n : 0 < p -> 0 < power p n.
Proof. intros P. induction n; simpl; [apply one_pos | now apply times_pos]. Qed.
Lemma power_add p m n : power p (m + n) == power p m * power p n.
Proof. induction m; simpl; [ring|]. rewrite IHm. ring. Qed.
Lemma power_less p n : 0 < p -> p < 1 -> power p n * (1 + whole n * (1 - p)) <= 1.
Proof.
  intros P L. induction n; [apply at_most_equal; simpl; change (whole 0 : F) with (0 : F); ring|]. apply at_most_trans with (2 := IHn).
  apply difference_nonneg. simpl.
  setoid_replace (power p n * (1 + whole n * (1 - p)) - power p n * p * (1 + whole (S n) * (1 - p)))
    with (power p n * ((1 - p) * (1 - p) * whole (S n))) by (rewrite whole_S; ring).
  apply times_nonneg; [now apply less_at_most, power_pos|]. apply times_nonneg; [apply square_nonneg | apply whole_nonneg].
Qed.
Lemma power_falls p m n : 0 < p -> p < 1 -> (m <= n)%nat -> power p n <= power p m.
Proof.
  intros P L. induction 1 as [|n M IH]; [apply at_most_equal; reflexivity|]. apply at_most_trans with (2 := IH). simpl. apply difference_nonneg.
  setoid_replace (power p n - power p n * p) with (power p n * (1 - p)) by ring.
  apply times_nonneg; [now apply less_at_most, power_pos | now apply difference_nonneg, less_at_most].
Qed.
Lemma power_falls_strictly p m n : 0 < p -> p < 1 -> (m < n)%nat -> power p n < power p m.
Proof.
  intros P L M. apply at_most_less with (power p (S m)); [now apply power_falls|]. simpl. apply difference_pos.
  setoid_replace (power p m - power p m * p) with (power p m * (1 - p)) by ring. apply times_pos; [now apply power_pos | now apply difference_pos].
Qed.
Lemma power_vanishes p e : 0 < p -> p < 1 -> 0 < e -> exists m, forall n, (m <= n)%nat -> power p n < e.
Proof.
  intros P L E. assert (A : 0 < 1 - p) by now apply difference_pos. assert (AE : 0 < (1 - p) * e) by now apply times_pos.
  destruct (whole_above F (1 / ((1 - p) * e))) as [m M]. fold (whole m : F) in M. exists m. intros n N. apply at_most_less with (power p m); [now apply power_falls|].
  intros G. pose proof (power_less p m P L) as B. apply (pos_nonzero (power p m)); [now apply power_pos|].
  apply at_most_antisym; [|now apply less_at_most, power_pos]. apply difference_nonneg in M, G, B. apply difference_nonneg.
  setoid_replace (0 - power p m) with ((1 - power p m * (1 + whole m * (1 - p))) + (whole m * (1 - p) * (power p m - e) + (whole m - 1 / ((1 - p) * e)) * ((1 - p) * e)))
    by (field; split; now apply pos_nonzero).
  apply nonneg_add; auto. apply nonneg_add; apply times_nonneg; auto; [|now apply less_at_most]. apply times_nonneg; [apply whole_nonneg | now apply less_at_most].
Qed.
Lemma limit_at_most (f : nat -> F) x y m : tends_to f x -> (forall n, (m <= n)%nat -> f n <= y) -> x <= y.
Proof.
  intros T H. destruct (compared F x y) as [|[_ L]]; auto. destruct (T (x - y)) as [k K]; [now apply difference_pos|].
  destruct (K (m + k)%nat) as [A _]; [lia|]. exfalso. apply A. setoid_replace (x - (x - y)) with y by ring. apply H. lia.
Qed.
Lemma limit_at_least (f : nat -> F) x y m : tends_to f x -> (forall n, (m <= n)%nat -> y <= f n) -> y <= x.
Proof.
  intros T H. destruct (compared F y x) as [|[_ L]]; auto. destruct (T (y - x)) as [k K]; [now apply difference_pos|].
  destruct (K (m + k)%nat) as [_ A]; [lia|]. exfalso. apply A. setoid_replace (x + (y - x)) with y by ring. apply H. lia.
Qed.
Lemma limit_unique (f : nat -> F) x y : tends_to f x -> tends_to f y -> x == y.
Proof.
  assert (A : forall x y, tends_to f x -> tends_to f y -> x <= y).
  { clear. intros x y X Y. destruct (compared F x y) as [|[_ L]]; auto. exfalso.
    assert (T : 0 < 1 + 1) by (apply pos_add; [apply less_at_most|]; apply one_pos).
    assert (D : 0 < (x - y) / (1 + 1)) by (apply quotient_of_pos; [now apply difference_pos | auto]).
    destruct (X _ D) as [k K]. destruct (Y _ D) as [m M]. destruct (K (k + m)%nat) as [A _]; [lia|]. destruct (M (k + m)%nat) as [_ B]; [lia|].
    setoid_replace (x - (x - y) / (1 + 1)) with (y + (x - y) / (1 + 1)) in A by (field; now apply pos_nonzero).
    apply A. now apply less_at_most. }
  intros. apply at_most_antisym; now apply A.
Qed.
Lemma limit_shifted (f g : nat -> F) x c : tends_to f x -> (forall n, g n == f n + c) -> tends_to g (x + c).
Proof.
  intros T E e P. destruct (T e P) as [m M]. exists m. intros n N. destruct (M n N) as [A B]. rewrite E. split; apply difference_pos.
  - setoid_replace (f n + c - (x + c - e)) with (f n - (x - e)) by ring. now apply difference_pos.
  - setoid_replace (x + c + e - (f n + c)) with (x + e - f n) by ring. now apply difference_pos.
Qed.
End Facts.

(** * The rational numbers are such a field *)

Lemma q_by_ones n : Nat.iter n (fun y => y + 1)%Q 0%Q == q n.
Proof. induction n; [reflexivity|]. simpl Nat.iter. rewrite IHn, q_S. reflexivity. Qed.
Definition rational : field_with_order.
Proof.
  refine {| number := Q; equal := Qeq; at_most := Qle; zero := 0; one := 1; add := Qplus; subtract := Qminus; negate := Qopp; times := Qmult; divide := Qdiv; invert := Qinv;
    equal_is := Q_Setoid; add_is := Qplus_comp; negate_is := Qopp_comp; times_is := Qmult_comp; invert_is := Qinv_comp; field_is := Qsft;
    at_most_is := Qle_comp; at_most_trans := Qle_trans; at_most_antisym := Qle_antisym |}.
  - intros x y. destruct (Qlt_le_dec y x); [right | now left]. split; lra.
  - intros. lra.
  - intros. now apply Qmult_le_0_compat.
  - intros x. exists (Z.to_nat (Qnum x)). rewrite q_by_ones. unfold q, Qle. destruct x as [n d]. simpl. nia.
Defined.
