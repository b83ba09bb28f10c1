"""What Rosetta stores of other libraries and `make ask` says of them, what `make bench` compares with; most of them are not needed for this."""

import re
from functools import partial
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from metrics.names.sheet import RECORDS
from metrics.notebook import data
from tools import benchmark, rosetta

ROOT = Path(__file__).resolve().parent.parent
STORED = {entry["name"]: entry for entry in rosetta.STORED["libraries"]}
NUMBERS = "none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
OURS = [pytest.param(library, row, id=f"{library['name']}: {row['metric']}") for library in STORED.values() for row in library["rows"]]


@pytest.mark.parametrize("measure, option, choice, words", [
    (name, option, *each) for name, its in RECORDS.items() for option, choices in its.choose.items() for each in choices.items()
])
def test_who_is_said_to_choose_so_does(measure, option, choice, words):
    said = [library for library in rosetta.STORED["libraries"] if re.search(rf"\b{library['name']}\b", words)]
    for library in said:
        calls = [row["ours"] for row in library["rows"] if row["metric"].partition(", ")[0] == measure.replace("@k", "@3")]
        assert any(f'{option}="{choice}"' in call or (choice == "linear" and f"{option}=" not in call) for call in calls), library["name"]
    assert said


def test_what_is_stored_is_of_the_pinned_versions_names_no_place_on_a_machine_and_is_counted_in_the_readme():
    text = data("rosetta.json").read_text(encoding="utf-8")
    assert text == rosetta.as_text(rosetta.STORED) and not re.search(r"(?<![\w./-])/(home|root|tmp|usr|opt|work)\b", text)
    pins = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "tools/__main__.py"))
    assert [name for name, of in STORED.items() if of["package"] and f'"{of["package"]}=={of["version"]}"' not in pins] == []
    [words, number] = re.search(r"you get from (.*) or (\w+) other libraries", (ROOT / "README.md").read_text(encoding="utf-8")).groups()
    named = words.split(", ")
    assert set(named) < set(STORED) and NUMBERS.index(number) == len(STORED) - len(named)


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


SMALL = benchmark.matrix(300, 150, lambda rng, queries: rng.integers(1, 41, queries))
compare = partial(benchmark.compare, "someone", where="here")


def generated(path):
    """What stands between the markers of a file."""
    [text] = re.findall(f"{benchmark.BEGIN}\n(.*?)\n{benchmark.END}", path.read_text(encoding="utf-8"), re.DOTALL)
    return text


@pytest.mark.parametrize("relevance", [SMALL, SMALL[:1], SMALL[:, :8] | np.eye(8, dtype=np.uint8)[0]], ids=["batch", "one", "short"])
def test_whoever_needs_numpy_alone_agrees_from_everything(relevance):
    relevance = relevance[(relevance == 0).any(axis=1)]
    for make, everyone in benchmark.COURSES.values():
        for who, action in everyone.items():
            if who.startswith((benchmark.OURS, "dense", "a table of marks", "argsort")):
                compare(action(make(relevance)), benchmark.dense(relevance))


@pytest.mark.parametrize("changed", [lambda right: right + 1e-8 * (np.arange(300) == 7), lambda right: np.where(right == right.max(), np.nan, right),
                                     lambda right: right.mean() + 1e-8])  # fmt: skip
def test_a_disagreement_ends_the_run_before_anything_is_timed(changed, monkeypatch):
    expected = benchmark.from_matrix(SMALL)
    compare({"AP": expected["AP"]}, expected)
    compare({"AP": expected["AP"].mean()}, expected)
    monkeypatch.setattr(benchmark, "matrix", lambda *_: SMALL)
    monkeypatch.setattr(benchmark, "COURSES", {"here": (lambda relevance: relevance, {"someone": lambda _: {"AP": changed(expected["AP"])}})})
    monkeypatch.setattr(benchmark, "measure", None)
    with pytest.raises(AssertionError, match="someone: AP, here, 1 relevant"):
        benchmark.main()


def test_the_page_and_the_readme_are_of_one_run_and_the_tables_narrow():
    page, readme = generated(benchmark.PAGE), generated(benchmark.README)
    day = re.match(r"\s*(\d+ \w+ \d{4}), ", page)[1]
    short_answer = page.partition("## The short answer\n\n")[2].partition("\n\n## ")[0]
    assert short_answer and readme.strip().startswith(short_answer) and f"Measured on {day} on " in readme
    assert all(line.count("|") <= 6 for line in page.splitlines() if line.startswith("|"))
