(** Means: a mean of means, and the mean reciprocal rank. *)
From Book Require Export Ranking.

(** * The mean of means (W1, in part: without the examples, and with the mean of all values as the weighted mean of those of the blocks); K blocks have n b values each, of mean m b *)

Definition mean_of (f : nat -> Q) (K : nat) : Q := sum f K / q K.
Definition mean_of_all (n : nat -> nat) (m : nat -> Q) (K : nat) : Q := sum (fun b => q (n b) * m b) K / sum (fun b => q (n b)) K.
Definition covariance (f g : nat -> Q) (K : nat) : Q := mean_of (fun b => (f b - mean_of f K) * (g b - mean_of g K)) K.

Theorem mean_of_means n m K (sizes := fun b => q (n b)) : (1 <= K)%nat -> (forall b, (1 <= b <= K)%nat -> (1 <= n b)%nat) ->
  mean_of m K - mean_of_all n m K == - (covariance sizes m K / mean_of sizes K) /\
  (mean_of m K == mean_of_all n m K <-> covariance sizes m K == 0).
Proof.
  intros P N. assert (k : 0 < q K) by (apply q_pos; lia).
  assert (S : 0 < sum sizes K).
  { apply Qlt_le_trans with (q K); [auto|]. assert (E : q K == sum (fun _ => 1) K) by (rewrite sum_const; ring). rewrite E. apply sum_le. intros b B.
    unfold sizes. change 1 with (q 1). apply q_le. now apply N. }
  assert (C : covariance sizes m K == sum (fun b => sizes b * m b) K / q K - mean_of sizes K * mean_of m K).
  { unfold covariance, mean_of at 1.
    rewrite (sum_ext _ (fun b => (sizes b * m b + - mean_of m K * sizes b) + (- mean_of sizes K * m b + mean_of sizes K * mean_of m K))) by (intros; ring).
    rewrite !sum_plus, !sum_scale, sum_const. unfold mean_of. field. lra. }
  assert (E : mean_of m K - mean_of_all n m K == - (covariance sizes m K / mean_of sizes K)).
  { rewrite C. unfold mean_of_all. fold sizes. change (fun b => q (n b) * m b) with (fun b => sizes b * m b). unfold mean_of. field. lra. }
  split; [exact E|]. assert (M : 0 < mean_of sizes K) by (apply quotient_pos; lra).
  pose proof (quotient_0 (covariance sizes m K) (mean_of sizes K)) as [A B]; [lra|]. split; intros H; [apply A; lra | apply B in H; lra].
Qed.

(** Near miss: it is the mean of all values. *)
Lemma mean_of_means_near_miss : ~ (forall n m K, (1 <= K)%nat -> (forall b, (1 <= b <= K)%nat -> (1 <= n b)%nat) -> mean_of m K == mean_of_all n m K).
Proof. intros C. specialize (C (fun b => b) (fun b => q b) 2 ltac:(lia) ltac:(lia))%nat. discriminate. Qed.

(** * MRR is 1 over a harmonic mean (C56): the first hit of goal g is at rank k g *)

Definition mean_reciprocal_rank (k : nat -> nat) (n : nat) : Q := mean_of (fun g => 1 / q (k g)) n.

Theorem mrr_is_one_over_a_harmonic_mean k n (mean_rank := mean_of (fun g => q (k g)) n) : (1 <= n)%nat -> (forall g, (1 <= g <= n)%nat -> (1 <= k g)%nat) ->
  1 / mean_reciprocal_rank k n == q n / sum (fun g => 1 / q (k g)) n /\
  1 / mean_reciprocal_rank k n <= mean_rank /\
  (1 / mean_reciprocal_rank k n == mean_rank <-> forall g h, (1 <= g <= n)%nat -> (1 <= h <= n)%nat -> k g = k h).
Proof.
  intros P K. assert (N : 0 < q n) by (apply q_pos; lia).
  assert (Pos : forall f, (forall g, (1 <= g <= n)%nat -> 0 < f g) -> 0 < sum f n).
  { intros f F. assert (E : sum (fun _ => 0) n == 0) by (rewrite sum_const; ring). rewrite <- E. apply (sum_lt _ _ n 1); [intros; apply Qlt_le_weak, F; lia | lia | apply F; lia]. }
  assert (k0 : forall g, (1 <= g <= n)%nat -> 0 < q (k g)) by (intros; apply q_pos; specialize (K g); lia).
  assert (T : 0 < sum (fun g => 1 / q (k g)) n) by (apply Pos; intros; apply quotient_pos; [now apply k0 | lra]).
  assert (S : 0 < sum (fun g => q (k g)) n) by (apply Pos; auto).
  set (A := mean_rank). assert (A0 : 0 < A) by (apply quotient_pos; auto).
  (* 1/k is at least 2/A - k/A^2, and equal to it where k = A *)
  assert (Tangent : forall g, (1 <= g <= n)%nat -> 1 / q (k g) - (2 / A + - (1 / (A * A)) * q (k g)) == (q (k g) - A) * (q (k g) - A) / (q (k g) * (A * A)))
    by (intros g G; specialize (k0 g G); field; lra).
  assert (Low : sum (fun g => 2 / A + - (1 / (A * A)) * q (k g)) n == q n / A).
  { rewrite sum_plus, sum_const, sum_scale. assert (E : sum (fun g => q (k g)) n == A * q n) by (unfold A, mean_rank, mean_of; field; lra). rewrite E. field. lra. }
  destruct (sum_le_iff (fun g => 2 / A + - (1 / (A * A)) * q (k g)) (fun g => 1 / q (k g)) n) as [B C].
  { intros g G. specialize (Tangent g G). assert (0 <= (q (k g) - A) * (q (k g) - A) / (q (k g) * (A * A))); [|lra].
    specialize (k0 g G). assert (0 < A * A) by nra. apply quotient_nonneg; [nra|]. destruct (Qlt_le_dec (q (k g)) A); nra. }
  rewrite Low in B, C. set (t := sum (fun g => 1 / q (k g)) n) in *.
  assert (M : 1 / mean_reciprocal_rank k n == q n / t) by (unfold mean_reciprocal_rank, mean_of; fold t; field; lra).
  split; [exact M|]. rewrite M.
  assert (D : A - q n / t == A * (t - q n / A) / t) by (field; lra).
  split; [assert (0 <= A * (t - q n / A) / t) by (apply quotient_nonneg; [auto | apply Qmult_le_0_compat; lra]); lra|].
  pose proof (quotient_0 (A * (t - q n / A)) t) as [X Y]; [lra|].
  assert (W : q n / t == A <-> q n / A == t) by (split; intros E; [assert (Z : A * (t - q n / A) == 0) by (apply X; lra); apply Qmult_integral in Z as [Z|Z]; lra | assert (Z : A * (t - q n / A) == 0) by (rewrite E; ring); apply Y in Z; lra]).
  rewrite W, C. split.
  - intros E.
    assert (Same : forall g, (1 <= g <= n)%nat -> q (k g) == A).
    { intros g G. specialize (E g G). specialize (Tangent g G). specialize (k0 g G).
      assert (Z : (q (k g) - A) * (q (k g) - A) / (q (k g) * (A * A)) == 0) by lra.
      assert (0 < A * A) by nra. assert (0 < q (k g) * (A * A)) by nra. apply quotient_0 in Z; [|lra]. apply Qmult_integral in Z as [Z|Z]; lra. }
    intros g h G H. apply q_eq. now rewrite (Same g G), (Same h H).
  - intros E g G. assert (Same : A == q (k g)).
    { unfold A, mean_rank, mean_of. rewrite (sum_ext _ (fun _ => q (k g))), sum_const by (intros i I; now rewrite (E i g)). field. lra. }
    rewrite Same. specialize (k0 g G). field. lra.
Qed.

(** Near miss: it is 1 over the mean rank. *)
Lemma mrr_is_one_over_a_harmonic_mean_near_miss : ~ (forall k n, (1 <= n)%nat -> (forall g, (1 <= g <= n)%nat -> (1 <= k g)%nat) -> mean_reciprocal_rank k n == 1 / mean_of (fun g => q (k g)) n).
Proof. intros C. specialize (C (fun g => g) 2 ltac:(lia) ltac:(lia))%nat. discriminate. Qed.
