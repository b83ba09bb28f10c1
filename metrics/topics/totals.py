"""Sums over queries that merge exactly: their numbers are the same to the last bit, whatever the partition and the order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np

from .._base.checks import number, numeric, refuse
from .._base.types import Floats, Number, Numbers, Undefined
from .means import stand_in

__all__ = ["Total", "LogTotal"]


@dataclass(frozen=True)
class Total:
    """The facts that a mean needs about its values: an exact sum, and counts.

    count: how many values are defined; undefined: how many are
    nan; sum: the exact sum of the finite values; infinite: the
    sum of the others.
    Totals are added with +, and many with sum(totals, Total()).
    Exact numbers can be added in any order, and so can totals.
    `Total.of` makes a total from values.
    Returns a Total of nothing, if nothing is given.
    Raises ValueError in its methods, for what they name.
    Source: exact sums, as of Python's math.fsum.

    >>> here, there = Total.of([0.1, 0.2]), Total.of([0.3])
    >>> print((here + there).mean(undefined="raise"))
    0.2
    >>> here + there == there + here == Total.of([0.3, 0.2, 0.1])
    True
    """

    count: int = 0
    undefined: int = 0
    sum: Fraction = Fraction(0)
    infinite: float = 0.0

    @classmethod
    def of(cls, values: Numbers) -> Self:
        """The total of some values, one per query.

        values: any shape, flattened, as float64; nan is
        undefined.
        Returns a Total.
        Raises ValueError for text.
        Source: Shewchuk (1997), exact sums of floats; Python's
        math.fsum.

        >>> Total.of([0.5, float("nan")])
        Total(count=1, undefined=1, sum=Fraction(1, 2), infinite=0.0)
        """
        flat = numeric("values", values).astype(np.float64).ravel()
        known = flat[~np.isnan(flat)]
        finite = np.isfinite(known)
        with np.errstate(invalid="ignore"):
            infinite = float(known[~finite].sum())
        return cls(
            known.size, flat.size - known.size,
            exact_sum(known[finite]), infinite,
        )

    def merge(self, other: Total) -> Total:
        """The total of both sets of values, also written +.

        other: another total of the same kind.
        Returns a total of that kind.
        Raises ValueError for anything else.
        Source: sums and counts of two lists add up.

        >>> Total.of([0.25]).merge(Total.of([0.5])).sum
        Fraction(3, 4)
        """
        self.of_my_kind(other)
        return type(self)(
            self.count + other.count,
            self.undefined + other.undefined,
            self.sum + other.sum,
            self.infinite + other.infinite,
        )

    __add__ = merge

    def __reduce__(self) -> tuple[type[Total], tuple[int, int, Fraction, float]]:
        return type(self), (self.count, self.undefined, self.sum, self.infinite)

    def __post_init__(self) -> None:
        if math.isnan(self.infinite):  # the same nan in all totals, so that they are equal
            object.__setattr__(self, "infinite", math.nan)

    def __eq__(self, other: object) -> bool:  # as tuples, in which an object equals itself, nan too; fields do not since Python 3.13
        return type(self) is type(other) and self.__reduce__() == other.__reduce__()

    def of_my_kind(self, other: Total) -> None:
        """Refuse an argument that is not a total of the same kind."""
        if type(other) is not type(self):
            refuse("other", repr(other), f"a {type(self).__name__}")

    def mean(self, *, undefined: Undefined) -> float:
        """The arithmetic mean, rounded once.

        undefined: "raise", "skip", or one number that stands
        in for each undefined value, as in metrics.mean, which
        adds floats, and can differ by what rounding loses.
        Returns a number, nan where nothing is left, and where
        both inf and -inf are.
        Raises ValueError for a bad `undefined`, and for
        undefined values with "raise".
        Source: the exact sum over the count.

        >>> total = Total.of([1.0, float("nan")])
        >>> total.mean(undefined="skip")
        1.0
        >>> total.mean(undefined=0)
        0.5
        """
        added, stand_in = self.stand_ins(undefined)
        left, infinite = self.count + added, self.infinite
        if math.isinf(stand_in):
            infinite += stand_in if added else 0.0
            stand_in = 0.0
        if infinite or not left:
            return infinite or math.nan
        whole = self.sum + added * Fraction(stand_in)
        return float(whole / left)

    def stand_ins(self, undefined: Undefined) -> tuple[int, float]:
        """The number of undefined values that a number stands in for, and that number."""
        rule = stand_in(undefined)
        if rule == "raise" and self.undefined:
            refuse("values", f"nan {self.undefined} times", 'defined values, or undefined="skip", or a number that stands in')
        return (0, 0.0) if isinstance(rule, str) else (self.undefined, float(rule))

    def per(self, other: Total) -> float:
        """The sum of this total over the sum of another, rounded once.

        This gives a micro mean (the hits of all queries over their
        relevant items) or a weighted one (the total of weight times
        value over that of the weights).
        other: a total of the same kind.
        Returns a number, nan for 0/0 and wherever a value is nan
        or infinite, inf where the quotient is beyond floats.
        Raises ValueError for a number over zero, and for anything
        other than a total of that kind.
        Source: the micro mean pools counts before it divides.

        >>> Total.of([2, 4, 1]).per(Total.of([2, 4, 8]))
        0.5
        """
        self.of_my_kind(other)
        if self.undefined or other.undefined or self.infinite or other.infinite:
            return math.nan
        if not other.sum:
            if self.sum:
                refuse("other", "a sum of 0", f"another sum, because {self.sum} over it is not a number")
            return math.nan
        quotient = self.sum / other.sum
        try:
            return float(quotient)
        except OverflowError:
            return math.inf if quotient > 0 else -math.inf


@dataclass(frozen=True)
class LogTotal(Total):
    """The total of the logarithms of values, so that its mean is the geometric mean of the values.

    count: values that are defined; undefined: values that are
    nan; sum: of the finite logarithms, exact; infinite: of the
    others, -inf after a value of 0. `LogTotal.of` makes one.
    Returns a LogTotal of nothing, if nothing is given.
    Raises ValueError in its methods, for what they name.
    Source: Robertson (2006), GMAP.

    >>> here, there = LogTotal.of([0.25]), LogTotal.of([1.0])
    >>> (here + there).mean(undefined="raise")
    0.5
    """

    @classmethod
    def of(cls, values: Numbers, floor: Number | None = None) -> Self:
        """The total of the logarithms of some values.

        values: any shape, >= 0, flattened; nan is undefined;
        floor: one number >= 0 that lifts smaller values to it.
        Returns a LogTotal; a value of 0 makes its mean 0, or nan
        beside an infinite one.
        Raises ValueError for text, negative values, a bad floor.
        Source: Robertson (2006), GMAP; each logarithm is rounded
        by itself, so no partition can change it.

        >>> LogTotal.of([0.0, 1.0]).mean(undefined="raise")
        0.0
        """
        flat = numeric("values", values).astype(np.float64).ravel()
        for negative in flat[flat < 0]:
            refuse("values", negative, "values >= 0")
        if floor is not None:
            flat = np.maximum(flat, float(number(
                "floor", floor, "that is finite and >= 0",
                lambda x: 0 <= x < math.inf,
            )))
        return super().of([logarithm(x) for x in flat.tolist()])

    def mean(self, *, undefined: Undefined) -> float:
        """The geometric mean.

        undefined: as in Total.mean; a number that stands in
        must be >= 0, and no floor lifts it.
        Returns a number >= 0, nan where nothing is left, and for
        a value of 0 beside an infinite one.
        Raises ValueError as Total.mean, and for negative numbers.
        Source: Robertson (2006), GMAP.

        >>> values = [0.25, float("nan")]
        >>> LogTotal.of(values).mean(undefined=1)
        0.5
        """
        if not isinstance(undefined, str):
            expected = 'that stands in and is >= 0, or "raise", or "skip"'
            undefined = logarithm(float(number("undefined", undefined, expected, lambda x: x >= 0)))
        return math.exp(super().mean(undefined=undefined))


def logarithm(x: float) -> float:
    """The logarithm of one number, -inf for 0; numbers are taken one at a time, because NumPy takes different steps for arrays of different lengths."""
    return math.log(x) if x else -math.inf


def exact_sum(values: Floats) -> Fraction:
    """The sum of finite floats, with no rounding at all.

    math.fsum gives the float nearest to the sum. Take it away,
    and do the same with the rest, until nothing is left.
    """
    total, rest = Fraction(0), values.tolist()
    try:
        while nearest := math.fsum(rest):
            total += Fraction(nearest)
            rest.append(-nearest)
    except OverflowError:  # a sum is beyond floats
        return sum(map(Fraction, values.tolist()), Fraction(0))
    return total
