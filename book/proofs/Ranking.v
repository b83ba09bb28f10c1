(** Rankings and their metrics: the definitions of [metrics.exact], over lists of booleans, and small facts about them.
    Only Coq's standard library is used. A quotient by 0 is 0 in Coq, so theorems name the denominators they need; where they name none, both sides
    are 0 together. Numbers are rational. Where the book speaks of any number (probabilities, discounts, values of blocks), theorems speak of any field
    with order, which [Numbers.v] defines; only the values of the metrics in [APAtK.v] are rational although the book allows any. *)
From Coq Require Export List Arith Lia QArith Qfield Lqa Setoid.
Export ListNotations.
Open Scope Q_scope.

(** * Numbers *)

Definition q (n : nat) : Q := inject_Z (Z.of_nat n).  (* a whole number as a rational one *)
Definition bit (b : bool) : nat := if b then 1 else 0.

Fixpoint sum (f : nat -> Q) (n : nat) : Q :=  (* f 1 + ... + f n *)
  match n with O => 0 | S m => sum f m + f (S m) end.

(** * Definitions: each is one function of [metrics.exact] *)

Definition ranking := list bool.  (* best first; true: relevant *)

Fixpoint number_found (l : ranking) : nat := match l with [] => 0 | b :: t => bit b + number_found t end%nat.
Definition hits_at (l : ranking) (k : nat) : nat := number_found (firstn k l).  (* s(k) *)
Definition delta (l : ranking) (k : nat) : nat := bit (nth (k - 1) l false).  (* 1 if the item at rank k is relevant *)

Definition precision_at (l : ranking) (k : nat) : Q := q (hits_at l k) / q k.  (* p(k) *)
Definition recall_at (l : ranking) (k R : nat) : Q := q (hits_at l k) / q R.  (* r(k) *)
Definition precision_sum (l : ranking) (k : nat) : Q := sum (fun i => precision_at l i * q (delta l i)) k.  (* S(k) *)
(* The sum of A6; that it is the area under the curve is not shown here. *)
Definition average_precision (l : ranking) (R : nat) : Q := precision_sum l (length l) / q R.
Definition hit_ranks (l : ranking) : list nat := filter (fun k => nth (k - 1) l false) (seq 1 (length l)).
Definition hit_rank (l : ranking) (j : nat) : nat := nth (j - 1) (hit_ranks l) 0%nat.  (* k_j *)

Definition mean_rank (l : ranking) : Q := sum (fun k => q k * q (delta l k)) (length l) / q (number_found l).
Definition inversions (l : ranking) : Q :=  (* an irrelevant item at i above a relevant one at j *)
  sum (fun j => sum (fun i => (1 - q (delta l i)) * q (delta l j)) (j - 1)) (length l).
Definition auc (l : ranking) : Q :=
  sum (fun j => sum (fun i => q (delta l i) * (1 - q (delta l j))) (j - 1)) (length l) /
  (q (number_found l) * (q (length l) - q (number_found l))).

(** * Whole numbers as rational ones *)

Lemma q_S n : q (S n) == q n + 1.
Proof. unfold q. rewrite Nat2Z.inj_succ. unfold Z.succ. now rewrite inject_Z_plus. Qed.
Lemma q_plus m n : q (m + n) == q m + q n.
Proof. unfold q. now rewrite Nat2Z.inj_add, inject_Z_plus. Qed.
Lemma q_mult m n : q (m * n) == q m * q n.
Proof. unfold q. now rewrite Nat2Z.inj_mul, inject_Z_mult. Qed.
Lemma q_minus m n : (n <= m)%nat -> q (m - n) == q m - q n.
Proof. intros. assert (E : q m == q (m - n) + q n) by (rewrite <- q_plus; now replace (m - n + n)%nat with m by lia). rewrite E. ring. Qed.
Lemma q_eq m n : q m == q n <-> m = n.
Proof. unfold q, Qeq; simpl; lia. Qed.
Lemma q_le m n : q m <= q n <-> (m <= n)%nat.
Proof. unfold q, Qle; simpl; lia. Qed.
Lemma q_lt m n : q m < q n <-> (m < n)%nat.
Proof. unfold q, Qlt; simpl; lia. Qed.
Lemma q_0 : q 0 = 0.
Proof. reflexivity. Qed.
Lemma q_1 : q 1 = 1.
Proof. reflexivity. Qed.
Lemma q_nonneg n : 0 <= q n.
Proof. rewrite <- q_0, q_le. lia. Qed.
Lemma q_pos n : (0 < n)%nat -> 0 < q n.
Proof. intros. rewrite <- q_0, q_lt. lia. Qed.
Lemma q_nonzero n : n <> 0%nat -> ~ q n == 0.
Proof. intros H. rewrite <- q_0, q_eq. exact H. Qed.
Lemma bit_le b : (bit b <= 1)%nat.
Proof. destruct b; simpl; lia. Qed.

(** * Quotients *)

Lemma quotient_0 a b : ~ b == 0 -> (a / b == 0 <-> a == 0).
Proof.
  intros B. split; intros H.
  - assert (a == a / b * b) by (field; auto). rewrite H0, H. ring.
  - rewrite H. field. auto.
Qed.
Lemma quotient_nonneg a b : 0 < b -> (0 <= a / b <-> 0 <= a).
Proof.
  intros B. assert (E : a == a / b * b) by (field; lra). split; intros H.
  - rewrite E. apply Qmult_le_0_compat; lra.
  - apply Qle_shift_div_l; lra.
Qed.
Lemma quotient_pos a b : 0 < b -> (0 < a / b <-> 0 < a).
Proof.
  intros B. assert (E : a == a / b * b) by (field; lra). split; intros H.
  - rewrite E. apply Qmult_lt_0_compat; auto.
  - apply Qlt_shift_div_l; lra.
Qed.

(** * Sums *)

Lemma sum_ext f g n : (forall i, (1 <= i <= n)%nat -> f i == g i) -> sum f n == sum g n.
Proof.
  induction n; intros H; simpl; [reflexivity|].
  rewrite IHn, (H (S n)) by (intros; try apply H; lia). reflexivity.
Qed.
Lemma sum_le f g n : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> sum f n <= sum g n.
Proof.
  induction n; intros H; simpl; [lra|].
  assert (sum f n <= sum g n) by (apply IHn; intros; apply H; lia). specialize (H (S n)). assert (f (S n) <= g (S n)) by (apply H; lia). lra.
Qed.
Lemma sum_plus f g n : sum (fun i => f i + g i) n == sum f n + sum g n.
Proof. induction n; simpl; [ring|]. rewrite IHn. ring. Qed.
Lemma sum_scale c f n : sum (fun i => c * f i) n == c * sum f n.
Proof. induction n; simpl; [ring|]. rewrite IHn. ring. Qed.
Lemma sum_const c n : sum (fun _ => c) n == q n * c.
Proof. induction n; [rewrite q_0; simpl; ring|]. simpl sum. rewrite IHn, q_S. ring. Qed.
Lemma sum_app f m n : sum f (m + n) == sum f m + sum (fun i => f (m + i)%nat) n.
Proof. induction n; simpl; [rewrite Nat.add_0_r; ring|]. rewrite Nat.add_succ_r. simpl. rewrite IHn. ring. Qed.
Lemma quotient_falls a b c : 0 < b -> 0 < c -> a / b - a / c == a * (c - b) / (b * c).
Proof. intros. field. lra. Qed.
Lemma sum_lt f g n i : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> (1 <= i <= n)%nat -> f i < g i -> sum f n < sum g n.
Proof.
  induction n; intros H I L; simpl; [lia|].
  assert (A : f (S n) <= g (S n)) by (apply H; lia). assert (B : sum f n <= sum g n) by (apply sum_le; intros; apply H; lia).
  destruct (Nat.eq_dec i (S n)) as [->|]; [lra|].
  assert (sum f n < sum g n) by (apply IHn; [intros; apply H; lia | lia | auto]). lra.
Qed.
Lemma sum_le_iff f g n : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> sum f n <= sum g n /\ (sum f n == sum g n <-> forall i, (1 <= i <= n)%nat -> f i == g i).
Proof.
  intros H. split; [now apply sum_le|]. split; [|apply sum_ext].
  intros E i I. destruct (Qeq_dec (f i) (g i)); auto. exfalso.
  assert (f i < g i) by (specialize (H i I); lra). pose proof (sum_lt f g n i H I H0). lra.
Qed.
Lemma sum_nonneg f n : (forall i, (1 <= i <= n)%nat -> 0 <= f i) -> 0 <= sum f n.
Proof. intros H. rewrite <- (Qmult_0_r (q n)), <- sum_const. now apply sum_le. Qed.
Lemma sum_swap f m n : sum (fun i => sum (fun j => f i j) n) m == sum (fun j => sum (fun i => f i j) m) n.
Proof.
  induction m; simpl.
  - rewrite sum_const. ring.
  - rewrite IHm, <- sum_plus. reflexivity.
Qed.

(** * Rankings, one item longer *)

Lemma number_found_app l r : number_found (l ++ r) = (number_found l + number_found r)%nat.
Proof. induction l; simpl; lia. Qed.
Lemma number_found_le l : (number_found l <= length l)%nat.
Proof. induction l as [|[] t]; simpl; lia. Qed.
Lemma length_snoc {A} (l : list A) b : length (l ++ [b]) = S (length l).
Proof. rewrite app_length. simpl. lia. Qed.
Lemma delta_app l r i : (1 <= i <= length l)%nat -> delta (l ++ r) i = delta l i.
Proof. intros; unfold delta. rewrite app_nth1 by lia. reflexivity. Qed.
Lemma delta_after l r i : (1 <= i)%nat -> delta (l ++ r) (length l + i) = delta r i.
Proof. intros; unfold delta. rewrite app_nth2 by lia. now replace (length l + i - 1 - length l)%nat with (i - 1)%nat by lia. Qed.
Lemma delta_snoc l b : delta (l ++ [b]) (S (length l)) = bit b.
Proof. unfold delta. rewrite app_nth2 by lia. now replace (S (length l) - 1 - length l)%nat with 0%nat by lia. Qed.
Lemma delta_le l i : (delta l i <= 1)%nat.
Proof. apply bit_le. Qed.
Lemma delta_beyond l i : (length l < i)%nat -> delta l i = 0%nat.
Proof. intros; unfold delta. rewrite nth_overflow by lia. reflexivity. Qed.

Lemma hits_at_app l r i : (i <= length l)%nat -> hits_at (l ++ r) i = hits_at l i.
Proof. intros; unfold hits_at. rewrite firstn_app. replace (i - length l)%nat with 0%nat by lia. simpl. now rewrite app_nil_r. Qed.
Lemma hits_at_after l r i : hits_at (l ++ r) (length l + i) = (number_found l + hits_at r i)%nat.
Proof. unfold hits_at. rewrite firstn_app_2. apply number_found_app. Qed.
Lemma hits_at_all l k : (length l <= k)%nat -> hits_at l k = number_found l.
Proof. intros; unfold hits_at. now rewrite firstn_all2. Qed.
Lemma hits_at_le l k : (hits_at l k <= k)%nat.
Proof. unfold hits_at. etransitivity; [apply number_found_le|]. rewrite firstn_length. lia. Qed.
Lemma hits_at_found l k : (hits_at l k <= number_found l)%nat.
Proof. unfold hits_at. rewrite <- (firstn_skipn k l) at 2. rewrite number_found_app. lia. Qed.
Lemma hits_at_S l k : hits_at l (S k) = (hits_at l k + delta l (S k))%nat.
Proof.
  revert k; induction l as [|b l]; intros k.
  - unfold hits_at, delta. rewrite !firstn_nil. now destruct k.
  - unfold hits_at, delta in *. simpl. destruct k; [simpl; lia|]. specialize (IHl k).
    replace (S k - 1)%nat with k in IHl by lia. rewrite Nat.sub_0_r in *. simpl in *. lia.
Qed.
Lemma hits_at_sum l k : q (hits_at l k) == sum (fun i => q (delta l i)) k.
Proof. induction k; [reflexivity|]. rewrite hits_at_S, q_plus, IHk. reflexivity. Qed.
Lemma hits_at_mono l i k : (i <= k)%nat -> (hits_at l i <= hits_at l k)%nat.
Proof. induction 1; [lia|]. rewrite hits_at_S. lia. Qed.

Lemma precision_sum_app l r i : (i <= length l)%nat -> precision_sum (l ++ r) i == precision_sum l i.
Proof.
  intros. unfold precision_sum, precision_at. apply sum_ext. intros j Hj. now rewrite delta_app, hits_at_app by lia.
Qed.
Lemma precision_sum_S l k : precision_sum l (S k) == precision_sum l k + q (hits_at l (S k)) / q (S k) * q (delta l (S k)).
Proof. reflexivity. Qed.
Lemma precision_sum_beyond l k : (length l <= k)%nat -> precision_sum l k == precision_sum l (length l).
Proof.
  induction 1 as [|k H IH]; [reflexivity|]. rewrite precision_sum_S, IH, delta_beyond, q_0 by lia. ring.
Qed.
Lemma precision_sum_snoc l b :
  precision_sum (l ++ [b]) (S (length l)) ==
  precision_sum l (length l) + q (number_found l + bit b) / q (S (length l)) * q (bit b).
Proof.
  rewrite precision_sum_S, precision_sum_app, delta_snoc, hits_at_all, number_found_app by (rewrite ?length_snoc; lia).
  simpl. now rewrite Nat.add_0_r.
Qed.
Lemma precision_sum_nonneg l k : 0 <= precision_sum l k.
Proof.
  apply sum_nonneg. intros i Hi. apply Qmult_le_0_compat; [|apply q_nonneg].
  apply Qle_shift_div_l; [apply q_pos; lia|]. rewrite Qmult_0_l. apply q_nonneg.
Qed.

Lemma hit_ranks_snoc l b : hit_ranks (l ++ [b]) = hit_ranks l ++ (if b then [S (length l)] else []).
Proof.
  unfold hit_ranks. rewrite length_snoc, seq_S, filter_app. f_equal.
  - apply filter_ext_in. intros i Hi. apply in_seq in Hi. apply app_nth1. lia.
  - simpl. rewrite app_nth2 by lia. replace (length l - 0 - length l)%nat with 0%nat by lia. now destruct b.
Qed.
Lemma hit_ranks_length l : length (hit_ranks l) = number_found l.
Proof.
  induction l using rev_ind; [reflexivity|].
  rewrite hit_ranks_snoc, app_length, number_found_app, IHl. now destruct x.
Qed.
Lemma hit_rank_app l b j : (1 <= j <= number_found l)%nat -> hit_rank (l ++ [b]) j = hit_rank l j.
Proof. intros. unfold hit_rank. rewrite hit_ranks_snoc, app_nth1; [reflexivity|]. rewrite hit_ranks_length. lia. Qed.
Lemma hit_rank_last l : hit_rank (l ++ [true]) (S (number_found l)) = S (length l).
Proof.
  unfold hit_rank. rewrite hit_ranks_snoc, app_nth2; rewrite hit_ranks_length; [|lia].
  now replace (S (number_found l) - 1 - number_found l)%nat with 0%nat by lia.
Qed.

(** The sum over the ranks of hits is the sum over all ranks, times delta. *)
Lemma sum_over_hits f l : sum (fun k => f k * q (delta l k)) (length l) == sum (fun j => f (hit_rank l j)) (number_found l).
Proof.
  induction l using rev_ind; [reflexivity|].
  rewrite length_snoc, number_found_app. simpl sum at 1. rewrite delta_snoc.
  rewrite (sum_ext _ (fun k => f k * q (delta l k))), IHl by (intros; now rewrite delta_app).
  destruct x; simpl number_found.
  - rewrite Nat.add_1_r. simpl sum. rewrite hit_rank_last.
    rewrite (sum_ext (fun j => f (hit_rank (l ++ [true]) j)) (fun j => f (hit_rank l j))) by (intros; now rewrite hit_rank_app).
    simpl bit. rewrite q_1. ring.
  - rewrite Nat.add_0_r. rewrite (sum_ext (fun j => f (hit_rank (l ++ [false]) j)) (fun j => f (hit_rank l j))) by (intros; now rewrite hit_rank_app).
    simpl bit. rewrite q_0. ring.
Qed.

(** * The ranks of the hits *)

Lemma hits_at_hit_rank l j : (1 <= j <= number_found l)%nat -> hits_at l (hit_rank l j) = j /\ (1 <= hit_rank l j <= length l)%nat.
Proof.
  revert j; induction l using rev_ind; [simpl; lia|]. intros j H. rewrite number_found_app in H. rewrite length_snoc.
  destruct x; simpl in H.
  - destruct (Nat.eq_dec j (S (number_found l))) as [->|].
    + rewrite hit_rank_last. split; [|lia]. rewrite hits_at_all, number_found_app by (rewrite length_snoc; lia). simpl. lia.
    + rewrite hit_rank_app by lia. destruct (IHl j) as [A B]; [lia|]. rewrite hits_at_app by lia. lia.
  - rewrite hit_rank_app by lia. destruct (IHl j) as [A B]; [lia|]. rewrite hits_at_app by lia. lia.
Qed.
Lemma hit_rank_bounds l j : (1 <= j <= number_found l)%nat -> (j <= hit_rank l j <= length l - number_found l + j)%nat.
Proof.
  intros H. destruct (hits_at_hit_rank l j H) as [A B]. split; [rewrite <- A at 1; apply hits_at_le|].
  assert (E : number_found l = (hits_at l (hit_rank l j) + number_found (skipn (hit_rank l j) l))%nat)
    by (unfold hits_at; now rewrite <- number_found_app, firstn_skipn).
  pose proof (number_found_le (skipn (hit_rank l j) l)) as L. rewrite skipn_length in L. lia.
Qed.
Lemma hits_at_counts l k j : (1 <= j <= number_found l)%nat -> ((hit_rank l j <= k)%nat <-> (j <= hits_at l k)%nat).
Proof.
  intros J. destruct (hits_at_hit_rank l j J) as [E [P _]]. split; intros L.
  - rewrite <- E. now apply hits_at_mono.
  - destruct (Nat.le_gt_cases (hit_rank l j) k); auto. exfalso.
    assert (X : (hits_at l (S k) <= hits_at l (hit_rank l j))%nat) by (apply hits_at_mono; lia).
    assert (G : (hits_at l k < hits_at l (hit_rank l j))%nat).
    { clear X. destruct (hit_rank l j) as [|m] eqn:M; [lia|]. assert (D : delta l (S m) = 1%nat).
      { assert (I : In (S m) (hit_ranks l)) by (rewrite <- M; unfold hit_rank; apply nth_In; rewrite hit_ranks_length; lia).
        unfold hit_ranks in I. apply filter_In in I as [_ I]. unfold delta. now rewrite I. }
      rewrite hits_at_S, D. assert (hits_at l k <= hits_at l m)%nat by (apply hits_at_mono; lia). lia. }
    lia.
Qed.
Lemma same_hit_ranks l r : length l = length r -> hit_ranks l = hit_ranks r -> l = r.
Proof.
  intros L H. apply (nth_ext _ _ false false L). intros n N.
  assert (I : forall t, (n < length t)%nat -> (In (S n) (hit_ranks t) <-> nth n t false = true)).
  { intros t T. unfold hit_ranks. rewrite filter_In, in_seq. simpl. rewrite Nat.sub_0_r. split; intros; [tauto|]. split; [lia | auto]. }
  pose proof (I l N) as A. pose proof (I r) as B. rewrite <- L in B. specialize (B N). rewrite <- H in B.
  destruct (nth n l false), (nth n r false); auto; [symmetry|]; tauto.
Qed.
Lemma same_hits l r : length l = length r -> number_found l = number_found r ->
  (forall j, (1 <= j <= number_found l)%nat -> hit_rank l j = hit_rank r j) -> l = r.
Proof.
  intros L N H. apply same_hit_ranks; auto. apply (nth_ext _ _ 0%nat 0%nat).
  - now rewrite !hit_ranks_length.
  - intros n I. rewrite hit_ranks_length in I. specialize (H (S n)). unfold hit_rank in H. simpl in H. rewrite Nat.sub_0_r in H. apply H. lia.
Qed.

(** A ranking in two parts. *)
Lemma precision_sum_two u v : precision_sum (u ++ v) (length (u ++ v)) ==
  precision_sum u (length u) + sum (fun i => q (number_found u + hits_at v i) / q (length u + i) * q (delta v i)) (length v).
Proof.
  rewrite app_length. unfold precision_sum at 1. rewrite sum_app. apply Qplus_comp.
  - apply (precision_sum_app u v (length u)). lia.
  - apply sum_ext. intros i I. unfold precision_at. now rewrite hits_at_after, delta_after by lia.
Qed.
