"""The types used in the signatures of the package."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, SupportsIndex, TypeAlias, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

Whole: TypeAlias = SupportsIndex  # one whole number
Number: TypeAlias = float | Fraction  # one real number
Numbers: TypeAlias = ArrayLike  # one number, or an array or nested lists of them
Values: TypeAlias = Any  # a float64, or an array of them: the shape of what comes in decides

OneList: TypeAlias = Sequence[float]  # one list of numbers
Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Shape: TypeAlias = tuple[int, ...]

Undefined: TypeAlias = Number | Literal["raise", "skip"]  # what 0/0 counts as
Denominator: TypeAlias = Literal["retrieved", "relevant", "ideal", "cutoff"]
Gain: TypeAlias = Literal["linear", "exponential"]
TauVariant: TypeAlias = Literal["a", "b"]
OverlapKind: TypeAlias = Literal["extrapolated", "minimum", "residual"]
Test: TypeAlias = Literal["randomisation", "t", "wilcoxon", "sign"]
Correction: TypeAlias = Literal["holm", "max"]

Ids: TypeAlias = Iterable[Hashable]  # ids that can be hashed
TiedIds: TypeAlias = Iterable[Any]  # ids in rank order, tied ones in a set
Lists: TypeAlias = Iterable[Ids] | Mapping[Hashable, Ids]  # one list of ids for each query or instance, in order or by key
Grades: TypeAlias = Mapping[Hashable, float]  # id -> grade
Entry = TypeVar("Entry")
ByQuery: TypeAlias = Iterable[Entry] | Mapping[Hashable, Entry]  # one for each query, in order or by key
Deciles: TypeAlias = Mapping[Any, int] | ArrayLike  # label -> 1 ... 10


Options = ParamSpec("Options")
Given_contra = TypeVar("Given_contra", contravariant=True)


class PerRanking(Protocol[Given_contra, Options]):
    """A metric as type checkers see it: a list gives a number, a list of lists gives an array; an array or `Hits` may give either."""

    @overload
    def __call__(self, relevance: OneList, *args: Options.args, **kwargs: Options.kwargs) -> np.float64: ...
    @overload
    def __call__(self, relevance: Sequence[Sequence[Any]], *args: Options.args, **kwargs: Options.kwargs) -> Floats: ...
    @overload
    def __call__(self, relevance: Given_contra, *args: Options.args, **kwargs: Options.kwargs) -> Values: ...


def per_ranking(metric: Callable[Concatenate[Given_contra, Options], Values]) -> PerRanking[Given_contra, Options]:
    """The function itself, typed so that one ranking gives a float and a batch gives an array."""
    return cast("PerRanking[Given_contra, Options]", metric)
