(** Order: AUC, padding and dominance. *)
From Book Require Export Gain.

(** * AUC is the mean rank, rescaled (C1) *)

Definition pairs (l : ranking) : Q := q (number_found l) * (q (length l) - q (number_found l)).  (* of a relevant and another item *)

Lemma inversions_by_ranks l : inversions l == sum (fun j => q (hit_rank l j) - q j) (number_found l).
Proof.
  unfold inversions.
  rewrite (sum_ext _ (fun k => (q k - q (hits_at l k)) * q (delta l k))).
  - rewrite (sum_over_hits (fun k => q k - q (hits_at l k))). apply sum_ext. intros j J. now rewrite (proj1 (hits_at_hit_rank l j J)).
  - intros k K. destruct k; [lia|]. replace (S k - 1)%nat with k by lia.
    rewrite (sum_ext _ (fun i => q (delta l (S k)) * (1 + - (1) * q (delta l i)))) by (intros; ring).
    rewrite sum_scale, sum_plus, sum_const, sum_scale, <- hits_at_sum, hits_at_S, q_plus, q_S.
    assert (E : q (delta l (S k)) * q (delta l (S k)) == q (delta l (S k))) by (rewrite <- q_mult, q_eq; unfold delta; destruct (nth _ l false); reflexivity).
    transitivity (q (delta l (S k)) * q k - q (delta l (S k)) * q (hits_at l k) + q (delta l (S k)) - q (delta l (S k)) * q (delta l (S k))); [rewrite E; ring | ring].
Qed.
Lemma right_and_wrong l : sum (fun j => sum (fun i => q (delta l i) * (1 - q (delta l j))) (j - 1)) (length l) + inversions l == pairs l.
Proof.
  unfold inversions, pairs. rewrite <- sum_plus.
  assert (G : forall n, sum (fun j => sum (fun i => q (delta l i) * (1 - q (delta l j))) (j - 1) + sum (fun i => (1 - q (delta l i)) * q (delta l j)) (j - 1)) n ==
              q (hits_at l n) * (q n - q (hits_at l n))).
  { induction n; [reflexivity|]. cbn [sum]. rewrite IHn, <- sum_plus, (Nat.sub_succ n 0), Nat.sub_0_r, hits_at_S, q_plus, q_S.
    rewrite (sum_ext _ (fun i => (1 - 2 * q (delta l (S n))) * q (delta l i) + q (delta l (S n)))) by (intros; ring).
    rewrite sum_plus, sum_scale, sum_const, <- hits_at_sum.
    assert (E : q (delta l (S n)) * q (delta l (S n)) == q (delta l (S n))) by (rewrite <- q_mult, q_eq; unfold delta; destruct (nth _ l false); reflexivity).
    set (d := q (delta l (S n))) in *. set (s := q (hits_at l n)). 
    transitivity (s * (q n - s) + ((1 - 2 * d) * s + q n * d) + (d - d * d)); [rewrite E; ring | ring]. }
  rewrite G, hits_at_all by lia. reflexivity.
Qed.
Lemma auc_by_inversions l (R := number_found l) (N := length l) : (0 < R < N)%nat -> auc l == 1 - inversions l / (q R * (q N - q R)).
Proof.
  intros B. assert (r : 0 < q R) by (apply q_pos; lia). assert (n : 0 < q N - q R) by (rewrite <- q_minus by lia; apply q_pos; lia).
  unfold auc. fold N R. pose proof (right_and_wrong l) as E. unfold pairs in E. fold N R in E.
  set (right := sum _ _) in *. assert (F : right == q R * (q N - q R) - inversions l) by (rewrite <- E; ring). rewrite F. field. lra.
Qed.

Theorem auc_by_mean_rank l (R := number_found l) (N := length l) : (0 < R < N)%nat ->
  inversions l == sum (fun j => q (hit_rank l j) - q j) R /\
  auc l == 1 - (mean_rank l - (q R + 1) / 2) / (q N - q R).
Proof.
  intros B. split; [apply inversions_by_ranks|].
  assert (r : 0 < q R) by (apply q_pos; lia). assert (n : 0 < q N - q R) by (rewrite <- q_minus by lia; apply q_pos; lia).
  rewrite auc_by_inversions, inversions_by_ranks by auto. fold R N.
  assert (M : mean_rank l == sum (fun j => q (hit_rank l j)) R / q R) by (unfold mean_rank; fold R; now rewrite (sum_over_hits q)).
  assert (T : forall m, sum (fun j => - (1) * q j) m == - (q m * (q m + 1) / 2)).
  { intros m. rewrite sum_scale. assert (E : sum q m == q m * (q m + 1) / 2); [|rewrite E; field]. induction m; [reflexivity|]. cbn [sum]. rewrite IHm, q_S. field. }
  rewrite M, (sum_ext _ (fun j => q (hit_rank l j) + - (1) * q j)), sum_plus, T by (intros; ring). field. lra.
Qed.

(** Near miss: the best mean rank is 1. *)
Lemma auc_by_mean_rank_near_miss : ~ (forall l, (0 < number_found l < length l)%nat -> auc l == 1 - (mean_rank l - 1) / (q (length l) - q (number_found l))).
Proof. intros C. specialize (C [true; true; false] ltac:(simpl; lia)). discriminate. Qed.

(** * Padding (A26): z irrelevant items are appended to a full ranking, so R is the number of its hits *)

Lemma number_found_padded l z : number_found (l ++ repeat false z) = number_found l.
Proof. rewrite number_found_app, number_found_repeat. simpl. lia. Qed.
Lemma hit_rank_padded l z j : hit_rank (l ++ repeat false z) j = hit_rank l j.
Proof. unfold hit_rank. now rewrite hit_ranks_app_false. Qed.

Definition r_precision (l : ranking) : Q := precision_at l (number_found l).
Definition full_recall (l : ranking) : nat := hit_rank l (number_found l).  (* the rank of the last hit *)

Lemma delta_padded l z k : (1 <= k)%nat -> delta (l ++ repeat false z) k = delta l k.
Proof.
  intros K. unfold delta. f_equal. destruct (Nat.lt_ge_cases (k - 1) (length l)); [now apply app_nth1|].
  rewrite app_nth2, (nth_overflow l) by lia. generalize (k - 1 - length l)%nat. induction z; intros [|n]; simpl; auto.
Qed.
Lemma hits_at_padded l z k : hits_at (l ++ repeat false z) k = hits_at l k.
Proof. induction k; [reflexivity|]. now rewrite !hits_at_S, IHk, delta_padded by lia. Qed.

Theorem padding l z (R := number_found l) (N := length l) : (0 < R < N)%nat -> (0 < z)%nat ->
  let padded := l ++ repeat false z in
  average_precision padded R == average_precision l R /\ r_precision padded == r_precision l /\ 1 / q (hit_rank padded 1) == 1 / q (hit_rank l 1) /\
  mean_rank padded == mean_rank l /\ full_recall padded = full_recall l /\
  (forall k, precision_at padded k == precision_at l k /\ recall_at padded k R == recall_at l k R) /\
  auc padded == 1 - inversions l / (q R * (q N - q R + q z)) /\ auc l <= auc padded /\ (auc l < auc padded <-> ~ auc l == 1).
Proof.
  intros B Z padded. assert (F : number_found padded = R) by apply number_found_padded.
  assert (L : length padded = (N + z)%nat) by (unfold padded; now rewrite app_length, repeat_length).
  assert (S : forall k, hits_at padded k = hits_at l k) by (intros; apply hits_at_padded).
  assert (r0 : 0 < q R) by (apply q_pos; lia). assert (n0 : 0 < q N - q R) by (rewrite <- q_minus by lia; apply q_pos; lia). assert (z0 : 0 < q z) by now apply q_pos.
  assert (I : inversions padded == inversions l).
  { rewrite !inversions_by_ranks, F. apply sum_ext. intros. unfold padded. now rewrite hit_rank_padded. }
  assert (A : auc padded == 1 - inversions l / (q R * (q N - q R + q z))).
  { rewrite auc_by_inversions, I by (rewrite F, L; lia). rewrite F, L, q_plus. field. lra. }
  split; [|split; [|split; [|split; [|split; [|split; [|split; [exact A|]]]]]]].
  - rewrite !average_precision_by_ranks, F. apply Qmult_comp; [|reflexivity]. apply sum_ext. intros. unfold padded. now rewrite hit_rank_padded.
  - unfold r_precision, precision_at. rewrite F, S. reflexivity.
  - unfold padded. rewrite hit_rank_padded. reflexivity.
  - unfold mean_rank. rewrite !(sum_over_hits q), F. apply Qmult_comp; [|reflexivity]. apply sum_ext. intros. unfold padded. now rewrite hit_rank_padded.
  - unfold full_recall. rewrite F. apply hit_rank_padded.
  - intros. unfold precision_at, recall_at. rewrite S. split; reflexivity.
  - rewrite A. pose proof (auc_by_inversions l B) as E. fold N R in E.
    assert (P : 0 <= inversions l).
    { rewrite inversions_by_ranks. apply sum_nonneg. intros j J. pose proof (hit_rank_bounds l j J) as [X _]. rewrite <- q_le in X. lra. }
    set (x := q R * (q N - q R)) in *. assert (V : 0 < x) by (unfold x; nra). assert (W : 0 < q R * (q N - q R + q z)) by nra.
    assert (D : inversions l / x - inversions l / (q R * (q N - q R + q z)) == inversions l * (q R * q z) / (x * (q R * (q N - q R + q z)))) by (unfold x in *; field; lra).
    assert (XW : 0 < x * (q R * (q N - q R + q z))) by nra.
    pose proof (quotient_pos (inversions l * (q R * q z)) _ XW) as [D1 D2]. pose proof (quotient_0 (inversions l) x) as [Q1 Q2]; [lra|].
    assert (rz : 0 < q R * q z) by nra. assert (G0 : 0 <= inversions l * (q R * q z) / (x * (q R * (q N - q R + q z)))) by (apply quotient_nonneg; nra).
    split; [lra|]. split.
    + intros G One. assert (Y : inversions l == 0) by (apply Q1; lra). assert (K : 0 < inversions l * (q R * q z)) by (apply D1; lra). rewrite Y in K. lra.
    + intros G. assert (~ inversions l == 0) by (intros Y; apply G; rewrite E; apply Q2 in Y; lra). assert (0 < inversions l) by lra.
      assert (K : 0 < inversions l * (q R * q z)) by nra. apply D2 in K. lra.
Qed.

(** Near miss: each appended item adds one pair. *)
Lemma padding_near_miss : ~ (forall l z, (0 < number_found l < length l)%nat -> auc (l ++ repeat false z) == 1 - inversions l / (pairs l + q z)).
Proof. intros C. specialize (C [false; true; true] 1%nat ltac:(simpl; lia)). discriminate. Qed.

(** D is the discount of a rank. nDCG divides by the DCG of the ideal ranking of the same items. *)
Section PaddingAndGain.
Context {F : field_with_order}.
Open Scope number_scope.
Definition ndcg_at (D : nat -> F) (l : ranking) (k : nat) : F := dcg_at D l k / dcg_at D (ideal_ranking (length l) (number_found l)) k.

Theorem padding_and_gain (D : nat -> F) l z k : let padded := l ++ repeat false z in dcg_at D padded k == dcg_at D l k /\ ndcg_at D padded k == ndcg_at D l k.
Proof.
  intros padded. assert (A : dcg_at D padded k == dcg_at D l k) by (apply Sum_ext; intros i I; unfold padded; now rewrite delta_padded by lia).
  split; [exact A|]. unfold ndcg_at. rewrite A. apply divide_proper; [reflexivity|]. unfold padded.
  rewrite number_found_padded, app_length, repeat_length. pose proof (number_found_le l). unfold ideal_ranking.
  replace (length l + z - number_found l)%nat with (length l - number_found l + z)%nat by lia. rewrite repeat_app, app_assoc.
  apply Sum_ext. intros i I. now rewrite delta_padded by lia.
Qed.
End PaddingAndGain.

(** Near miss: the appended items may be relevant. *)
Lemma padding_and_gain_near_miss : ~ (forall (F : field_with_order) (D : nat -> F) l v k, dcg_at D (l ++ v) k == dcg_at D l k)%F.
Proof. intros C. specialize (C rational (fun _ => 1) [] [true] 1%nat). discriminate. Qed.

Theorem padding_without_end l : (0 < number_found l < length l)%nat -> tends_to (F := rational) (fun z => auc (l ++ repeat false z)) 1.
Proof.
  intros B e P. change (number rational) with Q in e. assert (P' : 0 < e) by now apply Qnot_le_lt. destruct (whole_above rational (inversions l / e)%Q) as [m M]. simpl in M. rewrite q_by_ones in M.
  exists (S m). intros z Z. destruct (padding l z B ltac:(lia)) as [_ [_ [_ [_ [_ [_ [A _]]]]]]].
  set (R := number_found l) in *. set (N := length l) in *.
  assert (r : 1 <= q R) by (rewrite <- q_1; apply q_le; lia). assert (n : 0 < q N - q R) by (rewrite <- q_minus by lia; apply q_pos; lia).
  assert (z0 : q m < q z) by (apply q_lt; lia). assert (I : inversions l < q z * e).
  { assert (E : inversions l == inversions l / e * e) by (field; lra). rewrite E. assert (inversions l / e < q z) by lra. nra. }
  pose proof (q_nonneg z). assert (V : 0 < q R * (q N - q R + q z)) by nra. set (c := q R * (q N - q R + q z)) in *. assert (W : q z <= c) by (unfold c; nra).
  assert (J : 0 <= inversions l). { rewrite inversions_by_ranks. apply sum_nonneg. intros j J. pose proof (hit_rank_bounds l j J) as [X _]. rewrite <- q_le in X. lra. }
  assert (U : 0 <= inversions l / c) by now apply quotient_nonneg. assert (T : inversions l / c < e) by (apply Qlt_shift_div_r; nra).
  split; apply Qlt_not_le; simpl; rewrite A; lra.
Qed.

(** Near miss: some number of appended items is enough for an AUC of 1. *)
Lemma padding_without_end_near_miss : ~ (forall l, (0 < number_found l < length l)%nat -> exists z, auc (l ++ repeat false z) == 1).
Proof.
  intros C. destruct (C [false; true] ltac:(simpl; lia)) as [z Z].
  rewrite auc_by_inversions, inversions_by_ranks in Z by (rewrite number_found_padded, app_length; simpl; lia).
  rewrite number_found_padded, app_length, repeat_length in Z. cbn [number_found bit length Nat.add] in Z. cbn [sum] in Z.
  rewrite hit_rank_padded, !q_S in Z. change (hit_rank [false; true] 1) with 2%nat in Z. change (q 2) with 2 in Z. change (q 1) with 1 in Z. change (q 0) with 0 in Z. pose proof (q_nonneg z).
  assert (E : 1 - (0 + (2 - (0 + 1))) / ((0 + 1) * (q z + 1 + 1 - (0 + 1))) == q z / (q z + 1)) by (field; lra).
  rewrite E in Z. assert (X : q z == q z / (q z + 1) * (q z + 1)) by (field; lra). rewrite Z in X. lra.
Qed.

(** * Dominance (A25): k_j is the rank of hit j; a discount has values in any field with order *)

Lemma metrics_of_dominating l m R (N := length l) : length m = N -> number_found l = R -> number_found m = R -> (0 < R < N)%nat ->
  (forall j, (1 <= j <= R)%nat -> (hit_rank l j <= hit_rank m j)%nat) ->
  average_precision m R <= average_precision l R /\ auc m <= auc l /\ 1 / q (hit_rank m 1) <= 1 / q (hit_rank l 1).
Proof.
  intros L F G B H. split; [|split].
  - apply average_precision_falls; [lia | lia | rewrite F; exact H].
  - rewrite !auc_by_inversions, !inversions_by_ranks by (rewrite ?F, ?G, ?L; fold N; lia). rewrite F, G, L. fold N.
    assert (V : 0 < q R * (q N - q R)). { assert (0 < q R) by (apply q_pos; lia). assert (0 < q N - q R) by (rewrite <- q_minus by lia; apply q_pos; lia). nra. }
    assert (Y : sum (fun j => q (hit_rank l j) - q j) R <= sum (fun j => q (hit_rank m j) - q j) R).
    { apply sum_le. intros j J. pose proof (H j J) as X. rewrite <- q_le in X. lra. }
    set (x := sum _ R) in *. set (y := sum (fun j => q (hit_rank m j) - q j) R) in *.
    assert (E : y / (q R * (q N - q R)) - x / (q R * (q N - q R)) == (y - x) / (q R * (q N - q R))) by (field; nra).
    assert (0 <= (y - x) / (q R * (q N - q R))) by (apply quotient_nonneg; lra). lra.
  - assert (A : (0 < hit_rank l 1)%nat) by (pose proof (hit_rank_bounds l 1); lia). pose proof (H 1%nat) as X.
    assert (0 < q (hit_rank l 1)) by now apply q_pos. assert (0 < q (hit_rank m 1)) by (apply q_pos; lia).
    assert (E : 1 / q (hit_rank l 1) - 1 / q (hit_rank m 1) == (q (hit_rank m 1) - q (hit_rank l 1)) / (q (hit_rank l 1) * q (hit_rank m 1))) by (field; lra).
    assert (Y : q (hit_rank l 1) <= q (hit_rank m 1)) by (apply q_le; lia).
    assert (0 <= (q (hit_rank m 1) - q (hit_rank l 1)) / (q (hit_rank l 1) * q (hit_rank m 1))) by (apply quotient_nonneg; nra). lra.
Qed.

Section Dominance.
Context {F : field_with_order}.
Add Field numbers : (field_is F).
Open Scope number_scope.
Implicit Types (x y : F) (D : nat -> F).

Definition share (a b : nat) : F := whole a / whole b.
(** Precision at recall x is the precision at the first rank k at which recall is at least x. *)
Definition first_at_recall (l : ranking) (R : nat) x (k : nat) : Prop := x <= share (hits_at l k) R /\ forall i, (i < k)%nat -> share (hits_at l i) R < x.
(** The ROC curve goes through a point for each rank k: to the right the share of irrelevant items above, upwards the share of relevant ones. It never falls,
    so the point (x, y) is on it or under it if it has risen to y by x. *)
Definition on_or_under_roc (l : ranking) (R : nat) x y : Prop := exists k, share (k - hits_at l k) (length l - R) <= x /\ y <= share (hits_at l k) R.
Definition gain_of D (l : ranking) : F := Sum (fun j => D (hit_rank l j)) (number_found l).

Lemma share_at_most a b c d : (0 < b)%nat -> (0 < d)%nat -> (share a b <= share c d <-> (a * d <= c * b)%nat).
Proof.
  intros B D. assert (b0 : 0 < whole b) by now apply whole_pos. assert (d0 : 0 < whole d) by now apply whole_pos.
  assert (V : 0 < whole b * whole d) by now apply times_pos.
  rewrite <- (whole_at_most (F := F)), !whole_times, <- difference_nonneg, <- (difference_nonneg (_ * _)).
  assert (E : share c d - share a b == (whole c * whole b - whole a * whole d) / (whole b * whole d)) by (unfold share; field; split; now apply pos_nonzero).
  split; intros L.
  - setoid_replace (whole c * whole b - whole a * whole d) with ((share c d - share a b) * (whole b * whole d)) by (rewrite E; field; split; now apply pos_nonzero).
    apply times_nonneg; auto. now apply less_at_most.
  - rewrite E. now apply quotient_of_nonneg.
Qed.
Lemma irrelevant_above_grow l i k : (i <= k)%nat -> (i - hits_at l i <= k - hits_at l k)%nat.
Proof. induction 1 as [|k K IH]; [lia|]. rewrite hits_at_S. pose proof (delta_le l (S k)). lia. Qed.
Lemma first_at_recall_of_hit l R j : (1 <= j <= number_found l)%nat -> (0 < R)%nat -> first_at_recall l R (share j R) (hit_rank l j).
Proof.
  intros J P. split.
  - rewrite (proj1 (hits_at_hit_rank l j J)). apply at_most_equal. reflexivity.
  - intros i I L. apply share_at_most in L; auto. assert (K : (j <= hits_at l i)%nat) by nia. apply hits_at_counts in K; [lia | auto].
Qed.
Lemma first_at_recall_is_hit l R x k : (0 < R)%nat -> 0 < x -> first_at_recall l R x k ->
  exists j, (1 <= j <= number_found l)%nat /\ k = hit_rank l j /\ share (j - 1) R < x /\ x <= share j R.
Proof.
  intros P X [A B]. set (j := hits_at l k) in *. exists j. assert (J : (1 <= j <= number_found l)%nat).
  { split; [|apply hits_at_found]. destruct (Nat.eq_dec j 0) as [Z|]; [|lia]. exfalso. apply X. rewrite Z in A.
    apply at_most_trans with (1 := A). apply at_most_equal. unfold share. change (whole 0) with 0. field. now apply whole_nonzero. }
  assert (K : (hit_rank l j <= k)%nat) by (apply hits_at_counts; fold j; lia).
  assert (E : k = hit_rank l j).
  { destruct (Nat.eq_dec k (hit_rank l j)) as [|N]; auto. exfalso. apply (B (hit_rank l j)); [lia|]. now rewrite (proj1 (hits_at_hit_rank l j J)). }
  split; [auto|]. split; [auto|]. split; [|exact A]. destruct (hits_at_hit_rank l j J) as [H1 [H2 _]].
  apply at_most_less with (share (hits_at l (k - 1)) R); [|apply B; lia]. apply share_at_most; auto.
  pose proof (hits_at_S l (k - 1)) as T. replace (S (k - 1))%nat with k in T by lia. fold j in T. pose proof (delta_le l k). nia.
Qed.
Lemma Sum_up_to h R : (h <= R)%nat -> Sum (fun j => if (j <=? h)%nat then 1 else 0) R == whole h.
Proof.
  intros L. induction R as [|R IH]; [now replace h with 0%nat by lia|]. cbn [Sum]. destruct (Nat.eq_dec h (S R)) as [->|].
  - rewrite Nat.leb_refl, whole_S, (Sum_ext _ (fun _ => 1)) by (intros i I; destruct (Nat.leb_spec i (S R)); [reflexivity | lia]). rewrite Sum_const. ring.
  - rewrite IH by lia. destruct (Nat.leb_spec (S R) h); [lia | ring].
Qed.

Theorem dominance l m R (N := length l) : length m = N -> number_found l = R -> number_found m = R -> (0 < R < N)%nat ->
  let by_precision := forall x k k', 0 < x -> x <= 1 -> first_at_recall l R x k -> first_at_recall m R x k' -> share (hits_at m k') k' <= share (hits_at l k) k in
  let by_roc := forall x y, 0 <= x -> x <= 1 -> on_or_under_roc m R x y -> on_or_under_roc l R x y in
  let by_ranks := forall j, (1 <= j <= R)%nat -> (hit_rank l j <= hit_rank m j)%nat in
  let by_hits := forall k, (hits_at m k <= hits_at l k)%nat in
  let by_gain := forall D, (forall k, (1 <= k)%nat -> 0 <= D k) -> (forall i k, (1 <= i <= k)%nat -> D k <= D i) -> gain_of D m <= gain_of D l in
  (by_precision <-> by_ranks) /\ (by_roc <-> by_ranks) /\ (by_hits <-> by_ranks) /\ (by_gain <-> by_ranks) /\
  (by_ranks -> average_precision m R <= average_precision l R /\ auc m <= auc l /\ 1 / q (hit_rank m 1) <= 1 / q (hit_rank l 1))%Q.
Proof.
  intros L F' G B by_precision by_roc by_ranks by_hits by_gain. rename F' into FL.
  assert (Rank : forall t j, number_found t = R -> (1 <= j <= R)%nat -> hits_at t (hit_rank t j) = j /\ (1 <= hit_rank t j)%nat)
    by (intros t j T J; destruct (hits_at_hit_rank t j ltac:(lia)); lia).
  assert (RH : by_hits <-> by_ranks).
  { split; intros H.
    - intros j J. apply hits_at_counts; [lia|]. specialize (H (hit_rank m j)). rewrite (proj1 (Rank m j G J)) in H. lia.
    - intros k. destruct (Nat.eq_dec (hits_at m k) 0); [lia|]. pose proof (hits_at_found m k). apply (hits_at_counts l); [lia|].
      specialize (H (hits_at m k)). assert (hit_rank m (hits_at m k) <= k)%nat by (apply hits_at_counts; lia). lia. }
  split; [|split; [|split; [exact RH|split]]].
  - split; intros H.
    + intros j J. destruct (Rank l j FL J) as [L1 L2]. destruct (Rank m j G J) as [M1 M2].
      specialize (H (share j R) (hit_rank l j) (hit_rank m j)). rewrite L1, M1 in H.
      assert (X : share j (hit_rank m j) <= share j (hit_rank l j)).
      { apply H; [apply quotient_of_pos; apply whole_pos; lia | | apply first_at_recall_of_hit; lia | apply first_at_recall_of_hit; lia].
        apply at_most_trans with (share R R); [apply share_at_most; nia | apply at_most_equal; unfold share; field; apply whole_nonzero; lia]. }
      apply share_at_most in X; try lia. nia.
    + intros x k k' X _ A A'. apply first_at_recall_is_hit in A as [j [J [-> [A1 A2]]]]; [|lia | auto].
      apply first_at_recall_is_hit in A' as [j' [J' [-> [B1 B2]]]]; [|lia | auto].
      assert (j = j').
      { pose proof (less_at_most _ _ A1). pose proof (less_at_most _ _ B1).
        assert (C : share (j - 1) R < share j' R) by now apply less_at_most_less with x. assert (C' : share (j' - 1) R < share j R) by now apply less_at_most_less with x.
        unfold less in C, C'. rewrite share_at_most in C, C' by lia. nia. }
      subst j'. rewrite (proj1 (Rank l j FL ltac:(lia))), (proj1 (Rank m j G ltac:(lia))). specialize (H j ltac:(lia)).
      destruct (Rank l j FL ltac:(lia)). destruct (Rank m j G ltac:(lia)). apply share_at_most; nia.
  - split; intros H.
    + intros j J. destruct (Rank l j FL J) as [L1 L2]. destruct (Rank m j G J) as [M1 M2].
      pose proof (hits_at_all m N ltac:(lia)) as E. pose proof (hit_rank_bounds m j ltac:(lia)) as Bm.
      destruct (H (share (hit_rank m j - j) (N - R)) (share j R)) as [k [K1 K2]].
      * apply quotient_of_nonneg; [apply whole_nonneg | apply whole_pos; lia].
      * apply at_most_trans with (share (N - R) (N - R)); [apply share_at_most; nia | apply at_most_equal; unfold share; field; apply whole_nonzero; lia].
      * exists (hit_rank m j). rewrite M1, L. split; apply at_most_equal; reflexivity.
      * fold N in K1. apply share_at_most in K1; try lia. apply share_at_most in K2; try lia.
        assert (K : (hit_rank l j <= k)%nat) by (apply hits_at_counts; nia). pose proof (irrelevant_above_grow l _ _ K) as I. rewrite L1 in I.
        assert (k - hits_at l k <= hit_rank m j - j)%nat by nia. pose proof (hit_rank_bounds l j ltac:(lia)). lia.
    + intros x y _ _ [k [K1 K2]]. rewrite L in K1. fold N in K1. destruct (Nat.eq_dec (hits_at m k) 0) as [Z|].
      * exists 0%nat. rewrite Z in K2. split; [|exact K2]. apply at_most_trans with (2 := K1). fold N. apply share_at_most; [lia | lia | apply Nat.le_0_l].
      * set (j := hits_at m k) in *. assert (J : (1 <= j <= R)%nat) by (pose proof (hits_at_found m k); lia).
        exists (hit_rank l j). rewrite (proj1 (Rank l j FL J)). split; [|exact K2]. apply at_most_trans with (2 := K1). fold N. apply share_at_most; try lia.
        assert (hit_rank m j <= k)%nat by (apply hits_at_counts; fold j; lia). specialize (H j J). nia.
  - split; intros H.
    + apply RH. intros k. specialize (H (fun i => if (i <=? k)%nat then 1 else 0)).
      assert (C : forall t, number_found t = R -> gain_of (fun i => if (i <=? k)%nat then 1 else 0) t == whole (hits_at t k)).
      { intros t T. rewrite <- (Sum_up_to (hits_at t k) R) by (rewrite <- T; apply hits_at_found). unfold gain_of. rewrite T. apply Sum_ext. intros j J.
        pose proof (hits_at_counts t k j ltac:(lia)). destruct (Nat.leb_spec (hit_rank t j) k), (Nat.leb_spec j (hits_at t k)); try reflexivity; lia. }
      rewrite !C, whole_at_most in H by auto. apply H.
      * intros i _. destruct (i <=? k)%nat; [apply less_at_most, one_pos | apply at_most_equal; reflexivity].
      * intros i j I. destruct (Nat.leb_spec i k), (Nat.leb_spec j k); try (apply at_most_equal; reflexivity); [apply less_at_most, one_pos | lia].
    + intros D _ M. unfold gain_of. rewrite FL, G. apply Sum_at_most. intros j J. apply M. destruct (Rank l j FL J). split; [lia | now apply H].
  - intros H. now apply metrics_of_dominating.
Qed.
End Dominance.

(** Near miss: the three metrics decide it. *)
Lemma dominance_near_miss : ~ (forall l m, length l = length m -> number_found l = number_found m ->
  average_precision m (number_found m) <= average_precision l (number_found l) -> auc m <= auc l -> 1 / q (hit_rank m 1) <= 1 / q (hit_rank l 1) ->
  forall j, (1 <= j <= number_found l)%nat -> (hit_rank l j <= hit_rank m j)%nat).
Proof. intros C. specialize (C [true; false; false; true] [false; true; true; false] eq_refl eq_refl ltac:(discriminate) ltac:(discriminate) ltac:(discriminate) 2%nat ltac:(simpl; lia)). vm_compute in C. lia. Qed.
