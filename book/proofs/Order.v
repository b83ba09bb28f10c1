(** Order: AUC, padding and dominance. *)
From Book Require Export AveragePrecision.

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

(** * Padding (A26, in part: without DCG@k, nDCG@k and the limit); z irrelevant items are appended *)

Lemma number_found_padded l z : number_found (l ++ repeat false z) = number_found l.
Proof. rewrite number_found_app, number_found_repeat. simpl. lia. Qed.
Lemma hit_rank_padded l z j : hit_rank (l ++ repeat false z) j = hit_rank l j.
Proof. unfold hit_rank. now rewrite hit_ranks_app_false. Qed.

Theorem padding l z R (r := number_found l) (N := length l) : (0 < r < N)%nat -> (0 < z)%nat ->
  let padded := l ++ repeat false z in
  average_precision padded R == average_precision l R /\ mean_rank padded == mean_rank l /\
  (forall j, hit_rank padded j = hit_rank l j) /\ (forall k, precision_at padded k == precision_at l k) /\ (forall k, recall_at padded k R == recall_at l k R) /\
  auc padded == 1 - inversions l / (q r * (q N - q r + q z)) /\ (auc l < auc padded <-> ~ auc l == 1).
Proof.
  intros B Z padded. assert (F : number_found padded = r) by apply number_found_padded.
  assert (L : length padded = (N + z)%nat) by (unfold padded; now rewrite app_length, repeat_length).
  assert (S : forall k, hits_at padded k = hits_at l k).
  { intros k. destruct (Nat.le_gt_cases k N); [now apply hits_at_app|]. rewrite (hits_at_all l) by (fold N; lia).
    replace k with (N + (k - N))%nat by lia. unfold padded, N. rewrite hits_at_after.
    assert (hits_at (repeat false z) (k - length l) = 0%nat); [|lia]. pose proof (hits_at_found (repeat false z) (k - length l)) as E. rewrite number_found_repeat in E. simpl in E. lia. }
  assert (r0 : 0 < q r) by (apply q_pos; lia). assert (n0 : 0 < q N - q r) by (rewrite <- q_minus by lia; apply q_pos; lia). assert (z0 : 0 < q z) by now apply q_pos.
  assert (I : inversions padded == inversions l).
  { rewrite !inversions_by_ranks, F. apply sum_ext. intros. unfold padded. now rewrite hit_rank_padded. }
  assert (A : auc padded == 1 - inversions l / (q r * (q N - q r + q z))).
  { rewrite auc_by_inversions, I by (rewrite F, L; lia). rewrite F, L, q_plus. field. lra. }
  split; [|split; [|split; [intros; apply hit_rank_padded | split; [|split; [|split]]]]].
  - rewrite !average_precision_by_ranks, F. apply Qmult_comp; [|reflexivity]. apply sum_ext. intros. unfold padded. now rewrite hit_rank_padded.
  - unfold mean_rank. rewrite !(sum_over_hits q), F. apply Qmult_comp; [|reflexivity]. apply sum_ext. intros. unfold padded. now rewrite hit_rank_padded.
  - intros. unfold precision_at. now rewrite S.
  - intros. unfold recall_at. now rewrite S.
  - exact A.
  - rewrite A. pose proof (auc_by_inversions l B) as E. fold N r in E.
    assert (P : 0 <= inversions l).
    { rewrite inversions_by_ranks. apply sum_nonneg. intros j J. pose proof (hit_rank_bounds l j J) as [X _]. rewrite <- q_le in X. lra. }
    set (x := q r * (q N - q r)) in *. assert (V : 0 < x) by (unfold x; nra). assert (W : 0 < q r * (q N - q r + q z)) by nra.
    assert (D : inversions l / x - inversions l / (q r * (q N - q r + q z)) == inversions l * (q r * q z) / (x * (q r * (q N - q r + q z)))) by (unfold x in *; field; lra).
    assert (XW : 0 < x * (q r * (q N - q r + q z))) by nra.
    pose proof (quotient_pos (inversions l * (q r * q z)) _ XW) as [D1 D2]. pose proof (quotient_0 (inversions l) x) as [Q1 Q2]; [lra|].
    assert (rz : 0 < q r * q z) by nra.
    split.
    + intros G One. assert (Y : inversions l == 0) by (apply Q1; lra). assert (K : 0 < inversions l * (q r * q z)) by (apply D1; lra). rewrite Y in K. lra.
    + intros G. assert (~ inversions l == 0) by (intros Y; apply G; rewrite E; apply Q2 in Y; lra). assert (0 < inversions l) by lra.
      assert (K : 0 < inversions l * (q r * q z)) by nra. apply D2 in K. lra.
Qed.

(** Near miss: each appended item adds one pair. *)
Lemma padding_near_miss : ~ (forall l z, (0 < number_found l < length l)%nat -> auc (l ++ repeat false z) == 1 - inversions l / (pairs l + q z)).
Proof. intros C. specialize (C [false; true; true] 1%nat ltac:(simpl; lia)). discriminate. Qed.

(** * Dominance (A25, in part: without precision at recall, the ROC curve, and irrational discounts) *)

Definition gain_of (D : nat -> Q) (l : ranking) : Q := sum (fun j => D (hit_rank l j)) (number_found l).

Theorem dominance l m R (N := length l) : length m = N -> number_found l = R -> number_found m = R -> (0 < R < N)%nat ->
  let by_ranks := forall j, (1 <= j <= R)%nat -> (hit_rank l j <= hit_rank m j)%nat in
  let by_hits := forall k, (hits_at m k <= hits_at l k)%nat in
  let by_gain := forall D, (forall k, 0 <= D k) -> (forall i k, (i <= k)%nat -> D k <= D i) -> gain_of D m <= gain_of D l in
  (by_ranks <-> by_hits) /\ (by_hits <-> by_gain) /\
  (by_ranks -> average_precision m R <= average_precision l R /\ auc m <= auc l /\ 1 / q (hit_rank m 1) <= 1 / q (hit_rank l 1)).
Proof.
  intros L F G B by_ranks by_hits by_gain.
  assert (RH : by_ranks <-> by_hits).
  { split; intros H.
    - intros k. destruct (Nat.eq_dec (hits_at m k) 0); [lia|]. pose proof (hits_at_found m k). apply (hits_at_counts l); [lia|].
      specialize (H (hits_at m k)). assert (hit_rank m (hits_at m k) <= k)%nat by (apply hits_at_counts; lia). lia.
    - intros j J. apply hits_at_counts; [lia|]. specialize (H (hit_rank m j)). rewrite (proj1 (hits_at_hit_rank m j ltac:(lia))) in H. lia. }
  assert (RG : by_ranks -> by_gain).
  { intros H D P M. unfold gain_of. rewrite F, G. apply sum_le. intros j J. apply M, H, J. }
  assert (GH : by_gain -> by_hits).
  { intros H k. specialize (H (fun i => if (i <=? k)%nat then 1 else 0)).
    assert (C : forall t, number_found t = R -> gain_of (fun i => if (i <=? k)%nat then 1 else 0) t == q (hits_at t k)).
    { intros t T. unfold gain_of. rewrite <- (sum_over_hits (fun i => if (i <=? k)%nat then 1 else 0)), hits_at_sum.
      assert (W : forall n, (k <= n)%nat -> sum (fun i => (if (i <=? k)%nat then 1 else 0) * q (delta t i)) n == sum (fun i => q (delta t i)) k).
      { induction n; intros K.
        - replace k with 0%nat by lia. reflexivity.
        - destruct (Nat.eq_dec k (S n)) as [->|].
          + apply sum_ext. intros i I. destruct (Nat.leb_spec i (S n)); [ring | lia].
          + cbn [sum]. rewrite IHn by lia. destruct (Nat.leb_spec (S n) k); [lia | ring]. }
      destruct (Nat.le_gt_cases k (length t)); [now apply W|].
      rewrite (sum_ext _ (fun i => q (delta t i))) by (intros i I; destruct (Nat.leb_spec i k); [ring | lia]).
      rewrite <- !hits_at_sum, !hits_at_all by lia. reflexivity. }
    rewrite !C, q_le in H by auto. apply H.
    - intros i. destruct (i <=? k)%nat; lra.
    - intros i j I. destruct (Nat.leb_spec i k), (Nat.leb_spec j k); try lra; lia. }
  split; [exact RH|]. split; [split; [intros H; apply RG, RH, H | exact GH]|].
  intros H. split; [|split].
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

(** Near miss: the three metrics decide it. *)
Lemma dominance_near_miss : ~ (forall l m, length l = length m -> number_found l = number_found m ->
  average_precision m (number_found m) <= average_precision l (number_found l) -> auc m <= auc l -> 1 / q (hit_rank m 1) <= 1 / q (hit_rank l 1) ->
  forall j, (1 <= j <= number_found l)%nat -> (hit_rank l j <= hit_rank m j)%nat).
Proof. intros C. specialize (C [true; false; false; true] [false; true; true; false] eq_refl eq_refl ltac:(discriminate) ltac:(discriminate) ltac:(discriminate) 2%nat ltac:(simpl; lia)). vm_compute in C. lia. Qed.
