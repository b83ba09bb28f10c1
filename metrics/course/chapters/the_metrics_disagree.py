"""The metrics disagree: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, grid, hit_ranks, placements, rankings

from ..beliefs import Question, Task, belief, written
from ..votes import Saying, Vote, shuffled

TITLE = "The metrics disagree"
ap = definitions.average_precision


def completions(N, R, K, h):
    """The best and the worst ranking of N items whose first K have h of the R hits."""
    top, missing = (1,) * h + (0,) * (K - h), R - h
    return top + (1,) * missing + (0,) * (N - K - missing), top + (0,) * (N - K - missing) + (1,) * missing


def open_by(metric, N, R, K, h):
    best, worst = completions(N, R, K, h)
    return metric(best) - metric(worst)


def open_of_ap(N, R, K, h):
    return open_by(ap, N, R, K, h)


def open_of_auc(N, R, K, h):
    return open_by(definitions.auc, N, R, K, h)


@belief("AP can move as far as AUC", "How high can the precision at a rank far down be?", "M1")
def as_far_as_auc(N, R, K, h):
    return open_of_auc(N, R, K, h)


@belief("the hits below the cut are numbered from 1", "How many hits are above them?", "M1")
def numbered_anew(N, R, K, h):
    return sum(Fraction(j, K + j) - Fraction(j, N - R + h + j) for j in range(1, R - h + 1)) / R


@belief("in the worst order the other hits add nothing", "Can a full ranking leave them out?", "M1")
def worst_is_nothing(N, R, K, h):
    return ap(completions(N, R, K, h)[0]) - ap(completions(N, R, K, h)[1][:K], R)


def open_after_the_cut(N, R, K, h):
    return sum(Fraction(j, K + j - h) - Fraction(j, N - R + j) for j in range(h + 1, R + 1)) / R


def completed_at_random(N, L, missing):
    """The mean rank of the last premise over all ways to place, below rank L, the premises that the first L ranks lack."""
    return definitions.mean([L + hit_ranks(rest)[-1] for rest in placements(N - L, missing)])


@belief("the missing premises come directly after the list", "Is that the best completion, or the mean of all?")
def best_completion(L, missing):
    return L + missing


@belief("the last missing premise comes at the very end", "Is that the worst completion, or the mean of all?")
def worst_completion(N):
    return N


@belief("the last missing premise is in the middle of the rest", "Where is each missing premise on average, and where is the last of several?")
def middle_of_the_rest(N, L):
    return L + Fraction(N - L + 1, 2)


@belief("you give one more than the length of the list", "That is a convention of a paper. What is the rank of the last premise?")
def one_more(L):
    return L + 1


def last_premise(N, L, missing):
    return L + Fraction(missing * (N - L + 1), missing + 1)


TOPS = (
    grid("N up to 8, R and K below N", N=range(2, 9), R=range(1, 8), K=range(1, 8))
    .where("each possible top", lambda N, R, K: max(R, K) < N)
    .with_each("h", "h", lambda N, R, K: range(max(0, R + K - N), min(K, R) + 1))
)
TASKS = (
    Task(
        open_after_the_cut,
        "Of `N` items `R` are relevant, and `h` of these are in the first `K` places. How much can the AP of the whole ranking still differ between the best and the worst order of the items below the cut?",
        open_of_ap, TOPS, (as_far_as_auc, numbered_anew, worst_is_nothing), points=4, objective=3,
    ),
    Task(
        last_premise,
        "A tool suggests `L` of `N` statements and then falls silent; `missing` (at least one) of the premises are not among these. The other statements follow in random order. What is the mean rank of the last premise?",
        completed_at_random, grid("N up to 8", N=range(2, 9), L=range(1, 8), missing=range(1, 8)).where("with places for those that are missing", lambda N, L, missing: L + missing <= N),
        (best_completion, worst_completion, middle_of_the_rest, one_more), objective=3,
    ),
)  # fmt: skip


def alone(N, rank):
    return tuple(int(k == rank) for k in range(1, N + 1))


def moved(metric, N, old, new):
    return metric(alone(N, new)) - metric(alone(N, old))


def rise_of_auc(N, old, new):
    return moved(definitions.auc, N, old, new)


@belief("you take the gain in AP", "AUC adds ranks, and AP divides by them.", "C1")
def rise_of_ap(N, old, new):
    return moved(ap, N, old, new)


@belief("you divide by all items", "How many irrelevant items can be above the relevant one?", "C1")
def over_all_items(N, old, new):
    return Fraction(old - new, N)


@belief("you divide by all pairs of items", "How many pairs contain the relevant item?", "C1")
def over_all_pairs(N, old, new):
    return Fraction(2 * (old - new), N * (N - 1))


@belief("all of AUC is open", "What about the hits that are in the list?", "M1")
def everything_open():
    return 1


@belief("you take the share of the places that are below the cut", "Which pairs are decided by the list?", "M1")
def share_of_places(N, K):
    return Fraction(N - K, N)


@belief("every relevant item can still move", "Where are the relevant items that are in the list?", "M1")
def share_below(N, R, K, h):
    return Fraction(N - K - R + h, N - R)


def lead(d_1, d_2, n_1, n_2):
    """The mean lead of the first tool, which is ahead by d_1 on n_1 goals and behind by d_2 on n_2 goals."""
    return definitions.mean([d_1] * n_1 + [-d_2] * n_2)


def share_at_a_tie(d_1, d_2):
    """The share of goals in the second group at which the mean difference is 0."""
    return next(Fraction(n_2, n_1 + n_2) for n_1 in range(1, 30) for n_2 in range(1, 30) if lead(d_1, d_2, n_1, n_2) == 0)


@belief("you take the share of the other group", "Which group must be small if its difference is large?", "M2")
def share_of_the_first(d_1, d_2):
    return Fraction(d_2, d_1 + d_2)


@belief("at a tie both groups are equally large", "Are the two differences equally large?", "M2")
def one_half():
    return Fraction(1, 2)


@belief("you take the quotient of the differences", "That is the number of goals in one group for each goal in the other. What share is that?", "M2")
def their_quotient(d_1, d_2):
    return Fraction(d_1, d_2)


def lost_by_silence(relevance, L):
    return ap(relevance) - ap(relevance[:L], sum(relevance))


@belief("the hits that are left have the same precisions as before, so AP does not change", "What is their sum divided by, and what do the other hits add now?", "A32")
def lost_nothing():
    return 0


@belief("each hit that is lost takes its whole share", "What had it added, at its rank?", "A7")
def whole_shares(relevance, L):
    return Fraction(sum(relevance[L:]), sum(relevance))


@belief("you divide by the hits that are left", "Has a premise become irrelevant because nobody suggests it?", "A32")
def over_those_left(relevance, L):
    return ap(relevance) - ap(relevance[:L])


def written_sum(relevance, L):
    below = [f"{j}/{k}" for j, k in enumerate(hit_ranks(relevance), 1) if k > L]
    return " + ".join(below)


QUESTIONS = (
    Question(
        "disagree-one-move", lambda N, old, new: f"One of {N} items is relevant. It moves up from rank {old} to rank {new}. By how much does AUC rise?",
        grid("moves", N=(11, 13, 16, 21, 26, 31, 41), old=(4, 5, 6, 8, 10), new=(1, 2, 3)), rise_of_auc, (rise_of_ap, over_all_items),
        lambda N, old, new: f"It overtakes {old - new} of the {N - 1} irrelevant items, so AUC rises by {rise_of_auc(N, old, new)}.", minutes=4,
    ),
    Question(
        "disagree-auc-open",
        lambda N, R, K, h: f"Of {N} items {R} are relevant. A list of {K} items has {h} of them, at ranks 1 to {h}, and the order of the other items is not known. How much can AUC differ between the best and the worst order of the others?",
        grid("sizes", N=(10, 12, 14, 16, 20), R=(3, 4, 5, 6), K=(4, 5, 6, 8), h=(2, 3)).where("some are missing, and have room below the list", lambda N, R, K, h: 0 < R - h <= N - K and h < K),
        open_of_auc, (everything_open, share_of_places, share_below),
        lambda N, R, K, h: f"The {R - h} · {N - K - R + h} pairs of a missing and an irrelevant item below the list are open, out of {R} · {N - R} pairs of a relevant and an irrelevant item. So AUC can differ by {R - h} · {N - K - R + h} / ({R} · {N - R}) = {open_of_auc(N, R, K, h)}.", minutes=6, objective=3,
        deeper="How much do the first places leave open?",
    ),
    Question(
        "disagree-tie", lambda d_1, d_2: f"On short proofs tool A has an AP that is {d_1} hundredths higher than that of tool B, on average; on long proofs it is {d_2} hundredths lower. Both are tried on the same goals. What share of long proofs among all goals gives a tie?",
        grid("leads", d_1=range(2, 12), d_2=range(2, 12)), share_at_a_tie, (share_of_the_first, one_half, their_quotient),
        lambda d_1, d_2: f"With the share w of long proofs, (1 - w) · {d_1} = w · {d_2}, so w = {d_1}/({d_1} + {d_2}) = {share_at_a_tie(d_1, d_2)}.", minutes=4, objective=2,
    ),
    Question(
        "disagree-stops-early", lambda relevance, L: f"A tool ranks all items (1 means relevant, best first): {written(relevance)}. Then it stops after the first {L}, and the others are no longer ranked. By how much does average precision fall?",
        rankings(7, at_least=6).with_each("L", "L", (3, 4)).where("hits before and after", lambda relevance, L: any(relevance[:L]) and 0 < sum(relevance[L:]) and sum(relevance) < 5 and over_those_left(relevance, L) > 0),
        lost_by_silence, (lost_nothing, whole_shares, over_those_left),
        lambda relevance, L: f"The terms below the cut are gone, and the divisor does not change, so AP falls by ({written_sum(relevance, L)}) / {sum(relevance)} = {lost_by_silence(relevance, L)}.", minutes=6, objective=3,
    ),
)  # fmt: skip


VOTES = shuffled(
    __name__,
    Vote(
        "disagree-one-place",
        "One of $101$ items is relevant. It moves from rank $2$ to rank $1$, which adds $\\frac12$ to its average precision. What does it add to AUC?",
        rise_of_auc, r"It overtakes one of the $100$ irrelevant items. A move from rank $101$ to $100$ would add as much to AUC, but next to nothing to AP.",
        (rise_of_ap, over_all_items, over_all_pairs),
        {"N": 101, "old": 2, "new": 1},
    ),
    Vote(
        "disagree-still-open",
        "Two of a hundred items are relevant. A list of ten has one of them at rank $1$, and lacks the other. Which metric of the whole ranking depends more on the order of the other ninety items, AP or AUC?",
        "AUC", "The missing item can be anywhere from rank $11$ to rank $100$. This moves AUC by $0.454$, since every place costs the same, but AP by only $0.081$, since the precision there is low in any case.",
        (
            Saying("AP", "How high can the precision at rank $11$ be? And at rank $100$?"),
            Saying("both depend on it equally, since one item is missing", "What does a place cost in AUC far down the list, and what does it cost in AP?"),
            Saying("neither, since the list has been cut", "Is the order of the other items known? What would the metric of the whole ranking need?"),
        ),
        objective=3,
    ),
    Vote(
        "disagree-silence",
        "A tool may stop its list wherever it likes. Which of these numbers can it not improve by stopping earlier?",
        "the share of all premises that is in the list", "What is not suggested is not found. For the other three numbers, a late hit can cost more than a missing premise.",
        (
            Saying("the mean rank of the premises in the list", "Let there be hits at ranks $1$ and $50$. What is the mean if the tool stops after the first?"),
            Saying("the rank of the last premise, or the length plus one if any is missing", "If a premise is missing wherever the tool stops, the value is one more than the length of the list. What if the list is short?"),
            Saying("AP, with the number of hits found as its divisor", "Let there be hits at ranks $1$ and $50$. What is the mean of their precisions if the tool stops after the first?"),
        ),
        objective=4,
    ),
    Vote(
        "disagree-mix",
        "On short proofs tool A leads tool B, and on long ones B leads A. Both leads are the same in two libraries. Can A have the higher mean over all goals in one library, and B in the other?",
        "yes, if their shares of long proofs differ", "The mean lead is a mean of the two leads, weighted by the shares of short and long proofs. With enough long proofs, B is ahead.",
        (
            Saying("no, since nothing differs within the groups", "What else does the mean over all goals depend on?"),
            Saying("yes, but only if one library has more goals", "Double the number of goals of each kind. Does the mean change?"),
            Saying("yes, but only by chance", "Suppose you know both leads exactly. What does the mean over all goals weight them by?"),
        ),
        objective=2,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {1: ["ex-two-lists", "ex-own"], 2: ["ex-simpson"], 3: ["ex-open"], 4: ["ex-one-of-eleven"]}
