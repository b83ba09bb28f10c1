"""The measures of trec_eval under its own names and with its own numbers, as `trec_eval -q -m all_trec` prints them.

A name from trec_eval (map, P_10) gives trec_eval's number; a name from the book (AP, P@10) gives the book's.
The two are the same except for these conventions, which trec_eval has and the book does not:

- 0/0 counts as 0: for every measure of a topic without a relevant item, and for set_P of an empty answer.
- A level of recall is rounded to a whole number of hits in trec_eval's own way: version 9 takes
  level R + 0.9 and cuts off the decimals, version 10 rounds level R to the nearest whole number; the
  book takes the least number that reaches the level. This concerns iprec_at_recall and 11pt_avg;
  Rprec_mult rounds as version 9 does in both. What version 9 does depends on the machine: for 0.3
  of 77 hits its reference outputs have hit 23 in one edition and hit 24 in another. Here it is 23, as
  in plain double precision.
- gm_map and gm_bpref are logarithms until they are averaged; values below 0.00001 are raised to it.
- The parameter of set_F is the square of beta, and so is the beta of SetF in ir_measures, which
  hands it on; `utility` takes the collection to be empty, unless the worth of items neither
  retrieved nor relevant is 0.
- Gains (ndcg, dcg, G, Rndcg) are those of all grades above 0, at any relevance level; but Rndcg is 0
  if no item reaches the level.
- num_rel of all topics keeps to the relevance level; trec_eval, with -c, counts every grade above 0.

Version 9 is the version compiled in pytrec_eval and ir_measures (9.0.8), with which the tests
compare. Version 10 rounds as said above, orders documents by scores in double precision, and
has more measures: dcg and ideal_dcg, and, in all_trec, unj, rbp_resid and rbp, written here after its
source. Its rbp divides the grades by the topic's greatest grade, if the memory for its two bounds
happens to start at 0, because it does not set them.

Missing here are runid and relstring, which are text, and gains as parameters (ndcg.1=3); change the
grades instead. If all judgements of the first topic are negative, version 9.0.8 crashes; here, as in
its later topics, the measures that count relevant items or gains are then 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from .._base.arrays import ratio
from .._base.checks import number, refuse, whole
from .._base.types import Array, Floats, Number
from ..curve import at_hit, envelope
from ..cutoff import judged_at
from ..gain import dcg
from ..hits import Hits
from .sheet import RECORDS

LEAST = 1e-5  # below it no topic falls in a geometric mean
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
PERSISTENCE = 0.9
RECALLS = tuple(tenth / 10 for tenth in range(11))
MULTIPLES = tuple(fifth / 5 for fifth in range(1, 11))


def names_of(measures: str | Iterable[str], *, version: int = 9) -> list[str]:
    """The distinct names of the numbers that trec_eval gives for these measures.

    measures: names with blanks between them, or a list of names, such as official, set or all_trec; P,
    which stands for all its cutoffs; P.5,10 or P_5; version: 9 or 10, which have different sets all_trec.
    Raises ValueError for a name that trec_eval does not have.

    >>> names_of("map P.5,10 success")
    ['map', 'P_5', 'P_10', 'success_1', 'success_5', 'success_10']
    """
    asked, version = measures.split() if isinstance(measures, str) else list(measures), known_version(version)
    names = [name for one in asked for name in expanded(one, version)]
    return list(dict.fromkeys(names))


def known_version(version: Any) -> int:
    """The version of trec_eval, which must be 9 or 10."""
    if (known := whole("version", version, at_least=9)) > 10:
        refuse("version", known, "9 or 10")
    return known


def is_name(name: Any) -> bool:
    """Whether trec_eval has a measure, or a set of measures, with this name.

    >>> is_name("P_10"), is_name("P"), is_name("official"), is_name("P@10")
    (True, True, True, False)
    """
    try:
        return bool(expanded(name))
    except ValueError:
        return False


def value(name: str, hits: Hits, relevance_level: Number = 1, *, version: int = 9) -> Floats:
    """(Q,) the number that trec_eval prints for each topic, or, for gm_map and gm_bpref, the logarithm of the value.

    name: one of `names_of`; hits: made from mappings id -> grade; relevance_level: its -l;
    version: of trec_eval, 9 or 10.
    Raises ValueError for another name, level or version.

    >>> value("map", Hits.from_ids(rankings=[["x", "a"], ["x"]], relevant=[{"a": 1}, {"x": 0}]))
    array([0.5, 0. ])
    """
    measure, numbers = measure_named(name)
    level = number("relevance_level", relevance_level, "> 0", lambda x: 0 < x < np.inf)
    topics = topics_of(hits, level, known_version(version))
    each = measure.of(topics, *numbers) if measure.of else topics.book(measure.record, *numbers)
    return np.nan_to_num(np.reshape(each, -1), nan=0.0)


def values(
    names: Iterable[str], hits: Hits, relevance_level: Number = 1, *, version: int = 9
) -> dict[str, Floats]:
    """The mapping of each name to what `value` returns for it, of shape (Q,)."""
    return {name: value(name, hits, relevance_level, version=version) for name in names}


def summary(name: str, values: Array) -> float:
    """The number that trec_eval prints for all topics: the sum of counts, the geometric mean of logarithms, or the mean.

    >>> summary("num_ret", np.array([5, 10])), summary("map", np.array([0.5, 1])), round(summary("gm_map", np.log([0.25, 1])), 4)
    (15.0, 0.75, 0.5)
    """
    if not len(values):
        return 0.0
    total = float(np.add.accumulate(np.asarray(values, dtype=np.float64))[-1])  # in the order of the topics
    if name.startswith("num_"):
        return total
    mean = total / len(values)
    return float(np.exp(mean)) if name.startswith("gm_") else mean


def printed(name: str, number: float) -> str:
    """The number as trec_eval prints it.

    >>> printed("num_rel", 12.0), printed("map", 0.5)
    ('12', '0.5000')
    """
    return f"{number:.0f}" if name.startswith("num_") else f"{number:6.4f}"


def only_in_summary(name: str) -> bool:
    """Whether trec_eval prints this measure only for all topics together."""
    return name in {"num_q", "gm_map", "gm_bpref"}


class Topics:
    """The input that measures share: the hits with all grades, the hits at the relevance level, and the version."""

    def __init__(self, graded: Hits, hits: Hits, version: int) -> None:
        self.graded, self.hits, self.version = graded, hits, version
        self.made: dict[Any, Any] = {}

    def book(self, record: str, *numbers: float) -> Any:
        """The values of a metric of the book, computed only once; metrics of gains use all grades."""
        its = RECORDS[record]
        if (record, *numbers) not in self.made:
            self.made[record, *numbers] = its.function(self.graded if its.grades else self.hits, *numbers, **its.example)
        return self.made[record, *numbers]

    @cached_property
    def envelope(self) -> Floats:
        return envelope(self.hits)

    def precision_at_recall(self, level: float) -> Floats:
        """The best precision at or after the hit to which the level of recall leads."""
        up = 0.9 if self.version == 9 else 0.5
        wanted = np.floor(level * self.hits.n_relevant + up)
        return at_hit(self.hits, self.envelope, np.maximum(wanted, 1))

    def mean_precision_at_recall(self, *levels: float) -> Floats:
        """The mean of the precision over levels of recall, by default over eleven levels."""
        values = [self.precision_at_recall(level) for level in levels or RECALLS]
        return sum(values[1:], values[0]) / len(values)  # in this order, however many topics there are

    def precision_at_multiple(self, multiple: float) -> Floats:
        """The precision at a multiple of R, rounded up to a whole rank from a tenth on."""
        k = np.floor(multiple * self.hits.n_relevant + 0.9)
        return ratio(self.hits.within(k), k)

    def f_score(self, weight: float = 1.0) -> Floats:
        """The F-score with this weight of recall."""
        both = (1 + weight) * self.hits.count
        return ratio(both, self.hits.length + weight * self.hits.n_relevant)

    def utility(self, tp: float = 1.0, fp: float = -1.0, fn: float = 0.0, tn: float = 0.0) -> Floats:
        """The worth of the answer, summed over the four kinds of outcome; an empty answer is worth 0."""
        found, length, total = self.hits.count, self.hits.length, self.hits.n_relevant
        worth = tp * found + fp * (length - found) + fn * (total - found) + tn * (found - length - total)
        return worth * (length > 0)

    def judged_irrelevant(self) -> Array:
        """The number of retrieved items that were judged irrelevant."""
        others = self.hits.irrelevant
        return self.hits.length - self.hits.count if others is None else others.count

    def unjudged_at(self, k: int) -> Floats:
        """The number of items in the top k that were not judged, divided by k."""
        within = min(k, max(self.hits.longest, 1))
        return np.minimum(self.hits.length, within) * (1 - judged_at(self.hits, within)) / k

    def rbp(self) -> Floats:
        """The RBP with persistence 0.9, where a grade counts as its share of the topic's greatest grade."""
        hits, best = self.graded, self.graded.ideal
        greatest = at_hit(best, np.maximum(best.grade, 1), np.ones(hits.queries))
        gained = hits.total((1 - PERSISTENCE) * hits.grade * PERSISTENCE ** (hits.rank - 1))
        return ratio(gained, greatest)

    def rbp_residual(self) -> Floats:
        """The most that unjudged items could add to RBP; 0 if every retrieved item was judged."""
        ranks = [self.hits] + ([self.hits.irrelevant] if self.hits.irrelevant else [])
        known: Any = sum(of.total((1 - PERSISTENCE) * PERSISTENCE ** (of.rank - 1)) for of in ranks)
        return (1 - known) * (sum(of.count for of in ranks) < self.hits.length)

@lru_cache(maxsize=1)
def topics_of(hits: Hits, relevance_level: Number, version: int) -> Topics:
    """The shared input, kept for measures that are asked for one after another."""
    return Topics(hits, hits.at_level(relevance_level), version)


class Measure(NamedTuple):
    """The record of a trec_eval measure."""

    record: str  # the metric of the book whose numbers these are
    note: str = ""  # how they differ, or what a measure without a record is
    each: tuple[float, ...] = ()  # the cutoffs or levels at which it is printed, one number each
    together: tuple[int, ...] = (0,)  # how many parameters a single number may take
    of: Callable[..., Any] | None = None  # what computes it, where the metric alone does not


GEOMETRIC = "the geometric mean over topics, no value counting as less than 0.00001"
ROUNDED = "a level of recall is rounded to a number of hits in trec_eval's own way"
MEASURES = {  # in the order in which trec_eval prints them
    "num_q": Measure("", "the number of topics.", of=lambda topics: np.ones(topics.hits.queries)),
    "num_ret": Measure("NumRet"),
    "num_rel": Measure("NumRel"),
    "num_rel_ret": Measure("NumRelRet"),
    "map": Measure("AP"),
    "gm_map": Measure("AP", GEOMETRIC, of=lambda topics: lifted(topics.book("AP"))),
    "Rprec": Measure("Rprec"),
    "bpref": Measure("Bpref"),
    "recip_rank": Measure("RR"),
    "iprec_at_recall": Measure("IPrec@r", ROUNDED, RECALLS, of=Topics.precision_at_recall),
    "P": Measure("P@k", each=CUTOFFS),
    "recall": Measure("R@k", each=CUTOFFS),
    "infAP": Measure("infAP"),
    "gm_bpref": Measure("Bpref", GEOMETRIC, of=lambda topics: lifted(topics.book("Bpref"))),
    "Rprec_mult": Measure(
        "Rprec@m", "a multiple of R is rounded to a number of ranks in trec_eval's own way", MULTIPLES, of=Topics.precision_at_multiple
    ),
    "utility": Measure("utility", together=(0, 4), of=Topics.utility),
    "11pt_avg": Measure("ElevenPointAP", ROUNDED, together=tuple(range(100)), of=Topics.mean_precision_at_recall),
    "binG": Measure("BinaryG"),
    "G": Measure("G"),
    "dcg": Measure("DCG@k"),
    "ideal_dcg": Measure("", "the DCG of the best ranking.", of=lambda topics: dcg(topics.graded.ideal)),
    "ndcg": Measure("nDCG@k"),
    "ndcg_rel": Measure("nDCGAtHits"),
    "Rndcg": Measure("nDCGAtLevels", of=lambda topics: np.where(topics.hits.n_relevant > 0, topics.book("nDCGAtLevels"), 0)),
    "ndcg_cut": Measure("nDCG@k", each=CUTOFFS),
    "map_cut": Measure("AP@k", "d is R", CUTOFFS),
    "relative_P": Measure("NormalizedRecall@k", each=CUTOFFS),
    "success": Measure("Success@k", each=(1, 5, 10)),
    "set_P": Measure("SetP"),
    "set_relative_P": Measure("SetRelP"),
    "set_recall": Measure("SetR"),
    "set_map": Measure("SetAP"),
    "set_F": Measure("SetF", "the parameter is the square of beta", together=(0, 1), of=Topics.f_score),
    "num_nonrel_judged_ret": Measure("", "the number of ranked items that were judged irrelevant.", of=Topics.judged_irrelevant),
    "rbp": Measure("RBP", "p = 0.9; a grade counts as its share of the topic's greatest", of=Topics.rbp),
    "rbp_resid": Measure("", "what RBP may gain at most from items that were not judged; 0 if all that were ranked are.", of=Topics.rbp_residual),
    "unj": Measure("", "the share of the top k that was not judged.", (5, 10, 20), of=Topics.unjudged_at),
}
IN_ALL_OF_VERSION_10 = "rbp rbp_resid unj"
OF_VERSION_10 = {"dcg", "ideal_dcg", *IN_ALL_OF_VERSION_10.split()}
TOGETHER = {
    "official": "num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P",
    "set": "num_q num_ret num_rel num_rel_ret utility set_P set_relative_P set_recall set_map set_F",
    "all_trec": " ".join(name for name in MEASURES if name not in OF_VERSION_10),  # of version 9
}
NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"
WRITTEN = re.compile(rf"(?P<name>\w+?)(?:[._](?P<given>{NUMBER}(?:,{NUMBER})*))?")


def lifted(each: Any) -> Any:
    """The logarithms of the values, after values below `LEAST` have been raised to it."""
    return np.log(np.fmax(each, LEAST))


def expanded(asked: Any, version: int = 9) -> list[str]:
    """The names of the numbers of one measure, or of a set of measures."""
    if isinstance(asked, str) and asked in TOGETHER:
        more = IN_ALL_OF_VERSION_10 if (asked, version) == ("all_trec", 10) else ""
        return [name for one in f"{TOGETHER[asked]} {more}".split() for name in expanded(one)]
    name, given = parsed(asked)
    numbers = sorted(numbers_in(name, given)) or MEASURES[name].each
    written = [f"{number:.2f}" if isinstance(number, float) and number == round(number, 2) else number for number in numbers]
    names = [f"{name}_{number}" for number in written] if MEASURES[name].each else [name + f"_{given}" * bool(given)]
    for one in names:
        measure_named(one)
    return names


def measure_named(name: Any) -> tuple[Measure, Sequence[float]]:
    """The measure to which the name of one number belongs, and the parameters in this name."""
    base, given = parsed(name)
    measure, numbers = MEASURES[base], numbers_in(base, given)
    if len(numbers) not in ((1,) if measure.each else measure.together):
        refuse("measures", repr(name), " or ".join(expanded(base)[:2]))
    return measure, [whole("measures", number, at_least=1) if isinstance(number, int) else number for number in numbers]


def parsed(asked: Any) -> tuple[str, str]:
    """The name of the measure, and its parameters as written."""
    parts = WRITTEN.fullmatch(asked) if isinstance(asked, str) else None
    if not parts or parts["name"] not in MEASURES:
        nearest = get_close_matches(str(asked), [*MEASURES, *TOGETHER]) or ["map", "P_10"]
        refuse("measures", repr(asked), f"a measure of trec_eval, such as {' or '.join(nearest)}")
    return parts["name"], parts["given"] or ""


def numbers_in(name: str, given: str) -> list[float]:
    """The numbers between the commas; for a cutoff, trec_eval takes only the part before the decimal point."""
    of_cutoffs = isinstance(next(iter(MEASURES[name].each), None), int)
    return [int(number.partition(".")[0] or 0) if of_cutoffs else float(number) for number in given.split(",") if number]
