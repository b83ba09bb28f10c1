(** Average precision. *)
From Book Require Export Ranking.

(** * Average precision by ranks (A7) *)

Theorem average_precision_by_ranks l R :
  average_precision l R == sum (fun j => q j / q (hit_rank l j)) (number_found l) / q R.
Proof.
  unfold average_precision, precision_sum. rewrite (sum_over_hits (precision_at l)).
  apply Qmult_comp; [|reflexivity]. apply sum_ext. intros j J.
  unfold precision_at. now rewrite (proj1 (hits_at_hit_rank l j J)).
Qed.

(** Average precision depends on the ranks of the hits alone; it falls if one of them grows and none shrinks. *)
Theorem average_precision_falls l m R : (0 < R)%nat -> number_found l = number_found m ->
  (forall j, (1 <= j <= number_found l)%nat -> (hit_rank l j <= hit_rank m j)%nat) ->
  average_precision m R <= average_precision l R /\
  (average_precision m R == average_precision l R <-> forall j, (1 <= j <= number_found l)%nat -> hit_rank l j = hit_rank m j).
Proof.
  intros H N L. rewrite !average_precision_by_ranks, <- N. assert (P : 0 < q R) by now apply q_pos.
  assert (T : forall j, (1 <= j <= number_found l)%nat -> q j / q (hit_rank l j) - q j / q (hit_rank m j) ==
              q j * (q (hit_rank m j) - q (hit_rank l j)) / (q (hit_rank l j) * q (hit_rank m j)) /\ 0 < q j /\ 0 < q (hit_rank l j) * q (hit_rank m j)).
  { intros j J. assert (0 < q (hit_rank l j)) by (apply q_pos; pose proof (hit_rank_bounds l j); lia).
    assert (0 < q (hit_rank m j)) by (apply q_pos; pose proof (hit_rank_bounds m j); lia).
    split; [now apply quotient_falls|]. split; [apply q_pos; lia | nra]. }
  destruct (sum_le_iff (fun j => q j / q (hit_rank m j)) (fun j => q j / q (hit_rank l j)) (number_found l)) as [A B].
  { intros j J. destruct (T j J) as [E [X Y]]. pose proof (L j J) as Z. rewrite <- q_le in Z.
    assert (0 <= q j * (q (hit_rank m j) - q (hit_rank l j)) / (q (hit_rank l j) * q (hit_rank m j))) by (apply quotient_nonneg; nra). lra. }
  set (x := sum (fun j => q j / q (hit_rank m j)) (number_found l)) in *. set (y := sum (fun j => q j / q (hit_rank l j)) (number_found l)) in *.
  assert (D : y / q R - x / q R == (y - x) / q R) by (field; lra).
  split; [assert (0 <= (y - x) / q R) by (apply quotient_nonneg; lra); lra|].
  assert (W : x / q R == y / q R <-> x == y).
  { split; intros E; [|rewrite E; reflexivity]. assert (Z : (y - x) / q R == 0) by lra. apply quotient_0 in Z; lra. }
  rewrite W, B. split; intros E j J; specialize (E j J); destruct (T j J) as [F [X Y]].
  - assert (Z : q j * (q (hit_rank m j) - q (hit_rank l j)) / (q (hit_rank l j) * q (hit_rank m j)) == 0) by lra.
    apply quotient_0 in Z; [|lra]. apply Qmult_integral in Z as [Z|Z]; [lra|]. apply q_eq. lra.
  - rewrite E. reflexivity.
Qed.

(** Near miss: it is the sum of 1/k_j, divided by R: the hits are not numbered. *)
Lemma average_precision_by_ranks_near_miss : ~ (forall l R, (0 < R)%nat -> average_precision l R == sum (fun j => 1 / q (hit_rank l j)) (number_found l) / q R).
Proof. intros C. specialize (C [true; true] 2 ltac:(lia))%nat. discriminate. Qed.

(** * The range of average precision (A12), for a full ranking with R relevant items *)

Definition ideal_ranking (N R : nat) : ranking := repeat true R ++ repeat false (N - R).
Definition worst_ranking (N R : nat) : ranking := repeat false (N - R) ++ repeat true R.
Definition H (n : nat) : Q := sum (fun i => 1 / q i) n.  (* the harmonic number *)

Lemma number_found_repeat b n : number_found (repeat b n) = (n * bit b)%nat.
Proof. induction n; simpl; lia. Qed.
Lemma hits_at_repeat_true n k : (k <= n)%nat -> hits_at (repeat true n) k = k.
Proof. revert k; induction n; intros [|k] K; try lia; try reflexivity. unfold hits_at in *. simpl. rewrite IHn; lia. Qed.
Lemma hit_ranks_repeat_false n : hit_ranks (repeat false n) = [].
Proof. apply length_zero_iff_nil. rewrite hit_ranks_length, number_found_repeat. simpl. lia. Qed.
Lemma hit_ranks_app_false l n : hit_ranks (l ++ repeat false n) = hit_ranks l.
Proof.
  revert l; induction n; intros l; simpl; [now rewrite app_nil_r|].
  replace (l ++ false :: repeat false n) with ((l ++ [false]) ++ repeat false n) by (rewrite <- app_assoc; reflexivity).
  rewrite IHn, hit_ranks_snoc, app_nil_r. reflexivity.
Qed.
Lemma hit_ranks_app_true l n : hit_ranks (l ++ repeat true n) = hit_ranks l ++ seq (S (length l)) n.
Proof.
  revert l; induction n; intros l; simpl; [now rewrite !app_nil_r|].
  replace (l ++ true :: repeat true n) with ((l ++ [true]) ++ repeat true n) by (rewrite <- app_assoc; reflexivity).
  rewrite IHn, hit_ranks_snoc, <- app_assoc, length_snoc. reflexivity.
Qed.
Lemma ideal_hits N R : (R <= N)%nat -> length (ideal_ranking N R) = N /\ number_found (ideal_ranking N R) = R /\ forall j, (1 <= j <= R)%nat -> hit_rank (ideal_ranking N R) j = j.
Proof.
  intros L. unfold ideal_ranking. rewrite app_length, !repeat_length, number_found_app, !number_found_repeat. simpl bit. split; [lia|]. split; [lia|].
  intros j J. unfold hit_rank. rewrite hit_ranks_app_false, <- (app_nil_l (repeat true R)), hit_ranks_app_true. simpl. rewrite seq_nth; lia.
Qed.
Lemma worst_hits N R : (R <= N)%nat -> length (worst_ranking N R) = N /\ number_found (worst_ranking N R) = R /\ forall j, (1 <= j <= R)%nat -> hit_rank (worst_ranking N R) j = (N - R + j)%nat.
Proof.
  intros L. unfold worst_ranking. rewrite app_length, !repeat_length, number_found_app, !number_found_repeat. simpl bit. split; [lia|]. split; [lia|].
  intros j J. unfold hit_rank. rewrite hit_ranks_app_true, hit_ranks_repeat_false, repeat_length. simpl. rewrite seq_nth; lia.
Qed.

Theorem range_of_average_precision l R (N := length l) : (0 < R)%nat -> number_found l = R ->
  average_precision l R <= 1 /\ (average_precision l R == 1 <-> l = ideal_ranking N R) /\
  sum (fun j => q j / q (N - R + j)) R / q R <= average_precision l R /\
  (average_precision l R == sum (fun j => q j / q (N - R + j)) R / q R <-> l = worst_ranking N R) /\
  sum (fun j => q j / q (N - R + j)) R / q R == 1 - (q N - q R) / q R * (H N - H (N - R)) /\
  0 < sum (fun j => q j / q (N - R + j)) R / q R.
Proof.
  intros P F. assert (L : (R <= N)%nat) by (unfold N; rewrite <- F; apply number_found_le). assert (r : 0 < q R) by now apply q_pos.
  destruct (ideal_hits N R L) as [I1 [I2 I3]]. destruct (worst_hits N R L) as [W1 [W2 W3]].
  assert (B : forall j, (1 <= j <= R)%nat -> (j <= hit_rank l j <= N - R + j)%nat) by (intros j J; rewrite <- F in J; pose proof (hit_rank_bounds l j J); unfold N; lia).
  destruct (average_precision_falls (ideal_ranking N R) l R P) as [A1 A2]; [lia | intros j J; rewrite I2 in J; rewrite I3 by lia; apply B; lia|].
  destruct (average_precision_falls l (worst_ranking N R) R P) as [C1 C2]; [lia | intros j J; rewrite F in J; rewrite W3 by lia; apply B; lia|].
  assert (One : average_precision (ideal_ranking N R) R == 1).
  { rewrite average_precision_by_ranks, I2. rewrite (sum_ext _ (fun _ => 1)).
    - rewrite sum_const. field. lra.
    - intros j J. rewrite I3 by lia. field. apply q_nonzero. lia. }
  assert (Low : average_precision (worst_ranking N R) R == sum (fun j => q j / q (N - R + j)) R / q R).
  { rewrite average_precision_by_ranks, W2. apply Qmult_comp; [|reflexivity]. apply sum_ext. intros j J. now rewrite W3 by lia. }
  rewrite One in A1, A2. rewrite Low in C1, C2.
  split; [exact A1|]. split; [|split; [exact C1|]; split; [|split]].
  - rewrite A2. split.
    + intros E. apply same_hits; [lia | lia |]. intros j J. rewrite F in J. symmetry. apply E. lia.
    + intros E j J. now rewrite <- E.
  - assert (Y : average_precision l R == sum (fun j => q j / q (N - R + j)) R / q R <-> sum (fun j => q j / q (N - R + j)) R / q R == average_precision l R) by (split; intros Z; symmetry; exact Z). rewrite Y, C2. split.
    + intros E. apply same_hits; [lia | lia |]. intros j J. apply E. lia.
    + intros E j J. now rewrite <- E.
  - assert (E : sum (fun j => q j / q (N - R + j)) R == q R - (q N - q R) * sum (fun j => 1 / q (N - R + j)) R).
    { rewrite <- sum_scale. assert (X : sum (fun j => q j / q (N - R + j)) R + sum (fun j => (q N - q R) * (1 / q (N - R + j))) R == q R); [|lra].
      rewrite <- sum_plus, (sum_ext _ (fun _ => 1)), sum_const by (intros j J; rewrite !q_plus, q_minus by lia; assert (0 < q (N - R + j)) by (apply q_pos; lia); rewrite q_plus, q_minus in * by lia; field; lra). ring. }
    assert (G : H N == H (N - R) + sum (fun j => 1 / q (N - R + j)) R) by (unfold H; rewrite <- sum_app; now replace (N - R + R)%nat with N by lia).
    rewrite E, G. field. lra.
  - apply quotient_pos; auto. apply Qlt_le_trans with (sum (fun _ => 0) 0 + 1 / q N); [|].
    + simpl. rewrite Qplus_0_l. apply quotient_pos; [apply q_pos; lia | lra].
    + destruct R; [lia|]. simpl sum at 2. replace (N - S R + S R)%nat with N by lia.
      assert (0 <= sum (fun j => q j / q (N - S R + j)) R) by (apply sum_nonneg; intros j J; apply quotient_nonneg; [apply q_pos; lia | apply q_nonneg]).
      assert (0 < q N) by (apply q_pos; lia).
      assert (1 / q N <= q (S R) / q N). { assert (X : q (S R) / q N - 1 / q N == q R / q N) by (rewrite q_S; field; lra). assert (0 <= q R / q N) by (apply quotient_nonneg; [auto | apply q_nonneg]). lra. }
      simpl. lra.
Qed.

(** Near miss: the least is R/N. *)
Lemma range_of_average_precision_near_miss : ~ (forall l R, (0 < R)%nat -> number_found l = R -> q R / q (length l) <= average_precision l R).
Proof. intros C. specialize (C [false; true; true] 2 ltac:(lia) ltac:(reflexivity))%nat. now apply C. Qed.

(** * A probability (A9): one of the R relevant items is drawn, and then a rank down to its rank *)

Theorem average_precision_is_a_probability l R : (0 < R)%nat ->
  average_precision l R ==
  sum (fun j => 1 / q R * sum (fun i => 1 / q (hit_rank l j) * q (delta l i)) (hit_rank l j)) (number_found l).
Proof.
  intros P. assert (r : 0 < q R) by now apply q_pos. rewrite average_precision_by_ranks, sum_scale.
  transitivity (1 / q R * sum (fun j => q j / q (hit_rank l j)) (number_found l)); [field; lra|].
  apply Qmult_comp; [reflexivity|]. apply sum_ext. intros j J. destruct (hits_at_hit_rank l j J) as [E K].
  rewrite sum_scale, <- hits_at_sum, E. field. apply q_nonzero. lia.
Qed.

(** Near miss: it is the mean of P@k over all ranks k. *)
Lemma average_precision_is_a_probability_near_miss : ~ (forall l R, number_found l = R -> (0 < R)%nat -> average_precision l R == sum (precision_at l) (length l) / q (length l)).
Proof. intros C. specialize (C [true; false] 1 ltac:(reflexivity) ltac:(lia))%nat. discriminate. Qed.

(** * The reader who stops (A31) *)

Definition stops (R j : nat) : Q := 1 / q (R - j + 1).  (* at hit j, once it is reached *)
Fixpoint goes_on (R j : nat) : Q := match j with O => 1 | S i => goes_on R i * (1 - stops R (S i)) end.  (* past hits 1 to j *)

Lemma goes_on_evenly R j : (0 < R)%nat -> (j <= R)%nat -> goes_on R j == q (R - j) / q R.
Proof.
  intros P. assert (r : 0 < q R) by now apply q_pos. induction j; intros J; simpl.
  - rewrite Nat.sub_0_r. field. lra.
  - rewrite IHj by lia. unfold stops. replace (R - S j + 1)%nat with (R - j)%nat by lia. rewrite !q_minus, q_S by lia.
    assert (0 < q R - q j) by (rewrite <- q_minus by lia; apply q_pos; lia). field. lra.
Qed.

Theorem reader_who_stops l R : (0 < R)%nat -> (number_found l <= R)%nat ->
  sum (fun j => goes_on R (j - 1) * stops R j * precision_at l (hit_rank l j)) (number_found l) == average_precision l R.
Proof.
  intros P F. assert (r : 0 < q R) by now apply q_pos. rewrite average_precision_by_ranks.
  transitivity (1 / q R * sum (fun j => q j / q (hit_rank l j)) (number_found l)); [|field; lra].
  rewrite <- sum_scale. apply sum_ext. intros j J. rewrite goes_on_evenly by lia. unfold stops, precision_at.
  rewrite (proj1 (hits_at_hit_rank l j J)). replace (R - (j - 1))%nat with (R - j + 1)%nat by lia.
  assert (0 < q (R - j + 1)) by (apply q_pos; lia).
  assert (0 < q (hit_rank l j)) by (apply q_pos; pose proof (hits_at_hit_rank l j J); lia). field. lra.
Qed.

(** Near miss: the reader stops at each hit with probability 1/R. *)
Lemma reader_who_stops_near_miss : ~ (forall l R, (0 < R)%nat -> (number_found l <= R)%nat ->
  sum (fun j => (1 / q R) * (1 - 1 / q R) ^ Z.of_nat (j - 1) * precision_at l (hit_rank l j)) (number_found l) == average_precision l R).
Proof. intros C. specialize (C [true; true] 2 ltac:(lia) ltac:(simpl; lia))%nat. discriminate. Qed.

(** * The gain of a swap (A11): the items at ranks i and i + 1 change places *)

Lemma precision_sum_change u a v :
  sum (fun i => q (number_found u + hits_at (a ++ v) i) / q (length u + i) * q (delta (a ++ v) i)) (length (a ++ v)) ==
  sum (fun i => q (number_found u + hits_at a i) / q (length u + i) * q (delta a i)) (length a) +
  sum (fun i => q (number_found u + (number_found a + hits_at v i)) / q (length u + (length a + i)) * q (delta v i)) (length v).
Proof.
  rewrite app_length, sum_app. apply Qplus_comp; apply sum_ext; intros k K.
  - now rewrite hits_at_app, delta_app by lia.
  - now rewrite hits_at_after, delta_after by lia.
Qed.

Theorem swap_gain u v R i : (0 < R)%nat -> i = S (length u) ->
  average_precision (u ++ [true; false] ++ v) R - average_precision (u ++ [false; true] ++ v) R ==
  (q (number_found u) + 1) / (q R * q i * (q i + 1)).
Proof.
  intros P ->. assert (r : 0 < q R) by now apply q_pos. unfold average_precision. rewrite !precision_sum_two.
  rewrite (precision_sum_change u [true; false] v), (precision_sum_change u [false; true] v).
  set (rest := fun a => sum (fun i => q (number_found u + (number_found a + hits_at v i)) / q (length u + (length a + i)) * q (delta v i)) (length v)).
  change (sum (fun i => q (number_found u + (number_found [true; false] + hits_at v i)) / q (length u + (length [true; false] + i)) * q (delta v i)) (length v)) with (rest [true; false]).
  change (sum (fun i => q (number_found u + (number_found [false; true] + hits_at v i)) / q (length u + (length [false; true] + i)) * q (delta v i)) (length v)) with (rest [true; false]).
  unfold delta, hits_at. simpl. rewrite q_0, q_1, ?q_plus, ?q_S. pose proof (q_nonneg (length u)). change (q 1) with 1. change (q 2) with 2. change (q 0) with 0.
  field. repeat split; lra.
Qed.

(** Near miss: the gain depends on the rank alone. *)
Lemma swap_gain_near_miss : ~ (forall u t v R, (0 < R)%nat -> length u = length t ->
  average_precision (u ++ [true; false] ++ v) R - average_precision (u ++ [false; true] ++ v) R ==
  average_precision (t ++ [true; false] ++ v) R - average_precision (t ++ [false; true] ++ v) R).
Proof. intros C. specialize (C [true] [false] [] 2 ltac:(lia) ltac:(reflexivity))%nat. discriminate. Qed.

(** * A flipped judgement (A24): the irrelevant item at rank k is judged relevant *)

Theorem flipped_judgement u v R k : (0 < R)%nat -> k = S (length u) ->
  let before := average_precision (u ++ [false] ++ v) R in
  let after := average_precision (u ++ [true] ++ v) (S R) in
  let g := q (number_found u + 1) / q k + sum (fun i => q (delta v i) / q (k + i)) (length v) in
  after - before == (g - before) / q (S R) /\ (before < after <-> before < g).
Proof.
  intros P K before after g. assert (r : 0 < q R) by now apply q_pos. assert (s : 0 < q (S R)) by (apply q_pos; lia).
  assert (E : precision_sum (u ++ [true] ++ v) (length (u ++ [true] ++ v)) == precision_sum (u ++ [false] ++ v) (length (u ++ [false] ++ v)) + g).
  { rewrite !precision_sum_two, (precision_sum_change u [true] v), (precision_sum_change u [false] v).
    assert (X : sum (fun i => q (number_found u + (number_found [true] + hits_at v i)) / q (length u + (length [true] + i)) * q (delta v i)) (length v) ==
                sum (fun i => q (number_found u + (number_found [false] + hits_at v i)) / q (length u + (length [false] + i)) * q (delta v i)) (length v) +
                sum (fun i => q (delta v i) / q (k + i)) (length v)).
    { rewrite <- sum_plus. apply sum_ext. intros i I. simpl number_found. simpl length. replace (length u + (1 + i))%nat with (k + i)%nat by lia.
      assert (0 < q (k + i)) by (apply q_pos; lia). rewrite !q_plus, q_1, q_0 in *. field. lra. }
    rewrite X. unfold g, delta, hits_at. simpl. rewrite (Nat.add_1_r (length u)), <- K. change (q 1) with 1. change (q 0) with 0. ring. }
  assert (D : after - before == (g - before) / q (S R)).
  { unfold after, before, average_precision in *. rewrite E. rewrite q_S in *. field. lra. }
  split; [exact D|]. pose proof (quotient_pos (g - before) (q (S R)) s) as [A B]. rewrite <- D in A, B.
  split; intros; [assert (0 < g - before) by (apply A; lra); lra | assert (0 < after - before) by (apply B; lra); lra].
Qed.

(** Near miss: one more relevant item never lowers it. *)
Lemma flipped_judgement_near_miss : ~ (forall u v R, (0 < R)%nat -> average_precision (u ++ [false] ++ v) R <= average_precision (u ++ [true] ++ v) (S R)).
Proof. intros C. specialize (C [true; false] [] 1 ltac:(lia))%nat. now apply C. Qed.
