"""The metrics of premise selection: tasks, questions and votes."""

from fractions import Fraction
from string import ascii_lowercase

from metrics.exact import definitions, grid, rankings
from metrics.exact.cases import Cases

from ..beliefs import Question, Task, belief
from ..votes import Saying, Vote, shuffled

TITLE = "The metrics of premise selection"


def named(relevance, n_relevant):
    """The suggestions and the required premises: a, b, c and so on are required, in the order of their ranks, and z, y, x and so on are not."""
    required, others = list(ascii_lowercase[:n_relevant]), iter(reversed(ascii_lowercase))
    wanted = iter(required)
    return tuple(next(wanted) if relevant else next(others) for relevant in relevance), tuple(required)


def places(suggestions, required):
    """The ranks, counted from 1, of the required premises that were suggested."""
    return [rank for rank, premise in enumerate(suggestions, 1) if premise in required]


@belief("you take the share of the required premises that were suggested, which is called recall elsewhere", "Does “recall” count premises here, or suggestions to read?", "C29")
def share_found(suggestions, required):
    return Fraction(len(places(suggestions, required)), len(required))


@belief("you take the rank of the last premise that was found", "Have you read all required premises by then?", "C29")
def last_found(suggestions, required):
    return max(places(suggestions, required), default=0)


@belief("an incomplete list counts as the number of its suggestions", "Then a list that ends with the last required premise and one that lacks a premise count the same. Do they count the same here?", "C29")
def only_the_length(suggestions, required):
    return min(definitions.premise_recall(suggestions, required), len(suggestions))


def premise_recall(suggestions, required):
    missing = set(required)
    for read, premise in enumerate(suggestions, 1):
        missing.discard(premise)
        if not missing:
            return read
    return len(suggestions) + 1


@belief("you count places from 1", "How many suggestions are above the first one?", "C29")
def places_from_one(suggestions, required):
    found = places(suggestions, required)
    return Fraction(sum(found), len(found))


@belief("you divide by all that is required, found or not", "“Rank” is a mean over which premises?", "C30")
def over_all_required(suggestions, required):
    return Fraction(sum(rank - 1 for rank in places(suggestions, required)), len(required))


@belief("a missing premise counts as if it were just below the list", "What does this metric know about a premise that was not suggested?", "C41")
def missing_just_below(suggestions, required):
    found = places(suggestions, required)
    return Fraction(sum(rank - 1 for rank in found) + len(suggestions) * (len(required) - len(found)), len(required))


def premise_rank(suggestions, required):
    above = [place for place, premise in enumerate(suggestions) if premise in required]
    return Fraction(sum(above), len(above))


@belief("you divide by n, although fewer were suggested", "How many suggestions are there among the first n?", "C29")
def over_n(suggestions, required, n):
    return Fraction(len(places(suggestions[:n], required)), n)


@belief("you divide by what is required, as cover does", "Do you want a share of the suggestions, or of the required premises?", "C18")
def cover_instead(suggestions, required, n):
    return definitions.premise_cover(suggestions, required, n)


@belief("you divide by all suggestions, not by those among the first n", "Which suggestions count at a cutoff?", "C29")
def over_all_suggestions(suggestions, required, n):
    return Fraction(len(places(suggestions[:n], required)), len(suggestions))


def premise_precision(suggestions, required, n):
    first = suggestions[:n]
    return Fraction(sum(premise in required for premise in first), len(first))


def lists(longest, unranked=2):
    """All lists of at most `longest` suggestions, each with its required premises, of which at most `unranked` were not suggested."""
    named_all = [named(*case) for case in rankings(longest).with_n_relevant(unranked).make()]
    return Cases(f"all lists of at most {longest} suggestions, with up to {unranked} required premises missing", ("suggestions", "required"), lambda: iter(named_all))


LISTS = lists(5)
TASKS = (
    Task(
        premise_recall,
        "Write the “recall” of premise selection: the number of suggestions that you must read, from the best down, until you have all that is required, or one more than the number of all suggestions if something is missing. "
        "`suggestions` is a list of names, best first, each once; `required` is a list of at least one name.",
        definitions.premise_recall, LISTS, (share_found, last_found, only_the_length), points=4,
    ),
    Task(
        premise_rank,
        "Write the “rank” of premise selection, with the same arguments: the number of suggestions above a required premise, on average over the required premises that were suggested. If none was suggested, the value is 0/0, and the function may raise an error.",
        definitions.premise_rank, LISTS, (places_from_one, over_all_required, missing_just_below),
    ),
    Task(
        premise_precision,
        "Write the `n`-precision of premise selection, with the same arguments and a cutoff `n`: the share of the first `n` suggestions, or of all if there are fewer, that is required.",
        definitions.premise_precision, LISTS.with_each("n from 1 to 7", "n", range(1, 8)), (over_n, cover_instead, over_all_suggestions),
    ),
)  # fmt: skip

INCOMPLETE = lists(6).where(
    "at least four suggestions, something found and something missing", lambda suggestions, required: len(suggestions) > 3 and 0 < len(places(suggestions, required)) < len(required)
)


def said(suggestions, required):
    return f"A tool suggests {' '.join(suggestions)}, best first; the proof requires {', '.join(required[:-1])} and {required[-1]}."


def auc(suggestions, required):
    return definitions.premise_auc(suggestions, required)


@belief("the missing premises are below all suggestions, as in an AUC over the universe", "Which items form the pairs here?", "C29")
def over_the_universe(suggestions, required):
    return auc(suggestions, required) * Fraction(len(places(suggestions, required)), len(required))


@belief("you count the pairs in the wrong order", "What value should a list that begins with all required premises have?", "C29")
def wrong_pairs(suggestions, required):
    return 1 - auc(suggestions, required)


def number_below(suggestions, required):
    return " + ".join(str(sum(other not in required for other in suggestions[rank:])) for rank in places(suggestions, required))


def by_pairs(suggestions, required):
    m, L = len(places(suggestions, required)), len(suggestions)
    return f"Below the {m} required suggestions, one after the other, there are {number_below(suggestions, required)} others, out of {m} · {L - m} pairs, so AUC is {auc(suggestions, required)}."


def recall_when_cut(suggestions, required, cut):
    return definitions.premise_recall(suggestions[:cut], required)


@belief("a cut finds nothing new, so “recall” does not change", "What does an incomplete list count as?", "C41")
def recall_stays(suggestions):
    return len(suggestions) + 1


@belief("you take the share of the required premises that are left, which is called recall elsewhere", "Does “recall” count premises here, or suggestions to read?", "C29")
def share_left(suggestions, required, cut):
    return share_found(suggestions[:cut], required)


@belief("“recall” is one more than the number of premises found", "What is counted if a list lacks a premise?", "C41")
def one_more_than_found(suggestions, required, cut):
    return 1 + len(places(suggestions[:cut], required))


@belief("ideal lists have recall 1 at every cutoff", "How many of the relevant items fit into the first k places?", "V1")
def one_is_possible():
    return 1


@belief("you put the mean number of relevant items into the formula", "Is the mean of the quotients the same as the quotient with the mean? Take the goals one by one.", "V1")
def cap_of_the_mean(needed, cutoff):
    R = definitions.mean(needed)
    return min(cutoff, R) / R


@belief("you let all the first k items be hits, even where fewer are relevant", "Can a goal with one relevant item have two hits?", "V1")
def more_than_all(needed, cutoff):
    return definitions.mean([Fraction(cutoff, R) for R in needed])


def cap(needed, cutoff):
    return definitions.mean([Fraction(min(cutoff, R), R) for R in needed])


NEEDS = grid("three goals", needed=[(a, b, c) for a in range(1, 4) for b in range(3, 7) for c in range(5, 13) if a < b < c]).with_each("cutoffs", "cutoff", (2, 3, 4))


@belief("a hit at the first place counts as 1", "That is the hit rate, or precision. What does recall divide by?", "V3")
def first_is_a_hit(suggestions, required):
    return int(suggestions[0] in required)


@belief("you take the recall of the whole list", "How many suggestions does recall@1 look at?", "V3")
def of_the_whole_list(suggestions, required):
    return share_found(suggestions, required)


@belief("you divide by the premises that were suggested", "A missing premise is still required. How many are required in all?", "V3")
def over_those_suggested(suggestions, required):
    return Fraction(int(suggestions[0] in required), len(places(suggestions, required)))


def recall_at_one(suggestions, required):
    return definitions.premise_cover(suggestions, required, 1)


QUESTIONS = (
    Question(
        "premise-recall", lambda suggestions, required: f"{said(suggestions, required)} What is its “recall”, as the word is used in premise selection?",
        INCOMPLETE, definitions.premise_recall, (share_found, last_found, only_the_length),
        lambda suggestions, required: f"A required premise is missing from the list, so the value is one more than the number of suggestions, {len(suggestions) + 1}.", minutes=3,
    ),
    Question(
        "premise-rank", lambda suggestions, required: f"{said(suggestions, required)} What is its “rank”, as the word is used in premise selection?",
        INCOMPLETE, definitions.premise_rank, (places_from_one, over_all_required, missing_just_below),
        lambda suggestions, required: f"Above the required suggestions there are {', '.join(str(rank - 1) for rank in places(suggestions, required))} suggestions, on average {premise_rank(suggestions, required)}.", minutes=4,
    ),
    Question(
        "premise-auc", lambda suggestions, required: f"{said(suggestions, required)} What is its AUC, taken over the suggestions, as in premise selection?",
        INCOMPLETE, auc, (over_the_universe, wrong_pairs), by_pairs, objective=2,
    ),
    Question(
        "premise-cut",
        lambda suggestions, required, cut: f"{said(suggestions, required)} Then it is told to make only its first {cut} suggestions. What is its “recall” now, as the word is used in premise selection?",
        INCOMPLETE.with_each("cuts", "cut", lambda suggestions: range(2, len(suggestions))), recall_when_cut, (recall_stays, share_left, one_more_than_found),
        lambda cut: f"The list still lacks a required premise, so the value is one more than its length, {cut + 1}. That is better than before, since lower is better.", minutes=4, objective=4,
    ),
    Question(
        "premise-recall-cap",
        lambda needed, cutoff: f"Three goals have {needed[0]}, {needed[1]} and {needed[2]} relevant items. What is the largest mean that recall@{cutoff} can have over these goals?",
        NEEDS, cap, (one_is_possible, cap_of_the_mean, more_than_all),
        lambda needed, cutoff: f"For a goal with R relevant items, recall@{cutoff} is at most min({cutoff}, R) divided by R: here {', '.join(str(Fraction(min(cutoff, R), R)) for R in needed)}, on average {cap(needed, cutoff)}.",
        minutes=4, objective=5,
    ),
)  # fmt: skip


@belief("the best possible “rank” is 0", "Can eleven premises all be first?", "C3")
def best_is_zero():
    return 0


@belief("no pair is in the wrong order", "How many pairs of a required and a non-required suggestion are there?", "C29")
def no_wrong_pair():
    return 1


@belief("no pair is in the right order", "How many pairs of a required and a non-required suggestion are there?", "C29")
def no_right_pair():
    return 0


@belief("the value without a pair is what chance gives", "Chance gives one half if there is a pair. How many pairs are there?", "C29")
def as_by_chance():
    return Fraction(1, 2)


VOTES = shuffled(
    __name__,
    Vote(
        "premise-auc-of-suggestions",
        "A tool suggests `a x b y`, of which the proof requires `a` and `b`; its AUC, as premise selection defines it, is 3/4. It turns out that the proof also requires `c` and `d`, which the tool does not suggest. What is its AUC now?",
        "3/4, since a missing premise is in no pair", "This AUC looks at the suggestions alone, as if they were the universe. Three of the four pairs among them are still in the right order.",
        (
            Saying("less, since the missing premises count as last", "So they would in an AUC over the universe. Which items form the pairs here?"),
            Saying("more, since there are more required premises", "Which pair in the right order has been added?"),
            Saying("undefined, since two premises are missing", "AUC is undefined only if there is no pair. How many pairs are there among the suggestions?"),
        ),
        objective=2,
    ),
    Vote(
        "premise-only-required",
        "A cautious tool suggests `a` and `b`, which the proof requires, and stops. What is its AUC?",
        definitions.premise_auc, "A pair consists of a required and a non-required suggestion. All suggestions here are required, so AUC is 0/0.",
        (no_wrong_pair, no_right_pair, as_by_chance),
        {"suggestions": ("a", "b"), "required": ("a", "b", "c")}, objective=3,
    ),
    Vote(
        "premise-cut-the-list",
        "A proof requires `a`, `b`, `c` and `d`. A tool suggests `x a y b c z`, and then only `x a`. What happens to its “recall” and “rank”?",
        "both get better", "“Recall” falls from 7 to 3, and “rank” from 8/3 to 1, and lower is better for both.",
        (
            Saying("both get worse", "Two hits are gone. But what is “recall” for a list that lacks a premise?"),
            Saying("“recall” gets worse, “rank” better", "That would be so for what is called recall elsewhere, the share found. What number is it here?"),
            Saying("neither changes", "“Recall” is one more than the length of this list. How long is it now?"),
        ),
        objective=4,
    ),
    Vote(
        "premise-recall-at-one",
        "A tactic uses `a`, `b`, `c`, `d` and `e`. A tool suggests `a x b y`. What is its recall@1?",
        recall_at_one, "The first suggestion is a hit, and five premises are required, so no list can do better at the first place.",
        (first_is_a_hit, of_the_whole_list, over_those_suggested),
        {"suggestions": tuple("axby"), "required": tuple("abcde")}, objective=5,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {1: ["ex-five-by-hand"], 2: ["ex-referee"], 3: ["ex-mend-recall"], 4: ["ex-drop-last"], 5: ["ex-scale-of-recall"]}
