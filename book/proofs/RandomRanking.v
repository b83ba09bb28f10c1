(** The mean of average precision over all rankings. *)
From Coq Require Import FinFun.
From Book Require Export AveragePrecision.

(** * All rankings of N items, R of them relevant *)

Fixpoint rankings (N R : nat) : list ranking :=
  match N, R with
  | O, O => [[]]
  | O, S _ => []
  | S n, O => map (fun l => l ++ [false]) (rankings n O)
  | S n, S r => map (fun l => l ++ [false]) (rankings n (S r)) ++ map (fun l => l ++ [true]) (rankings n r)
  end.

Lemma in_rankings N R l : In l (rankings N R) <-> length l = N /\ number_found l = R.
Proof.
  revert R l; induction N as [|n IH]; intros R l.
  - split.
    + destruct R; [intros [<-|[]] | intros []]; auto.
    + intros [L F]. apply length_zero_iff_nil in L. subst. now left.
  - assert (E : In l (rankings (S n) R) <-> exists t b, l = t ++ [b] /\ In t (rankings n (R - bit b)) /\ (bit b <= R)%nat).
    { destruct R; cbn [rankings].
      - rewrite in_map_iff. split; [intros [t [<- I]]; exists t, false; simpl; auto|].
        intros [t [[] [-> [I L]]]]; simpl in *; [lia|]. exists t. auto.
      - rewrite in_app_iff, !in_map_iff. split.
        + intros [[t [<- I]]|[t [<- I]]]; [exists t, false | exists t, true]; simpl; rewrite ?Nat.sub_0_r; repeat split; auto; lia.
        + intros [t [[] [-> [I L]]]]; simpl in I; rewrite ?Nat.sub_0_r in I; [right | left]; exists t; auto. }
    rewrite E. split.
    + intros [t [b [-> [I L]]]]. apply IH in I as [I J]. rewrite length_snoc, number_found_app. simpl. lia.
    + intros [L F]. destruct l as [|b t _] using rev_ind; [discriminate|]. rewrite length_snoc in L. rewrite number_found_app in F. simpl in F.
      exists t, b. rewrite IH. repeat split; lia.
Qed.

Lemma NoDup_two {A} (a b : list A) : NoDup a -> NoDup b -> (forall x, In x a -> In x b -> False) -> NoDup (a ++ b).
Proof.
  induction 1 as [|x a X _ IH]; simpl; intros B D; auto. constructor.
  - rewrite in_app_iff. intros [|]; [auto | apply (D x); auto].
  - apply IH; auto. intros y ? ?. apply (D y); auto.
Qed.
Lemma rankings_once N R : NoDup (rankings N R).
Proof.
  revert R; induction N as [|n IH]; intros R; [destruct R; repeat constructor; auto|].
  assert (I : forall b r, NoDup (map (fun l : ranking => l ++ [b]) (rankings n r)))
    by (intros; apply Injective_map_NoDup; auto; intros x y E; now apply app_inv_tail in E).
  destruct R; cbn [rankings]; [apply I|]. apply NoDup_two; [apply I | apply I |].
  intros x X Y. apply in_map_iff in X as [a [<- _]]. apply in_map_iff in Y as [b [E _]]. apply app_inj_tail in E as [_ E]. discriminate.
Qed.

(** * How many there are *)

Fixpoint choose (n k : nat) : nat := match n, k with _, O => 1 | O, S _ => 0 | S m, S j => choose m j + choose m k end%nat.

Lemma choose_0 n : choose n 0 = 1%nat.
Proof. now destruct n. Qed.
Lemma rankings_count N R : length (rankings N R) = choose N R.
Proof.
  revert R; induction N as [|n IH]; intros [|r]; cbn [rankings]; auto.
  - rewrite map_length, IH. apply choose_0.
  - rewrite app_length, !map_length, !IH. simpl. lia.
Qed.
Lemma choose_more n k : q (S k) * q (choose n (S k)) == (q n - q k) * q (choose n k).
Proof.
  revert k; induction n as [|n IH]; intros k.
  - destruct k; simpl; rewrite ?q_0, ?q_1; ring.
  - cbn [choose]. rewrite q_plus. assert (E := IH k). destruct k as [|k].
    + rewrite choose_0 in *. change (q 1) with 1 in *. change (q 0) with 0 in *. rewrite q_S. lra.
    + assert (F := IH k). cbn [choose]. rewrite q_plus. rewrite !q_S in *.
      set (x := q (choose n (S k))) in *. set (y := q (choose n k)) in *. set (z := q (choose n (S (S k)))) in *. lra.
Qed.
Lemma choose_pos n k : (k <= n)%nat -> 0 < q (choose n k).
Proof. intros. apply q_pos. revert k H; induction n; intros [|k] L; simpl; try lia. specialize (IHn k). lia. Qed.

(** * The total of the sums of precisions, one item longer at a time *)

Fixpoint total (f : ranking -> Q) (ls : list ranking) : Q := match ls with [] => 0 | l :: t => f l + total f t end.

Lemma total_app f a b : total f (a ++ b) == total f a + total f b.
Proof. induction a; simpl; [ring|]. rewrite IHa. ring. Qed.
Lemma total_longer f g b c ls : (forall l, In l ls -> f (l ++ [b]) == g l + c) -> total f (map (fun l => l ++ [b]) ls) == total g ls + q (length ls) * c.
Proof.
  induction ls as [|l t IH]; intros E; simpl; [rewrite q_0; ring|].
  rewrite IH, (E l), q_S by (intros; try apply E; simpl; auto). ring.
Qed.
Definition all_precisions (l : ranking) : Q := precision_sum l (length l).

Lemma total_no_hits N : total all_precisions (rankings N 0) == 0.
Proof.
  induction N as [|n IH]; [reflexivity|]. cbn [rankings]. rewrite (total_longer _ all_precisions _ 0), IH; [ring|].
  intros l _. unfold all_precisions. rewrite length_snoc, precision_sum_snoc. change (q (bit false)) with 0. ring.
Qed.
Lemma total_step n r : total all_precisions (rankings (S n) (S r)) ==
  total all_precisions (rankings n (S r)) + total all_precisions (rankings n r) + q (choose n r) * (q (S r) / q (S n)).
Proof.
  cbn [rankings]. rewrite total_app, (total_longer _ all_precisions false 0), (total_longer _ all_precisions true (q (S r) / q (S n))), !rankings_count; [ring| |].
  - intros l I. apply in_rankings in I as [<- <-]. unfold all_precisions. rewrite length_snoc, precision_sum_snoc. change (bit true) with 1%nat.
    rewrite Nat.add_1_r, q_1. ring.
  - intros l _. unfold all_precisions. rewrite length_snoc, precision_sum_snoc. change (q (bit false)) with 0. ring.
Qed.

Lemma total_of_precisions N R : (2 <= N)%nat -> total all_precisions (rankings N R) ==
  q (choose N R) * q R / q N * (H N + (q R - 1) / (q N - 1) * (q N - H N)).
Proof.
  intros L. revert R. induction L as [|n L IH]; intros R.
  - destruct R as [|[|[|R]]]; reflexivity.
  - assert (n2 : 2 <= q n) by (change 2 with (q 2); now apply q_le).
    destruct R as [|r]; [rewrite total_no_hits, q_0, q_S; field; lra|].
    rewrite total_step, !IH. clear IH. assert (r0 : 0 <= q r) by apply q_nonneg.
    assert (Hs : H (S n) == H n + 1 / q (S n)) by reflexivity.
    assert (C : q (choose (S n) (S r)) == q (choose n r) + q (choose n (S r))) by (cbn [choose]; apply q_plus).
    assert (D : q (choose n (S r)) == (q n - q r) * q (choose n r) / q (S r)) by (rewrite <- choose_more; field; rewrite q_S; lra).
    rewrite C, D, Hs, !q_S. field. repeat split; lra.
Qed.

(** * The mean of a random ranking (A14) *)

Theorem mean_of_random_ranking N R : (2 <= N)%nat -> (1 <= R <= N)%nat ->
  let mean := total (fun l => average_precision l R) (rankings N R) / q (length (rankings N R)) in
  mean == 1 / q N * (H N + (q R - 1) / (q N - 1) * (q N - H N)) /\
  mean == q R / q N + (1 - q R / q N) * ((H N - 1) / (q N - 1)).
Proof.
  intros L B mean. assert (n2 : 2 <= q N) by (change 2 with (q 2); now apply q_le). assert (r : 0 < q R) by (apply q_pos; lia).
  assert (c : 0 < q (choose N R)) by (apply choose_pos; lia).
  assert (E : forall ls, total (fun l => average_precision l R) ls == total all_precisions ls / q R).
  { induction ls as [|l t IH]; simpl; [field; lra|]. rewrite IH. unfold average_precision, all_precisions. field. lra. }
  assert (M : mean == 1 / q N * (H N + (q R - 1) / (q N - 1) * (q N - H N))).
  { unfold mean. rewrite E, total_of_precisions, rankings_count by auto. field. lra. }
  split; [exact M|]. rewrite M. field. lra.
Qed.

(** Near miss: it is the prevalence, R/N. *)
Lemma mean_of_random_ranking_near_miss : ~ (forall N R, (2 <= N)%nat -> (1 <= R <= N)%nat ->
  total (fun l => average_precision l R) (rankings N R) / q (length (rankings N R)) == q R / q N).
Proof. intros C. specialize (C 2 1 ltac:(lia) ltac:(lia))%nat. discriminate. Qed.
