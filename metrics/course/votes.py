"""Votes: questions with options that a chapter asks before it answers them.

    ask("what-is-never-ranked")

An option is the value of a function, the right one or a belief, for the case of the vote, or else a sentence. So the
values are computed, and the explanation of a wrong one names the mistake. A chapter shows a vote as the last line of a cell.
"""

from dataclasses import dataclass, field

from metrics.exact.cases import handed, plain

from .beliefs import Belief, value_of

RECORD = "application/vnd.metrics.question+json"


@dataclass(frozen=True)
class Saying:
    """A wrong option that is not the value of a function: the option, and what is wrong with it, in sentences."""

    option: str
    feedback: str


@dataclass(frozen=True)
class Vote:
    """A question with options.

    text: the question, in Markdown ($formulas$, `code`). right: the right option: a function of the case, or a sentence.
    why: the explanation of the right option. wrong: beliefs and sayings. case: the arguments that functions are handed, by name.
    shown: how a value is written. objective: its number on the chapter's card.
    """

    name: str
    text: str
    right: object
    why: str
    wrong: tuple
    case: dict = field(default_factory=dict)
    shown: object = plain
    objective: int = 1

    @property
    def options(self):
        """The options in order: numbers by size, then sentences alphabetically, so that the place of an option does not give the answer away."""
        found = [(self._value(self.right), self.why, True)]
        for each in self.wrong:
            if isinstance(each, Belief):
                found.append((self._value(each.function), f"This is what you get if {each.words}. {each.hint}", False))
            else:
                found.append((each.option, each.feedback, False))
        found.sort(key=lambda option: (isinstance(option[0], str), option[0]))
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
