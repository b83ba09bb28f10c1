"""Oddities in a file that can be read all the same: how often each kind occurs, and where it first occurs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .documents import decoded, unpacked
from .lines import Lines

SENTENCES = {
    "comment": "{count} {lines} with # first {look} like data, {first}: read as {comments}; below a header, # is a letter like others",
    "opposed": "in {count} {topics}, {first}, the lower ranks have the higher scores: ordered by score, the highest first; change the sign of distances",
    "rising": "the scores rise from line to line in each topic: ordered by score, the highest first; change the sign of distances",
    "strangers": "for {count} {topics}, {first}, no ranked document is judged",
    "tied": "for {count} {topics}, {first}, a relevant document in the first ranks shares its score with many others: their names decide; "
            "--ties file takes the order of the lines, --ties raise refuses",
    "ranks": "the third column counts 1, 2, 3 ... in each topic, so it is read as ranks; a header would say what it is",
}
PLURALS = {"lines": "line", "topics": "topic", "comments": "a comment", "look": "looks"}


@dataclass
class Noticed:
    """The oddities that were noticed while a file was read."""

    counts: dict[str, dict[Any, str]] = field(default_factory=dict)  # what -> where -> the place, in words
    first: dict[bytes, tuple[float, float]] = field(default_factory=dict)  # topic -> rank and score in its first line
    last: bytes = b""  # the last piece of lines of six columns; its tag names the run

    def note(self, what: str, where: Any, first: str = "") -> None:
        """Record the place of an oddity; a place counts only once, however often it is read."""
        self.counts.setdefault(what, {}).setdefault(where, first)

    def ranks(self, lines: Lines) -> None:
        """Notice the topics whose last line so far has a lower rank and a lower score than the first line, or a higher rank and a higher score."""
        if lines.rank is None:
            return
        after = np.cumsum(lines.length)
        first, last = (zip(rank.tolist(), value.tolist()) for rank, value in zip(lines.rank, lines.value[[after - lines.length, after - 1]]))
        for topic, start, (rank, value) in zip(lines.topics, first, last):
            its_rank, its_value = self.first.setdefault(topic, start)
            if (rank - its_rank) * (value - its_value) > 0:
                self.note("opposed", topic, f"the first of them {decoded(topic)!r}")

    def judged(self, lines: Lines, found: Any, example: Callable[[bytes], bytes]) -> None:
        """Notice the topics without a judged document in the run, and those in which the names of documents decide the order at the first ranks."""
        for places in (self.counts.get("strangers", {}), self.counts.get("tied", {})):  # of a topic that comes again, the whole counts
            for topic in places.keys() & set(lines.topics):
                del places[topic]
        for stretch in found.strange.tolist():
            topic, start = lines.topics[stretch], int(lines.length[:stretch].sum())
            self.strangers(topic, *unpacked(lines.documents[start : start + 1]), example(topic))
        for stretch in found.tied.tolist():
            self.note("tied", lines.topics[stretch], f"the first of them {decoded(lines.topics[stretch])!r}")

    def strangers(self, topic: bytes, *ranked_and_judged: bytes) -> None:
        """Notice a topic without a judged document in the run, with one document from the run and one from the judgements."""
        its, ranked, judged = map(decoded, (topic, *ranked_and_judged))
        self.note("strangers", topic, f"the first of them {its!r}, where the run has {ranked!r} and the judgements {judged!r}")

    def remarks(self) -> Iterator[str]:
        """A sentence for each kind of oddity that was noticed."""
        for what, places in ((what, self.counts[what]) for what in SENTENCES if self.counts.get(what)):
            count = len(places)
            words = {many: one if count == 1 else many for many, one in PLURALS.items()}
            yield SENTENCES[what].format(count=f"{count:,}", first=places[min(places)], **words)
