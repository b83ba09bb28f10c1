"""The record of each metric, kept beside its function; the help, the tables, the pages and the tests are made from the records."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, getdoc, signature
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
AFTER_AT = ("k", "level", "multiple")  # the parameters that a name has behind its @

BY_NAME: dict[str, Record] = {}


@dataclass(frozen=True, eq=False)
class Record:
    """The record of a metric; what its docstring and its signature say is read from these.

    name: the short name, such as "P@k", which `metrics.evaluate` takes for a metric of a ranking; title: the name in words, if it has one;
    purpose, asks: its place on the sheet of all metrics, and the question that the metric answers;
    formula: in TeX, with the letters of the chapter on notation; rewards: a sentence to choose by, ↓ first where lower is better;
    place: the page of its chapter and the anchor of its definition there;
    also: its other names, with commas between them, and with k for a number of items;
    see: other functions, with commas between them; not_for: when not to use it;
    example: arguments of its call that are shown with a value; default: arguments that a name may leave out, though a call may not;
    instead: what to ask `metrics.evaluate` for in its place; measure: whether a metric of a ranking has a name there;
    choose: an argument -> what each of its words means;
    of: the part of a ranking that it sees, such as hits or grades; at_k: whether a name may cut the ranking at k, though the call has no k;
    tried: the values of a parameter at which it is compared with its definition; reads: a part of `rewards`, or the formula as text ->
    how a test reads it in Python.
    """

    function: Callable[..., Any]
    name: str
    title: str = ""
    purpose: str = ""
    asks: str = ""
    formula: str = ""
    rewards: str = ""
    place: str = ""
    also: str = ""
    see: str = ""
    not_for: str = ""
    example: Mapping[str, Any] = field(default_factory=dict)
    default: Mapping[str, Any] = field(default_factory=dict)
    instead: str = ""
    choose: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    measure: bool = True
    of: str = "hits"
    at_k: bool = False
    tried: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    reads: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """All names of the metric."""
        return list(filter(None, [self.name, self.title, *self.also.split(", ")]))

    @property
    def base(self) -> str:
        """The name without the part after its @."""
        return self.name.partition("@")[0]

    @property
    def lower(self) -> bool:
        """Whether a lower value is better."""
        return self.rewards.startswith("↓")

    @property
    def chapter(self) -> str:
        return self.place.partition("#")[0]

    @property
    def anchor(self) -> str:
        return self.place.partition("#")[2]

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        return signature(self.function).parameters

    @property
    def of_a_ranking(self) -> bool:
        return next(iter(self.parameters)) == "relevance"

    @property
    def after_at(self) -> str | None:
        """The parameter that follows the @ in the name."""
        return next((name for name in AFTER_AT if name in self.parameters), None) if "@" in self.name else None

    @property
    def whole(self) -> bool:
        """Whether the metric has a value without the part of its name after the @."""
        return self.after_at is None or self.after_at in self.default or self.parameters[self.after_at].default is not Parameter.empty

    @property
    def needs(self) -> list[str]:
        """The parameters that a name in `metrics.evaluate` must give."""
        known = {"relevance", self.after_at, *self.default}
        return [name for name, each in self.parameters.items() if each.default is Parameter.empty and name not in known]

    @property
    def path(self) -> str:
        """The part of a call after `metrics.`."""
        module = self.function.__module__.partition(".")[2]
        return f"{module}." * (module == "premise_selection") + self.function.__name__

    @property
    def call(self) -> str:
        """The call, with the arguments that it needs and those that the name or the example gives."""
        return f"{self.path}({', '.join(filter(None, map(self.argument, self.parameters.values())))})"

    def argument(self, parameter: Parameter) -> str:
        """One argument of the call; empty if it can be left out."""
        name = parameter.name
        if name in self.example:
            return f"{name}={shown(self.example[name])}"
        if parameter.default is not Parameter.empty and name != self.after_at:
            return ""
        return f"{name}={name}" if parameter.kind is Parameter.KEYWORD_ONLY else name

    @property
    def sees(self) -> str:
        """The part of a ranking that the metric sees, in words; empty if it is not a metric of a ranking."""
        if not self.of_a_ranking:
            return ""
        beyond = "also relevant items that were not ranked" if "n_relevant" in self.parameters else "not what was never ranked"
        return f"{self.of} in the {'top k' if self.after_at == 'k' else 'list'}; {beyond}"

    @property
    def elsewhere(self) -> str:
        """The alternative: what to ask `metrics.evaluate` for, or what to call; empty if `metrics.evaluate` knows the metric itself."""
        return self.instead or f"metrics.{self.path}" * (not self.of_a_ranking)

    @property
    def grades(self) -> bool:
        """Whether the metric sees grades, and not only which items are relevant."""
        return self.of == "grades"

    @cached_property
    def documented(self) -> tuple[str, str]:
        """The definition in words and the range of the values, as given in the docstring."""
        first, _, rest = (getdoc(self.function) or "").partition("\n")
        words = re.sub(r"^[\w@]+: ", "", first)  # the short name, which stands before it already
        returned = re.search(r"Returns (?:a value |\([^a-z]*?\)[:,]? )?(?:of )?(.*?)\.?\n(?:Raises|Source)", rest, re.DOTALL)
        value = re.sub(r"^.*?(?=in \[)", "", " ".join(returned[1].split()) if returned else "")
        return re.sub("^[A-Z](?=[a-z])", lambda letter: letter[0].lower(), words), value


def shown(value: Any) -> str:
    """A value as written in a call; a small number is written without a power of ten."""
    return f"{value:.5f}" if isinstance(value, float) and 0 < value < 0.001 else repr(value)


def metric(name: str, title: str = "", **known: Any) -> Callable[[F], F]:
    """Keep a record of the decorated function, and add *See also* and *When not to use* to its docstring; see `Record`."""

    def kept(function: F) -> F:
        its = BY_NAME[name] = Record(function, name, title, **known)
        unless = f"\n    When not to use: {its.not_for}." if its.not_for else ""
        if function.__doc__:
            function.__doc__ = f"{function.__doc__.rstrip()}\n\n    See also: {its.see}.{unless}\n    "
        return function

    return kept
