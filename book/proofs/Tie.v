(** The values of these definitions on small cases, for a test to compare with [metrics.exact]. *)
From Book Require Import Sets RandomRanking APAtK Areas Order Gain Exchanges QuadraticForm.

Fixpoint all_lists (n : nat) : list ranking := match n with O => [[]] | S m => map (cons false) (all_lists m) ++ map (cons true) (all_lists m) end.
Definition reduced (x : Q) : Z * positive := let y := Qred x in (Qnum y, Qden y).
Definition from_1_to (n : nat) (f : nat -> Q) : list Q := map f (seq 1 n).

Definition of_ranking (l : ranking) : list Q :=
  let R := number_found l in let N := length l in
  [average_precision l R; average_precision l (R + 2); mean_rank l; inversions l; auc l; reciprocal_rank (F := rational) l;
   rank_biased_precision (F := rational) l (1 # 3); hits_seen (F := rational) l (1 # 3); r_precision l; q (full_recall l);
   err_of_hits (F := rational) l (1 # 2); interpolated_average_precision l R; q (wrong_pairs (numbers l))] ++
  from_1_to N (fun k => q (hits_at l k)) ++ from_1_to N (fun k => q (delta l k)) ++ from_1_to N (precision_at l) ++ from_1_to N (fun k => recall_at l k R) ++
  from_1_to N (precision_sum l) ++ from_1_to R (fun j => q (hit_rank l j)) ++
  from_1_to N (fun k => dcg_at (F := rational) (fun i => 1 / q i) l k) ++ from_1_to N (fun k => ndcg_at (F := rational) (fun i => 1 / q i) l k) ++
  from_1_to 4 (fun j => interpolated_precision l R (q j / 4)) ++
  flat_map (fun d => from_1_to N (fun K => average_precision_at d l K (R + 1))) [retrieved; relevant; ideal; cutoff].
Definition of_counts (c : nat * nat * nat * nat) : list Q :=
  let '(tp, fp, fn, tn) := c in [precision tp fp; recall tp fn; accuracy tp fp fn tn; jaccard tp fp fn; f_score tp fp fn; e_measure tp fp fn].
Definition counts_to_2 := flat_map (fun a => flat_map (fun b => flat_map (fun c => map (fun d => (a, b, c, d)) (seq 0 3)) (seq 0 3)) (seq 0 3)) (seq 0 3).
Fixpoint insert (x : nat) (l : list nat) : list (list nat) := match l with [] => [[x]] | y :: t => (x :: l) :: map (cons y) (insert x t) end.
Fixpoint orders (n : nat) : list (list nat) := match n with O => [[]] | S m => flat_map (insert n) (orders m) end.
Definition of_order (l : list nat) : list Q := kendall_tau (seq 1 (length l)) l :: q (wrong_pairs l) :: map q l.

Set Printing Width 1000000. Set Printing Depth 1000000.
Eval vm_compute in map (fun l => map reduced (of_ranking l)) (flat_map all_lists (seq 1 6)).
Eval vm_compute in map (fun c => map reduced (of_counts c)) counts_to_2.
Eval vm_compute in map (fun l => map reduced (of_order l)) (flat_map orders (seq 2 4)).
Eval vm_compute in map (fun N => map (fun R => reduced (q (length (rankings N R)))) (seq 0 (S N))) (seq 0 7).
Eval vm_compute in [map (fun n => reduced (determinant n (fun i k => 1 / q (Nat.max i k)))) (seq 0 7)].
