"""The mechanism of the course: a right function and named wrong functions are compared on all small cases."""

import inspect
import random
import textwrap
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from metrics.exact.cases import Cases, handed, plain

from .worker import BLANK, NO_RETURN, NOTHING, no_number

UNDEFINED = "undefined"
LONGEST_FRACTION = 10_000  # the largest denominator that is shown: a larger one is that of a float
PLACES = "round(value, 6)"  # where a task asks for it
of_the_book = cache(handed)  # not for a function that was handed in, which may claim to equal another
LARGEST_DENOMINATOR = 120  # of a value in an exam, which is computed by hand
FEWEST_VARIANTS, FEWEST_CHOICES = 20, 6  # of a question: with fewer, its answers can be learned by heart
DRAWS = 20  # so often forms are drawn; those that differ most in what happens are taken


@dataclass(frozen=True)
class Belief:
    """A wrong function that looks right, with what its holder thinks (a clause: "you ..."), and a hint that does not give the answer away."""

    function: object
    words: str
    hint: str
    claim: str = ""  # the claim of the book that it misses

    def __post_init__(self):
        vars(self)["__wrapped__"] = self.function  # so `handed` sees what it asks for

    @property
    def name(self):
        return self.function.__name__

    def __call__(self, *arguments, **named):
        return self.function(*arguments, **named)


def belief(words, hint, claim=""):
    """Turn a function into a belief: `@belief("you count ranks from 0", "What is the rank of the first item?")`."""
    return lambda function: Belief(function, words, hint, claim)


@dataclass(frozen=True)
class Task:
    """A function for students to write. `solution` is one way to write it; `right`, on the exact side, is the function that it is compared with."""

    solution: object
    statement: str
    right: object
    cases: Cases
    beliefs: tuple
    points: int = 3
    objective: int = 1  # its number on the chapter's card

    @property
    def name(self):
        return self.solution.__name__

    @property
    def minutes(self):
        """About how long it takes."""
        return 10 if self.points <= 3 else 15

    @property
    def solved(self):
        """The solution, as the solved sheet shows it."""
        return textwrap.dedent(inspect.getsource(self.solution)).strip()

    @property
    def asked(self):
        """The names of its arguments in the sheet; a case may have more, and a function that names them is handed them."""
        return [*inspect.signature(self.solution).parameters]

    def describe(self, case):
        """A case as a student sees it."""
        return ", ".join(f"{name} = {plain(value)}" for name, value in zip(self.cases.names, case) if name in self.asked)

    @property
    def hole(self):
        """What the sheet has in place of the solution."""
        return f"def {self.name}{inspect.signature(self.solution)}:\n    raise NotImplementedError"


@dataclass(frozen=True)
class Question:
    """An exam question, with a variant for each case of its pool in which the right value and the values of all beliefs differ.

    text, way: functions that put the question of a case, and the way to its answer, into words.
    steps: what each point of the working is for, where the general rule of exams does not say it well enough.
    deeper: the title of the section of the chapter's part "Deeper" that it is about, if the core of the chapter does not teach it.
    """

    name: str
    text: object
    pool: Cases
    right: object
    beliefs: tuple
    way: object
    minutes: int = 5
    objective: int = 1
    level: str = "apply"
    steps: tuple = ()
    deeper: str = ""

    def asked(self, case):
        """The question of a variant, in words."""
        return of_the_book(self.text, self.pool.names)(case)

    def explained(self, case):
        """How to reach the answer to a variant, in words."""
        return of_the_book(self.way, self.pool.names)(case)

    def answers(self, case):
        """The options of a case, the right one first, each with the belief behind it; none if two are equal, or hard to compute."""
        functions = [self.right, *(belief.function for belief in self.beliefs)]
        values = [value_of(of_the_book(function, self.pool.names), case) for function in functions]
        simple = all(isinstance(value, Fraction) and value.denominator <= LARGEST_DENOMINATOR for value in values)
        return list(zip(values, (None, *self.beliefs))) if simple and len(set(values)) == len(values) else []


@dataclass(frozen=True)
class Saying:
    """A wrong option that is not the value of a function: the option, and what is wrong with it, in sentences."""

    option: str
    feedback: str


@dataclass(frozen=True)
class Choice:
    """An exam question whose options are sentences: which of them is right is computed for each case of its pool.

    text, way: as for a `Question`. options: a sentence, or a function of the case that gives it, with the condition of the case for
    which it is right, and what to say to who chooses it where it is not. A case for which not exactly one is right is no variant.
    level: what it asks of a student: "recall", "apply", "explain" or "choose". change, varies: functions that name what happens in a
    case: forms have the same of `change`, which is how hard it is, and as many different ones of `varies` as they can.
    """

    name: str
    text: object
    pool: Cases
    options: tuple
    way: object
    minutes: int = 3
    objective: int = 1
    level: str = "explain"
    change: object = None
    varies: object = None
    deeper: str = ""

    asked, explained = Question.asked, Question.explained

    def answers(self, case):
        """The options of a case, the right one first, each with what to say of it; none if not exactly one is right."""
        of_case = lambda part: of_the_book(part, self.pool.names)(case) if callable(part) else part
        found = [(of_case(words), bool(of_case(condition)), of_case(feedback)) for words, condition, feedback in self.options]
        right = [(words, None) for words, holds, _ in found if holds]
        wrong = [(words, Saying(words, feedback)) for words, holds, feedback in found if not holds]
        return [*right, *wrong] if len(right) == 1 and len({words for words, *_ in found}) == len(found) else []


@dataclass
class Verdict:
    """How well a function, or the list of its values, did in a task."""

    task: Task
    agreed: int = 0
    cases: int = 0
    at: str = ""  # the smallest case where it is wrong
    said: str = ""
    expected: str = ""
    belief: Belief | None = None
    unrounded: bool = False  # whether it is right but for the rounding that the task asks for
    trouble: str = ""  # why there are no values
    kind: str = ""  # of the trouble, as the page of the class counts it
    sheet: object = None  # in which the function stands
    floor: float = 1  # the share of the cases above which there are points; 1: only for all cases

    @property
    def right(self):
        return not self.trouble and self.cases > 0 and self.agreed == self.cases

    @property
    def points(self):
        """All points for all cases; else the share above the floor, in halves of a point."""
        if self.right or self.trouble or self.floor == 1:
            return self.task.points if self.right else 0
        floor = Fraction(str(self.floor))  # exact, so that 2/3 of the cases are a third of the way from 1/2 to 1, and not a bit less
        return max(0, int(2 * self.task.points * (Fraction(self.agreed, self.cases) - floor) / (1 - floor))) / 2

    def __str__(self):
        if self.right:
            return f"✓ {self.task.name}: right in all {self.cases:,} cases."
        if self.trouble:
            return f"{'…' if self.trouble == BLANK else '✗'} {self.task.name}: {self.trouble}."
        text = f"✗ {self.task.name}: right in {self.agreed:,} of {self.cases:,} cases. The smallest case where it is wrong: {self.at}.\n"
        text += f"  Yours says {self.said}; by the definition it is {self.expected}."
        text += f" Rounded to six places, yours is right in all cases: the task asks for `{PLACES}`." if self.unrounded else ""
        return text + (f"\n  Yours is, in every case, what you get if {self.belief.words}. {self.belief.hint}" if self.belief else "")


def exact(value):
    """A finite int, float or Fraction as a Fraction, a float as the nearest simple one; anything else as text, which equals no number.

    >>> exact(0.1), exact(float("nan")), exact([1])
    (Fraction(1, 10), 'undefined', 'a list, no int, float or Fraction')
    """
    if type(value) not in (int, float, Fraction):
        return no_number(type(value))
    if value != value:
        return UNDEFINED
    if value in (float("inf"), float("-inf")):
        return str(value)
    value = Fraction(value)
    near = value.limit_denominator(1_000_000)
    return near if abs(value - near) <= max(1, abs(value)) / 10**12 else value


def shown(value):
    """A value as a student may have seen it: a float as a decimal, although it is compared as a fraction.

    >>> shown(Fraction(5, 6)), shown(Fraction(150997, 492531)), shown("undefined")
    ('5/6', '0.3065735964', 'undefined')
    """
    of_a_float = isinstance(value, Fraction) and value.denominator > LONGEST_FRACTION and abs(value) < 10**9
    return f"{float(value):.10g}" if of_a_float else str(value)


def value_of(function, case):
    """The exact value that one of our functions gives for a case, or "undefined"."""
    try:
        return exact(function(case))
    except ZeroDivisionError:
        return UNDEFINED


def judge(task, values):
    """The verdict on a list of values, one for each case of the task, in order. Nothing that a student wrote is run here."""
    cases, values = list(task.cases.make()), list(values)
    if len(values) != len(cases):
        return Verdict(task, cases=len(cases), trouble=f"{len(values):,} values for {len(cases):,} cases")
    verdict, right = Verdict(task, cases=len(cases)), handed(task.right, task.cases.names)
    verdict.unrounded = PLACES in task.statement
    for case, value in zip(cases, values):
        expected = value_of(right, case)
        verdict.unrounded &= value == expected or (isinstance(value, Fraction) and round(value, 6) == expected)
        if value == expected:
            verdict.agreed += 1
        elif not verdict.at:
            verdict.at, verdict.said, verdict.expected = task.describe(case), shown(value), shown(expected)
    if values and all(value == NOTHING for value in values):
        verdict.trouble, verdict.kind = "it gives nothing back: `return` gives a value to who called, `print` only shows it", NO_RETURN
    elif not verdict.right:
        verdict.belief = next((each for each in task.beliefs if holds(each, task, cases, values)), None)
    return verdict


def holds(belief, task, cases, values):
    """Whether the values are those of the belief; 0 and 0/0 count as equal, because `if not hits: return 0` turns 0/0 into 0."""
    wrong = handed(belief.function, task.cases.names)
    return all(said == value or {said, value} == {UNDEFINED, 0} for said, value in ((value_of(wrong, case), value) for case, value in zip(cases, values)))


@cache
def telling(question):
    """The variants of a question: each case that has answers, all different, with these, the right one first."""
    found = {}  # the first case of each question in words: another that reads alike is no other variant
    for case in question.pool.make():
        if (asked := question.asked(case)) not in found and (answers := question.answers(case)):
            found[asked] = case, answers
    return tuple(found.values())


def kind(question, variant):
    """What makes two variants equally hard.

    In both the change is the same, rankings are as long with as many hits, these are all at the top or not, relevant items are missing or
    none, and the answer is whole or not.
    """
    case, [(right, _), *_] = variant
    change, names = getattr(question, "change", None), question.pool.names
    lists = [part for part in case if isinstance(part, tuple) and set(part) <= {0, 1}]
    shapes = tuple((len(part), sum(part), part == tuple(sorted(part, reverse=True))) for part in lists)
    missing = "n_relevant" in names and any(case[names.index("n_relevant")] > sum(part) for part in lists)
    return change and of_the_book(change, names)(case), shapes, missing, isinstance(right, Fraction) and right.denominator == 1


def happening(question, case):
    """What happens in a case, of a question that says it; otherwise the same for all."""
    varies = getattr(question, "varies", None)
    return varies and of_the_book(varies, question.pool.names)(case)


def apart(variants):
    """The variants in an order in which each right answer comes once before any comes twice."""
    times, places = Counter(), []
    for _, [(right, _), *_] in variants:
        places.append(times[right])
        times[right] += 1
    return [variant for _, variant in sorted(zip(places, variants), key=lambda placed: placed[0])]


def drawn(question, how_many, seed):
    """The given number of variants of a question, of one kind, with different answers and, where it says so, different happenings, as far as there are enough.

    Of each: the case, and the shuffled options with what is behind them (None: right).
    """
    found = telling(question)
    fewest = max(how_many, FEWEST_VARIANTS if isinstance(question, Question) else FEWEST_CHOICES)
    if len(found) < fewest:
        raise ValueError(f"{question.name}: {len(found)} cases give different answers for all its options; {fewest} are needed")
    chance, kinds = random.Random(f"{question.name}/{seed}"), {}
    for variant in found:
        kinds.setdefault(kind(question, variant), []).append(variant)
    most = lambda found: min(how_many, len(set(found)))
    different = lambda variants: (most(right for _, [(right, _), *_] in variants), most(happening(question, case) for case, _ in variants))
    enough = [(different(each), each) for each in kinds.values() if len(each) >= how_many]
    alike = [each for differs, each in enough if differs == max(those for those, _ in enough)]
    chosen = chance.choices(alike, weights=map(len, alike))[0] if alike else found
    orders = (apart(chance.sample(chosen, len(chosen)))[:how_many] for _ in range(DRAWS if getattr(question, "varies", None) else 1))
    for case, answers in max(orders, key=lambda order: len({happening(question, case) for case, _ in order})):
        shuffled = list(answers)
        chance.shuffle(shuffled)
        yield case, shuffled


def reduced(numerator, denominator):
    """A fraction as counted and, if this is another form, in its lowest terms: "2/4 = 1/2"."""
    counted, value = f"{numerator}/{denominator}", str(Fraction(numerator, denominator))
    return counted if counted == value else f"{counted} = {value}"


def written(relevance):
    """A ranking as a question prints it."""
    return " ".join(map(plain, relevance))
