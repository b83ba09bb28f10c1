(** Means: a mean of means, and the mean reciprocal rank. *)
From Book Require Export Numbers.

(** * The mean of means (W1): each block is a list of values, which may be numbers of any field with order *)

Section Blocks.
Context {F : field_with_order}.
Add Field numbers : (field_is F).
Open Scope number_scope.
Implicit Types (c : F) (values : list F) (blocks : list (list F)) (f g : list F -> F).

Fixpoint sum_of (values : list F) : F := match values with [] => 0 | x :: rest => x + sum_of rest end.
Definition mean values : F := sum_of values / whole (length values).
Definition size (block : list F) : F := whole (length block).
Definition covariance f g blocks : F := mean (map (fun b => (f b - mean (map f blocks)) * (g b - mean (map g blocks))) blocks).

Lemma sum_of_app u v : sum_of (u ++ v) == sum_of u + sum_of v.
Proof. induction u; simpl; [ring|]. rewrite IHu. ring. Qed.
Lemma sum_of_ext f g blocks : (forall b, In b blocks -> f b == g b) -> sum_of (map f blocks) == sum_of (map g blocks).
Proof. induction blocks as [|b t IH]; intros E; simpl; [reflexivity|]. rewrite (E b), IH by (intros; try apply E; simpl; auto). reflexivity. Qed.
Lemma sum_of_plus f g blocks : sum_of (map (fun b => f b + g b) blocks) == sum_of (map f blocks) + sum_of (map g blocks).
Proof. induction blocks; simpl; [ring|]. rewrite IHblocks. ring. Qed.
Lemma sum_of_scale c f blocks : sum_of (map (fun b => c * f b) blocks) == c * sum_of (map f blocks).
Proof. induction blocks; simpl; [ring|]. rewrite IHblocks. ring. Qed.
Lemma sum_of_const c blocks : sum_of (map (fun _ => c) blocks) == whole (length blocks) * c.
Proof. induction blocks; simpl; [change (whole 0) with 0; ring|]. rewrite IHblocks, whole_S. ring. Qed.
Lemma number_of_values blocks : whole (length (concat blocks)) == sum_of (map size blocks).
Proof. induction blocks as [|b t IH]; simpl; [reflexivity|]. rewrite app_length, whole_add, IH. reflexivity. Qed.
Lemma sum_of_values blocks : (forall b, In b blocks -> (1 <= length b)%nat) -> sum_of (concat blocks) == sum_of (map (fun b => size b * mean b) blocks).
Proof.
  induction blocks as [|b t IH]; intros P; simpl; [reflexivity|]. rewrite sum_of_app, IH by (intros; apply P; simpl; auto).
  unfold size, mean. assert (~ whole (length b) == 0) by (apply whole_nonzero; specialize (P b); simpl in P; auto with arith). field. auto.
Qed.
Lemma same_everywhere f blocks : (forall b d, In b blocks -> In d blocks -> f b == f d) -> forall b, In b blocks -> f b - mean (map f blocks) == 0.
Proof.
  intros E b B. unfold mean. rewrite (sum_of_ext f (fun _ => f b)), sum_of_const, map_length by auto.
  assert (~ whole (length blocks) == 0) by (apply whole_nonzero; destruct blocks; simpl in *; [contradiction | lia]). field. auto.
Qed.

Theorem mean_of_means blocks : blocks <> [] -> (forall b, In b blocks -> (1 <= length b)%nat) ->
  mean (map mean blocks) - mean (concat blocks) == - (covariance size mean blocks / mean (map size blocks)) /\
  (mean (map mean blocks) == mean (concat blocks) <-> covariance size mean blocks == 0).
Proof.
  intros N P. assert (k : ~ whole (length blocks) == 0) by (apply whole_nonzero; destruct blocks; simpl; [contradiction | lia]).
  assert (S : ~ sum_of (map size blocks) == 0).
  { rewrite <- number_of_values. apply whole_nonzero. destruct blocks as [|b t]; [contradiction|]. simpl. rewrite app_length. specialize (P b). simpl in P. assert (1 <= length b)%nat by auto. lia. }
  assert (A : forall f, mean (map f blocks) == sum_of (map f blocks) / whole (length blocks)) by (intros; unfold mean; now rewrite map_length).
  assert (C : covariance size mean blocks == sum_of (map (fun b => size b * mean b) blocks) / whole (length blocks) - mean (map size blocks) * mean (map mean blocks)).
  { unfold covariance. rewrite A. set (s := mean (map size blocks)) in *. set (m := mean (map mean blocks)) in *.
    rewrite (sum_of_ext _ (fun b => (size b * mean b + - m * size b) + (- s * mean b + s * m))) by (intros; ring).
    rewrite !sum_of_plus, !sum_of_scale, sum_of_const. unfold s, m. rewrite (A size), (A mean). field. auto. }
  assert (E : mean (map mean blocks) - mean (concat blocks) == - (covariance size mean blocks / mean (map size blocks))).
  { assert (All : mean (concat blocks) == sum_of (map (fun b => size b * mean b) blocks) / sum_of (map size blocks)) by (unfold mean at 1; rewrite number_of_values, sum_of_values by auto; reflexivity).
    rewrite C, All, (A size), (A mean). field. auto. }
  assert (M : ~ mean (map size blocks) == 0).
  { rewrite A. intros Z. apply S. setoid_replace (sum_of (map size blocks)) with (sum_of (map size blocks) / whole (length blocks) * whole (length blocks)) by (field; auto). rewrite Z. ring. }
  split; [exact E|]. split; intros H.
  - rewrite H in E. setoid_replace (covariance size mean blocks) with (- (- (covariance size mean blocks / mean (map size blocks)) * mean (map size blocks))) by (field; auto).
    rewrite <- E. ring.
  - rewrite H in E. setoid_replace (mean (map mean blocks)) with (mean (map mean blocks) - mean (concat blocks) + mean (concat blocks)) by ring. rewrite E. field. auto.
Qed.

(** Two cases in which they agree. *)
Theorem equal_sizes_or_equal_means blocks : blocks <> [] -> (forall b, In b blocks -> (1 <= length b)%nat) ->
  (forall b d, In b blocks -> In d blocks -> length b = length d) \/ (forall b d, In b blocks -> In d blocks -> mean b == mean d) ->
  mean (map mean blocks) == mean (concat blocks).
Proof.
  intros N P E. apply (proj2 (mean_of_means blocks N P)). unfold covariance. unfold mean at 1. rewrite map_length.
  assert (k : ~ whole (length blocks) == 0) by (apply whole_nonzero; destruct blocks; simpl; [contradiction | lia]).
  rewrite (sum_of_ext _ (fun _ => 0)), sum_of_const; [field; auto|]. intros b B. destruct E as [E|E].
  - rewrite (same_everywhere size); auto; [ring|]. intros c d C D. unfold size. rewrite (E c d C D). reflexivity.
  - rewrite (same_everywhere mean); auto. ring.
Qed.
End Blocks.

(** Near miss: it is the mean of all values. *)
Lemma mean_of_means_near_miss : ~ (forall (F : field_with_order) (blocks : list (list F)), blocks <> [] -> (forall b, In b blocks -> (1 <= length b)%nat) ->
  mean (map mean blocks) == mean (concat blocks))%F.
Proof.
  intros C. specialize (C rational [[0]; [1; 1]]%Q ltac:(discriminate)). discriminate C. simpl. intros b [<-|[<-|[]]]; simpl; lia.
Qed.

(** Near miss: it is enough that the smallest and the largest block have the same mean. *)
Lemma equal_sizes_or_equal_means_near_miss : ~ (forall (F : field_with_order) (b c d : list F), (1 <= length b < length c)%nat -> (length c < length d)%nat -> mean b == mean d ->
  mean (map mean [b; c; d]) == mean (concat [b; c; d]))%F.
Proof. intros C. specialize (C rational [0] [1; 1] [0; 0; 0; 0]%Q ltac:(simpl; lia) ltac:(simpl; lia) ltac:(reflexivity))%Q. discriminate. Qed.

(** * MRR is 1 over a harmonic mean (C56): the first hit of goal g is at rank k g *)

Definition mean_of (f : nat -> Q) (n : nat) : Q := sum f n / q n.
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
