"""Proofs in steps: SymPy shows each step for all values of its symbols, and numbers then confirm it.

A step is a pair (left, right) of expressions to show equal, or a triple (left, ">", right) or
(left, ">=", right). SymPy is loaded only if a step is given.
"""

import random
import re
from functools import cache


class ClaimFailed(AssertionError):
    """The error raised if a claim, a step of its proof or its near miss does not turn out as stated."""


SEVERAL_LETTERS = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{2,}(?![a-zA-Z])")  # "tp", and no command such as \delta
EQUATION = re.compile(r"\w+ [=<>] [\w^]+")  # within words, such as "R = 0 or N = 1"
INDEX = re.compile(r"_\{\}\{\\left\(([^()]*?) *\\right\)\}")  # the argument of a function such as Function("k_")
# A name is told from what it is multiplied by.
SCRIPTS = r"(?:_\{[^{}]*\})?(?:\^\{[^{}]*\})?"
FACTORS = re.compile(rf"\\mathrm\{{\w+\}}{SCRIPTS} (?=\\mathrm|[a-zA-Z])|(?<![\\a-zA-Z])[a-zA-Z]{SCRIPTS} (?=\\mathrm)")
TINY = 1e-20
SPOTS = 12


class Proof(dict):
    """The steps that were shown, as {words: step}. A notebook shows these steps as formulas; `one | other` has the steps of both proofs."""

    def __init__(self, steps, unless=None):
        super().__init__(steps)
        self.unless = unless

    def __or__(self, other):
        both = [words for words in (self.unless, other.unless) if words]
        return Proof({**self, **other}, " or ".join(dict.fromkeys(both)) or None)

    def assumptions(self, written=str):
        """The assumptions about the symbols, and where a step is undefined, in words, with symbols and equations as `written` writes them."""
        symbols = {s for step in self.values() for s in plain_symbols(*sides("", step)[::2]) | numbered(*sides("", step)[::2])}
        groups = {}
        for symbol in sorted(symbols, key=str):
            groups.setdefault(assumed(symbol), []).append(written(symbol))
        words = [f"{kind + 's' * (len(names) > 1 and kind.endswith('integer'))} {in_a_row(names, ' and ')}" for kind, names in groups.items()]
        comma = "," * any(" and " in group for group in words[:-1])
        words = in_a_row(words, f"{comma} and ")
        return (f"for {words}" if words else "") + (f", unless {EQUATION.sub(lambda found: written(found[0]), self.unless)}" if self.unless else "")

    def lines(self, written):
        """The words, the left side and the right side of each step, with expressions as `written` writes them; a left
        side that continues the step before is omitted.
        """
        relations = {"=": "=", ">": ">", ">=": "≥"}
        before = ()
        for words, step in self.items():
            left, relation, right = sides(words, step)
            yield words, "" if left in before and relation == "=" else written(left), f"{relations[relation]} {written(right)}"
            before = (left, right) if relation == "=" else ()

    def __repr__(self):
        return "\n".join(" ".join(filter(None, (f"{words}:", left, right))) for words, left, right in self.lines(str))

    def formulas(self):
        """The lines of the proof in LaTeX."""
        # A bar would end the cell of a table.
        return self.lines(lambda expression: in_latex(expression).replace("|", r"\vert "))

    def _repr_markdown_(self):
        def shown(side):
            return f"$\\displaystyle {side}$" if side else ""

        rows = [f"| {shown(left)} | {shown(right)} | {words} |" for words, left, right in self.formulas()]
        said = f"SymPy shows this {self.assumptions(lambda symbol: f'${symbol if isinstance(symbol, str) else in_latex(symbol)}$')}."
        return "\n".join(["| | | |", "| --: | :-- | :-- |", *rows, "", said])


def in_a_row(words, last):
    """The words with commas between them, and `last` before the last word."""
    return last.join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def in_latex(value):
    """The LaTeX of SymPy's results as the book prints it, also for fractions, and for lists and tuples of such values.

    >>> from fractions import Fraction
    >>> in_latex((Fraction(8, 15), 1))
    '\\\\left( \\\\frac{8}{15}, \\\\  1\\\\right)'
    """
    from sympy import sympify

    return FACTORS.sub(r"\g<0>\\, ", INDEX.sub(r"_{\1}", printer().doprint(sympify(value))))


@cache
def printer():
    """A printer of LaTeX as a teacher writes it: subtracted terms last, a plain denominator of a sum in front, H_N for
    harmonic(N), longer names upright.
    """
    from sympy import Integral, Product, Sum, fraction
    from sympy.printing.latex import LatexPrinter

    class PlainLatex(LatexPrinter):
        def _as_ordered_terms(self, expression, order=None):
            return sorted(super()._as_ordered_terms(expression, order), key=lambda term: term.could_extract_minus_sign())

        def _print_Mul(self, expression):
            numerator, denominator = fraction(expression, exact=True)
            if denominator == 1 or not numerator.has(Sum, Integral, Product):
                return super()._print_Mul(expression)
            written = self._print(numerator)
            if denominator.has(Sum, Integral, Product):
                return rf"\frac{{\displaystyle {written}}}{{\displaystyle {self._print(denominator)}}}"
            number, rest = numerator.as_coeff_Mul()
            written = self._print(rest)
            return f"{self._print(number / denominator)} " + (rf"\left({written}\right)" if rest.is_Add else written)

        def _print_Symbol(self, expression, style="plain"):
            return SEVERAL_LETTERS.sub(r"\\mathrm{\g<0>}", super()._print_Symbol(expression, style)).replace(r"\epsilon", r"\varepsilon")

        def _print_log(self, expression, exp=None):
            return super()._print_log(expression).replace(r"\ln", rf"\ln^{{{exp}}}" if exp else r"\ln", 1)

        def _print_Subs(self, expression):
            at = r",\ ".join(f"{self._print(old)} = {self._print(new)}" for old, new in zip(expression.variables, expression.point))
            return rf"\left. {self._print(expression.expr)} \right|_{{{at}}}"

        def _print_Indexed(self, expression):
            return f"{self._print(expression.base)}_{{{','.join(map(self._print, expression.indices))}}}"

        def _print_Or(self, expression):
            return r" \;\text{ or }\; ".join(map(self._print, expression.args))

        def _print_harmonic(self, expression, exp=None):
            return f"H_{{{self._print(expression.args[0])}}}" + (f"^{{{exp}}}" if exp else "")

    return PlainLatex({"ln_notation": True, "mat_delim": ""})  # the font of the pages has no tall brackets


def prove(steps, unless=None, label=""):
    """Show every step for all values that the assumptions of its symbols allow, and return the proof.

    steps: {words: step}. unless: where a step is undefined, in words. label: the claim, for messages.
    Raises `ClaimFailed` if a step is not shown, or numbers contradict it.

    >>> from sympy import symbols
    >>> a, b = symbols("a b", positive=True)
    >>> prove({"the means differ": ((a + b) / 2 - 2 * a * b / (a + b), (a - b) ** 2 / (2 * (a + b)))})
    the means differ: -2*a*b/(a + b) + a/2 + b/2 = (a - b)**2/(2*a + 2*b)
    """
    for words, step in steps.items():
        check_step(f"claim {label}: {words}" if label else words, step, unless)
    proof = Proof(steps, unless)
    proof.assumptions()  # refuses symbols of which more is assumed than it can say
    return proof


def check_step(name, step, unless):
    """Show one step, then check it again with numbers."""
    from sympy import Float

    left, relation, right = sides(name, step)
    if left.has(Float) or right.has(Float):
        raise TypeError(f"{name}: a float cannot be part of a proof; use Rational")
    if left == right or not (left.free_symbols or right.free_symbols):
        raise TypeError(f"{name}: {left} {relation} {right} shows nothing; give the sides before simplification")
    gap, shown = shows(left, relation, right)
    if not shown:
        raise ClaimFailed(f"{name}: {left} {relation} {right} was not shown; the difference {gap} remains")
    for values, difference in spots(left, right):
        if not difference.is_finite:
            if not unless:
                raise ClaimFailed(f"{name}: {left} {relation} {right} is undefined at {values}; say so with `unless`")
        elif not {"=": abs(difference) < TINY, ">": difference > 0, ">=": difference > -TINY}[relation]:
            raise ClaimFailed(f"{name}: {left} {relation} {right} fails at {values}")


def sides(name, step):
    """The parts (left, relation, right) of a step, with both sides as SymPy expressions."""
    from sympy import sympify

    if len(step) not in (2, 3) or (len(step) == 3 and step[1] not in ("=", ">", ">=")):
        raise TypeError(f"{name}: got {step!r}, expected (left, right), (left, '>', right) or (left, '>=', right)")
    return sympify(step[0]), step[1] if len(step) == 3 else "=", sympify(step[-1])


def shows(left, relation, right):
    """The simplified difference of the sides, and whether one of its forms shows the relation."""
    from sympy import expand, expand_func, factor, gammasimp, simplify, together

    gap = simplify((left - right).doit())
    forms = (lambda g: g, factor, expand, lambda g: factor(together(expand_func(g))), lambda g: simplify(gammasimp(expand_func(g))))
    seen = {"=": lambda form: form == 0, ">": lambda form: form.is_positive, ">=": lambda form: form.is_nonnegative}[relation]
    return gap, any(seen(form(gap)) for form in forms)


def spots(left, right):
    """Values for the symbols, first the smallest allowed and then random ones, and the difference of the sides there."""
    from sympy import Indexed, Tuple
    from sympy.core.function import AppliedUndef

    numbers, both = random.Random(1), Tuple(left, right)
    for attempt in range(SPOTS):
        values = {s: spot_value(s, numbers, attempt == 0) for s in sorted(plain_symbols(*both), key=str)}
        there = both.subs(values).doit()
        there = there.subs({f: spot_value(f, numbers, False) for f in sorted(there.atoms(AppliedUndef, Indexed), key=str)})
        yield ", ".join(f"{s} = {value}" for s, value in values.items()), (there[0] - there[1]).evalf(30, chop=True)


def numbered(*expressions):
    """The indexed terms, such as k[j], in some expressions."""
    from sympy import Indexed

    return {symbol for each in expressions for symbol in each.atoms(Indexed)}


def plain_symbols(*expressions):
    """The free symbols of some expressions, without terms such as k[j] and the symbols within these."""
    made_of = {part for term in numbered(*expressions) for part in (term, term.base.label)}
    return {symbol for each in expressions for symbol in each.free_symbols} - made_of


def spot_value(symbol, numbers, smallest):
    """A small number that the assumptions about the symbol allow; many of the fractions are below 1."""
    from sympy import Rational

    if smallest:
        return Rational(1 if symbol.is_positive else 0)
    value = Rational(numbers.randint(1, 9), 1 if symbol.is_integer else numbers.choice([1, 4, 10, 17]))
    return value if symbol.is_nonnegative else value * numbers.choice([1, -1])


def assumed(symbol):
    """The assumptions about a symbol in words; those without words here are refused, because they would go unmentioned."""
    from sympy import Symbol

    for sign, sign_words in ({"positive": True}, "positive "), ({"nonnegative": True}, "non-negative "), ({}, ""):
        for kind, kind_words in ({"integer": True}, "integer"), ({"real": True}, "real"):
            if Symbol("x", **sign, **kind).assumptions0 == symbol.assumptions0:
                return sign_words + kind_words
    raise TypeError(f"{symbol}: expected an integer or real symbol, positive, non-negative or without a sign, and no other assumption")
