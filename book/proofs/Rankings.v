(** Precision and recall at k, and R-precision. *)
From Book Require Export Ranking.

(** * Recall climbs in equal steps (A1) *)

Theorem recall_climbs l k R : (0 < R)%nat -> (1 <= k)%nat ->
  recall_at l k R - recall_at l (k - 1) R == q (delta l k) / q R /\ 0 <= q (delta l k) / q R /\
  (recall_at l k R == recall_at l (k - 1) R <-> delta l k = 0%nat).
Proof.
  intros H K. destruct k; [lia|]. unfold recall_at. replace (S k - 1)%nat with k by lia. rewrite hits_at_S, q_plus.
  assert (P : 0 < q R) by now apply q_pos. split; [field; lra|]. split; [apply quotient_nonneg; [auto | apply q_nonneg]|].
  assert (E : (q (hits_at l k) + q (delta l (S k))) / q R - q (hits_at l k) / q R == q (delta l (S k)) / q R) by (field; lra).
  pose proof (quotient_0 (q (delta l (S k))) (q R)) as [X Y]; [lra|]. split; intros F.
  - rewrite <- q_eq, q_0. apply X. lra.
  - rewrite <- q_eq, q_0 in F. apply Y in F. lra.
Qed.

Theorem recall_reaches_one l R : (0 < R)%nat -> (recall_at l (length l) R == 1 <-> number_found l = R).
Proof.
  intros H. unfold recall_at. rewrite hits_at_all by lia. assert (P : 0 < q R) by now apply q_pos.
  rewrite <- q_eq. split; intros E.
  - assert (X : q (number_found l) == q (number_found l) / q R * q R) by (field; lra). rewrite X, E. ring.
  - rewrite E. field. lra.
Qed.

(** Near miss: it reaches 1 at the end of every list. *)
Lemma recall_reaches_one_near_miss : ~ (forall l R, (0 < R)%nat -> recall_at l (length l) R == 1).
Proof. intros C. specialize (C [false] 1 ltac:(lia))%nat. discriminate. Qed.

(** * Precision is a running mean (A2) *)

Theorem precision_is_a_running_mean l k : (2 <= k)%nat ->
  precision_at l k - precision_at l (k - 1) == (q (delta l k) - precision_at l (k - 1)) / q k.
Proof.
  intros K. destruct k as [|[|k]]; try lia. unfold precision_at. replace (S (S k) - 1)%nat with (S k) by lia.
  rewrite hits_at_S, q_plus, !q_S. pose proof (q_nonneg k). field. lra.
Qed.

Lemma precision_in_range l k : 0 <= precision_at l k /\ precision_at l k <= 1.
Proof.
  unfold precision_at. destruct k; [split; compute; discriminate|]. assert (P : 0 < q (S k)) by (apply q_pos; lia). split.
  - apply quotient_nonneg; [auto | apply q_nonneg].
  - apply Qle_shift_div_r; [auto|]. rewrite Qmult_1_l, q_le. apply hits_at_le.
Qed.

Theorem precision_steps l k : (2 <= k)%nat ->
  (delta l k = 1%nat -> (precision_at l (k - 1) < precision_at l k <-> ~ precision_at l (k - 1) == 1)) /\
  (delta l k = 0%nat -> (precision_at l k < precision_at l (k - 1) <-> ~ precision_at l (k - 1) == 0)) /\
  precision_at l k - precision_at l (k - 1) <= 1 / q k /\ precision_at l (k - 1) - precision_at l k <= 1 / q k.
Proof.
  intros K. pose proof (precision_is_a_running_mean l k K) as M. pose proof (precision_in_range l (k - 1)) as [A B].
  assert (P : 0 < q k) by (apply q_pos; lia). set (x := precision_at l (k - 1)) in *. set (y := precision_at l k) in *.
  assert (Y : (q (delta l k) - x) == (y - x) * q k) by (rewrite M; field; lra).
  assert (D : 0 <= q (delta l k) <= 1) by (split; [apply q_nonneg | change 1 with (q 1); rewrite q_le; apply delta_le]).
  repeat split; intros.
  - intros E. rewrite H, q_1 in Y. nra.
  - rewrite H, q_1 in Y. assert (0 < 1 - x) by lra. nra.
  - intros E. rewrite H, q_0 in Y. nra.
  - rewrite H, q_0 in Y. assert (0 < x) by lra. nra.
  - rewrite M. apply Qle_shift_div_r; [auto|]. assert (E : 1 / q k * q k == 1) by (field; lra). rewrite E. lra.
  - assert (E : x - y == (x - q (delta l k)) / q k) by (assert (y == x + (q (delta l k) - x) / q k) by (rewrite <- M; ring); rewrite H; field; lra).
    rewrite E. apply Qle_shift_div_r; [auto|]. assert (G : 1 / q k * q k == 1) by (field; lra). rewrite G. lra.
Qed.

(** Near miss: a hit adds 1/k, and a miss nothing. *)
Lemma precision_steps_near_miss : ~ (forall l k, (2 <= k)%nat -> precision_at l k - precision_at l (k - 1) == q (delta l k) / q k).
Proof. intros C. specialize (C [true; false] 2 ltac:(lia))%nat. discriminate. Qed.

(** * Precision against recall (A20) *)

Lemma precision_minus_recall l k R : (0 < k)%nat -> (0 < R)%nat -> precision_at l k - recall_at l k R == q (hits_at l k) * (q R - q k) / (q k * q R).
Proof. intros K H. unfold precision_at, recall_at. assert (0 < q k) by now apply q_pos. assert (0 < q R) by now apply q_pos. field. lra. Qed.
Theorem precision_against_recall l k R : (0 < k)%nat -> (0 < R)%nat ->
  precision_at l k - recall_at l k R == q (hits_at l k) * (q R - q k) / (q k * q R) /\ precision_at l R == recall_at l R R.
Proof. intros K H. split; [now apply precision_minus_recall | reflexivity]. Qed.

Theorem precision_over_recall l k R : (0 < R)%nat -> (0 < hits_at l k)%nat ->
  ((k < R)%nat <-> recall_at l k R < precision_at l k) /\ ((R < k)%nat <-> precision_at l k < recall_at l k R) /\
  precision_at l k / recall_at l k R == q R / q k.
Proof.
  intros H S. assert (K : (0 < k)%nat) by (pose proof (hits_at_le l k); lia).
  pose proof (precision_minus_recall l k R K H) as D.
  assert (k0 : 0 < q k) by now apply q_pos. assert (r0 : 0 < q R) by now apply q_pos. assert (s0 : 0 < q (hits_at l k)) by now apply q_pos.
  assert (V : 0 < q k * q R) by nra. set (p := precision_at l k) in *. set (r := recall_at l k R) in *.
  pose proof (quotient_pos (q (hits_at l k) * (q R - q k)) _ V) as [X1 X2]. rewrite <- D in X1, X2.
  pose proof (quotient_pos (q (hits_at l k) * (q k - q R)) _ V) as [Y1 Y2].
  assert (N : q (hits_at l k) * (q k - q R) / (q k * q R) == r - p) by (setoid_replace (r - p) with (- (p - r)) by ring; rewrite D; field; lra).
  rewrite N in Y1, Y2. split; [|split].
  - rewrite <- q_lt. split; intros; [assert (0 < p - r) by (apply X2; nra); lra | assert (Z : 0 < p - r) by lra; apply X1 in Z; nra].
  - rewrite <- q_lt. split; intros; [assert (0 < r - p) by (apply Y2; nra); lra | assert (Z : 0 < r - p) by lra; apply Y1 in Z; nra].
  - unfold p, r, precision_at, recall_at. field. lra.
Qed.

(** Near miss: before rank R precision is larger, hit or no hit. *)
Lemma precision_over_recall_near_miss : ~ (forall l k R, (0 < k < R)%nat -> recall_at l k R < precision_at l k).
Proof. intros C. specialize (C [false] 1 2 ltac:(lia))%nat. discriminate. Qed.

(** * Break-even ranks (A19) *)

(** Four small facts: each turns an equation into a simpler one. *)
Lemma equal_by_difference a b : a == b <-> a - b == 0.
Proof. split; intros E; lra. Qed.
Lemma product_0 a b : a * b == 0 <-> a == 0 \/ b == 0.
Proof. split; [apply Qmult_integral|]. intros [E|E]; rewrite E; ring. Qed.
Lemma count_0 m : q m == 0 <-> m = 0%nat.
Proof. rewrite <- q_0. apply q_eq. Qed.
Lemma counts_equal m n : q m - q n == 0 <-> n = m.
Proof. rewrite <- equal_by_difference, q_eq. split; auto. Qed.

Theorem break_even_ranks l k R : (0 < k)%nat -> (0 < R)%nat ->
  (precision_at l k == recall_at l k R <-> k = R \/ hits_at l k = 0%nat).
Proof.
  intros K H.
  (* Two numbers are equal if and only if their difference is 0. The next steps rewrite the left side of [<->] and leave the right side as it is. *)
  rewrite equal_by_difference.
  (* By the lemma [precision_minus_recall] above, the difference of precision and recall is a single quotient. *)
  rewrite (precision_minus_recall l k R K H).
  (* Its denominator is not 0, since k and R are above 0. *)
  assert (Denominator : ~ q k * q R == 0) by (rewrite product_0, !count_0; lia).
  (* So the quotient is 0 if and only if its numerator is. *)
  rewrite (quotient_0 (q (hits_at l k) * (q R - q k)) (q k * q R) Denominator).
  (* The numerator is a product. It is 0 if and only if one of the two factors is. *)
  rewrite product_0.
  (* The first factor is 0 if and only if there is no hit in the top k. *)
  rewrite count_0.
  (* The second factor is 0 if and only if k and R are the same number. *)
  rewrite counts_equal.
  (* Now both sides name the same two cases, in opposite order. [tauto] proves what follows from "and", "or" and "not" alone. *)
  tauto.
Qed.

(** Near miss: the only break-even rank is R. *)
Lemma break_even_ranks_near_miss : ~ (forall l k R, (0 < k)%nat -> (0 < R)%nat -> precision_at l k == recall_at l k R -> k = R).
Proof. intros C. specialize (C [false] 1 2 ltac:(lia) ltac:(lia) ltac:(reflexivity))%nat. discriminate. Qed.
