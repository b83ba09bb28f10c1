"""Every step of every proof can fail: what was typed on its right side is broken, place by place, and SymPy must then refuse the step.

What the right side alone is made of is broken, or else what the left one is: a number is made larger by one, a sum becomes a difference,
a product a quotient. If nothing belongs to one side alone, the step would show whatever it was given. Of an inequality, the sides are exchanged.
"""

import ast
from copy import deepcopy

import pytest
from sympy import sympify

from book._sphinx.sources import ROOT, chapters, read
from book._static.in_the_page import Code, Page
from metrics.exact.proofs import check_step, spots

OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}


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
            for broken in broken_copies(code):
                try:
                    other_value = self.value(side, number, {key: broken})
                except Exception:  # what cannot be computed would stop the chapter
                    continue
                found += [(other_value, ast.unparse(broken))] if other_value != value else []
        return found


def apart(statement):
    """An assignment to several names as several assignments."""
    if isinstance(statement, ast.Assign) and all(isinstance(each, ast.Tuple) for each in (statement.targets[0], statement.value)):
        return [ast.Assign([name], value, lineno=0) for name, value in zip(statement.targets[0].elts, statement.value.elts)]
    return [statement]


def broken_copies(code):
    """Copies of some code, each with another number, or another sign."""
    for place, node in enumerate(ast.walk(code)):
        number = isinstance(node, ast.Constant) and type(node.value) is int
        if number or isinstance(node, ast.BinOp) and type(node.op) in OTHER:
            copy = deepcopy(code)
            there = next(each for at, each in enumerate(ast.walk(copy)) if at == place)
            if number:
                there.value += 1
            else:
                there.op = OTHER[type(there.op)]()
            yield copy


# What only writes an expression in another way.
REWRITES = {"apart", "cancel", "collect", "combsimp", "doit", "expand", "expand_func", "expand_log", "factor", "gammasimp", "powsimp", "radsimp", "ratsimp",
            "simplify", "together", "trigsimp"}  # fmt: skip


def refused(left, relation, right):
    """Whether the step fails, by numbers if they tell; SymPy's own errors stop a chapter as well."""
    try:
        if relation == "=" and any(gap.is_finite and abs(gap) > 1e-20 for _, gap in spots(left, right)):
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
