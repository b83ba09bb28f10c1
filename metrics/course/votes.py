"""Votes: questions with options that a chapter asks before it answers them.

    ask("what-is-never-ranked")

An option is the value of a function, the right one or a belief, for the case of the vote, or else a sentence. So the
values are computed, and the explanation of a wrong one names the mistake. A chapter shows a vote as the last line of a cell.
"""

import random
from dataclasses import dataclass, field, replace

from metrics.exact.cases import handed, plain

from .beliefs import Belief, Saying, value_of

__all__ = ["RECORD", "Saying", "Vote", "shuffled"]

RECORD = "application/vnd.metrics.question+json"
PLACES = 4  # of options, and as many votes has a page


@dataclass(frozen=True)
class Vote:
    """A question with options.

    text: the question, in Markdown ($formulas$, `code`). right: the right option: a function of the case, or a sentence.
    why: the explanation of the right option. wrong: beliefs and sayings. case: the arguments that functions are handed, by name.
    shown: how a value is written. objective: its number on the chapter's card. order: the places of the right option (0) and
    of the wrong ones (1, 2, ...) in what the reader sees.
    """

    name: str
    text: str
    right: object
    why: str
    wrong: tuple
    case: dict = field(default_factory=dict)
    shown: object = plain
    objective: int = 1
    order: tuple = ()

    @property
    def options(self):
        """The options in the order in which they are shown."""
        found = [(self._value(self.right), self.why, True)]
        for each in self.wrong:
            if isinstance(each, Belief):
                found.append((self._value(each.function), f"This is what you get if {each.words}. {each.hint}", False))
            else:
                found.append((each.option, each.feedback, False))
        found = [found[at] for at in self.order or range(len(found))]
        return [
            {"option": value if isinstance(value, str) else self.shown(value), "feedback": feedback, "right": right} for value, feedback, right in found
        ]

    def _value(self, option):
        return option if isinstance(option, str) else value_of(handed(option, tuple(self.case)), tuple(self.case.values()))

    def _repr_mimebundle_(self, include=None, exclude=None):
        options = self.options
        lines = [f"- {row['option']}" for row in options]
        answers = [f"- {'✓' if row['right'] else '✗'} {row['option']}: {row['feedback']}" for row in options]
        folded = ["<details><summary>Answers</summary>", "", *answers, "", "</details>"]
        return {
            "text/plain": "\n".join([self.text, *lines]),
            "text/markdown": "\n".join([f"**What do you think?** {self.text}", "", *lines, "", *folded]),
            RECORD: {"name": self.name, "text": self.text, "options": options, "objective": self.objective},
        }


def shuffled(page, *votes):
    """The votes of a page with their options in an order that does not give the answer away: each right option has another place, by chance.

    The page is the seed, so the order is the same on every machine.
    """
    chance = random.Random(page)
    placed = []
    for vote, place in zip(votes, chance.sample(range(PLACES), PLACES), strict=True):
        order = chance.sample(range(1, len(vote.wrong) + 1), len(vote.wrong))
        order.insert(place % (len(vote.wrong) + 1), 0)
        placed.append(replace(vote, order=tuple(order)))
    return tuple(placed)
