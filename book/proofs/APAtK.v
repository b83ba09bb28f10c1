(** Average precision at K: four denominators. *)
From Coq Require Import Qminmax.
From Book Require Export AveragePrecision.

Inductive denominator := retrieved | relevant | ideal | cutoff.
Definition divisor (d : denominator) (l : ranking) (K R : nat) : nat :=
  match d with retrieved => hits_at l K | relevant => R | ideal => Nat.min K R | cutoff => K end.
Definition average_precision_at (d : denominator) (l : ranking) (K R : nat) : Q := precision_sum l K / q (divisor d l K R).

(** * Quantity times order (K5) *)

Theorem quantity_times_order l K R : (0 < R)%nat -> (0 < hits_at l K)%nat ->
  average_precision_at relevant l K R == recall_at l K R * average_precision_at retrieved l K R.
Proof.
  intros P H. unfold average_precision_at, recall_at, divisor. assert (0 < q R) by now apply q_pos. assert (0 < q (hits_at l K)) by now apply q_pos.
  field. lra.
Qed.

(** Near miss: it is recall at K times average precision. *)
Lemma quantity_times_order_near_miss : ~ (forall l K R, (0 < R)%nat -> (0 < hits_at l K)%nat -> average_precision_at relevant l K R == recall_at l K R * average_precision l R).
Proof. intros C. specialize (C [true] 1 2 ltac:(lia) ltac:(unfold hits_at; simpl; lia))%nat. discriminate. Qed.

(** * Dividing by the hits judges the list against itself (K3) *)

Lemma precision_sum_firstn l K : precision_sum (firstn K l) (length (firstn K l)) == precision_sum l K.
Proof.
  destruct (Nat.le_gt_cases K (length l)).
  - rewrite <- (firstn_skipn K l) at 3. rewrite firstn_length_le by auto. symmetry. apply precision_sum_app. rewrite firstn_length_le; auto.
  - rewrite firstn_all2 by lia. symmetry. apply precision_sum_beyond. lia.
Qed.
Theorem retrieved_judges_the_list_against_itself l K R :
  average_precision_at retrieved l K R == average_precision (firstn K l) (number_found (firstn K l)).
Proof. unfold average_precision_at, average_precision, divisor, hits_at. now rewrite precision_sum_firstn. Qed.

(** Near miss: it is the average precision of the whole list. *)
Lemma retrieved_judges_the_list_against_itself_near_miss : ~ (forall l K R, (0 < hits_at l K)%nat -> average_precision_at retrieved l K R == average_precision l (number_found l)).
Proof. intros C. specialize (C [true; false; true] 1 2 ltac:(unfold hits_at; simpl; lia))%nat. discriminate. Qed.

(** * The order of the four (K11) *)

Lemma precision_sum_no_hits l K : hits_at l K = 0%nat -> precision_sum l K == 0.
Proof.
  induction K; intros E; [reflexivity|]. rewrite hits_at_S in E. rewrite precision_sum_S, IHK by lia.
  replace (delta l (S K)) with 0%nat by lia. rewrite q_0. ring.
Qed.
Lemma divide_by_less x a b : 0 <= x -> (0 < a <= b)%nat -> x / q b <= x / q a.
Proof.
  intros X [A B]. assert (0 < q a) by (apply q_pos; lia). assert (0 < q b) by (apply q_pos; lia). rewrite <- q_le in B.
  pose proof (quotient_falls x (q a) (q b) H H0) as D. assert (0 <= x * (q b - q a) / (q a * q b)) by (apply quotient_nonneg; nra). lra.
Qed.
Theorem order_of_the_four l K R (s := hits_at l K) : 0 < precision_sum l K -> (s <= R)%nat ->
  let at_k d := average_precision_at d l K R in
  at_k retrieved == q R / q s * at_k relevant /\
  at_k ideal == q R / q (Nat.min K R) * at_k relevant /\
  at_k cutoff == q R / q K * at_k relevant /\
  at_k relevant <= at_k ideal /\ at_k ideal <= at_k retrieved /\ at_k cutoff <= at_k ideal /\
  at_k ideal == Qmax (at_k relevant) (at_k cutoff).
Proof.
  intros P L at_k. assert (S : (0 < s)%nat).
  { destruct (Nat.eq_dec s 0) as [E|]; [|lia]. pose proof (precision_sum_no_hits l K E). lra. }
  assert (SK : (s <= K)%nat) by apply hits_at_le. assert (M : (0 < Nat.min K R)%nat) by lia.
  assert (qs : 0 < q s) by now apply q_pos. assert (qK : 0 < q K) by (apply q_pos; lia). assert (qR : 0 < q R) by (apply q_pos; lia).
  assert (qM : 0 < q (Nat.min K R)) by now apply q_pos.
  assert (A : at_k relevant <= at_k ideal) by (apply divide_by_less; [lra | simpl; lia]).
  assert (B : at_k ideal <= at_k retrieved) by (apply divide_by_less; [lra | simpl; fold s; lia]).
  assert (C : at_k cutoff <= at_k ideal) by (apply divide_by_less; [lra | simpl; lia]).
  repeat split; auto; try (unfold at_k, average_precision_at; simpl; fold s; field; lra).
  destruct (Nat.le_gt_cases K R).
  - assert (E : at_k ideal = at_k cutoff) by (unfold at_k, average_precision_at; simpl; now rewrite Nat.min_l).
    rewrite E in *. symmetry. apply Q.max_r. lra.
  - assert (E : at_k ideal = at_k relevant) by (unfold at_k, average_precision_at; simpl; now rewrite Nat.min_r by lia).
    rewrite E in *. symmetry. apply Q.max_l. lra.
Qed.

(** Near miss: cutoff is never above relevant. *)
Lemma order_of_the_four_near_miss : ~ (forall l K R, (hits_at l K <= R)%nat -> average_precision_at cutoff l K R <= average_precision_at relevant l K R).
Proof. intros C. specialize (C [true] 1 2 ltac:(unfold hits_at; simpl; lia))%nat. now apply C. Qed.

(** * Local, and average precision at the end: only dividing by the hits (K25) *)

Theorem only_dividing_by_the_hits (metric : ranking -> nat -> Q) :
  (forall l m K, (1 <= K)%nat -> (K <= length l)%nat -> (K <= length m)%nat -> firstn K l = firstn K m -> metric l K == metric m K) ->
  (forall l, (0 < number_found l)%nat -> metric l (length l) == average_precision l (number_found l)) ->
  forall l K, (K <= length l)%nat -> (0 < hits_at l K)%nat -> metric l K == average_precision_at retrieved l K (number_found l).
Proof.
  intros Local End l K L S. rewrite retrieved_judges_the_list_against_itself, <- End by exact S.
  rewrite firstn_length_le by auto. apply Local; auto.
  - pose proof (hits_at_le l K). lia.
  - rewrite firstn_length_le; auto.
  - rewrite firstn_firstn. now rewrite Nat.min_id.
Qed.

(** Near miss: dividing by K works as well. *)
Lemma only_dividing_by_the_hits_near_miss : ~ (forall l, (0 < number_found l)%nat -> average_precision_at cutoff l (length l) (number_found l) == average_precision l (number_found l)).
Proof. intros C. specialize (C [true; false] ltac:(simpl; lia)). discriminate. Qed.

(** * Ideal, growing, and average precision at the end: impossible (K27) *)

Definition full (N R : nat) (l : ranking) : Prop := length l = N /\ number_found l = R.

Theorem ideal_growing_and_ap_at_the_end_impossible N R (metric : ranking -> nat -> Q) : (2 <= R < N)%nat ->
  (forall l m K, full N R l -> full N R m -> (1 <= K <= N)%nat -> firstn K l = firstn K m -> metric l K == metric m K) ->
  (forall K, (1 <= K <= N)%nat -> metric (ideal_ranking N R) K == 1) ->
  (forall l K, full N R l -> (1 <= K < N)%nat -> metric l K <= metric l (S K)) ->
  (forall l, full N R l -> metric l N == average_precision l R) ->
  False.
Proof.
  intros B Local Ideal Grows End.
  destruct (ideal_hits N R) as [I1 [I2 _]]; [lia|]. destruct (worst_hits (N - 1) (R - 1)) as [W1 [W2 _]]; [lia|].
  set (l := true :: worst_ranking (N - 1) (R - 1)). assert (F : full N R l) by (split; simpl; lia).
  assert (First : firstn 1 l = firstn 1 (ideal_ranking N R)) by (unfold ideal_ranking; destruct R; [lia | reflexivity]).
  assert (Up : forall k, (k < N)%nat -> metric l 1%nat <= metric l (S k)).
  { induction k; intros; [lra|]. apply Qle_trans with (metric l (S k)); [apply IHk; lia | apply Grows; auto; lia]. }
  specialize (Up (N - 1)%nat). replace (S (N - 1)) with N in Up by lia.
  rewrite (Local l (ideal_ranking N R) 1%nat), Ideal, End in Up by (auto; try lia; now split).
  destruct F as [F1 F2]. destruct (range_of_average_precision l R) as [Most [One _]]; [lia | auto |].
  assert (E : l = ideal_ranking (length l) R) by (apply One; assert (1 <= average_precision l R) by (apply Up; lia); lra).
  rewrite F1 in E. apply (f_equal (fun t => nth 1 t false)) in E. unfold l, worst_ranking, ideal_ranking in E.
  destruct R as [|[|R]]; try lia. simpl in E. replace (N - 1 - S R)%nat with (S (N - 2 - S R)) in E by lia. discriminate.
Qed.

(** Near miss: it is impossible for R = 1, too. There the sum of precisions has all three properties. *)
Lemma ideal_growing_and_ap_at_the_end_impossible_near_miss : ~ (forall N R (metric : ranking -> nat -> Q), (1 <= R < N)%nat ->
  (forall l m K, full N R l -> full N R m -> (1 <= K <= N)%nat -> firstn K l = firstn K m -> metric l K == metric m K) ->
  (forall K, (1 <= K <= N)%nat -> metric (ideal_ranking N R) K == 1) ->
  (forall l K, full N R l -> (1 <= K < N)%nat -> metric l K <= metric l (S K)) ->
  (forall l, full N R l -> metric l N == average_precision l R) ->
  False).
Proof.
  intros C. apply (C 2 1 precision_sum)%nat; [lia | | | |].
  - intros l m K _ _ _ E. now rewrite <- precision_sum_firstn, E, precision_sum_firstn.
  - intros K [A B]. destruct K as [|[|[|K]]]; try lia; reflexivity.
  - intros l K _ _. rewrite precision_sum_S. assert (0 <= q (hits_at l (S K)) / q (S K) * q (delta l (S K))); [|lra].
    apply Qmult_le_0_compat; [apply quotient_nonneg; [apply q_pos; lia | apply q_nonneg] | apply q_nonneg].
  - intros l [L F]. unfold average_precision. rewrite L. change (q 1) with 1. field.
Qed.

(** * Ideal at every K: only the smaller of K and R (K28) *)

Lemma hits_at_ideal N R K : (R <= N)%nat -> hits_at (ideal_ranking N R) K = Nat.min K R.
Proof.
  intros L. unfold ideal_ranking, hits_at. rewrite firstn_app, number_found_app, repeat_length.
  assert (A : forall (b : bool) n k, firstn k (repeat b n) = repeat b (Nat.min k n)) by (intros b; induction n; intros [|k]; simpl; auto; now rewrite IHn).
  rewrite !A, !number_found_repeat. simpl. lia.
Qed.
Lemma delta_ideal N R k : (R <= N)%nat -> (1 <= k)%nat -> delta (ideal_ranking N R) k = if (k <=? R)%nat then 1%nat else 0%nat.
Proof.
  intros L K. assert (E : delta (ideal_ranking N R) k = (hits_at (ideal_ranking N R) k - hits_at (ideal_ranking N R) (k - 1))%nat).
  { destruct k; [lia|]. rewrite hits_at_S. replace (S k - 1)%nat with k by lia. lia. }
  rewrite E, !hits_at_ideal by auto. destruct (Nat.leb_spec k R); lia.
Qed.
Lemma precision_sum_ideal N R K : (R <= N)%nat -> precision_sum (ideal_ranking N R) K == q (Nat.min K R).
Proof.
  intros L. induction K; [reflexivity|]. rewrite precision_sum_S, IHK, hits_at_ideal, delta_ideal by lia.
  destruct (Nat.leb_spec (S K) R).
  - rewrite !Nat.min_l, q_1, q_S by lia. field. pose proof (q_nonneg K). lra.
  - rewrite !Nat.min_r, q_0 by lia. ring.
Qed.
Theorem ideal_at_every_k (c : nat -> nat -> Q) N R : (1 <= R <= N)%nat ->
  (forall K, (1 <= K <= N)%nat -> precision_sum (ideal_ranking N R) K / c K R == 1) ->
  forall K, (1 <= K <= N)%nat -> c K R == q (Nat.min K R).
Proof.
  intros L H K B. specialize (H K B). rewrite precision_sum_ideal in H by lia.
  assert (Z : ~ c K R == 0) by (intros E; rewrite E in H; unfold Qdiv in H; rewrite Qmult_0_r in H; discriminate).
  assert (E : q (Nat.min K R) == q (Nat.min K R) / c K R * c K R) by (field; auto). rewrite E, H. ring.
Qed.

(** Near miss: the denominator is R. *)
Lemma ideal_at_every_k_near_miss : ~ (forall N R K, (1 <= R <= N)%nat -> (1 <= K <= N)%nat -> precision_sum (ideal_ranking N R) K / q R == 1).
Proof. intros C. specialize (C 2 2 1 ltac:(lia) ltac:(lia))%nat. discriminate. Qed.
