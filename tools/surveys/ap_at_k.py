"""What other libraries answered for AP@k, in book/data/ap_at_k.json, and which denominators fit it."""

import math

from metrics import average_precision_at

DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")


def fits(value, expected):
    """Whether a value is the expected one. What a library says where we have 0/0 is its own choice, and fits."""
    return math.isnan(expected) or (isinstance(value, float) and abs(value - expected) <= 1e-6)


def ours(example, denominator):
    """The value of this package, for an example as it is stored; nan where it is 0/0."""
    return float(average_precision_at(example["relevance"], example["k"], denominator=denominator, n_relevant=example["n_relevant"]))


def derived(entry, examples):
    """The denominators that fit the values of a library for all examples, or ["none"]."""
    both = list(zip(entry["values"], examples, strict=True))
    return {"diagnosis": [name for name in DENOMINATORS if all(fits(value, ours(example, name)) for value, example in both)] or ["none"]}
