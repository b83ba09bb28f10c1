"""The words in which the signatures of the package speak."""

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Whole: TypeAlias = SupportsIndex  # one whole number
Number: TypeAlias = float | Fraction  # one real number
Numbers: TypeAlias = ArrayLike  # one number, or an array or nested lists of them
Values: TypeAlias = np.float64 | NDArray[np.float64]  # a float64, or an array of them

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Shape: TypeAlias = tuple[int, ...]

Undefined: TypeAlias = Number | Literal["raise", "skip"]  # what 0/0 counts
Denominator: TypeAlias = Literal["retrieved", "relevant", "ideal", "cutoff"]
Gain: TypeAlias = Literal["linear", "exponential"]
TauVariant: TypeAlias = Literal["a", "b"]
OverlapKind: TypeAlias = Literal["extrapolated", "minimum", "residual"]
Test: TypeAlias = Literal["randomisation", "t", "wilcoxon", "sign"]
Correction: TypeAlias = Literal["holm", "max"]

Ids: TypeAlias = Iterable[Hashable]  # ids that can be hashed
Lists: TypeAlias = Iterable[Ids]  # one list of ids for each query or instance
Grades: TypeAlias = Mapping[Hashable, float]  # id -> grade
Deciles: TypeAlias = Mapping[Any, int] | ArrayLike  # label -> 1 ... 10
