(** Exchanges of neighbours: how many turn one order into another. *)
From Coq Require Import Permutation ZArith.
From Book Require Export AveragePrecision.

(** * Lists of numbers: a pair is in the wrong order if the larger number comes first *)

Definition below (x : nat) (l : list nat) : nat := length (filter (fun y => y <? x) l)%nat.
Fixpoint wrong_pairs (l : list nat) : nat := match l with [] => 0 | x :: t => below x t + wrong_pairs t end%nat.

Inductive exchange : list nat -> list nat -> Prop := neighbours u a b v : exchange (u ++ a :: b :: v) (u ++ b :: a :: v).
Inductive exchanges : nat -> list nat -> list nat -> Prop :=
  | none l : exchanges 0 l l
  | more n l m p : exchange l m -> exchanges n m p -> exchanges (S n) l p.

Lemma below_app x u v : below x (u ++ v) = (below x u + below x v)%nat.
Proof. unfold below. now rewrite filter_app, app_length. Qed.
Lemma below_cons x y v : below x (y :: v) = ((if y <? x then 1 else 0) + below x v)%nat.
Proof. unfold below. simpl. destruct (y <? x)%nat; reflexivity. Qed.
Lemma wrong_pairs_exchanged u a b v : (wrong_pairs (u ++ a :: b :: v) + (if a <? b then 1 else 0) = wrong_pairs (u ++ b :: a :: v) + (if b <? a then 1 else 0))%nat.
Proof.
  induction u as [|x u IH]; simpl.
  - rewrite !below_cons. destruct (Nat.ltb_spec a b), (Nat.ltb_spec b a); lia.
  - rewrite !below_app, !below_cons. lia.
Qed.
Lemma one_exchange_settles_one_pair l m : exchange l m -> (wrong_pairs l <= wrong_pairs m + 1)%nat.
Proof. intros []. pose proof (wrong_pairs_exchanged u a b v). destruct (a <? b)%nat, (b <? a)%nat; lia. Qed.
Lemma no_fewer n l m : exchanges n l m -> (wrong_pairs l <= wrong_pairs m + n)%nat.
Proof. induction 1 as [|n l m p X _ IH]; [lia|]. apply one_exchange_settles_one_pair in X. lia. Qed.

Lemma below_0 x l : below x l = 0%nat <-> forall y, In y l -> (x <= y)%nat.
Proof.
  induction l as [|y l IH]; [simpl; split; [contradiction | reflexivity]|]. rewrite below_cons. destruct (Nat.ltb_spec y x); simpl; split; intros.
  - lia.
  - assert (x <= y)%nat by auto. lia.
  - destruct H1 as [<-|]; [lia | now apply IH].
  - apply IH. auto.
Qed.
Lemma wrong_neighbours l : (0 < wrong_pairs l)%nat -> exists m, exchange l m /\ wrong_pairs l = S (wrong_pairs m).
Proof.
  induction l as [|x t IH]; cbn [wrong_pairs]; intros P; [lia|].
  destruct (Nat.eq_dec (wrong_pairs t) 0) as [Z|].
  - destruct t as [|y t]; cbn [wrong_pairs] in *; [simpl in P; lia|]. rewrite below_cons in P. destruct (Nat.ltb_spec y x).
    + exists (y :: x :: t). split; [apply (neighbours [] x y t)|]. pose proof (wrong_pairs_exchanged [] x y t) as E. cbn [app wrong_pairs] in *.
      rewrite !below_cons in *. destruct (Nat.ltb_spec y x), (Nat.ltb_spec x y); lia.
    + assert (B : below y t = 0%nat) by lia. pose proof (proj1 (below_0 y t) B) as I.
      assert (below x t = 0%nat) by (apply below_0; intros z J; apply I in J; lia). lia.
  - destruct IH as [m [X E]]; [lia|]. exists (x :: m). destruct X as [u a b v]. split; [apply (neighbours (x :: u))|].
    simpl. rewrite !below_app, !below_cons in *. lia.
Qed.
Lemma exchange_permutes l m : exchange l m -> Permutation l m.
Proof. intros [u a b v]. apply Permutation_app_head. constructor. Qed.
Lemma enough l : exists m, exchanges (wrong_pairs l) l m /\ wrong_pairs m = 0%nat /\ Permutation l m.
Proof.
  remember (wrong_pairs l) as n eqn:E. revert l E; induction n; intros l E.
  - exists l. repeat constructor. auto. apply Permutation_refl.
  - destruct (wrong_neighbours l) as [m [X F]]; [lia|]. destruct (IHn m) as [p [Y [Z P]]]; [lia|].
    exists p. split; [econstructor; eauto|]. split; [auto|]. transitivity m; [now apply exchange_permutes | auto].
Qed.
Lemma one_order l m : wrong_pairs l = 0%nat -> wrong_pairs m = 0%nat -> Permutation l m -> l = m.
Proof.
  revert m; induction l as [|x l IH]; intros m L M P; [now apply Permutation_nil in P|].
  destruct m as [|y m]; [symmetry in P; now apply Permutation_nil in P|]. simpl in L, M.
  assert (A : forall z, In z l -> (x <= z)%nat) by (apply below_0; lia). assert (B : forall z, In z m -> (y <= z)%nat) by (apply below_0; lia).
  assert (E : x = y).
  { assert (I : In x (y :: m)) by (apply (Permutation_in _ P); now left). assert (J : In y (x :: l)) by (apply Permutation_in with (y :: m); [now symmetry | now left]).
    destruct I as [|I], J as [|J]; auto. apply B in I. apply A in J. lia. }
  subst y. f_equal. apply IH; [lia | lia | now apply Permutation_cons_inv in P].
Qed.

Lemma least_number l m : Permutation l m -> wrong_pairs m = 0%nat ->
  exchanges (wrong_pairs l) l m /\ forall n, exchanges n l m -> (wrong_pairs l <= n)%nat.
Proof.
  intros P Z. split.
  - destruct (enough l) as [p [X [Y W]]]. rewrite (one_order m p); auto. transitivity l; [now symmetry | auto].
  - intros n X. apply no_fewer in X. lia.
Qed.

(** * Inversions are swaps (C5): a ranking as a list of numbers, 0 for a relevant item and 1 for another *)

Definition numbers (l : ranking) : list nat := map (fun b : bool => if b then 0%nat else 1%nat) l.

Lemma below_relevant l : below 0 (numbers l) = 0%nat /\ below 1 (numbers l) = number_found l.
Proof. induction l as [|[] l [A B]]; [split; reflexivity| |]; unfold numbers in *; cbn [map]; rewrite !below_cons; simpl; lia. Qed.
Lemma inversions_are_wrong_pairs l : inversions l == q (wrong_pairs (numbers l)).
Proof.
  assert (Snoc : forall l b, inversions (l ++ [b]) == inversions l + q (bit b) * (q (length l) - q (number_found l))).
  { intros m b. unfold inversions. rewrite length_snoc. cbn [sum]. rewrite delta_snoc, (Nat.sub_succ (length m) 0), Nat.sub_0_r.
    apply Qplus_comp.
    - apply sum_ext. intros j J. apply sum_ext. intros i I. now rewrite !delta_app by lia.
    - rewrite (sum_ext _ (fun i => q (bit b) * (1 + - (1) * q (delta m i)))) by (intros; rewrite delta_app by lia; ring).
      rewrite sum_scale, sum_plus, sum_const, sum_scale, <- hits_at_sum, hits_at_all by lia. ring. }
  assert (Wrong : forall l b, (wrong_pairs (numbers (l ++ [b])) = wrong_pairs (numbers l) + bit b * (length l - number_found l))%nat).
  { intros m b. unfold numbers. rewrite map_app. cbn [map]. induction m as [|x m IH]; [destruct b; reflexivity|]. cbn [map app wrong_pairs].
    rewrite IH, below_app. pose proof (below_relevant m) as [A B]. unfold numbers in A, B. pose proof (number_found_le m).
    destruct x, b; cbn [bit length number_found]; rewrite ?A, ?B; unfold below; cbn [filter Nat.ltb Nat.leb length]; lia. }
  induction l using rev_ind; [reflexivity|]. rewrite Snoc, IHl, Wrong, q_plus, q_mult, q_minus by apply number_found_le. reflexivity.
Qed.
Lemma numbers_permute l m : length l = length m -> number_found l = number_found m -> Permutation (numbers l) (numbers m).
Proof.
  assert (A : forall l, Permutation (numbers l) (numbers (ideal_ranking (length l) (number_found l)))).
  { intros t; induction t as [|b t IH]; [reflexivity|]. pose proof (number_found_le t). unfold ideal_ranking, numbers in *. rewrite map_app in *.
    destruct b; cbn [length number_found bit plus map].
    - rewrite Nat.sub_succ. cbn [repeat map app]. now constructor.
    - rewrite Nat.sub_succ_l by auto. cbn [repeat map].
      etransitivity; [apply perm_skip; exact IH | apply Permutation_middle]. }
  intros L N. transitivity (numbers (ideal_ranking (length l) (number_found l))); [apply A|]. rewrite L, N. symmetry. apply A.
Qed.
Lemma ideal_in_order N R : wrong_pairs (numbers (ideal_ranking N R)) = 0%nat.
Proof.
  unfold ideal_ranking. generalize (N - R)%nat as m. intros m. induction R as [|R IH]; cbn [repeat app].
  - induction m as [|m IH]; [reflexivity|]. change (below 1 (numbers (repeat false m)) + wrong_pairs (numbers (repeat false m)) = 0)%nat.
    rewrite (proj2 (below_relevant _)), IH, number_found_repeat. simpl. lia.
  - change (below 0 (numbers (repeat true R ++ repeat false m)) + wrong_pairs (numbers (repeat true R ++ repeat false m)) = 0)%nat.
    now rewrite (proj1 (below_relevant _)), IH.
Qed.

Theorem inversions_are_swaps l (Q := wrong_pairs (numbers l)) (best := numbers (ideal_ranking (length l) (number_found l))) :
  inversions l == q Q /\ exchanges Q (numbers l) best /\ forall n, exchanges n (numbers l) best -> (Q <= n)%nat.
Proof.
  split; [apply inversions_are_wrong_pairs|]. apply least_number; [|apply ideal_in_order].
  destruct (ideal_hits (length l) (number_found l)) as [A [B _]]; [apply number_found_le|]. now apply numbers_permute.
Qed.

(** Near miss: an exchange of any two items settles one pair, too. *)
Lemma inversions_are_swaps_near_miss : ~ (forall u a v b w, (wrong_pairs (u ++ a :: v ++ b :: w) <= wrong_pairs (u ++ b :: v ++ a :: w) + 1)%nat).
Proof. intros C. specialize (C [] 1 [1] 0 [])%nat. vm_compute in C. lia. Qed.

(** * Kendall's tau (T1): two orders of the same tools, each a list; the tools are numbered in any way *)

Definition order (x y : nat) : Z := if (x <? y)%nat then 1%Z else if (y <? x)%nat then (-1)%Z else 0%Z.
Definition with_later (x y : nat) (a b : list nat) : Z := fold_right Z.add 0%Z (map (fun later => (order x (fst later) * order y (snd later))%Z) (combine a b)).
Fixpoint pair_sum (a b : list nat) : Z := match a, b with x :: s, y :: t => (with_later x y s t + pair_sum s t)%Z | _, _ => 0%Z end.
Definition kendall_tau (a b : list nat) : Q := 2 * inject_Z (pair_sum a b) / (q (length a) * (q (length a) - 1)).

Fixpoint rank_in (l : list nat) (tool : nat) : nat := match l with [] => 0 | first :: rest => if (tool =? first)%nat then 1 else S (rank_in rest tool) end.

Lemma with_later_below x y a b : length a = length b -> (forall z, In z a -> (x < z)%nat) -> ~ In y b ->
  with_later x y a b = (Z.of_nat (length b) - 2 * Z.of_nat (below y b))%Z.
Proof.
  revert b; induction a as [|c a IH]; intros [|d b] L A B; try discriminate; [reflexivity|].
  rewrite below_cons. unfold with_later in *. cbn [combine map fold_right fst snd].
  rewrite IH by (simpl in *; auto). assert (x < c)%nat by (apply A; now left). assert (y <> d) by (intros ->; apply B; now left).
  unfold order. destruct (Nat.ltb_spec x c), (Nat.ltb_spec c x), (Nat.ltb_spec y d), (Nat.ltb_spec d y); simpl length; lia.
Qed.
Lemma pair_sum_wrong_pairs n first b : length b = n -> NoDup b ->
  (2 * pair_sum (seq first n) b = Z.of_nat n * (Z.of_nat n - 1) - 4 * Z.of_nat (wrong_pairs b))%Z.
Proof.
  revert first b; induction n as [|n IH]; intros first [|y b] L D; try discriminate; [reflexivity|].
  inversion D; subst. simpl in L. cbn [seq pair_sum wrong_pairs].
  rewrite with_later_below; [|rewrite seq_length; lia | intros z I; apply in_seq in I; lia | auto].
  specialize (IH (S first) b). rewrite Z.mul_add_distr_l, IH by (auto; lia). nia.
Qed.
Lemma seq_in_order n first : wrong_pairs (seq first n) = 0%nat.
Proof. revert first; induction n; intros; simpl; auto. rewrite IHn, Nat.add_0_r. apply below_0. intros y I. apply in_seq in I. lia. Qed.


(** The ranks, and so tau, do not depend on the order in which the tools are listed. *)
Lemma order_opposite x y : order y x = (- order x y)%Z.
Proof. unfold order. destruct (Nat.ltb_spec x y), (Nat.ltb_spec y x); lia. Qed.
Lemma with_later_cons x y z w a b : with_later x y (z :: a) (w :: b) = (order x z * order y w + with_later x y a b)%Z.
Proof. reflexivity. Qed.
Lemma with_later_listed (f g : nat -> nat) x l m : Permutation l m -> with_later (f x) (g x) (map f l) (map g l) = with_later (f x) (g x) (map f m) (map g m).
Proof. induction 1; cbn [map]; rewrite ?with_later_cons; lia. Qed.
Lemma pair_sum_listed (f g : nat -> nat) l m : Permutation l m -> pair_sum (map f l) (map g l) = pair_sum (map f m) (map g m).
Proof.
  induction 1 as [|x l m P IH|x y l|l m p _ IH _ IH']; cbn [map pair_sum].
  - reflexivity.
  - now rewrite IH, (with_later_listed f g x l m P).
  - rewrite !with_later_cons, (order_opposite (f x)), (order_opposite (g x)). lia.
  - lia.
Qed.

(** In the first order the ranks are 1, 2, ..., n, and in the second each tool has its own. *)
Lemma rank_in_bounds l x : In x l -> (1 <= rank_in l x <= length l)%nat.
Proof. induction l as [|y l IH]; [contradiction|]. intros I. simpl. destruct (Nat.eqb_spec x y); [lia|]. destruct I as [->|I]; [contradiction|]. specialize (IH I). lia. Qed.
Lemma rank_in_differs l x y : In x l -> In y l -> rank_in l x = rank_in l y -> x = y.
Proof.
  induction l as [|z l IH]; [contradiction|]. intros X Y. simpl. destruct (Nat.eqb_spec x z), (Nat.eqb_spec y z); try congruence; intros E.
  - destruct Y as [->|Y]; [contradiction|]. pose proof (rank_in_bounds l y Y). lia.
  - destruct X as [->|X]; [contradiction|]. pose proof (rank_in_bounds l x X). lia.
  - destruct X as [->|X]; [contradiction|]. destruct Y as [->|Y]; [contradiction|]. apply IH; auto.
Qed.
Lemma ranks_in_itself l : NoDup l -> map (rank_in l) l = seq 1 (length l).
Proof.
  induction 1 as [|x l N D IH]; [reflexivity|]. cbn [map length seq]. simpl rank_in at 1. rewrite Nat.eqb_refl. f_equal.
  rewrite <- seq_shift, <- IH, map_map. apply map_ext_in. intros y Y. simpl. destruct (Nat.eqb_spec y x) as [->|]; [contradiction | reflexivity].
Qed.
Lemma exchange_of_ranks (f : nat -> nat) l m : exchange l m -> exchange (map f l) (map f m).
Proof. intros [u a b v]. rewrite !map_app. cbn [map]. constructor. Qed.
Lemma exchanges_of_ranks (f : nat -> nat) n l m : exchanges n l m -> exchanges n (map f l) (map f m).
Proof. induction 1 as [|n l m p X _ IH]; [constructor|]. econstructor; [apply exchange_of_ranks; exact X | exact IH]. Qed.
Lemma exchange_back (f : nat -> nat) l r : exchange (map f l) r -> exists m, exchange l m /\ r = map f m.
Proof.
  intros X. inversion X as [u a b v A B]. symmetry in A. apply map_eq_app in A as [u' [t [-> [<- A]]]]. destruct t as [|a' [|b' v']]; try discriminate. inversion A; subst.
  exists (u' ++ b' :: a' :: v'). split; [constructor|]. now rewrite map_app.
Qed.
Lemma exchanges_back (f : nat -> nat) n l r : exchanges n (map f l) r -> exists m, exchanges n l m /\ r = map f m.
Proof.
  intros X. remember (map f l) as k eqn:E. revert l E. induction X as [k|n k m p Y _ IH]; intros l ->.
  - exists l. split; [constructor | reflexivity].
  - apply exchange_back in Y as [t [Y ->]]. destruct (IH t eq_refl) as [w [Z ->]]. exists w. split; [econstructor; eauto | reflexivity].
Qed.
Lemma exchanges_permute n l m : exchanges n l m -> Permutation l m.
Proof. induction 1 as [|n l m p X _ IH]; [reflexivity|]. transitivity m; [now apply exchange_permutes | exact IH]. Qed.
Lemma same_ranks_same_order p l m : Permutation l p -> Permutation m p -> map (rank_in p) l = map (rank_in p) m -> l = m.
Proof.
  intros L M. assert (A : forall x, In x l -> In x p) by (intros x; apply Permutation_in; exact L). assert (B : forall x, In x m -> In x p) by (intros x; apply Permutation_in; exact M).
  clear L M. revert m B. induction l as [|x l IH]; intros [|y m] B E; try discriminate; [reflexivity|]. inversion E as [[X Y]]. f_equal.
  - apply (rank_in_differs p); [apply A; now left | apply B; now left | exact X].
  - apply IH; auto. intros z Z. apply A. now right. intros z Z. apply B. now right.
Qed.

Theorem tau_counts_exchanges first second tools (n := length tools) : (2 <= n)%nat -> NoDup tools -> Permutation tools first -> Permutation tools second ->
  exists Q, kendall_tau (map (rank_in first) tools) (map (rank_in second) tools) == 1 - 4 * q Q / (q n * (q n - 1)) /\
  exchanges Q first second /\ forall m, exchanges m first second -> (Q <= m)%nat.
Proof.
  intros L D A B. assert (DA : NoDup first) by now apply (Permutation_NoDup A). assert (DB : NoDup second) by now apply (Permutation_NoDup B).
  assert (LA : length first = n) by now rewrite <- (Permutation_length A). assert (LB : length second = n) by now rewrite <- (Permutation_length B).
  assert (AB : Permutation first second) by now transitivity tools.
  set (ranks := map (rank_in second) first). exists (wrong_pairs ranks).
  assert (P : Permutation ranks (seq 1 n)) by (rewrite <- LB, <- ranks_in_itself by auto; now apply Permutation_map).
  destruct (least_number ranks (seq 1 n) P (seq_in_order n 1)) as [Enough Least]. split; [|split].
  - assert (N : 2 <= q n) by (change 2 with (q 2); now apply q_le).
    assert (DR : NoDup ranks) by (apply (Permutation_NoDup (Permutation_sym P)), seq_NoDup).
    assert (E := pair_sum_wrong_pairs n 1 ranks). rewrite (Permutation_length P), seq_length in E. specialize (E eq_refl DR).
    unfold kendall_tau. rewrite map_length. fold n. rewrite (pair_sum_listed _ _ _ _ A), (ranks_in_itself first DA), LA. fold ranks.
    assert (F : 2 * inject_Z (pair_sum (seq 1 n) ranks) == q n * (q n - 1) - 4 * q (wrong_pairs ranks)).
    { change 2 with (inject_Z 2). rewrite <- inject_Z_mult, E. unfold q, Z.sub. rewrite !inject_Z_plus, inject_Z_opp, !inject_Z_mult, inject_Z_plus. change (inject_Z 4) with 4. change (inject_Z (-(1))) with (- (1)). ring. }
    rewrite F. field. lra.
  - apply exchanges_back in Enough as [m [X E]]. replace second with m; auto. apply (same_ranks_same_order second); [|reflexivity|].
    + transitivity first; [symmetry; now apply (exchanges_permute _ _ _ X) | exact AB].
    + rewrite ranks_in_itself, LB by auto. now rewrite <- E.
  - intros m X. apply Least. rewrite <- LB, <- ranks_in_itself by auto. now apply exchanges_of_ranks.
Qed.

(** Near miss: the whole way, from one order to its reverse, is n (n - 1) exchanges. *)
Lemma tau_counts_exchanges_near_miss : ~ (forall first second tools (n := length tools), (2 <= n)%nat -> NoDup tools -> Permutation tools first -> Permutation tools second ->
  forall Q, exchanges Q first second -> (forall m, exchanges m first second -> (Q <= m)%nat) ->
  kendall_tau (map (rank_in first) tools) (map (rank_in second) tools) == 1 - 2 * q Q / (q n * (q n - 1))).
Proof.
  intros C. specialize (C [1; 2] [2; 1] [1; 2] ltac:(simpl; lia))%nat. specialize (C ltac:(repeat constructor; simpl; intuition lia) ltac:(repeat constructor) ltac:(constructor) 1%nat).
  assert (X : exchanges 1 [1; 2]%nat [2; 1]%nat) by (econstructor; [apply (neighbours []) | constructor]). specialize (C X).
  assert (L : forall m, exchanges m [1; 2]%nat [2; 1]%nat -> (1 <= m)%nat) by (intros [|m] Y; [inversion Y | lia]). specialize (C L). discriminate.
Qed.
