"""Every step of every proof can fail: what was typed on its right side is broken, place by place, and SymPy must then refuse the step.

What the right side alone is made of is broken, or else what the left one is: a number is made larger by one, a sum becomes a difference,
a product a quotient. If nothing belongs to one side alone, the step would show whatever it was given. Of an inequality, the sides are exchanged.

What a claim states is broken in the same way, and some check of the chapter must refuse it. `UNSEEN` lists the breaks that change no value in any case,
and those of the three bounds that cannot be reached.
"""

import ast
from contextlib import redirect_stdout
from copy import deepcopy
from functools import cache, cached_property
from io import StringIO
from itertools import islice

import pytest
from sympy import sympify

from book._sphinx.sources import ROOT, chapters, read
from book._static.in_the_page import Code, Page
from metrics.exact.cases import handed
from metrics.exact.claims import comparison
from metrics.exact.proofs import check_step, spots

OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
NAMES = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor"}


class Chapter(Page):
    """The statements of a notebook, and which of them a part of the code is made of."""

    def __init__(self, path):
        cells = ([each for statement in cell.tree.body for each in apart(statement)] for cell in read(path).code)
        super().__init__([{"source": "\n".join(map(ast.unparse, statements))} for statements in cells])
        self.statements = [statement for code in self.steps for statement in code.body]

    def made_of(self, node, before):
        """The statements, by number, that a part of the code needs, and which stand before it."""
        return set(self.closure(Code([ast.Expr(node)]), before))

    def written_steps(self):
        """(number of the statement, words, left, relation, right) for each step, as written."""
        for number, call in ((number, call) for number, statement in enumerate(self.statements) for call in ast.walk(statement)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("prove", "claim"):
                given = call.args[:1] if call.func.id == "prove" else [each.value for each in call.keywords if each.arg in ("proof", "steps")]
                for steps in filter(None, (self.written(each, number, ast.Dict) for each in given)):
                    for words, step in zip(steps.keys, steps.values):
                        if pair := self.written(step, number, ast.Tuple):
                            left, *relation, right = pair.elts
                            yield number, ast.literal_eval(words), left, ast.literal_eval(relation[0]) if relation else "=", right

    def written(self, node, before, kind):
        """The node of this kind that a name stands for."""
        if isinstance(node, ast.Name):
            made = self.history(node.id, before)
            node = getattr(self.statements[made[-1]], "value", None) if made else None
        return node if isinstance(node, kind) else None

    def value(self, node, number, broken=()):
        """What a side is, some of its statements broken."""
        names, replaced = {}, dict(broken)
        for needed in sorted(self.made_of(node, number)):
            statement = ast.Module([replaced.get(needed, self.statements[needed])], [])
            exec(compile(ast.fix_missing_locations(statement), "statement", "exec"), names)
        return sympify(eval(compile(ast.fix_missing_locations(ast.Expression(replaced.get("side", node))), "side", "eval"), names))

    def broken_values(self, side, other, number, value):
        """What a side is if it is broken in one place after the other, of those that the other side does not share; and the broken code."""
        own, found = self.made_of(side, number) - self.made_of(other, number), []
        for key, code in (("side", side), *((each, self.statements[each]) for each in sorted(own))):
            for broken, words in broken_copies(code):
                try:
                    other_value = self.value(side, number, {key: broken})
                except Exception:  # what cannot be computed would stop the chapter
                    continue
                found += [(other_value, words)] if other_value != value else []
        return found


def apart(statement):
    """An assignment to several names as several assignments."""
    if isinstance(statement, ast.Assign) and all(isinstance(each, ast.Tuple) for each in (statement.targets[0], statement.value)):
        return [ast.Assign([name], value, lineno=0) for name, value in zip(statement.targets[0].elts, statement.value.elts)]
    return [statement]


def broken_copies(code):
    """Copies of some code, each with another number, sign, comparison or name; and what is broken there."""
    for place in range(sum(1 for _ in ast.walk(code))):
        copy = deepcopy(code)
        there = next(islice(ast.walk(copy), place, None))
        match there:
            case ast.Constant(value=number) if type(number) is int:
                there.value += 1
            case ast.BinOp(op=op) if type(op) in OTHER:
                there.op = OTHER[type(op)]()
            case ast.Compare(ops=[op, *others]) if type(op) in OTHER:
                there.ops = [OTHER[type(op)](), *others]
            case ast.Name(id=name) if name in NAMES:
                there.id = NAMES[name]
            case _:
                continue
        whole = next((node for node in ast.walk(copy) if there in ast.iter_child_nodes(node)), there)
        yield copy, ast.unparse(ast.fix_missing_locations(there if isinstance(there, ast.BinOp | ast.Compare) or not isinstance(whole, ast.expr) else whole))


# What only writes an expression in another way.
REWRITES = {"apart", "cancel", "collect", "combsimp", "doit", "expand", "expand_func", "expand_log", "factor", "gammasimp", "powsimp", "radsimp", "ratsimp",
            "simplify", "together", "trigsimp"}  # fmt: skip


def refused(left, relation, right):
    """Whether the step fails, by numbers if they tell; SymPy's own errors stop a chapter as well."""
    try:
        if any(gap.is_finite and (abs(gap) if relation == "=" else -gap) > 1e-20 for _, gap in spots(left, right)):
            return True
        check_step("a broken step", (left, relation, right), unless="it is broken")
    except Exception:
        return True
    return False


def faults(chapter):
    """What is wrong with the steps of a chapter, in words; and how many breaks were tried."""
    found, tried = [], 0
    for number, words, left, relation, right in chapter.written_steps():
        values = chapter.value(left, number), chapter.value(right, number)
        if relation != "=":
            found += [] if refused(values[1], relation, values[0]) else [f"{words}: holds with its sides exchanged, too"]
            continue
        own = chapter.made_of(right, number) - chapter.made_of(left, number)
        calls = {each.func for code in (right, *(chapter.statements[each] for each in own)) for each in ast.walk(code) if isinstance(each, ast.Call)}
        if calls := {getattr(each, "attr", getattr(each, "id", "")) for each in calls} & REWRITES:
            found.append(f"{words}: the right side is not typed, but made by {', '.join(calls)}")
        broken = chapter.broken_values(right, left, number, values[1])
        if broken:
            survived = [code for value, code in broken if not refused(values[0], "=", value)]
        else:
            broken = chapter.broken_values(left, right, number, values[0])
            survived = [code for value, code in broken if not refused(value, "=", values[1])]
            survived = survived if len(survived) == len(broken) else []
        tried += len(broken)
        found += [f"{words}: nothing belongs to one side alone"] * (not broken) + [f"{words}: holds with {code}, too" for code in survived]
    return found, tried


@pytest.mark.parametrize("name", [name for name in chapters() if any("prove(" in cell.source for cell in read(ROOT / f"{name}.ipynb").code)])
def test_every_step_fails_if_it_is_broken(name):
    found, tried = faults(Chapter(ROOT / f"{name}.ipynb"))
    assert not found and tried, found


# ---- What claims state -----------------------------------------------------------------------------------


class Checked:
    """A call of `claim` in a chapter, and whether it refuses what is stated if one of its statements is broken."""

    def __init__(self, chapter, number, call):
        given = dict(zip(("label", "measured", "stated", "over"), call.args)) | {each.arg: each.value for each in call.keywords}
        self.chapter, self.measured, self.side, self.over = chapter, given["measured"], given["stated"], given["over"]
        self.label = given["label"].value
        self.relation = given["relation"].value if "relation" in given else "="
        self.tolerance = given.get("tolerance")
        needed = [chapter.made_of(given[name], number) for name in ("measured", "over", "stated")]
        self.needed, imports = sorted(set().union(*needed)), ast.Import | ast.ImportFrom
        self.own = [at for at in sorted(needed[2] - needed[0] - needed[1]) if not isinstance(chapter.statements[at], imports)]

    @cached_property
    def ready(self):
        """The names as the claim finds them, the cases, each value when it is asked for, and how values are compared."""
        names = {}
        for at in self.needed:
            run(self.chapter.statements[at], names)
        over, measured = evaluated(self.over, names), evaluated(self.measured, names)
        cases, tolerance = list(over.make()), self.tolerance and evaluated(self.tolerance, names)
        value = cache(lambda place: handed(measured, over.names)(cases[place]))
        return names, over.names, cases, value, comparison(self.label, self.relation, tolerance)

    def refuses(self, key, broken):
        """Whether the claim fails if the statement with this number is broken, or the side itself, which is number -1."""
        names, arguments, cases, value, agree = self.ready
        names, reached = dict(names), False
        try:
            for at in self.own:
                run(broken if at == key else self.chapter.statements[at], names)
            stated = handed(evaluated(broken if key < 0 else self.side, names), arguments)
            for place, case in enumerate(cases):
                expected = stated(case)
                if not agree(value(place), expected):
                    return True
                reached = reached or value(place) == expected
        except Exception:  # what cannot be computed would stop the chapter
            return True
        return self.relation in ("<=", ">=") and self.tolerance is None and not reached


def run(statement, names):
    """Run a statement, silently."""
    with redirect_stdout(StringIO()):
        exec(compile(ast.fix_missing_locations(ast.Module([statement], [])), "statement", "exec"), names)


def evaluated(node, names):
    """What an expression is worth."""
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "expression", "eval"), names)


def unseen(chapter):
    """The breaks of what is stated that no claim of a chapter refuses, {claim: words}; and how many were tried."""
    calls = ((number, call) for number, statement in enumerate(chapter.statements) for call in ast.walk(statement))
    claims = [Checked(chapter, number, call) for number, call in calls if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "claim"]
    breaks = {}  # of what: the claims that state it
    for each in claims:
        for key in (-1, *each.own):
            breaks.setdefault((key, each.label if key < 0 else ""), []).append(each)
    found, tried = {}, 0
    for (key, _), stating in breaks.items():
        for broken, words in broken_copies(stating[0].side if key < 0 else chapter.statements[key]):
            tried += 1
            if not any(each.refuses(key, broken) for each in sorted(stating, key=lambda each: len(each.ready[2]))):
                found.setdefault(stating[0].label, []).append(words)
    return found, tried


UNSEEN = {
    # what is added cancels, is at no rank, or stands for an empty sum, a tie or a third kind that no case has
    "f-and-e": {"B9": ["sizes_of_both or 2"]},
    "average-precision": {"A24": ["k_j >= k"], "A6": ["s > level * n_relevant", "2 * j + 2"]},
    "ap-at-k": {
        "K1": ["Fraction(sum(relevance[:k]), n_relevant) > recall"], "K17": ["k <= n_relevant"], "K20": ["rank >= i"], "K25": ["rankings(9)"], "K5": ["[1]"],
    },
    "averaging": {"A28": ["13 // sum(ranking)"]},
    "order-and-auc": {"C2": ["enumerate(ranking, 2)", "Fraction(1)", "a <= b"], "C25": ["len(relevance) + R"]},
    "ties-and-samples": {"C33": ["Fraction(r - 1, n - 1) if n > 1 else 1"]},
    "long-tail": {"C21": ["{'a': 10, 'b': 10, 'u': 2}"], "C22": ["n_relevant + sum(relevance)", "k - 2"], "C23": ["(1, 2, 4)"], "C48": ["range(5)"]},
    "the-metrics-disagree": {"M2": ["d_1 * d_2 >= 0", "d_1 / d_2"]},
    "readers-and-clicks": {"Y1": ["(*C, 1)"]},  # after the last rank nothing is read
    "rank-correlation": {"T2": ["k <= order[i]"], "T7": ["places[r] >= places[s]"]},
    "seven-predictors": {"P1": ["1"]},
    "does-it-replicate": {"U2": ["n + 2"]},
    "one-machine-to-many": {"W1": ["n + size", "m + mean"], "W5": ["[rough, 0, 1]", "[rough, 2, 1]", "[rough, 1, 2]"]},
    # a bound that only long lists, or distinct sums, come near to: a weaker one holds, too
    "areas-under-the-curve": {"A18": ["max(p) + p[-1]", "L - 1", "n_relevant + sum(relevance)"]},
    "discounted-gain": {"C13": ["R + 3", "R * np.log2(m)", "3 * N"], "C52": ["3"]},
    "is-the-difference-real": {"S10": ["2", "sum((s >= found for s in others)) + plus < alpha * (M + plus)", "alpha / (M + plus)", "M + 2", "M - plus"]},
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in chapters() if any("claim(" in cell.source for cell in read(ROOT / f"{name}.ipynb").code)])
def test_every_claim_fails_if_what_it_states_is_broken(name):
    found, tried = unseen(Chapter(ROOT / f"{name}.ipynb"))
    assert found == UNSEEN.get(name.removeprefix("book/"), {}) and tried, found
