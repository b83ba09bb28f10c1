"""Judges that err: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, grid, rankings

from ..beliefs import Question, Task, belief
from ..votes import Saying, Vote, shuffled

TITLE = "Judges that err"


def labels(a, b, c, d):
    """The labels of two assessors: a items are relevant to both, b to the first alone, c to the second alone, d to neither."""
    return [1] * (a + b) + [0] * (c + d), [1] * a + [0] * b + [1] * c + [0] * d


def right_kappa(a, b, c, d):
    return definitions.cohen_kappa(*labels(a, b, c, d))


def agreed(a, b, c, d):
    return definitions.observed_agreement(*labels(a, b, c, d))


def by_luck(a, b, c, d):
    return definitions.agreement_by_luck(*labels(a, b, c, d))


@belief("you report the share of equal labels", "How often would two assessors who do not look at the items agree?", "J1")
def observed(a, b, c, d):
    return agreed(a, b, c, d)


@belief("you subtract luck, but do not divide", "What is the most that an agreement can exceed luck by?", "J1")
def not_divided(a, b, c, d):
    return agreed(a, b, c, d) - by_luck(a, b, c, d)


@belief("luck gives one half, whatever the shares", "How often do two assessors with these shares agree by luck?", "J2")
def a_fair_coin(a, b, c, d):
    return 2 * agreed(a, b, c, d) - 1


@belief("you forget that two assessors can both say irrelevant by luck", "Which two kinds of agreement are there?", "J1")
def relevant_alone(a, b, c, d):
    n = a + b + c + d
    luck = Fraction((a + b) * (a + c), n * n)
    return (agreed(a, b, c, d) - luck) / (1 - luck) if luck != 1 else 1


def kappa(a, b, c, d):
    n = a + b + c + d
    observed = Fraction(a + d, n)
    luck = Fraction((a + b) * (a + c) + (c + d) * (b + d), n * n)
    return (observed - luck) / (1 - luck)


def corrected(seen, tpr, fpr):
    return Fraction(seen - fpr) / (tpr - fpr)


def right_share(seen, tpr, fpr):
    return definitions.rogan_gladen(seen, tpr, fpr)


@belief("you correct only for what the judge misses", "Which irrelevant items are among those that the judge calls relevant?", "J3")
def misses_alone(seen, tpr, fpr):
    return Fraction(seen) / tpr


@belief("you subtract only the false alarms", "What does a judge see if every item is relevant and the judge misses some?", "J3")
def alarms_alone(seen, tpr, fpr):
    return Fraction(seen) - fpr


@belief("you divide by the TPR alone", "What does your formula give if the share that the judge sees is its TPR?", "J3")
def divided_by_tpr(seen, tpr, fpr):
    return Fraction(seen - fpr) / tpr


def context_precision(relevance):
    found, total = 0, Fraction(0)
    for rank, verdict in enumerate(relevance, 1):
        found += verdict
        total += verdict * Fraction(found, rank)
    return total / found


def right_context_precision(relevance):
    return definitions.average_precision_at(relevance, len(relevance), denominator="retrieved")


@belief("you divide by the length of the list", "What is the value of a list whose only relevant chunk is at the top?", "J5")
def over_the_list(relevance):
    return definitions.average_precision_at(relevance, len(relevance), denominator="cutoff")


@belief("you take plain precision", "Does the order of the chunks count?", "J5")
def plain_precision(relevance):
    return definitions.precision_at(relevance, len(relevance))


@belief("you average the precisions of all ranks", "Do the ranks of all chunks count, or those of the relevant ones?", "J5")
def at_every_rank(relevance):
    return definitions.mean([definitions.precision_at(relevance, k) for k in range(1, len(relevance) + 1)])


SHARES = [Fraction(k, 10) for k in range(1, 10)]
RATES = grid("seen, TPR and FPR in tenths", seen=SHARES, tpr=SHARES[4:], fpr=SHARES[:4])

TASKS = (
    Task(
        kappa, "Write Cohen's kappa. Two assessors label items: `a` items are relevant to both, `b` to the first alone, `c` to the second alone, and `d` to neither.",
        right_kappa, grid("tables", a=range(4), b=range(4), c=range(4), d=range(4)).where("kappa is defined", lambda a, b, c, d: b + c or a and d),
        (observed, not_divided, a_fair_coin, relevant_alone),
    ),
    Task(
        corrected, "Write the share of items that are relevant. A judge with the rates `tpr` and `fpr`, as `Fraction`s, calls the share `seen` of the items relevant.",
        right_share, RATES, (misses_alone, alarms_alone, divided_by_tpr), objective=3,
    ),
    Task(
        context_precision, "Write context precision as ragas defines it, but without its 1e-10. `relevance` holds the verdicts, 0 or 1, best first; at least one of them is 1.",
        right_context_precision, rankings(6).with_a_hit(), (over_the_list, plain_precision, at_every_rank), objective=4,
    ),
)  # fmt: skip


def luck_of(agreement, share):
    return share**2 + (1 - share) ** 2


def right_by_share(agreement, share):
    luck = luck_of(agreement, share)
    return (agreement - luck) / (1 - luck)


@belief("luck gives one half, whatever the shares", "What does luck give if both nearly always say irrelevant?", "J2")
def half_by_luck(agreement, share):
    return 2 * agreement - 1


@belief("you report the share of equal labels", "What would luck give?", "J2")
def as_observed(agreement, share):
    return agreement


@belief("you subtract luck, but do not divide", "What is the most that an agreement can exceed luck by?", "J2")
def beyond_luck(agreement, share):
    return agreement - luck_of(agreement, share)


def seen_of(share, tpr, fpr):
    return definitions.seen_share(share, tpr, fpr)


def the_share(share, tpr, fpr):
    return share


@belief("you take what the judge sees", "Which irrelevant items does that include?", "J3")
def what_is_seen(share, tpr, fpr):
    return seen_of(share, tpr, fpr)


@belief("you correct only for what the judge misses", "Which irrelevant items are among those that the judge calls relevant?", "J3")
def hits_alone(share, tpr, fpr):
    return seen_of(share, tpr, fpr) / tpr


@belief("you subtract only the false alarms", "What does a judge see if every item is relevant?", "J3")
def without_alarms(share, tpr, fpr):
    return seen_of(share, tpr, fpr) - fpr


def seen_difference(p, q, tpr, fpr):
    return seen_of(p, tpr, fpr) - seen_of(q, tpr, fpr)


@belief("the false alarms cancel, and nothing else changes", "How much does the share seen rise if one more item in ten is relevant?", "J3")
def as_it_is(p, q):
    return p - q


@belief("the share seen grows by the TPR for each relevant item", "How often was the item called relevant before it was relevant?", "J3")
def times_tpr(p, q, tpr):
    return (p - q) * tpr


@belief("both rates blur the judgements, one after the other", "Do both rates act on the same item?", "J3")
def times_both(p, q, tpr, fpr):
    return (p - q) * tpr * (1 - fpr)


def table(a, b, c, d):
    return f"the number of items that are relevant to both is {a}, to the first alone {b}, to the second alone {c}, and to neither {d}"


def way_to_kappa(a, b, c, d):
    n, luck = a + b + c + d, by_luck(a, b, c, d)
    return f"They agree on {a + d} of {n} items. By luck they would agree on a share of ({a + b} · {a + c} + {c + d} · {b + d})/{n}^2 = {luck}, so kappa is ({agreed(a, b, c, d)} - {luck})/(1 - {luck}) = {right_kappa(a, b, c, d)}."


QUESTIONS = (
    Question(
        "judge-kappa", lambda a, b, c, d: f"Two assessors judge the same items: {table(a, b, c, d)}. What is Cohen's kappa?",
        grid("tables", a=range(1, 5), b=range(1, 4), c=range(1, 4), d=range(2, 9)), right_kappa, (observed, not_divided, a_fair_coin),
        way_to_kappa, minutes=5,
    ),
    Question(
        "judge-prevalence", lambda agreement, share: f"Two assessors agree on {agreement} of the items, and each of them calls {share} of the items relevant. What is Cohen's kappa?",
        grid("shares", agreement=[Fraction(k, 20) for k in range(12, 20)], share=[Fraction(k, 20) for k in range(4, 17)]).where(
            "such tables exist", lambda agreement, share: 1 - agreement <= 2 * min(share, 1 - share)),
        right_by_share, (half_by_luck, as_observed, beyond_luck),
        lambda agreement, share: f"By luck they agree with probability ({share})^2 + ({1 - share})^2 = {luck_of(agreement, share)}. So kappa is ({agreement} - {luck_of(agreement, share)})/(1 - {luck_of(agreement, share)}) = {right_by_share(agreement, share)}.",
        minutes=5, objective=2,
    ),
    Question(
        "judge-share", lambda share, tpr, fpr: f"A judge calls a relevant item relevant with probability {tpr}, and an irrelevant one with probability {fpr}. Of very many suggestions it calls {seen_of(share, tpr, fpr)} relevant. What share of the suggestions is relevant?",
        grid("rates", share=SHARES[:6], tpr=SHARES[5:], fpr=SHARES[:3]), the_share, (what_is_seen, hits_alone, without_alarms),
        lambda share, tpr, fpr: f"The share seen is p times {tpr} plus (1 - p) times {fpr}. Solved for p, this gives ({seen_of(share, tpr, fpr)} - {fpr})/({tpr} - {fpr}) = {share}.",
        minutes=4, objective=3,
    ),
    Question(
        "judge-difference", lambda p, q, tpr, fpr: f"Two tools have the precisions {p} and {q}. A judge calls a relevant item relevant with probability {tpr}, and an irrelevant one with probability {fpr}, whatever the tool. By how much do the precisions computed from its judgements differ on average?",
        grid("precisions and rates", p=SHARES[4:8], q=SHARES[:3], tpr=SHARES[5:], fpr=SHARES[:3]), seen_difference, (as_it_is, times_tpr, times_both),
        lambda p, q, tpr, fpr: f"The difference is multiplied by TPR minus FPR, so it is ({tpr} - {fpr}) · ({p} - {q}) = {seen_difference(p, q, tpr, fpr)}.",
        minutes=4, objective=3,
    ),
)  # fmt: skip


def hundredths(value):
    return f"{float(value):.2f}"


VOTES = shuffled(
    __name__,
    Vote(
        "judge-no-item-in-common",
        "Two assessors look at the same 100 items. Each calls ten of them relevant, and they agree on 80. Do they agree more often than luck would make them?",
        "no, less often", "Luck would make them agree on 82 items, since both say “irrelevant” nearly always. No item here is relevant to both, and kappa is $-0.11$.",
        (
            Saying("yes, since luck gives one half", "With these shares, how often do both say “irrelevant” by luck?"),
            Saying("yes, since 80 in 100 is high agreement", "On which items do they agree, on those that either calls relevant or on the others?"),
            Saying("nobody can tell without the truth", "Kappa compares two assessors. Does it ask which of them is right?"),
        ),
        objective=2,
    ),
    Vote(
        "judge-never-agrees",
        "Two assessors disagree on each of ten items. The first calls nine of them relevant, and the second calls one relevant. What is Cohen's kappa?",
        right_kappa, r"Luck gives $0.18$, so kappa is $-\frac{0.18}{0.82}$. It is $-1$ only if each calls half of the items relevant.",
        (a_fair_coin, observed, not_divided), {"a": 0, "b": 9, "c": 1, "d": 0}, hundredths,
    ),
    Vote(
        "judge-rare",
        "One suggestion in fifty is relevant. A judge errs on one item in ten, relevant or not. What precision does it see?",
        "one that is several times too high", "It calls nine tenths of $0.02$ relevant, and one tenth of $0.98$, which makes $0.116$. So nearly all the items that it calls relevant are its own errors.",
        (
            Saying("one that is a tenth too low", "That is what its errors on relevant items do. What does it say about the items that are irrelevant?"),
            Saying("about the true one, since its errors cancel", "Are there as many relevant items as irrelevant ones?"),
            Saying("about 0.9, since it is right nine times in ten", "How often does it call an item relevant, if only one in fifty is?"),
        ),
        objective=3,
    ),
    Vote(
        "judge-order",
        "A judge has the same rates for two tools, a TPR of 0.6 and an FPR of 0.5. In the judge's eyes, which tool has the higher precision on average?",
        "the one that really has the higher precision", "What it sees is $0.5 + 0.1\\,p$, which rises with $p$. But the difference is ten times smaller, so it takes many more judgements to see it.",
        (
            Saying("the other one", "What is the sign of the coefficient of $p$ in what it sees?"),
            Saying("either, since it is nearly blind", "That is so for a few items. What is the mean of many?"),
            Saying("it depends on how many items are relevant", "Write down what it sees for two values of $p$, and subtract."),
        ),
        objective=3,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-kappa-by-hand"],
    2: ["ex-same-agreement"],
    3: ["ex-undo-the-judge"],
    4: ["ex-context-precision"],
}
