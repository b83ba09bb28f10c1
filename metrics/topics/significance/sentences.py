"""The wording of a comparison, with as many decimals as its interval supports."""

from math import floor, log10
from typing import Any

from ..._base.checks import refuse

WIDTH = 72  # of a printed table


def with_decimals_for(width: float) -> Any:
    """A function that prints numbers with as many decimals as this width needs for two digits; a number just below 0 is printed as -0.000."""
    decimals = min(max(0, 1 - floor(log10(width))), 9) if width else 3
    return lambda value: f"{round(value + 0.0, decimals):,.{decimals}f}"


def chance(p: float) -> str:
    """The p-value with three decimals."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def one_of(several: Any) -> str:
    """The singular of a plural noun such as goals, topics, queries or users."""
    if not (isinstance(several, str) and several.endswith("s") and several[:-1].strip()):
        refuse("of", repr(several), "a plural noun for what the values are of, such as 'topics'")
    return several[:-3] + "y" if several.endswith("ies") else several[:-1]


def over_goals(found: Any) -> str:
    """The phrase that says what the means are over."""
    in_groups = "" if found.groups is None else f" in {found.groups:,} groups"
    left_out = f" ({found.skipped:,} more {'is' if found.skipped == 1 else 'are'} undefined and left out)" if found.skipped else ""
    return f"Over {found.n:,} {found.of}{in_groups}{left_out}"
