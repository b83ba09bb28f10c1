(** Sets: precision, recall, F and E from the four counts. *)
From Book Require Export Ranking.

(** * Definitions *)

Definition precision (tp fp : nat) : Q := q tp / q (tp + fp).
Definition recall (tp fn : nat) : Q := q tp / q (tp + fn).
Definition accuracy (tp fp fn tn : nat) : Q := q (tp + tn) / q (tp + fp + fn + tn).
Definition jaccard (tp fp fn : nat) : Q := q tp / q (tp + fp + fn).
Definition f_score (tp fp fn : nat) : Q := q (2 * tp) / q (2 * tp + fn + fp).
Definition e_measure (tp fp fn : nat) : Q := 1 - f_score tp fp fn.
Definition harmonic_mean (p r : Q) : Q := 2 / (1 / p + 1 / r).

(** A universe: for each item, whether it is predicted, and whether it is actual. *)
Definition universe := list (bool * bool).
Fixpoint count (kind : bool * bool -> bool) (d : universe) : nat := match d with [] => 0 | item :: t => bit (kind item) + count kind t end%nat.
Definition predicted : bool * bool -> bool := fst.
Definition actual : bool * bool -> bool := snd.
Definition tp := count (fun item => predicted item && actual item).
Definition fp := count (fun item => predicted item && negb (actual item)).
Definition fn := count (fun item => negb (predicted item) && actual item).
Definition tn := count (fun item => negb (predicted item) && negb (actual item)).
Definition either := count (fun item => xorb (predicted item) (actual item)).  (* in one of the two sets, but not in both *)

Lemma counts d : (count predicted d = tp d + fp d /\ count actual d = tp d + fn d /\ either d = fp d + fn d /\ length d = tp d + fp d + fn d + tn d)%nat.
Proof.
  unfold tp, fp, fn, tn, either. induction d as [|[p a] d IH]; [simpl; lia|].
  destruct p, a; simpl; lia.
Qed.

(** * F in counts (B2) *)

Theorem f_in_counts tp fp fn : (0 < tp)%nat -> harmonic_mean (precision tp fp) (recall tp fn) == f_score tp fp fn.
Proof.
  intros H. unfold harmonic_mean, precision, recall, f_score. rewrite !q_mult, !q_plus, q_mult.
  pose proof (q_pos tp H). pose proof (q_nonneg fp). pose proof (q_nonneg fn). change (q 2) with 2.
  field. repeat split; lra.
Qed.

(** Near miss: F is tp/(tp + fp + fn). *)
Lemma f_in_counts_near_miss : ~ (forall tp fp fn, (0 < tp)%nat -> harmonic_mean (precision tp fp) (recall tp fn) == jaccard tp fp fn).
Proof. intros C. specialize (C 1 1 0 ltac:(lia))%nat. discriminate. Qed.

(** * F is pinned near the smaller value (B4) *)

Theorem f_is_pinned low high : 0 < low -> low <= high -> high <= 1 ->
  let f := harmonic_mean low high in
  low <= f /\ f <= 2 * low / (1 + low) /\ 2 * low / (1 + low) < 2 * low /\
  (low == f <-> low == high) /\ (f == 2 * low / (1 + low) <-> high == 1).
Proof.
  intros L LH H f.
  assert (F : f == 2 * low * high / (low + high)) by (unfold f, harmonic_mean; field; repeat split; lra).
  assert (A : f - low == low * (high - low) / (low + high)) by (rewrite F; field; lra).
  assert (B : 2 * low / (1 + low) - f == 2 * low * low * (1 - high) / ((1 + low) * (low + high))) by (rewrite F; field; lra).
  assert (C : 2 * low - 2 * low / (1 + low) == 2 * low * low / (1 + low)) by (field; lra).
  assert (S : 0 < low + high) by lra. assert (T : 0 < (1 + low) * (low + high)) by nra. assert (U : 0 < 1 + low) by lra.
  assert (V : 0 < low * low) by nra.
  assert (A1 : 0 <= low * (high - low) / (low + high)) by (apply quotient_nonneg; nra).
  assert (B1 : 0 <= 2 * low * low * (1 - high) / ((1 + low) * (low + high))) by (apply quotient_nonneg; nra).
  assert (C1 : 0 < 2 * low * low / (1 + low)) by (apply quotient_pos; nra).
  repeat split; try lra.
  - intros X. assert (Z : low * (high - low) / (low + high) == 0) by lra. apply quotient_0 in Z; [nra | lra].
  - intros X. rewrite F, <- X. field. lra.
  - intros X. assert (Z : 2 * low * low * (1 - high) / ((1 + low) * (low + high)) == 0) by lra. apply quotient_0 in Z; [nra | lra].
  - intros X. rewrite F, X. field. lra.
Qed.

(** Near miss: the right equality holds only for p = r = 1. *)
Lemma f_is_pinned_near_miss : ~ (forall low high, 0 < low -> low <= high -> high <= 1 -> harmonic_mean low high == 2 * low / (1 + low) -> low == 1).
Proof. intros C. specialize (C (1 # 2) 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(reflexivity)). discriminate. Qed.

(** * Jaccard and F (B10) *)

Theorem jaccard_and_f tp fp fn : (0 < tp + fp + fn)%nat ->
  jaccard tp fp fn == f_score tp fp fn / (2 - f_score tp fp fn) /\
  f_score tp fp fn == 2 * jaccard tp fp fn / (1 + jaccard tp fp fn).
Proof.
  intros H. unfold jaccard, f_score. rewrite !q_plus, !q_mult. change (q 2) with 2.
  apply q_pos in H. rewrite !q_plus in H. pose proof (q_nonneg tp). pose proof (q_nonneg fp). pose proof (q_nonneg fn).
  split; field; repeat split; try lra.
Qed.

(** Jaccard and F order predictions in the same way. *)
Theorem jaccard_orders_as_f tp fp fn tp' fp' fn' : (0 < tp + fp + fn)%nat -> (0 < tp' + fp' + fn')%nat ->
  (jaccard tp fp fn < jaccard tp' fp' fn' <-> f_score tp fp fn < f_score tp' fp' fn').
Proof.
  intros H K. unfold jaccard, f_score. rewrite !q_plus, !q_mult. change (q 2) with 2.
  apply q_pos in H. apply q_pos in K. rewrite !q_plus in H, K. pose proof (q_nonneg tp). pose proof (q_nonneg fp). pose proof (q_nonneg fn).
  pose proof (q_nonneg tp'). pose proof (q_nonneg fp'). pose proof (q_nonneg fn').
  set (a := q tp) in *. set (b := q fp + q fn). set (a' := q tp') in *. set (b' := q fp' + q fn').
  assert (P : 0 < a + b) by (unfold b; lra). assert (P' : 0 < a' + b') by (unfold b'; lra).
  assert (Q : 0 < 2 * a + b) by (unfold a, b in *; lra). assert (Q' : 0 < 2 * a' + b') by (unfold a', b' in *; lra).
  assert (J : a' / (a' + q fp' + q fn') - a / (a + q fp + q fn) == (a' * b - a * b') / ((a' + b') * (a + b))) by (unfold a, a', b, b' in *; field; lra).
  assert (F : 2 * a' / (2 * a' + q fn' + q fp') - 2 * a / (2 * a + q fn + q fp) == 2 * (a' * b - a * b') / ((2 * a' + b') * (2 * a + b))) by (unfold a, a', b, b' in *; field; lra).
  assert (V : 0 < (a' + b') * (a + b)) by nra. assert (W : 0 < (2 * a' + b') * (2 * a + b)) by nra.
  pose proof (quotient_pos (a' * b - a * b') _ V) as [J1 J2]. pose proof (quotient_pos (2 * (a' * b - a * b')) _ W) as [F1 F2].
  split; intros L.
  - assert (X : 0 < a' * b - a * b') by (apply J1; lra). assert (Y : 0 < 2 * (a' * b - a * b')) by lra. apply F2 in Y. lra.
  - assert (X : 0 < 2 * (a' * b - a * b')) by (apply F1; lra). assert (Y : 0 < a' * b - a * b') by lra. apply J2 in Y. lra.
Qed.

(** Near miss: J is precision times recall. *)
Lemma jaccard_and_f_near_miss : ~ (forall tp fp fn, (0 < tp + fp + fn)%nat -> jaccard tp fp fn == precision tp fp * recall tp fn).
Proof. intros C. specialize (C 1 1 1 ltac:(lia))%nat. discriminate. Qed.

(** * E is the difference over the sizes (B9) *)

Theorem e_is_difference_over_sizes d : (0 < count actual d + count predicted d)%nat ->
  e_measure (tp d) (fp d) (fn d) == q (fp d + fn d) / q (2 * tp d + fp d + fn d) /\
  e_measure (tp d) (fp d) (fn d) == q (either d) / q (count actual d + count predicted d) /\
  f_score (tp d) (fp d) (fn d) == q (2 * tp d) / q (count actual d + count predicted d).
Proof.
  destruct (counts d) as [P [A [X _]]]. rewrite P, A, X. unfold e_measure, f_score. intros H.
  replace (2 * tp d + fn d + fp d)%nat with (tp d + fn d + (tp d + fp d))%nat by lia.
  replace (2 * tp d + fp d + fn d)%nat with (tp d + fn d + (tp d + fp d))%nat by lia.
  assert (N : ~ q (tp d + fn d + (tp d + fp d)) == 0) by (apply q_nonzero; lia).
  assert (E : q (tp d + fn d + (tp d + fp d)) == q (2 * tp d) + q (fp d + fn d)) by (rewrite <- q_plus, q_eq; lia).
  rewrite E in *. repeat split; field; auto.
Qed.

(** Near miss: E is the symmetric difference over the union. *)
Lemma e_is_difference_over_sizes_near_miss : ~ (forall d, (0 < count actual d + count predicted d)%nat -> e_measure (tp d) (fp d) (fn d) == q (either d) / q (tp d + fp d + fn d)).
Proof. intros C. specialize (C [(true, true); (true, false)] ltac:(unfold count; simpl; lia)). discriminate. Qed.

(** * The accuracy paradox, exactly (B15): k items are predicted, s of them actual; R of N items are actual *)

Theorem accuracy_paradox k s R N : (s <= k)%nat -> (s <= R)%nat -> (k + R <= N + s)%nat -> (1 <= k)%nat ->
  let acc := accuracy s (k - s) (R - s) (N + s - k - R) in
  let nothing := accuracy 0 0 R (N - R) in
  acc == 1 - (q k + q R - 2 * q s) / q N /\
  acc == (1 - q R / q N) + 2 * q k / q N * (q s / q k - (1 # 2)) /\
  (nothing <= acc <-> (1 # 2) <= q s / q k).
Proof.
  intros sk sR kR K acc nothing.
  assert (n : 0 < q N) by (apply q_pos; lia). assert (k0 : 0 < q k) by (apply q_pos; lia).
  assert (A : acc == 1 - (q k + q R - 2 * q s) / q N).
  { unfold acc, accuracy. replace (s + (k - s) + (R - s) + (N + s - k - R))%nat with N by lia.
    assert (E : q (s + (N + s - k - R)) == q N + 2 * q s - q k - q R).
    { change 2 with (q 2). rewrite <- q_mult, <- q_plus. rewrite <- !q_minus by lia. rewrite q_eq. lia. }
    rewrite E. field. lra. }
  assert (B : nothing == 1 - q R / q N).
  { unfold nothing, accuracy. replace (0 + 0 + R + (N - R))%nat with N by lia. rewrite Nat.add_0_l, q_minus by lia. field. lra. }
  assert (C : acc == 1 - q R / q N + 2 * q k / q N * (q s / q k - (1 # 2))) by (rewrite A; field; lra).
  split; [exact A|]. split; [exact C|].
  rewrite B, C. set (x := q s / q k). assert (0 < 2 * q k / q N) by (apply Qlt_shift_div_l; lra).
  split; intros; nra.
Qed.

(** For one goal and a fixed k, accuracy orders predictors as precision does. *)
Theorem accuracy_orders_as_precision k s t R N : (s <= k)%nat -> (s <= R)%nat -> (k + R <= N + s)%nat ->
  (t <= k)%nat -> (t <= R)%nat -> (k + R <= N + t)%nat -> (1 <= k)%nat ->
  (accuracy s (k - s) (R - s) (N + s - k - R) < accuracy t (k - t) (R - t) (N + t - k - R) <-> q s / q k < q t / q k).
Proof.
  intros sk sR kR tk tR kR' K. assert (n : 0 < q N) by (apply q_pos; lia). assert (k0 : 0 < q k) by (apply q_pos; lia).
  destruct (accuracy_paradox k s R N sk sR kR K) as [_ [A _]]. destruct (accuracy_paradox k t R N tk tR kR' K) as [_ [B _]].
  rewrite A, B. assert (C : 0 < 2 * q k / q N) by (apply quotient_pos; lra). set (c := 2 * q k / q N) in *.
  set (x := q s / q k). set (y := q t / q k). split; intros; nra.
Qed.

(** Near miss: the prediction is as accurate as predicting nothing if its precision is above the prevalence. *)
Lemma accuracy_paradox_near_miss : ~ (forall k s R N, (s <= k)%nat -> (s <= R)%nat -> (k + R <= N + s)%nat -> (1 <= k)%nat ->
  q R / q N < q s / q k -> accuracy 0 0 R (N - R) <= accuracy s (k - s) (R - s) (N + s - k - R)).
Proof. intros C. specialize (C 3 1 1 5 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(reflexivity))%nat. now apply C. Qed.

(** * One more item (B20) *)

Theorem one_more_relevant tp fp fn : (0 < tp + fp)%nat -> (0 < fn)%nat ->
  recall (S tp) (fn - 1) == recall tp fn + 1 / q (tp + fn) /\
  (precision tp fp < precision (S tp) fp <-> ~ precision tp fp == 1).
Proof.
  intros H F. unfold recall, precision. split.
  - replace (S tp + (fn - 1))%nat with (tp + fn)%nat by lia. rewrite q_S. field. apply q_nonzero. lia.
  - simpl plus. rewrite !q_S. assert (P : 0 < q (tp + fp)) by (apply q_pos; lia).
    assert (Q : q (tp + fp) == q tp + q fp) by apply q_plus. pose proof (q_nonneg fp). pose proof (q_nonneg tp).
    assert (D : (q tp + 1) / (q (tp + fp) + 1) - q tp / q (tp + fp) == q fp / (q (tp + fp) * (q (tp + fp) + 1))) by (rewrite Q in *; field; lra).
    assert (I : 1 - q tp / q (tp + fp) == q fp / q (tp + fp)) by (rewrite Q in *; field; lra).
    assert (V : 0 < q (tp + fp) * (q (tp + fp) + 1)) by nra.
    pose proof (quotient_pos (q fp) _ V) as [D1 D2]. pose proof (quotient_0 (q fp) (q (tp + fp))) as [Z1 Z2]; [lra|].
    split.
    + intros L X. assert (q fp == 0) by (apply Z1; lra). assert (0 < q fp) by (apply D1; lra). lra.
    + intros X. assert (~ q fp == 0) by (intros Y; apply X; apply Z2 in Y; lra). assert (G : 0 < q fp) by lra. apply D2 in G. lra.
Qed.

(** Near miss: precision rises without exception. *)
Lemma one_more_relevant_near_miss : ~ (forall tp fp, (0 < tp + fp)%nat -> precision tp fp < precision (S tp) fp).
Proof. intros C. specialize (C 1 0 ltac:(lia))%nat. discriminate. Qed.

(** Recall has no fp in it, so it does not change. *)
Theorem one_more_irrelevant tp fp : (0 < tp + fp)%nat -> (precision tp (S fp) < precision tp fp <-> ~ precision tp fp == 0).
Proof.
  intros H. unfold precision. rewrite Nat.add_succ_r, q_S. assert (P : 0 < q (tp + fp)) by (apply q_pos; lia). pose proof (q_nonneg tp).
  assert (D : q tp / q (tp + fp) - q tp / (q (tp + fp) + 1) == q tp / (q (tp + fp) * (q (tp + fp) + 1))) by (field; lra).
  assert (V : 0 < q (tp + fp) * (q (tp + fp) + 1)) by nra.
  pose proof (quotient_pos (q tp) _ V) as [D1 D2]. pose proof (quotient_0 (q tp) (q (tp + fp))) as [Z1 Z2]; [lra|].
  split.
  - intros L X. assert (q tp == 0) by (apply Z1; lra). assert (0 < q tp) by (apply D1; lra). lra.
  - intros X. assert (~ q tp == 0) by (intros Y; apply X; apply Z2 in Y; lra). assert (G : 0 < q tp) by lra. apply D2 in G. lra.
Qed.
