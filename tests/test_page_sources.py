"""What only checks is found by one rule, and it is little."""

import pytest

from book._sphinx import sources
from metrics.exact.claims import STRENGTHS
from tools import absolutes

CLAIM = {"output_type": "display_data", "metadata": {}, "data": {sources.RECORD: {"label": "A1"}, "text/plain": "A1"}}
SHOWN = {"output_type": "execute_result", "metadata": {}, "data": {"text/plain": "1"}}
GLUED = {"output_type": "display_data", "metadata": {}, "data": {"application/papermill.record/text/plain": "1"}}


def notebook(*parts):
    """A notebook: text for prose, (source, outputs) for code."""
    cells = [{"cell_type": "markdown", "source": [part]} if isinstance(part, str)
             else {"cell_type": "code", "source": part[0].splitlines(keepends=True), "outputs": part[1]} for part in parts]  # fmt: skip
    return sources.Notebook("x.ipynb", {"cells": cells})


@pytest.mark.parametrize("parts, expected", [
    ([("a", [SHOWN]), ("b", [GLUED]), ("claim()", [CLAIM])], [[1, 2]]),
    ([("a", []), "Words.", ("claim()", [CLAIM])], [[2]]),
    ([("a", []), ("import math\na = 1", []), ("claim()", [CLAIM])], [[2]]),
    ([("claim()", [CLAIM]), ("a", []), ("claim()", [CLAIM]), ("b", [])], [[0], [1, 2]]),
])  # fmt: skip
def test_a_check_is_a_run_of_silent_cells_that_ends_in_a_claim(parts, expected):
    assert [[cell.number - 1 for cell in run] for run in notebook(*parts).checks] == expected


@pytest.mark.check
def test_of_the_code_of_the_chapters_at_most_35_per_cent_only_checks():
    """It is 34.8 per cent, a good third: rounded up, so that a chapter may still change, and no further, so that checks do not outgrow it."""
    notebooks = [sources.read(sources.ROOT / f"{name}.ipynb") for name in sources.chapters()]
    checking = sum(sum(map(bool, cell.source.splitlines())) for each in notebooks for run in each.checks for cell in run)
    assert 0.2 < checking / sum(sum(map(bool, cell.source.splitlines())) for each in notebooks for cell in each.code) <= 0.35


@pytest.mark.check
def test_every_sentence_that_allows_no_exception_has_been_looked_at():
    verdicts = absolutes.up_to_date()
    new = [one for its in verdicts.values() for one, verdict in its.items() if verdict not in absolutes.VERDICTS]
    assert new == [], f"try to refute these, then say what you found: python -m tools.absolutes writes them into {absolutes.KEPT.name}"
    assert absolutes.kept() == verdicts, "some of the list are gone: python -m tools.absolutes"


@pytest.mark.parametrize("page", ["how-to-use.ipynb", "glossary.md"])
def test_strength_has_one_rule_on_all_pages(page):
    text = sources.prose(sources.ROOT / "book" / page)
    assert [strength for strength, rule in STRENGTHS.items() if strength != "cited" and rule not in text] == []
