(** Gain: rank-biased precision, expected reciprocal rank and discounted gain. Probabilities and discounts are numbers of any field with order, rational or real. *)
From Book Require Export Numbers AveragePrecision.

Section Gain.
Context {F : field_with_order}.
Add Field numbers : (field_is F).
Open Scope number_scope.
Implicit Types p : F.

Definition rank_biased_precision (l : ranking) (p : F) : F := (1 - p) * Sum (fun k => whole (delta l k) * power p (k - 1)) (length l).

(** Each item satisfies the reader with a probability of its own; the reader stops at the first item that does. *)
Fixpoint none_of (s : nat -> F) (n : nat) : F := match n with O => 1 | S m => none_of s m * (1 - s (S m)) end.  (* of items 1 to n *)
Definition satisfies (qs : list F) (k : nat) : F := nth (k - 1) qs 0.
Definition expected_reciprocal_rank (qs : list F) : F := Sum (fun k => 1 / whole k * (satisfies qs k * none_of (satisfies qs) (k - 1))) (length qs).

(** * What RBP measures (C14); in an endless list, [e i] says whether the item that is i places below u is relevant *)

Definition sees_just (p : F) (N k : nat) : F := if (k <? N)%nat then power p (k - 1) * (1 - p) else power p (k - 1).  (* the probability of stopping after k of N items *)
Definition hits_seen (l : ranking) (p : F) : F := Sum (fun k => whole (hits_at l k) * sees_just p (length l) k) (length l).  (* the mean number *)
Definition items_seen (N : nat) (p : F) : F := Sum (fun k => whole k * sees_just p N k) N.  (* the mean number, in a list of N items *)
Definition down_to (e : nat -> bool) (n : nat) : ranking := map e (seq 1 n).  (* the first n items of an endless list *)

Lemma seen_one_by_one (f : nat -> nat) p N : f 0%nat = 0%nat ->
  Sum (fun k => whole (f k) * sees_just p N k) N == Sum (fun i => (whole (f i) - whole (f (i - 1)%nat)) * power p (i - 1)) N.
Proof.
  intros Z. destruct N as [|N]; [reflexivity|]. cbn [Sum]. unfold sees_just at 2. rewrite Nat.ltb_irrefl.
  rewrite (Sum_ext (fun k => whole (f k) * sees_just p (S N) k) (fun k => whole (f k) * (power p (k - 1) * (1 - p))))
    by (intros k K; unfold sees_just; destruct (Nat.ltb_spec k (S N)); [reflexivity | lia]).
  induction N as [|N IH].
  - simpl. rewrite Z. change (whole 0) with 0. ring.
  - cbn [Sum] in *. replace (S (S N) - 1)%nat with (S N) by lia. replace (S N - 1)%nat with N in * by lia. rewrite <- IH. cbn [power]. ring.
Qed.
Lemma rbp_by_hits_seen l p : rank_biased_precision l p == (1 - p) * hits_seen l p.
Proof.
  unfold rank_biased_precision, hits_seen. rewrite (seen_one_by_one (hits_at l)) by reflexivity. apply times_proper; [reflexivity|]. apply Sum_ext. intros k K.
  destruct k as [|k]; [lia|]. replace (S k - 1)%nat with k by lia. rewrite hits_at_S, whole_add. ring.
Qed.
Lemma items_seen_closed N p : ~ 1 - p == 0 -> items_seen N p == (1 - power p N) / (1 - p).
Proof.
  intros P. unfold items_seen. rewrite (seen_one_by_one (fun k => k)) by reflexivity.
  induction N as [|N IH]; [simpl; field; auto|]. cbn [Sum]. rewrite IH. replace (S N - 1)%nat with N by lia. rewrite whole_S. cbn [power]. field. auto.
Qed.
Lemma rbp_two u v p : rank_biased_precision (u ++ v) p == rank_biased_precision u p + power p (length u) * rank_biased_precision v p.
Proof.
  unfold rank_biased_precision. rewrite app_length, Sum_app.
  rewrite (Sum_ext (fun k => whole (delta (u ++ v) k) * power p (k - 1)) (fun k => whole (delta u k) * power p (k - 1))) by (intros; now rewrite delta_app by lia).
  rewrite (Sum_ext (fun i => whole (delta (u ++ v) (length u + i)) * power p (length u + i - 1)) (fun i => power p (length u) * (whole (delta v i) * power p (i - 1)))).
  - rewrite Sum_scale. ring.
  - intros i I. rewrite delta_after by lia. replace (length u + i - 1)%nat with (length u + (i - 1))%nat by lia. rewrite power_add. ring.
Qed.
Lemma whole_bit b : whole (bit b) == if b then 1 else 0.
Proof. destruct b; [|reflexivity]. change (0 + 1 == 1). ring. Qed.
Lemma rbp_cons b v p : rank_biased_precision (b :: v) p == (1 - p) * (if b then 1 else 0) + p * rank_biased_precision v p.
Proof. change (b :: v) with ([b] ++ v). rewrite rbp_two. unfold rank_biased_precision, delta. cbn [Sum length power nth Nat.sub]. rewrite whole_bit. destruct b; ring. Qed.
Lemma rbp_range v p : 0 < p -> p < 1 -> 0 <= rank_biased_precision v p /\ rank_biased_precision v p < 1.
Proof.
  intros A B. assert (C : 0 < 1 - p) by now apply difference_pos.
  induction v as [|b v [I J]]; [split; [apply at_most_equal; unfold rank_biased_precision; simpl; ring|]|].
  - unfold rank_biased_precision. simpl. setoid_replace ((1 - p) * 0) with 0 by ring. apply one_pos.
  - rewrite rbp_cons. apply difference_pos in J. split.
    + apply nonneg_add; apply times_nonneg; auto; try now apply less_at_most. destruct b; [apply less_at_most, one_pos | apply at_most_equal; reflexivity].
    + apply difference_pos. set (r := rank_biased_precision v p) in *.
      destruct b; [setoid_replace (1 - ((1 - p) * 1 + p * r)) with (p * (1 - r)) by ring; now apply times_pos|].
      setoid_replace (1 - ((1 - p) * 0 + p * r)) with (p * (1 - r) + (1 - p)) by ring. apply pos_add; auto. apply less_at_most, times_pos; auto.
Qed.

Theorem what_rbp_measures p : 0 < p -> p < 1 ->
  let rbp := fun l => rank_biased_precision l p in
  let seen_in_an_endless_list := 1 / (1 - p) in
  tends_to (fun N => items_seen N p) seen_in_an_endless_list /\
  (forall l, rbp l == hits_seen l p / seen_in_an_endless_list) /\
  (forall l, rbp l < 1) /\
  (forall N R, (R <= N)%nat -> rbp (ideal_ranking N R) == 1 - power p R) /\
  (forall u v (k := length u), rbp u <= rbp (u ++ v) /\ rbp (u ++ v) <= rbp u + power p k) /\
  (forall u v (i := S (length u)), rbp (u ++ [true; false] ++ v) - rbp (u ++ [false; true] ++ v) == (1 - p) * (1 - p) * power p (i - 1)).
Proof.
  intros A B rbp endless. assert (C : 0 < 1 - p) by now apply difference_pos. assert (N : ~ 1 - p == 0) by now apply pos_nonzero.
  split; [|split; [|split; [|split; [|split]]]].
  - intros e E. assert (E' : 0 < e * (1 - p)) by now apply times_pos. destruct (power_vanishes p (e * (1 - p)) A B E') as [m M]. exists m. intros n L. specialize (M n L).
    rewrite items_seen_closed by auto. unfold endless. apply difference_pos in M. pose proof (power_pos p n A). split; apply difference_pos.
    + setoid_replace ((1 - power p n) / (1 - p) - (1 / (1 - p) - e)) with ((e * (1 - p) - power p n) / (1 - p)) by (field; auto). now apply quotient_of_pos.
    + setoid_replace (1 / (1 - p) + e - (1 - power p n) / (1 - p)) with (e + power p n / (1 - p)) by (field; auto).
      apply pos_add; [now apply less_at_most | now apply quotient_of_pos].
  - intros l. unfold rbp, endless. rewrite rbp_by_hits_seen. field. split; auto. apply pos_nonzero, one_pos.
  - intros. now apply rbp_range.
  - intros M R L. unfold rbp, ideal_ranking. generalize (M - R)%nat as m. intros m. clear L. induction R as [|R IH]; cbn [repeat app].
    + induction m as [|m IH]; [unfold rank_biased_precision; simpl; ring|]. cbn [repeat app] in *. rewrite rbp_cons, IH. cbn [power]. ring.
    + rewrite rbp_cons, IH. cbn [power]. ring.
  - intros u v k. unfold rbp. rewrite rbp_two. destruct (rbp_range v p A B) as [I J]. pose proof (power_pos p (length u) A) as P. subst k. split; apply difference_nonneg.
    + setoid_replace (rank_biased_precision u p + power p (length u) * rank_biased_precision v p - rank_biased_precision u p) with (power p (length u) * rank_biased_precision v p) by ring.
      apply times_nonneg; auto. now apply less_at_most.
    + setoid_replace (rank_biased_precision u p + power p (length u) - (rank_biased_precision u p + power p (length u) * rank_biased_precision v p)) with (power p (length u) * (1 - rank_biased_precision v p)) by ring.
      apply times_nonneg; [now apply less_at_most | now apply difference_nonneg, less_at_most].
  - intros u v i. unfold rbp, i. rewrite !(rbp_two u). cbn [app]. rewrite !rbp_cons. rewrite Nat.sub_succ, Nat.sub_0_r. ring.
Qed.

(** The value x of an endless list is the limit of those of its first n items; for real numbers this limit exists. *)
Theorem rbp_of_endless_lists p u e x : 0 < p -> p < 1 ->
  tends_to (fun n => rank_biased_precision (u ++ down_to e n) p) x ->
  rank_biased_precision u p <= x /\ x <= rank_biased_precision u p + power p (length u).
Proof.
  intros A B T. destruct (what_rbp_measures p A B) as [_ [_ [_ [_ [Between _]]]]]. split.
  - apply (limit_at_least _ _ _ 0 T). intros n _. apply Between.
  - apply (limit_at_most _ _ _ 0 T). intros n _. apply Between.
Qed.
Theorem swap_in_an_endless_list p u e x y (i := S (length u)) : 0 < p -> p < 1 ->
  tends_to (fun n => rank_biased_precision (u ++ [true; false] ++ down_to e n) p) x ->
  tends_to (fun n => rank_biased_precision (u ++ [false; true] ++ down_to e n) p) y ->
  x - y == (1 - p) * (1 - p) * power p (i - 1).
Proof.
  intros A B X Y. destruct (what_rbp_measures p A B) as [_ [_ [_ [_ [_ Swap]]]]].
  assert (Z : x == y + (1 - p) * (1 - p) * power p (i - 1)).
  { apply (limit_unique _ _ _ X). apply (limit_shifted _ _ _ _ Y). intros n. unfold i. rewrite <- (Swap u (down_to e n)). ring. }
  rewrite Z. ring.
Qed.

End Gain.

(** Near miss: every hit of an ideal list adds the same. *)
Lemma what_rbp_measures_near_miss : ~ (forall (F : field_with_order) N R (p : F), 0 < p -> p < 1 -> (R <= N)%nat -> rank_biased_precision (ideal_ranking N R) p == whole R * (1 - p))%F.
Proof. intros C. specialize (C rational 2%nat 2%nat (1 # 2)%Q ltac:(now apply Qlt_not_le) ltac:(now apply Qlt_not_le) ltac:(lia)). discriminate. Qed.

(** Near miss: such a value, too, is below that with the whole rest. *)
Lemma rbp_of_endless_lists_near_miss : ~ (forall (F : field_with_order) (p : F) u e x, 0 < p -> p < 1 ->
  tends_to (fun n => rank_biased_precision (u ++ down_to e n) p) x -> x < rank_biased_precision u p + power p (length u))%F.
Proof.
  intros C. apply (C rational (1 # 2)%Q [] (fun _ => true) 1%Q); [now apply Qlt_not_le | now apply Qlt_not_le | | discriminate].
  assert (E : forall n, (1 - power (1 # 2 : rational) n == rank_biased_precision ([] ++ down_to (fun _ => true) n) (1 # 2 : rational))%F).
  { intros n. destruct (what_rbp_measures (1 # 2 : rational)) as [_ [_ [_ [Ideal _]]]]; [now apply Qlt_not_le | now apply Qlt_not_le |].
    rewrite <- (Ideal n n) by lia. unfold ideal_ranking, down_to. rewrite Nat.sub_diag, app_nil_r. simpl app. generalize 1%nat as first.
    assert (M : forall first, map (fun _ => true) (seq first n) = repeat true n) by (induction n; intros; simpl; [reflexivity | now rewrite IHn]).
    intros first. rewrite M. reflexivity. }
  intros e P. destruct (power_vanishes (1 # 2 : rational) e) as [m M]; [now apply Qlt_not_le | now apply Qlt_not_le | exact P |].
  exists m. intros n N. specialize (M n N). rewrite <- E. pose proof (power_pos (1 # 2 : rational) n ltac:(now apply Qlt_not_le)) as Z.
  simpl in *. unfold less in *. simpl in *. apply Qnot_le_lt in M, Z, P. split; apply Qlt_not_le; lra.
Qed.

(** Near miss: a swap gains the same at every rank. *)
Lemma swap_in_an_endless_list_near_miss : ~ (forall (F : field_with_order) (p : F) u t, 0 < p -> p < 1 ->
  rank_biased_precision (u ++ [true; false]) p - rank_biased_precision (u ++ [false; true]) p ==
  rank_biased_precision (t ++ [true; false]) p - rank_biased_precision (t ++ [false; true]) p)%F.
Proof. intros C. specialize (C rational (1 # 2)%Q [] [false] ltac:(now apply Qlt_not_le) ltac:(now apply Qlt_not_le)). discriminate. Qed.


(** * ERR is a mean reciprocal rank (C15): the mean over all outcomes, each item satisfying the reader or not, independently *)

Section Stopping.
Context {F : field_with_order}.
Add Field numbers : (field_is F).
Open Scope number_scope.
Implicit Types (x : F) (qs : list F).

Fixpoint mean (qs : list F) (f : list bool -> F) : F :=
  match qs with [] => f [] | x :: t => x * mean t (fun rest => f (true :: rest)) + (1 - x) * mean t (fun rest => f (false :: rest)) end.
Fixpoint first_from (k : nat) (outcome : list bool) : F := match outcome with [] => 0 | b :: t => if b then 1 / whole k else first_from (S k) t end.
Definition reciprocal_rank (outcome : list bool) : F := first_from 1 outcome.  (* 1/k of the first true at k, or 0 *)

Lemma mean_constant qs (c : F) : mean qs (fun _ => c) == c.
Proof. induction qs as [|x t IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.
Lemma none_of_ext (f g : nat -> F) n : (forall i, (1 <= i <= n)%nat -> f i == g i) -> none_of f n == none_of g n.
Proof. induction n; intros E; simpl; [reflexivity|]. rewrite IHn, (E (S n)) by (intros; try apply E; lia). reflexivity. Qed.
Lemma none_of_first (f : nat -> F) n : none_of f (S n) == (1 - f 1%nat) * none_of (fun i => f (S i)) n.
Proof. induction n; [simpl; ring|]. change (none_of f (S (S n))) with (none_of f (S n) * (1 - f (S (S n)))). rewrite IHn. simpl. ring. Qed.
Lemma satisfies_cons x (t : list F) i : (1 <= i)%nat -> satisfies (x :: t) (S i) = satisfies t i.
Proof. intros. unfold satisfies. destruct i; [lia|]. simpl. now rewrite Nat.sub_0_r. Qed.
Lemma stopping_tail (f : nat -> F) x (t : list F) n : Sum (fun i => f (S i) * (satisfies (x :: t) (S i) * none_of (satisfies (x :: t)) (S i - 1))) n ==
  (1 - x) * Sum (fun i => f (S i) * (satisfies t i * none_of (satisfies t) (i - 1))) n.
Proof.
  rewrite <- Sum_scale. apply Sum_ext. intros i I. rewrite satisfies_cons by lia. replace (S i - 1)%nat with (S (i - 1)) by lia.
  rewrite none_of_first, (none_of_ext (fun j => satisfies (x :: t) (S j)) (satisfies t)) by (intros; now rewrite satisfies_cons by lia).
  unfold satisfies at 2. simpl. ring.
Qed.

Theorem err_is_a_mean_reciprocal_rank qs :
  expected_reciprocal_rank qs == mean qs reciprocal_rank /\
  Sum (fun k => satisfies qs k * none_of (satisfies qs) (k - 1)) (length qs) == 1 - none_of (satisfies qs) (length qs).
Proof.
  split.
  - unfold expected_reciprocal_rank, reciprocal_rank.
    assert (G : forall m, Sum (fun k => 1 / whole (m + k) * (satisfies qs k * none_of (satisfies qs) (k - 1))) (length qs) == mean qs (first_from (S m))).
    { induction qs as [|x t IH]; intros m; [reflexivity|]. cbn [length mean first_from].
      rewrite Sum_first, (stopping_tail (fun i => 1 / whole (m + i))), mean_constant, <- IH.
      rewrite (Sum_ext (fun i => 1 / whole (m + S i) * _) (fun i => 1 / whole (S m + i) * (satisfies t i * none_of (satisfies t) (i - 1)))) by (intros; now rewrite Nat.add_succ_r).
      unfold satisfies at 1. simpl. rewrite Nat.add_1_r. ring. }
    exact (G 0%nat).
  - generalize (length qs). intros n. induction n; [simpl; ring|]. cbn [Sum none_of]. rewrite IHn. replace (S n - 1)%nat with n by lia. ring.
Qed.

End Stopping.

(** Near miss: the probabilities of stopping are those of satisfying. *)
Lemma err_is_a_mean_reciprocal_rank_near_miss : ~ (forall (F : field_with_order) (qs : list F),
  Sum (fun k => satisfies qs k * none_of (satisfies qs) (k - 1)) (length qs) == Sum (satisfies qs) (length qs))%F.
Proof. intros C. specialize (C rational [1 # 2; 1 # 2])%Q. discriminate. Qed.


(** * What a swap is worth (C16): a hit moves up from rank i + 1 to i, past an irrelevant item, with s hits above *)

Section Swaps.
Context {F : field_with_order}.
Add Field numbers : (field_is F).
Open Scope number_scope.
Implicit Types (x p : F) (D : nat -> F).

Definition dcg_at (D : nat -> F) (l : ranking) (k : nat) : F := Sum (fun i => whole (delta l i) * D i) k.
Definition dcg (D : nat -> F) (l : ranking) : F := dcg_at D l (length l).
Definition err_of_hits (l : ranking) (x : F) : F := expected_reciprocal_rank (map (fun b : bool => if b then x else 0) l).  (* a hit satisfies with probability x *)

Lemma dcg_two D u v : dcg D (u ++ v) == dcg D u + dcg (fun k => D (length u + k)%nat) v.
Proof.
  unfold dcg, dcg_at. rewrite app_length, Sum_app. apply add_proper; apply Sum_ext; intros i I; [now rewrite delta_app by lia | now rewrite delta_after by lia].
Qed.
Lemma satisfies_of_hits l x k : (1 <= k)%nat -> satisfies (map (fun b : bool => if b then x else 0) l) k == x * whole (delta l k).
Proof.
  intros K. unfold satisfies, delta. pose proof (map_nth (fun b : bool => if b then x else 0) l false (k - 1)) as E. cbn beta iota in E. rewrite E, whole_bit.
  destruct (nth (k - 1) l false); ring.
Qed.
Lemma none_of_hits l x n : none_of (satisfies (map (fun b : bool => if b then x else 0) l)) n == power (1 - x) (hits_at l n).
Proof.
  induction n; [reflexivity|]. cbn [none_of]. rewrite IHn, satisfies_of_hits, hits_at_S, power_add by lia.
  unfold delta. rewrite whole_bit. destruct (nth (S n - 1) l false); simpl; ring.
Qed.
Lemma err_by_hits l x : err_of_hits l x == Sum (fun k => 1 / whole k * (x * whole (delta l k) * power (1 - x) (hits_at l (k - 1)))) (length l).
Proof.
  unfold err_of_hits, expected_reciprocal_rank. rewrite map_length. apply Sum_ext. intros k K. now rewrite satisfies_of_hits, none_of_hits by lia.
Qed.
Lemma err_swap u v x (i := S (length u)) :
  err_of_hits (u ++ [true; false] ++ v) x - err_of_hits (u ++ [false; true] ++ v) x == x * power (1 - x) (number_found u) / (whole i * (whole i + 1)).
Proof.
  rewrite !err_by_hits, !app_length, !Sum_app. set (s := number_found u).
  assert (Part : forall a b, Sum (fun k => 1 / whole k * (x * whole (delta (u ++ [a; b] ++ v) k) * power (1 - x) (hits_at (u ++ [a; b] ++ v) (k - 1)))) (length u) ==
                 Sum (fun k => 1 / whole k * (x * whole (delta u k) * power (1 - x) (hits_at u (k - 1)))) (length u)).
  { intros a b. apply Sum_ext. intros k K. now rewrite delta_app, hits_at_app by lia. }
  assert (Rest : forall a b, Sum (fun k => 1 / whole (length u + (2 + k)) * (x * whole (delta (u ++ [a; b] ++ v) (length u + (2 + k))) * power (1 - x) (hits_at (u ++ [a; b] ++ v) (length u + (2 + k) - 1)))) (length v) ==
                 Sum (fun k => 1 / whole (length u + (2 + k)) * (x * whole (delta v k) * power (1 - x) (s + (bit a + bit b + hits_at v (k - 1))))) (length v)).
  { intros a b. apply Sum_ext. intros k K. rewrite delta_after by lia. replace (length u + (2 + k) - 1)%nat with (length u + (2 + (k - 1)))%nat by lia. rewrite hits_at_after.
    change 2%nat with (length [a; b]). rewrite delta_after, hits_at_after by lia. simpl number_found. rewrite Nat.add_0_r. reflexivity. }
  rewrite !Part. change (length [true; false]) with 2%nat. change (length [false; true]) with 2%nat. rewrite !Rest. cbn [Sum bit plus].
  rewrite !delta_after by lia. replace (length u + 1 - 1)%nat with (length u + 0)%nat by lia. replace (length u + 2 - 1)%nat with (length u + 1)%nat by lia. rewrite !hits_at_after.
  unfold delta, hits_at. cbn [app nth firstn number_found bit Nat.add Nat.sub]. fold s. rewrite ?Nat.add_0_r, power_add. cbn [power].
  replace (length u + 1)%nat with i by lia. replace (length u + 2)%nat with (S i) by lia. rewrite (whole_S i). change (whole 0) with 0. setoid_replace (whole 1) with 1 by (change (0 + 1 == 1); ring).
  assert (~ whole i == 0) by (apply whole_nonzero; lia). assert (~ whole i + 1 == 0) by (rewrite <- whole_S; apply whole_nonzero; lia). field. auto.
Qed.

Theorem what_a_swap_is_worth u v R (i := S (length u)) (s := number_found u) : (0 < R)%nat ->
  let up := u ++ [true; false] ++ v in let down := u ++ [false; true] ++ v in
  (forall p, 0 < p -> p < 1 -> rank_biased_precision up p - rank_biased_precision down p == (1 - p) * (1 - p) * power p (i - 1)) /\
  (forall D, dcg D up - dcg D down == D i - D (S i)) /\
  (q R * average_precision up R - q R * average_precision down R == (q s + 1) / (q i * (q i + 1)))%Q /\
  (forall x, 0 < x -> x < 1 -> err_of_hits up x - err_of_hits down x == x * power (1 - x) s / (whole i * (whole i + 1))).
Proof.
  intros P up down. split; [|split; [|split]].
  - intros p A B. destruct (what_rbp_measures p A B) as [_ [_ [_ [_ [_ Swap]]]]]. apply Swap.
  - intros D. unfold up, down. rewrite !(dcg_two D u), !dcg_two. unfold dcg, dcg_at, delta. cbn [Sum length nth Nat.sub Nat.add bit].
    replace (length u + 1)%nat with i by lia. replace (length u + 2)%nat with (S i) by lia. change (whole 0) with 0. setoid_replace (whole 1) with 1 by (change (0 + 1 == 1); ring). ring.
  - assert (i0 : (0 < q i)%Q) by (apply q_pos; lia). assert (r : (0 < q R)%Q) by now apply q_pos.
    pose proof (swap_gain u v R i P eq_refl) as G. fold up down s in G.
    transitivity (q R * (average_precision up R - average_precision down R))%Q; [ring|]. rewrite G. field. lra.
  - intros x _ _. apply err_swap.
Qed.

(** More hits above, at the same rank: what AP gains is more, and what ERR gains is less. *)
Theorem more_hits_above u t v w R : (0 < R)%nat -> length u = length t -> (number_found u < number_found t)%nat ->
  (q R * average_precision (u ++ [true; false] ++ v) R - q R * average_precision (u ++ [false; true] ++ v) R <
   q R * average_precision (t ++ [true; false] ++ w) R - q R * average_precision (t ++ [false; true] ++ w) R)%Q /\
  (forall x, 0 < x -> x < 1 ->
   err_of_hits (t ++ [true; false] ++ w) x - err_of_hits (t ++ [false; true] ++ w) x < err_of_hits (u ++ [true; false] ++ v) x - err_of_hits (u ++ [false; true] ++ v) x).
Proof.
  intros P L M. destruct (what_a_swap_is_worth u v R P) as [_ [_ [A _]]]. destruct (what_a_swap_is_worth t w R P) as [_ [_ [B _]]]. split.
  - rewrite A, B, L. set (i := S (length t)). assert (i0 : (0 < q i)%Q) by (apply q_pos; lia). apply q_lt in M.
    assert (V : (0 < q i * (q i + 1))%Q) by nra. pose proof (proj2 (quotient_pos (q (number_found t) - q (number_found u)) _ V)) as D.
    assert (E : ((q (number_found t) + 1) / (q i * (q i + 1)) - (q (number_found u) + 1) / (q i * (q i + 1)) == (q (number_found t) - q (number_found u)) / (q i * (q i + 1)))%Q) by (field; lra).
    specialize (D ltac:(lra)). lra.
  - intros x X Y. rewrite !err_swap, L. set (i := S (length t)). apply difference_pos.
    assert (I : 0 < whole i) by (apply whole_pos; lia). assert (J : 0 < whole i + 1) by (rewrite <- whole_S; apply whole_pos; lia).
    setoid_replace (x * power (1 - x) (number_found u) / (whole i * (whole i + 1)) - x * power (1 - x) (number_found t) / (whole i * (whole i + 1)))
      with (x * (power (1 - x) (number_found u) - power (1 - x) (number_found t)) / (whole i * (whole i + 1))) by (field; split; now apply pos_nonzero).
    apply quotient_of_pos; [|now apply times_pos]. apply times_pos; auto. apply difference_pos, power_falls_strictly; auto; [now apply difference_pos|].
    apply difference_pos. now setoid_replace (1 - (1 - x)) with x by ring.
Qed.
End Swaps.

(** Near miss: ERR gives each rank a fixed weight, too. *)
Lemma what_a_swap_is_worth_near_miss : ~ (forall (F : field_with_order) u t (x : F), 0 < x -> x < 1 -> length u = length t ->
  err_of_hits (u ++ [true; false]) x - err_of_hits (u ++ [false; true]) x == err_of_hits (t ++ [true; false]) x - err_of_hits (t ++ [false; true]) x)%F.
Proof. intros C. specialize (C rational [true] [false] (1 # 2)%Q ltac:(now apply Qlt_not_le) ltac:(now apply Qlt_not_le) eq_refl). discriminate. Qed.

(** Near miss: AP gains more even if the rank is another one. *)
Lemma more_hits_above_near_miss : ~ (forall u t R, (0 < R)%nat -> (number_found u < number_found t)%nat ->
  q R * average_precision (u ++ [true; false]) R - q R * average_precision (u ++ [false; true]) R <
  q R * average_precision (t ++ [true; false]) R - q R * average_precision (t ++ [false; true]) R).
Proof. intros C. specialize (C [] [true] 2%nat ltac:(lia) ltac:(simpl; lia)). discriminate. Qed.
