(** The interpolated area. *)
From Coq Require Import Qminmax.
From Book Require Export AveragePrecision.

(** * The interpolated area (A17) *)

Fixpoint largest (f : nat -> Q) (n : nat) : Q := match n with O => 0 | S m => Qmax (largest f m) (f (S m)) end.  (* of 0, f 1, ..., f n *)

(** The best precision at recall x or more; the area below it has R steps of width 1/R, since from one level j/R to the next it does not change. *)
Definition interpolated_precision (l : ranking) (R : nat) (x : Q) : Q := largest (fun k => if Qle_bool x (recall_at l k R) then precision_at l k else 0) (length l).
Definition interpolated_average_precision (l : ranking) (R : nat) : Q := sum (fun j => interpolated_precision l R (q j / q R)) R / q R.
(** The best precision at hit j or a later one. *)
Definition best_from (l : ranking) (j : nat) : Q := largest (fun i => if (j <=? i)%nat then q i / q (hit_rank l i) else 0) (number_found l).

Lemma largest_le f n x : largest f n <= x <-> 0 <= x /\ forall i, (1 <= i <= n)%nat -> f i <= x.
Proof.
  induction n; simpl.
  - split; [intros; split; [auto | intros; lia] | tauto].
  - rewrite Q.max_lub_iff, IHn. split.
    + intros [[A B] C]. split; [auto|]. intros i I. destruct (Nat.eq_dec i (S n)) as [->|]; [auto | apply B; lia].
    + intros [A B]. split; [split; [auto | intros; apply B; lia] | apply B; lia].
Qed.
Lemma largest_ge f n i : (1 <= i <= n)%nat -> f i <= largest f n.
Proof. intros I. apply (proj1 (largest_le f n (largest f n)) (Qle_refl _)). auto. Qed.
Lemma largest_nonneg f n : 0 <= largest f n.
Proof. apply (proj1 (largest_le f n (largest f n)) (Qle_refl _)). Qed.

Lemma precision_at_hit l j : (1 <= j <= number_found l)%nat -> precision_at l (hit_rank l j) = q j / q (hit_rank l j).
Proof. intros J. unfold precision_at. now rewrite (proj1 (hits_at_hit_rank l j J)). Qed.
Definition best_with (l : ranking) (j : nat) : Q := largest (fun k => if (j <=? hits_at l k)%nat then precision_at l k else 0) (length l).
Lemma best_with_hits l j : (1 <= j)%nat -> best_with l j == best_from l j.
Proof.
  intros J. apply Qle_antisym; apply largest_le; (split; [apply largest_nonneg|]); intros k K.
  - destruct (Nat.leb_spec j (hits_at l k)); [|apply largest_nonneg].
    set (i := hits_at l k) in *. assert (I : (1 <= i <= number_found l)%nat) by (pose proof (hits_at_found l k) as X; fold i in X; lia).
    apply Qle_trans with (q i / q (hit_rank l i)).
    + assert (L : (hit_rank l i <= k)%nat) by (apply hits_at_counts; fold i; lia). unfold precision_at. fold i.
      assert (A : 0 < q (hit_rank l i)) by (apply q_pos; pose proof (hit_rank_bounds l i I); lia). assert (B : 0 < q k) by (apply q_pos; lia).
      pose proof (quotient_falls (q i) _ _ A B) as D. assert (C : q (hit_rank l i) <= q k) by (apply q_le; lia). pose proof (q_nonneg i).
      assert (0 <= q i * (q k - q (hit_rank l i)) / (q (hit_rank l i) * q k)) by (apply quotient_nonneg; nra). lra.
    + pose proof (largest_ge (fun i => if (j <=? i)%nat then q i / q (hit_rank l i) else 0) (number_found l) i I) as G. simpl in G.
      destruct (Nat.leb_spec j i); [exact G | lia].
  - destruct (Nat.leb_spec j k); [|apply largest_nonneg]. destruct (hits_at_hit_rank l k K) as [E P].
    pose proof (largest_ge (fun i => if (j <=? hits_at l i)%nat then precision_at l i else 0) (length l) (hit_rank l k) P) as G. simpl in G.
    rewrite E in G. destruct (Nat.leb_spec j k); [|lia]. rewrite precision_at_hit in G by auto. exact G.
Qed.
Lemma largest_ext f g n : (forall i, (1 <= i <= n)%nat -> f i == g i) -> largest f n == largest g n.
Proof. induction n; intros H; simpl; [reflexivity|]. rewrite IHn, (H (S n)) by (intros; try apply H; lia). reflexivity. Qed.
Lemma interpolated_between l R j x : (1 <= j)%nat -> (0 < R)%nat -> q (j - 1) / q R < x -> x <= q j / q R -> interpolated_precision l R x == best_from l j.
Proof.
  intros J P A B. rewrite <- best_with_hits by auto. apply largest_ext. intros k _. unfold recall_at. assert (r : 0 < q R) by now apply q_pos.
  assert (E : Qle_bool x (q (hits_at l k) / q R) = (j <=? hits_at l k)%nat); [|now rewrite E].
  destruct (Nat.leb_spec j (hits_at l k)) as [L|L].
  - apply Qle_bool_iff. apply Qle_trans with (1 := B). apply Qle_shift_div_l; auto. setoid_replace (q j / q R * q R) with (q j) by (field; lra). now apply q_le.
  - destruct (Qle_bool x (q (hits_at l k) / q R)) eqn:Z; auto. exfalso. apply Qle_bool_iff in Z.
    assert (X : q (hits_at l k) / q R <= q (j - 1) / q R); [|lra].
    apply Qle_shift_div_l; auto. setoid_replace (q (hits_at l k) / q R * q R) with (q (hits_at l k)) by (field; lra). apply q_le. lia.
Qed.
Lemma interpolation_at_hits l R j : (1 <= j <= R)%nat -> interpolated_precision l R (q j / q R) == best_from l j.
Proof.
  intros J. assert (r : 0 < q R) by (apply q_pos; lia). apply interpolated_between; try lia; [|lra].
  apply Qlt_shift_div_l; auto. setoid_replace (q (j - 1) / q R * q R) with (q (j - 1)) by (field; lra). apply q_lt. lia.
Qed.
Lemma best_from_ge l i j : (1 <= j <= i)%nat -> (i <= number_found l)%nat -> q i / q (hit_rank l i) <= best_from l j.
Proof.
  intros J I. pose proof (largest_ge (fun i => if (j <=? i)%nat then q i / q (hit_rank l i) else 0) (number_found l) i ltac:(lia)) as G. simpl in G.
  destruct (Nat.leb_spec j i); [exact G | lia].
Qed.

Theorem interpolated_area l R (N := length l) : (1 <= R)%nat -> number_found l = R ->
  (forall j x, (1 <= j <= R)%nat -> q (j - 1) / q R < x -> x <= q j / q R -> interpolated_precision l R x == best_from l j) /\
  interpolated_average_precision l R == sum (best_from l) R / q R /\
  average_precision l R <= interpolated_average_precision l R /\
  (average_precision l R == interpolated_average_precision l R <->
   forall i j, (1 <= j <= i)%nat -> (i <= R)%nat -> q i / q (hit_rank l i) <= q j / q (hit_rank l j)) /\
  q R / q N <= interpolated_average_precision l R /\
  (q R / q N == interpolated_average_precision l R <-> forall j, (1 <= j <= R)%nat -> q j / q (hit_rank l j) <= q R / q N).
Proof.
  intros P F. assert (r : 0 < q R) by (apply q_pos; lia). assert (LN : (R <= N)%nat) by (unfold N; rewrite <- F; apply number_found_le).
  assert (n : 0 < q N) by (apply q_pos; lia).
  assert (E : interpolated_average_precision l R == sum (best_from l) R / q R).
  { unfold interpolated_average_precision. apply Qmult_comp; [|reflexivity]. apply sum_ext. intros. apply interpolation_at_hits. lia. }
  assert (Scale : forall x y, (x / q R <= y / q R <-> x <= y) /\ (x / q R == y / q R <-> x == y)).
  { intros x y. assert (D : y / q R - x / q R == (y - x) / q R) by (field; lra). pose proof (quotient_nonneg (y - x) (q R) r) as [U V]. pose proof (quotient_0 (y - x) (q R)) as [W X]; [lra|].
    split; split; intros Z; [assert (0 <= y - x) by (apply U; lra); lra | assert (0 <= (y - x) / q R) by (apply V; lra); lra | assert (y - x == 0) by (apply W; lra); lra | rewrite Z; reflexivity]. }
  destruct (sum_le_iff (fun j => q j / q (hit_rank l j)) (best_from l) R) as [A B].
  { intros j J. apply best_from_ge; lia. }
  assert (Top : forall j, (1 <= j <= R)%nat -> q R / q N <= best_from l j).
  { intros j J. apply Qle_trans with (q R / q (hit_rank l R)); [|apply best_from_ge; lia].
    assert (a : 0 < q (hit_rank l R)) by (apply q_pos; pose proof (hit_rank_bounds l R); lia).
    pose proof (quotient_falls (q R) _ _ a n) as D. assert (q (hit_rank l R) <= q N) by (apply q_le; pose proof (hits_at_hit_rank l R); unfold N; lia).
    assert (0 <= q R * (q N - q (hit_rank l R)) / (q (hit_rank l R) * q N)) by (apply quotient_nonneg; nra). lra. }
  destruct (sum_le_iff (fun _ => q R / q N) (best_from l) R Top) as [C D]. rewrite sum_const in C, D.
  assert (M : q R / q N == q R * (q R / q N) / q R) by (field; lra).
  split; [intros j x J; apply interpolated_between; lia|]. split; [exact E|]. rewrite E, average_precision_by_ranks, F, M.
  split; [now apply Scale|]. split; [|split; [now apply Scale|]].
  - rewrite (proj2 (Scale _ _)), B. split.
    + intros H i j J I. rewrite (H j) by lia. apply best_from_ge; lia.
    + intros H j J. apply Qle_antisym; [apply best_from_ge; lia|]. apply largest_le. split.
      * apply quotient_nonneg; [apply q_pos; pose proof (hit_rank_bounds l j); lia | apply q_nonneg].
      * intros i I. destruct (Nat.leb_spec j i); [apply H; lia|]. apply quotient_nonneg; [apply q_pos; pose proof (hit_rank_bounds l j); lia | apply q_nonneg].
  - rewrite (proj2 (Scale _ _)), D. split.
    + intros H j J. rewrite (H j) by auto. apply best_from_ge; lia.
    + intros H j J. apply Qle_antisym; [now apply Top|]. apply largest_le. split.
      * apply quotient_nonneg; [auto | apply q_nonneg].
      * intros i I. destruct (Nat.leb_spec j i); [apply H; lia|]. apply quotient_nonneg; [auto | apply q_nonneg].
Qed.

(** Near miss: the best precision so far counts. *)
Lemma interpolated_area_near_miss : ~ (forall l R, (1 <= R)%nat -> number_found l = R ->
  interpolated_average_precision l R == sum (fun j => largest (fun i => q i / q (hit_rank l i)) j) R / q R).
Proof. intros C. specialize (C [false; true; true] 2 ltac:(lia) ltac:(reflexivity))%nat. discriminate. Qed.

(** The worst ranking is one of those whose area is R/N: no precision at a hit exceeds R/N. *)
Theorem interpolated_area_of_the_worst_ranking N R : (1 <= R <= N)%nat ->
  (forall j, (1 <= j <= R)%nat -> q j / q (hit_rank (worst_ranking N R) j) <= q R / q N) /\
  interpolated_average_precision (worst_ranking N R) R == q R / q N.
Proof.
  intros B. destruct (worst_hits N R) as [L [F K]]; [lia|].
  assert (A : forall j, (1 <= j <= R)%nat -> q j / q (hit_rank (worst_ranking N R) j) <= q R / q N).
  { intros j J. rewrite K by auto. assert (a : 0 < q (N - R + j)) by (apply q_pos; lia). assert (n : 0 < q N) by (apply q_pos; lia).
    assert (D : q R / q N - q j / q (N - R + j) == (q R * q (N - R + j) - q j * q N) / (q N * q (N - R + j))) by (field; lra).
    assert (X : q j * q N <= q R * q (N - R + j)) by (rewrite <- !q_mult; apply q_le; nia).
    assert (0 <= (q R * q (N - R + j) - q j * q N) / (q N * q (N - R + j))) by (apply quotient_nonneg; nra). lra. }
  split; [exact A|]. destruct (interpolated_area (worst_ranking N R) R) as [_ [_ [_ [_ [_ Least]]]]]; [lia | auto |]. rewrite L in Least. symmetry. apply Least, A.
Qed.

(** Near miss: every ranking with its first hit below rank 1 is such a ranking. *)
Lemma interpolated_area_of_the_worst_ranking_near_miss : ~ (forall l R, (1 <= R)%nat -> number_found l = R -> (1 < hit_rank l 1)%nat -> interpolated_average_precision l R == q R / q (length l)).
Proof. intros C. specialize (C [false; true; false] 1 ltac:(lia) ltac:(reflexivity))%nat. vm_compute in C. specialize (C ltac:(lia)). discriminate. Qed.
