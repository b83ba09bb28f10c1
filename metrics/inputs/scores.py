"""Precision and recall at every score threshold of one ranking."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._base.arrays import ratio
from .._base.checks import recall_weight, refuse
from .._base.types import Array, Floats, Number, Numbers
from ..hits import scored

__all__ = ["precision_recall_curve"]


class PrecisionRecallCurve(NamedTuple):
    """Precision and recall at every threshold, the lowest threshold first.

    precision, recall: (t + 1,), of the items that score at least the threshold; the last point,
    precision 1 at recall 0, has none.
    thresholds: (t,) the distinct scores, ascending.
    """

    precision: Floats
    recall: Floats
    thresholds: Array

    def best_f(self, beta: Number = 1) -> tuple[Any, float]:
        """The threshold with the highest F, and this F.

        If several have it, the highest threshold, which retrieves the fewest items.
        beta: one finite number >= 0.
        Returns (threshold, F in [0, 1]).
        Raises ValueError for a bad beta, and if there is no threshold.

        >>> curve = precision_recall_curve(scores=[3, 2, 2, 1], labels=[1, 1, 0, 0])
        >>> threshold, f = curve.best_f()
        >>> print(threshold, round(f, 3))
        2 0.8
        """
        weight = recall_weight(beta)
        if not self.thresholds.size:
            refuse("thresholds", "none", "at least one score")
        precision, recall = self.precision[:-1], self.recall[:-1]
        f = ratio((1 + weight) * precision * recall, weight * precision + recall)
        f = np.nan_to_num(f)  # nothing relevant was retrieved
        best = np.flatnonzero(f >= f.max() * (1 - 1e-14))[-1]
        return self.thresholds[best], float(f[best])


def precision_recall_curve(
    *, scores: Numbers, labels: Numbers
) -> PrecisionRecallCurve:
    """Precision and recall at every score threshold.

    Items of equal score are retrieved together, so each distinct
    score is one threshold. As in scikit-learn, the lowest comes
    first, and a last point has precision 1 at recall 0.
    scores: (n,) numbers, not nan;
    labels: 0/1 or bool of the same shape.
    Returns precision (t + 1,), recall (t + 1,) and thresholds
    (t,), a named tuple whose `best_f(beta=1)` is the threshold
    with the highest F, and this F. Recall is nan where nothing
    is relevant, but at the last point.
    Raises ValueError for nan scores, other labels, different
    shapes, or more than one ranking.
    Source: Raghavan, Bollmann and Jung (1989); the order of
    scikit-learn.

    >>> curve = precision_recall_curve(
    ...     scores=[3, 2, 2, 1], labels=[1, 1, 0, 0])
    >>> curve.thresholds.tolist(), curve.recall.tolist()
    ([1, 2, 3], [1.0, 1.0, 0.5, 0.0])
    """
    given, score = scored(scores, labels, binary=True)
    if given.shape:
        refuse("scores", f"shape {score.shape}", "one list of scores")
    ascending = np.sort(score)
    relevant = np.sort(score[given.rank - 1])
    is_new = np.ones(ascending.size, dtype=bool)
    is_new[1:] = ascending[1:] != ascending[:-1]
    below = np.flatnonzero(is_new)
    thresholds = ascending[below]
    missed = np.searchsorted(relevant, thresholds)
    found = relevant.size - missed
    precision = found / (ascending.size - below)
    recall = ratio(found, relevant.size)
    return PrecisionRecallCurve(
        np.append(precision, 1.0), np.append(recall, 0.0), thresholds
    )
