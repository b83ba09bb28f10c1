"""The Ranking Lab gives the values of the definitions: its script runs in node, on all short rankings and on samples."""

import random
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import inf, isclose

import pytest
from test_hands_on import run_in_node

from book._sphinx.ranking_lab import SCRIPT, drawn
from book._sphinx.sources import ROOT, prose
from metrics.exact import definitions as d
from metrics.exact.cases import handed

DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")

# By metric of the lab: the definition, which is handed what it asks for by name.
AT_CUTOFF = {
    "P": d.precision_at, "recall": d.recall_at, "F": d.f_score_at, "E": d.e_measure, "jaccard": d.jaccard, "accuracy": d.accuracy_at,
    "success": d.success_at, "DCG": d.dcg, "nDCG": d.ndcg,
    **{name: partial(d.average_precision_at, denominator=name) for name in DENOMINATORS},
}  # fmt: skip
OF_THE_WHOLE = {
    "rPrecision": lambda relevance, n_relevant: over_zero(n_relevant) or d.r_precision(relevance, n_relevant), "AP": d.average_precision,
    "fullRecall": lambda relevance, n_relevant: over_zero(n_relevant) or d.full_recall(relevance, n_relevant), "RR": d.reciprocal_rank,
    "interpolated": d.interpolated_average_precision, "lines": d.trapezoidal_area, "eleven": d.eleven_point_average_precision, "meanRank": d.mean_rank,
    "inversions": d.inversions, "AUC": d.auc, "bpref": d.bpref, "RBP": d.rank_biased_precision, "ERR": d.expected_reciprocal_rank,
}  # fmt: skip
SETTINGS = "relevance k n_relevant beta gain ideal universe_size persistence max_grade tp fp fn".split()
METRICS = {name: handed(function, SETTINGS) for name, function in (AT_CUTOFF | OF_THE_WHOLE).items()}


def over_zero(total):
    """ZeroDivisionError where nothing is relevant."""
    1 / total


def expected(name, ranking, o):
    """The value of the definition; None where it is undefined."""
    tp, ideal = d.hits_at(ranking, o["K"]), [*ranking, *[1] * o["unranked"]]
    try:
        return METRICS[name]((ranking, o["K"], o["R"], o["beta"], o["gain"], ideal, o["universe"], o["persistence"], 3, tp, o["K"] - tp, o["R"] - tp))
    except ZeroDivisionError:
        return None


def same(name, value, wanted):
    """Whether a value, as node prints it, is that of the definition."""
    if wanted is None or value is None:
        return value is wanted
    return isclose(value, wanted, rel_tol=1e-12) if "DCG" in name else (inf if value == "Infinity" else Fraction(value)) == wanted


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
    return run_in_node(f"(...given) => {{ const lab = script; return ({function})(...given); }}", *calls, scripts=[SCRIPT])


def question(ranking, names, tied=None, **options):
    o = {"K": 1, "unranked": 0, "beta": (1, 1), "persistence": (4, 5), "gain": "linear", "universe": 100} | options
    return {"grades": ranking, "o": o, "names": list(names), "tied": tied}


def answers(questions):
    """What node gives: the question, the settings, a metric, its value."""
    for asked, values in zip(questions, in_node(ANSWER, *([asked] for asked in questions)), strict=True):
        o = asked["o"] | {name: Fraction(*asked["o"][name]) for name in ("beta", "persistence")}
        o["R"] = sum(grade > 0 for grade in asked["grades"]) + o["unranked"]
        yield from ((asked, o, name, value) for name, value in zip(asked["names"], values, strict=True))


def differences(questions):
    """Where node and the definitions differ, and how many values were compared."""
    compared = [(name, asked["grades"], o, value, expected(name, asked["grades"], o)) for asked, o, name, value in answers(questions)]
    return [each for each in compared if not same(each[0], *each[3:])][:5], len(compared)


@pytest.mark.parametrize("length", range(1, 8))
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
            [chance.choice((0, 0, 1, 2, 3)) for _ in range(length)], METRICS, K=chance.randint(1, length), unranked=chance.randint(0, 4),
            beta=(chance.randint(0, 8), 2), persistence=(chance.randint(0, 19), 20), gain=chance.choice(("linear", "exponential")),
            universe=chance.choice((20, 1000)),
        ) for length in [*range(1, 13)] * 20
    ]  # fmt: skip
    found, number = differences(questions)
    assert found == [] and number > 5_000


def test_ties():
    chance, names = random.Random(2), ("P", "recall", "AP", "RR", "rPrecision", "retrieved", "AUC", "nDCG")
    questions, compared = [], 0
    for length in [*range(1, 7)] * 30:
        grades = [chance.choice((0, 0, 1, 1, 2)) for _ in range(length)]
        questions.append(question(grades, names, [chance.random() < 0.6 for _ in grades[1:]], K=chance.randint(1, length), unranked=chance.randint(0, 2)))
    for asked, o, name, value in answers(questions):
        scores = [-sum(not tie for tie in asked["tied"][:place]) for place in range(len(asked["grades"]))]
        wanted = [expected(name, order, o) for order in d.orders_of_ties(asked["grades"], scores)]
        if None in wanted:
            assert value is None
        else:
            compared += 1
            assert all(map(same, [name] * 3, value, (min(wanted), d.mean(wanted), max(wanted)))), (name, asked, value)
    assert compared > 1000


# ---- The panels --------------------------------------------------------------------------------------

PANELS = drawn()
SOLUTIONS = {  # a state for each challenge of the ladder
    "from-sets-to-rankings": ["xAyBcz", "AxBCyz_u2", "xAyBCzD"], "average-precision": ["AxyBCz", "xAyBzC", "ABCxyz_u1"],
    "ap-at-k": ["AxyBzw", "ABxyzw_K2", "Axyzbw_u4"], "r-precision": ["AxyBCz", "xABywvC"], "f-and-e": ["xyazBC_U5", "AxByCz_K1", "AxByCz_b40"],
    "areas-under-the-curve": ["xAyBzC", "xyABC"], "order-and-auc": ["xAyBCz.BzxAyC", "AxyzwB.BxyzwA"],
    "discounted-gain": ["xA2yBCz.BxCyA2z_K6", "A2xyBCz.A2BxCyz_K1"], "ties-and-samples": ["x-A-Y-zb_K2", "x-yAzB"],
    "averaging": ["Axyz.xyzA~BvuCtDE.BCDvutE_K3", "Axyz.xyAz~BCDvutE.BvuCtDE_K3"], "ranking-lab": ["AxyzBC.xAByCz", "AxyzBC.xAyBzC", "xAy-Bz"],
}  # fmt: skip
FIRST_STATE = """(name, solution) => {
  const panel = lab.PANELS[name], state = lab.read(panel.start), text = lab.write(state);
  const verdicts = text => lab.rungs(panel).map(({solved}) => solved(lab.read(text), state, state));
  return {again: lab.write(lab.read(text)) === text, opened: verdicts(text), solved: solution.map(verdicts), python: lab.python(state, panel)};
}"""


@cache
def first_states():
    return dict(zip(PANELS, in_node(FIRST_STATE, *SOLUTIONS.items()), strict=True))


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_stands_on_its_page_survives_its_address_and_has_a_challenge_to_solve(panel):
    assert f":name: lab-{panel}\n" in prose(next((ROOT / "book").glob(f"{panel}.[im]*")))
    first = first_states()[panel]
    assert first["again"] and not any(first["opened"]) and len(first["solved"]) == len(first["opened"]) >= 2
    assert all(len(verdicts[rung]) > 40 for rung, verdicts in enumerate(first["solved"]))


def test_the_metrics_that_look_at_the_top_k_are_those_that_k_changes_and_every_first_ranking_can_be_shown():
    assert set(in_node("() => lab.AT_K", ())[0]) == set(AT_CUTOFF)
    presets = in_node("() => Object.values(lab.PRESETS)", ())[0]
    again = "text => lab.write(lab.readFor(lab.PANELS['ranking-lab'], text))"
    assert in_node(again, *((text,) for text in presets)) == presets


def output_of(python):
    return subprocess.run([sys.executable, "-c", python], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("panel", PANELS)
def test_the_python_call_gives_the_value_that_is_shown(panel):
    printed = output_of(first_states()[panel]["python"])
    shown = re.sub(r"<[^>]*>|&nbsp;", " ", PANELS[panel])
    assert printed and all(f"{float(value):.3f}".rstrip("0").rstrip(".") in shown for value in printed)


CALLS = """text => {
  const panel = lab.PANELS["ranking-lab"], state = lab.read(text), names = panel.rows.filter(name => lab.CALLS[name]);
  const written = a => Array.isArray(a) ? a.join("/") : String(a).toLowerCase();
  return [names, names.map(name => written(lab.METRICS[name](lab.rankingAt(state)))), lab.python(state, panel)];
}"""


@pytest.mark.parametrize("state", ["xAyBCz_K3_u1", "Axyzw_K5", "xAyBCzwvDu_K7_u2_b20_p50_U5", "A2xB3y_K3_g1"])
def test_every_call_gives_the_value_of_its_metric(state):
    names, values, python = in_node(CALLS, (state,))[0]
    printed = output_of(python)
    assert len(printed) == len(names) > 20
    for name, value, by_python in zip(names, values, printed, strict=True):
        assert isclose(float(Fraction(value)) if isinstance(value, str) and "/" in value else float(value), float(by_python), rel_tol=1e-12), name


# By panel: two states, and what the lab says of the step from the first to the second, beside the numbers: its reasons, or a change of the table.
STEPS = [
    ("from-sets-to-rankings", "xAyBCz", "xAyBCz_K3", "P@3 1/2 → 1/3 (−1/6), recall@3 2/3 → 1/3; terms of P@3: a 1/4 → 1/3, b 1/4 → nothing."),
    ("average-precision", "xAyBCz", "AxyBCz", "AP 8/15 → 7/10 (+1/6); terms of AP: a 1/2 → 1/1. "
     "A swap of ranks i = 1 and 2, with s = 0 above, is worth (s + 1)/(R i (i + 1)) = 1/(3·1·2)."),
    ("average-precision", "xA", "xa", "AP 1/2 → undefined, P@2 1/2 → 0, recall@2 1 → undefined; terms of AP: a 1/2 → nothing; divided by 0, no longer by 1."),
    ("f-and-e", "AxByCz", "AxByCz_U1", "accuracy@4 97/100 → 47/50 (−3/100); 47 of 50 are right: 2 found, 45 rightly left out."),
    ("discounted-gain", "xA.Ax_K2", "xA.Ax_K2_u1", "nDCG@2 of the first tool 0.631 → 0.387 (−0.244), "
     "nDCG@2 of the second tool 1.000 → 0.613 (−0.387); divided by 1.631, no longer by 1 (first tool)."),
    ("ties-and-samples", "xyz", "x-yz", "P@3 is 0 in every order; AP is undefined; reciprocal rank is 0 in every order."),
]  # fmt: skip


def test_each_step_is_told_in_one_true_sentence():
    told = in_node("(name, before, after) => lab.report(lab.PANELS[name], lab.read(before), lab.read(after))", *(step[:3] for step in STEPS))
    assert list(map(plain, told)) == [words for *_, words in STEPS]


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
            mean, best = others
            found[name, ""] = f"{mean} in every order" if worst == best else f"{mean} on average, from {worst} to {best}"
        elif others:
            found |= {(name, f" of the {tool} tool"): number for tool, number in zip(("first", "second"), (worst, *others))}
        else:
            found[name, ""] = worst
    return found


def told(line, before, after):
    """The line without its reasons, and what it has to say for these two tables."""
    old, new = map(numbers_of, (before, after))
    tied, line = "Over all orders" in after, plain(line)
    changed = [(name, tool, was, new[name, tool]) for (name, tool), was in zip(new, old.values()) if was != new[name, tool]]
    phrases = [f"{name}{tool} is {now}" if tied else f"{name}{tool} {was} → {now}" for name, tool, was, now in changed]
    said = [phrase for phrase in phrases if phrase in line]
    also = f" Other numbers that change: {len(phrases) - len(said)}." if len(said) < len(phrases) else ""
    wanted = ("; " if tied or "geometric" in after else ", ").join(said) if said else "no number here changes"
    reasons = r" \([+−][^)]*\)|; (terms of|divided by|\d+ of \d+ are right).*?(?=\.( Other [^.]*\.)?$)"
    return re.sub(reasons, "", re.sub(" A swap of ranks.*", "", line)), f"{wanted}.{also}"


@pytest.mark.parametrize("panel", PANELS)
def test_the_line_says_what_the_table_does_at_every_step_of_every_control(panel):
    starts = [*in_node("name => lab.PANELS[name].start", (panel,)), *STARTS.get(panel, ())]
    steps = [step for steps in in_node(NEIGHBOURS, *((panel, text) for text in starts)) for step in steps]
    alike = [step for step in steps if len({(len(numbers_of(page)), "Over all orders" in page) for page in step[2:]}) == 1]
    lines = [(text, line, *told(line, *pages)) for text, line, *pages in alike]
    assert len(lines) > 10 and [each for each in lines if each[2] != each[3]] == []


# By panel: an address, and the state that the panel makes of it, or why it does not; by none: what a reader types.
ADDRESSES = {
    "": [
        ("0 1 0 2", "xAyB2"), ("[1,0,0]", "Axy"), ("0110", "xABy"), ("d7* d3 d12*", "AxB"), (" q1 , q2*", "xA"),
        ("-3 1 0", "“-3” is not a grade from 0 to 3, and no id has a *"), ("-3* 1 0", "Axy"),
        *((text, "it needs 2 to 12 items: grades from 0 to 3, or ids with a *") for text in ("", " ", "1", "a*", " ".join("0" * 13))),
    ],
    "average-precision": [
        *((text, "not written as a ranking") for text in ("%", "<script>", "xA9", "-xA", "xA--y", "xA_K", "xAyB_Z1", "xA_K-1")),
        ("abcdefghijklm", "2 to 12 items"), ("xAy.xA", "occurs twice"), ("xAy.xBy", "does not fit"), ("xAyB_K99", "K is not in 1 to 12"),
        ("xA~By", "another lab"), ("xA3-y_K12_p50_U5", "xAy_K3"),
    ],
    "f-and-e": [("xA_b7", "in steps of 5"), ("xA_b15_K1", "xA_K1_b15")],
    "order-and-auc": [("xAyBCz", "another lab"), ("xAy.Axy_u2", "xAy.Axy")],
    "ranking-lab": [("x-A3y.A3yx_g1", "x-A3y.A3yx_K3_g1"), ("xA.Ax.xA", "another lab")],
}  # fmt: skip


@pytest.mark.parametrize("panel", ADDRESSES)
def test_an_address_is_refused_or_holds_what_the_panel_can_show(panel):
    of = "name ? lab.write(lab.readFor(lab.PANELS[name], text)) : lab.ofTheirs(text)"
    read = f"(name, text) => {{ try {{ return {of}; }} catch (error) {{ return error.message; }} }}"
    for (text, wanted), answer in zip(ADDRESSES[panel], in_node(read, *((panel, text) for text, _ in ADDRESSES[panel])), strict=True):
        assert answer == wanted or (" " in wanted and wanted in answer), (text, answer)
