(** Gain: rank-biased precision and expected reciprocal rank. *)
From Book Require Export AveragePrecision.

Fixpoint power (p : Q) (n : nat) : Q := match n with O => 1 | S m => power p m * p end.

Definition rank_biased_precision (l : ranking) (p : Q) : Q := (1 - p) * sum (fun k => q (delta l k) * power p (k - 1)) (length l).

(** Each item satisfies the reader with a probability of its own; the reader stops at the first item that does. *)
Fixpoint none_of (s : nat -> Q) (n : nat) : Q := match n with O => 1 | S m => none_of s m * (1 - s (S m)) end.  (* of items 1 to n *)
Definition satisfies (qs : list Q) (k : nat) : Q := nth (k - 1) qs 0.
Definition expected_reciprocal_rank (qs : list Q) : Q := sum (fun k => 1 / q k * (satisfies qs k * none_of (satisfies qs) (k - 1))) (length qs).

Lemma power_pos p n : 0 < p -> 0 < power p n.
Proof. intros P. induction n; simpl; [lra | nra]. Qed.
Lemma power_add p m n : power p (m + n) == power p m * power p n.
Proof. induction m; simpl; [ring|]. rewrite IHm. ring. Qed.

(** * What RBP measures (C14, in part: without the quotient of two means, endless lists, and irrational p) *)

Lemma rbp_two u v p : rank_biased_precision (u ++ v) p == rank_biased_precision u p + power p (length u) * rank_biased_precision v p.
Proof.
  unfold rank_biased_precision. rewrite app_length, sum_app.
  rewrite (sum_ext (fun k => q (delta (u ++ v) k) * power p (k - 1)) (fun k => q (delta u k) * power p (k - 1))) by (intros; now rewrite delta_app by lia).
  rewrite (sum_ext (fun i => q (delta (u ++ v) (length u + i)) * power p (length u + i - 1)) (fun i => power p (length u) * (q (delta v i) * power p (i - 1)))).
  - rewrite sum_scale. ring.
  - intros i I. rewrite delta_after by lia. replace (length u + i - 1)%nat with (length u + (i - 1))%nat by lia. rewrite power_add. ring.
Qed.
Lemma rbp_cons b v p : rank_biased_precision (b :: v) p == (1 - p) * q (bit b) + p * rank_biased_precision v p.
Proof. change (b :: v) with ([b] ++ v). rewrite rbp_two. unfold rank_biased_precision, delta. simpl. ring. Qed.
Lemma rbp_range v p : 0 < p -> p < 1 -> 0 <= rank_biased_precision v p /\ rank_biased_precision v p < 1.
Proof.
  intros A B. induction v as [|b v IH]; [unfold rank_biased_precision; simpl; lra|]. rewrite rbp_cons.
  destruct b; simpl bit; rewrite ?q_0, ?q_1; nra.
Qed.

Theorem what_rbp_measures p : 0 < p -> p < 1 ->
  (forall l, rank_biased_precision l p < 1) /\
  (forall N R, (R <= N)%nat -> rank_biased_precision (ideal_ranking N R) p == 1 - power p R) /\
  (forall u v, rank_biased_precision u p <= rank_biased_precision (u ++ v) p /\
               rank_biased_precision (u ++ v) p <= rank_biased_precision u p + power p (length u)) /\
  (forall u v, rank_biased_precision (u ++ [true; false] ++ v) p - rank_biased_precision (u ++ [false; true] ++ v) p ==
               (1 - p) * (1 - p) * power p (length u)).
Proof.
  intros A B. split; [|split; [|split]].
  - intros. now apply rbp_range.
  - intros N R L. unfold ideal_ranking. generalize (N - R)%nat as m. intros m. induction R as [|R IH]; cbn [repeat app].
    + induction m as [|m IH]; [unfold rank_biased_precision; simpl; ring|]. cbn [repeat app] in *. rewrite rbp_cons, IH. cbn [bit power]. rewrite q_0. ring.
    + rewrite rbp_cons, IH by lia. cbn [bit power]. rewrite q_1. ring.
  - intros u v. rewrite rbp_two. pose proof (rbp_range v p A B). pose proof (power_pos p (length u) A). nra.
  - intros u v. rewrite !(rbp_two u). cbn [app]. rewrite !rbp_cons. simpl bit. rewrite q_0, q_1. ring.
Qed.

(** Near miss: every hit of an ideal list adds the same. *)
Lemma what_rbp_measures_near_miss : ~ (forall N R p, 0 < p -> p < 1 -> (R <= N)%nat -> rank_biased_precision (ideal_ranking N R) p == q R * (1 - p)).
Proof. intros C. specialize (C 2 2 (1 # 2) ltac:(lra) ltac:(lra) ltac:(lia))%nat. discriminate. Qed.

(** * ERR is a mean reciprocal rank (C15): the mean over all outcomes, each item satisfying the reader or not, independently *)

Fixpoint mean (qs : list Q) (f : list bool -> Q) : Q :=
  match qs with [] => f [] | x :: t => x * mean t (fun rest => f (true :: rest)) + (1 - x) * mean t (fun rest => f (false :: rest)) end.
Fixpoint first_from (k : nat) (outcome : list bool) : Q := match outcome with [] => 0 | b :: t => if b then 1 / q k else first_from (S k) t end.
Definition reciprocal_rank (outcome : list bool) : Q := first_from 1 outcome.  (* 1/k of the first true at k, or 0 *)

Lemma mean_constant qs c : mean qs (fun _ => c) == c.
Proof. induction qs as [|x t IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.
Lemma none_of_ext f g n : (forall i, (1 <= i <= n)%nat -> f i == g i) -> none_of f n == none_of g n.
Proof. induction n; intros E; simpl; [reflexivity|]. rewrite IHn, (E (S n)) by (intros; try apply E; lia). reflexivity. Qed.
Lemma none_of_first f n : none_of f (S n) == (1 - f 1%nat) * none_of (fun i => f (S i)) n.
Proof. induction n; [simpl; ring|]. change (none_of f (S (S n))) with (none_of f (S n) * (1 - f (S (S n)))). rewrite IHn. simpl. ring. Qed.
Lemma sum_first f n : sum f (S n) == f 1%nat + sum (fun i => f (S i)) n.
Proof. change (S n) with (1 + n)%nat. rewrite sum_app. simpl. ring. Qed.
Lemma satisfies_cons x t i : (1 <= i)%nat -> satisfies (x :: t) (S i) = satisfies t i.
Proof. intros. unfold satisfies. destruct i; [lia|]. simpl. now rewrite Nat.sub_0_r. Qed.
Lemma stopping_tail f x t n : sum (fun i => f (S i) * (satisfies (x :: t) (S i) * none_of (satisfies (x :: t)) (S i - 1))) n ==
  (1 - x) * sum (fun i => f (S i) * (satisfies t i * none_of (satisfies t) (i - 1))) n.
Proof.
  rewrite <- sum_scale. apply sum_ext. intros i I. rewrite satisfies_cons by lia. replace (S i - 1)%nat with (S (i - 1)) by lia.
  rewrite none_of_first, (none_of_ext (fun j => satisfies (x :: t) (S j)) (satisfies t)) by (intros; now rewrite satisfies_cons by lia).
  unfold satisfies at 2. simpl. ring.
Qed.

Theorem err_is_a_mean_reciprocal_rank qs :
  expected_reciprocal_rank qs == mean qs reciprocal_rank /\
  sum (fun k => satisfies qs k * none_of (satisfies qs) (k - 1)) (length qs) == 1 - none_of (satisfies qs) (length qs).
Proof.
  split.
  - unfold expected_reciprocal_rank, reciprocal_rank.
    assert (G : forall m, sum (fun k => 1 / q (m + k) * (satisfies qs k * none_of (satisfies qs) (k - 1))) (length qs) == mean qs (first_from (S m))).
    { induction qs as [|x t IH]; intros m; [reflexivity|]. cbn [length mean first_from].
      rewrite sum_first, (stopping_tail (fun i => 1 / q (m + i))), mean_constant, <- IH.
      rewrite (sum_ext (fun i => 1 / q (m + S i) * _) (fun i => 1 / q (S m + i) * (satisfies t i * none_of (satisfies t) (i - 1)))) by (intros; now rewrite Nat.add_succ_r).
      unfold satisfies at 1. simpl. rewrite Nat.add_1_r. ring. }
    exact (G 0%nat).
  - generalize (length qs). intros n. induction n; [simpl; ring|]. cbn [sum none_of]. rewrite IHn. replace (S n - 1)%nat with n by lia. ring.
Qed.

(** Near miss: the probabilities of stopping are those of satisfying. *)
Lemma err_is_a_mean_reciprocal_rank_near_miss : ~ (forall qs, sum (fun k => satisfies qs k * none_of (satisfies qs) (k - 1)) (length qs) == sum (satisfies qs) (length qs)).
Proof. intros C. specialize (C [1 # 2; 1 # 2]). discriminate. Qed.

(** * What a swap is worth (C16, in part: without irrational numbers, such as the usual discount): a hit moves up from rank i + 1 to i, past an irrelevant item, with s hits above *)

Definition dcg (D : nat -> Q) (l : ranking) : Q := sum (fun k => q (delta l k) * D k) (length l).
Definition err_of_hits (l : ranking) (x : Q) : Q := expected_reciprocal_rank (map (fun b : bool => if b then x else 0) l).  (* a hit satisfies with probability x *)

Lemma dcg_two D u v : dcg D (u ++ v) == dcg D u + dcg (fun k => D (length u + k)%nat) v.
Proof.
  unfold dcg. rewrite app_length, sum_app. apply Qplus_comp; apply sum_ext; intros i I; [now rewrite delta_app by lia | now rewrite delta_after by lia].
Qed.
Lemma satisfies_of_hits l x k : (1 <= k)%nat -> satisfies (map (fun b : bool => if b then x else 0) l) k == x * q (delta l k).
Proof.
  intros K. unfold satisfies, delta. pose proof (map_nth (fun b : bool => if b then x else 0) l false (k - 1)) as E. cbn beta iota in E. rewrite E.
  destruct (nth (k - 1) l false); simpl bit; rewrite ?q_0, ?q_1; ring.
Qed.
Lemma none_of_hits l x n : none_of (satisfies (map (fun b : bool => if b then x else 0) l)) n == power (1 - x) (hits_at l n).
Proof.
  induction n; [reflexivity|]. cbn [none_of]. rewrite IHn, satisfies_of_hits, hits_at_S, power_add by lia.
  unfold delta. destruct (nth (S n - 1) l false); simpl; rewrite ?q_0, ?q_1; ring.
Qed.
Lemma err_by_hits l x : err_of_hits l x == sum (fun k => 1 / q k * (x * q (delta l k) * power (1 - x) (hits_at l (k - 1)))) (length l).
Proof.
  unfold err_of_hits, expected_reciprocal_rank. rewrite map_length. apply sum_ext. intros k K. now rewrite satisfies_of_hits, none_of_hits by lia.
Qed.

Theorem what_a_swap_is_worth u v R (i := S (length u)) (s := number_found u) : (0 < R)%nat ->
  let up := u ++ [true; false] ++ v in let down := u ++ [false; true] ++ v in
  (forall p, 0 < p -> p < 1 -> rank_biased_precision up p - rank_biased_precision down p == (1 - p) * (1 - p) * power p (i - 1)) /\
  (forall D, dcg D up - dcg D down == D i - D (S i)) /\
  q R * average_precision up R - q R * average_precision down R == (q s + 1) / (q i * (q i + 1)) /\
  (forall x, 0 < x -> x < 1 -> err_of_hits up x - err_of_hits down x == x * power (1 - x) s / (q i * (q i + 1))).
Proof.
  intros P up down. assert (i0 : 0 < q i) by (apply q_pos; lia). assert (r : 0 < q R) by now apply q_pos.
  split; [|split; [|split]].
  - intros p A B. unfold up, down, i. destruct (what_rbp_measures p A B) as [_ [_ [_ Swap]]]. rewrite Swap. simpl. now rewrite Nat.sub_0_r.
  - intros D. unfold up, down. rewrite !(dcg_two D u), !dcg_two. unfold dcg, delta. simpl. replace (length u + 1)%nat with i by lia. replace (length u + 2)%nat with (S i) by lia.
    rewrite q_0, q_1. ring.
  - rewrite <- (Qmult_1_l ((q s + 1) / _)). pose proof (swap_gain u v R i P eq_refl) as G. fold up down s in G.
    transitivity (q R * (average_precision up R - average_precision down R)); [ring|]. rewrite G. field. lra.
  - intros x A B. rewrite !err_by_hits. unfold up, down. rewrite !app_length, !sum_app.
    assert (Part : forall a b, sum (fun k => 1 / q k * (x * q (delta (u ++ [a; b] ++ v) k) * power (1 - x) (hits_at (u ++ [a; b] ++ v) (k - 1)))) (length u) ==
                   sum (fun k => 1 / q k * (x * q (delta u k) * power (1 - x) (hits_at u (k - 1)))) (length u)).
    { intros a b. apply sum_ext. intros k K. now rewrite delta_app, hits_at_app by lia. }
    assert (Rest : forall a b, sum (fun k => 1 / q (length u + (2 + k)) * (x * q (delta (u ++ [a; b] ++ v) (length u + (2 + k))) * power (1 - x) (hits_at (u ++ [a; b] ++ v) (length u + (2 + k) - 1)))) (length v) ==
                   sum (fun k => 1 / q (length u + (2 + k)) * (x * q (delta v k) * power (1 - x) (s + (bit a + bit b + hits_at v (k - 1))))) (length v)).
    { intros a b. apply sum_ext. intros k K. rewrite delta_after by lia. replace (length u + (2 + k) - 1)%nat with (length u + (2 + (k - 1)))%nat by lia. rewrite hits_at_after.
      change 2%nat with (length [a; b]). rewrite delta_after, hits_at_after by lia. simpl number_found. rewrite Nat.add_0_r. reflexivity. }
    rewrite !Part. change (length [true; false]) with 2%nat. change (length [false; true]) with 2%nat. rewrite !Rest. cbn [sum bit plus].
    rewrite !delta_after by lia. replace (length u + 1 - 1)%nat with (length u + 0)%nat by lia. replace (length u + 2 - 1)%nat with (length u + 1)%nat by lia. rewrite !hits_at_after.
    unfold delta, hits_at. cbn [app nth firstn number_found bit minus plus]. fold s. rewrite ?Nat.add_0_r, power_add. cbn [power].
    replace (length u + 1)%nat with i by lia. replace (length u + 2)%nat with (S i) by lia. rewrite q_0, q_1, q_S. field. lra.
Qed.

(** Near miss: ERR gives each rank a fixed weight, too. *)
Lemma what_a_swap_is_worth_near_miss : ~ (forall u t x, 0 < x -> x < 1 -> length u = length t ->
  err_of_hits (u ++ [true; false]) x - err_of_hits (u ++ [false; true]) x == err_of_hits (t ++ [true; false]) x - err_of_hits (t ++ [false; true]) x).
Proof. intros C. specialize (C [true] [false] (1 # 2) ltac:(lra) ltac:(lra) eq_refl). discriminate. Qed.
