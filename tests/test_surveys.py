"""What Rosetta stores of other libraries, and what `make ask` says of them; most of them are not needed for this."""

import re
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from metrics.notebook import data
from tools import rosetta

ROOT = Path(__file__).resolve().parent.parent
STORED = {entry["name"]: entry for entry in rosetta.STORED["libraries"]}
OURS = [pytest.param(library, row, id=f"{library['name']}: {row['metric']}") for library in STORED.values() for row in library["rows"]]


def test_what_is_stored_is_of_the_pinned_versions_and_names_no_place_on_a_machine():
    text = data("rosetta.json").read_text(encoding="utf-8")
    assert text == rosetta.as_text(rosetta.STORED) and not re.search(r"(?<![\w./-])/(home|root|tmp|usr|opt|work)\b", text)
    pins = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "tools/__main__.py"))
    assert [name for name, of in STORED.items() if of["package"] and f'"{of["package"]}=={of["version"]}"' not in pins] == []


@pytest.mark.parametrize("library, row", OURS)
def test_the_call_of_ours_gives_their_number_unless_the_row_says_why_not(library, row):
    assert row["but"].keys() <= {example.name for example in rosetta.EXAMPLES}
    for example, theirs in zip(rosetta.EXAMPLES, row["values"], strict=True):
        if example.repeats and isinstance(theirs, float):
            with pytest.raises(ValueError, match="a second time"):
                rosetta.ours(library, row, example)
        elif isinstance(theirs, float) or theirs == "undefined":
            mine = rosetta.ours(library, row, example)
            assert rosetta.same(library, row, theirs, mine) == (example.name not in row["but"]), f"{example}: theirs is {theirs}, ours {mine}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["trec_eval", "scikit-learn"])
def test_what_is_installed_here_answers_as_stored(name):
    assert rosetta.ask(STORED[name]) == STORED[name]


@pytest.mark.filterwarnings("ignore")
def test_what_differs_is_said_and_what_is_missing_stays(monkeypatch, capsys):
    def ask(entry):
        if entry["name"] != "ranx":
            raise PackageNotFoundError
        return entry | {"version": version}

    monkeypatch.setattr(rosetta, "ask", ask)
    for version, differs in ((STORED["ranx"]["version"], False), ("9.9", True)):
        assert rosetta.main(["--check"]) == differs
        out = capsys.readouterr().out
        assert "Spark: not installed here\n" in out and ('+      "version": "9.9"' in out) == differs
