"""The course: each belief is refuted and recognised, exams come from seeds, and a grader is not fooled."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from book._sphinx import sources
from metrics._base.text import safe_for_a_spreadsheet, visible
from metrics.course import beliefs, check, exams, grading, judging, sheets, task
from metrics.course.beliefs import FEWEST_CHOICES, FEWEST_VARIANTS, Choice, drawn, judge, telling, value_of
from metrics.course.chapters import CHAPTERS, PAGES, ask, chapter, choices, module, questions_of
from metrics.exact import hit_ranks
from metrics.exact.cases import handed
from tools.lint import ROOT

TASKS = [each for name in CHAPTERS for each in chapter(name).TASKS]
QUESTIONS = [each for name in PAGES for each in questions_of(name)]
by_name = {"ids": lambda each: each.name}


def values(function, of):
    call = handed(function, of.cases.names)
    return [value_of(call, case) for case in of.cases.make()]


@pytest.mark.check
@pytest.mark.parametrize("each", TASKS, **by_name)
def test_a_solution_is_right_and_each_belief_is_refuted_and_recognised(each):
    assert judge(each, values(each.solution, each)).right
    for belief in each.beliefs:
        verdict = judge(each, values(belief.function, each))
        assert not verdict.right and verdict.belief is belief, belief.name


@pytest.mark.parametrize("each", QUESTIONS, **by_name)
def test_all_options_of_a_question_differ_for_fifty_seeds(each):
    choice = isinstance(each, Choice)
    assert len(telling(each)) >= (FEWEST_CHOICES if choice else FEWEST_VARIANTS)
    for seed in range(50):
        variants = list(drawn(each, 5, seed))
        assert len({each.asked(case) for case, _ in variants}) == 5
        for case, answers in variants:
            [right] = [value for value, belief in answers if belief is None]
            assert len({value for value, _ in answers}) == len(answers) == len(each.options if choice else (0, *each.beliefs)) >= 3
            if not choice:
                assert right == handed(each.right, each.pool.names)(case)
                assert re.search(rf"(?<![\d/]){right}(?![\d/])", each.explained(case)), "the way does not come to the right value"


@pytest.mark.check
@pytest.mark.parametrize("page", PAGES)
def test_the_options_of_a_vote_differ_and_one_is_right(page):
    votes = module(page).VOTES
    assert len(votes) == 4, f"{page} has {len(votes)} votes, and a chapter has four"
    for vote in votes:
        options = vote.options
        assert [each["right"] for each in options].count(True) == 1 and 3 <= len(options) == len({each["option"] for each in options})
        assert all(each["feedback"] and len(each["option"]) <= 70 for each in options) and ask(vote.name) is vote
    assert not {vote.name for vote in votes} & {vote.name for each in PAGES if each != page for vote in module(each).VOTES}


@pytest.mark.check
def test_the_place_of_an_option_does_not_give_the_answer_away():
    places = {page: [[option["right"] for option in vote.options].index(True) for vote in module(page).VOTES] for page in PAGES}
    every = [*chain(*places.values())]
    assert max(map(every.count, range(4))) <= 0.4 * len(every)
    assert not [page for page, found in places.items() if len(set(found)) == 1]


@pytest.mark.check
def test_a_coin_for_a_section_raises_p_as_a_rule_if_its_goals_favour_the_same_tool():
    """The right option of diff-sections, for all triples of sections with two goals, each won or lost by 1, 2 or 3."""
    p = module("is-the-difference-real").p_by_flipping
    sections = [*product((-3, -2, -1, 1, 2, 3), repeat=2)]
    same, different = ([each for each in sections if (each[0] * each[1] > 0) is kind] for kind in (True, False))
    for kind, sign in ((same, 1), (different, -1)):
        changes = [p([sum(each) for each in three]) - p([*chain(*three)]) for three in combinations(kind, 3)]
        assert sum(sign * change >= 0 for change in changes) > 0.9 * len(changes) and sign * sum(changes) > 0


@pytest.mark.check
@pytest.mark.parametrize("page", PAGES)
def test_each_objective_has_an_exercise_and_each_exercise_an_objective(page):
    notebook = sources.read(sources.ROOT / f"book/{page}.ipynb")
    card = next(cell.source for cell in notebook.prose if "chapter-card" in cell.source)
    objectives = re.findall(r"^(?:: | {2})- ", card[card.index("After this") : card.index("You need")], re.M)
    material = module(page)
    assert set(chain(*material.EXERCISES.values())) == {label for cell in notebook.prose for label in re.findall(r":label: (ex-[\w-]+)", cell.source)}
    assert list(material.EXERCISES) == list(range(1, len(objectives) + 1)) and all(material.EXERCISES.values())
    assert {each.objective for kind in ("VOTES", "TASKS", "QUESTIONS") for each in getattr(material, kind, ())} <= set(material.EXERCISES)


@pytest.mark.check
def test_a_belief_that_a_check_refutes_is_one_that_names_its_claim():
    for page in PAGES:
        notebook = sources.read(sources.ROOT / f"book/{page}.ipynb")
        taken = re.findall(r"from metrics\.course\.chapters\.\w+ import ([^()\n]+|\([^)]+\))", "\n".join(cell.source for cell in notebook.code))
        for name in re.findall(r"\w+", " ".join(taken)):
            claims = {run[-1].claim["label"] for run in notebook.checks if any(re.search(rf"\b{name}\b", cell.source) for cell in run)}
            assert claims == {getattr(module(page), name).claim}, f"{page}: {name} is used in the checks of {claims}"


def test_only_the_long_tail_speaks_of_k_for_recall():
    told = {page: " ".join(f"{each.asked(case)} {answers}" for each in questions_of(page) for case, answers in telling(each)) for page in PAGES}
    assert not [page for page, words in told.items() if "k for recall" in words and page != "long-tail"]
    assert "'k at recall'" in told["from-sets-to-rankings"] and "\nk at recall\n" in (ROOT / "book/glossary.md").read_text(encoding="utf-8")


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others():
    first, again, other = (exams.exam(PAGES, seed, 3) for seed in ("autumn", "autumn", "winter"))
    assert first == again and all(first[name] != other[name] for name in first)
    assert first["exam.html"].count('<div class="form">') == 3 and first["solutions.html"].count('<li class="right">') == 3 * len(QUESTIONS)
    assert 'class="right"' not in first["exam.html"]


def right_first(answer):
    return answer[1] is not None


def test_the_variants_of_a_question_are_equally_hard_where_there_are_enough():
    for each in QUESTIONS:
        kinds = Counter(beliefs.kind(each, variant) for variant in telling(each))
        for seed in range(10):
            variants = list(drawn(each, 5, seed))
            assert max(kinds.values()) < 5 or len({beliefs.kind(each, (case, sorted(answers, key=right_first))) for case, answers in variants}) == 1


@pytest.mark.parametrize("forms", (2, 3, 5))
def test_the_forms_have_different_answers_and_the_same_change(forms):
    for each in QUESTIONS:
        kinds = {}
        for variant in telling(each):
            kinds.setdefault(beliefs.kind(each, variant), []).append(variant[1][0][0])
        most = max((min(forms, len(set(found))) for found in kinds.values() if len(found) >= forms), default=0)
        for seed in range(10):
            variants = [(case, sorted(answers, key=right_first)) for case, answers in drawn(each, forms, seed)]
            assert len({answers[0][0] for _, answers in variants}) >= most, each.name
            assert not isinstance(each, Choice) or not each.change or len({each.change(*case[-1:]) for case, _ in variants}) == 1
            if getattr(each, "varies", None):
                assert len({each.varies(*case[-1:]) for case, _ in variants}) >= min(forms, 3), each.name


SAME_AS_A_VOTE = {  # what a vote without a case asks, as a case of a question
    "ap-what-happens": lambda relevance, n_relevant, event: "irrelevant items are appended" in choices.EVENTS[event],
    "ap-which-move": lambda i, s, j, t, n_relevant: (i, s, j, t) == (2, 0, 3, 2),
    "auc-what-happens": lambda relevance, event: "irrelevant items are appended" in choices.AUC_EVENTS[event],
    "auc-from-mean-rank": lambda relevance: [*map(len, (relevance, hit_ranks(relevance))), sum(hit_ranks(relevance))] == [8, 3, 12],
    "dcg-who-minds-company": lambda i, s, more: (i, s) == (3, 2),
}


@pytest.mark.parametrize("each", QUESTIONS, **by_name)
def test_no_variant_of_a_question_is_a_vote(each):
    [page] = [page for page in PAGES if each in questions_of(page)]
    votes = [(vote.case, value_of(handed(vote.right, tuple(vote.case)), tuple(vote.case.values()))) for vote in module(page).VOTES if vote.case]
    for case, [(right, _), *_] in telling(each):
        named = dict(zip(each.pool.names, case))
        assert not SAME_AS_A_VOTE.get(each.name, lambda *_: False)(*case), named
        assert not [given for given, value in votes if given.items() <= named.items() and value == right], named


@pytest.mark.parametrize("minutes", (10, 30, 45))
def test_an_exam_of_some_minutes_takes_no_more_and_asks_on_different_levels(minutes):
    two = "average-precision", "discounted-gain"
    for seed in range(20):
        chosen = exams.chosen_from(two, seed, minutes)
        left = minutes - exams.reading(minutes) - sum(each.minutes for each in chosen)
        assert 0 <= left < min(each.minutes for name in two for each in questions_of(name) if each not in chosen)
        assert minutes == 10 or len({each.level for each in chosen}) > 1


@pytest.mark.parametrize("minutes", (10, 16, 19, 30, 45))
def test_each_chapter_of_an_exam_has_a_computed_question_as_long_as_the_minutes_allow(minutes):
    four = "precision-and-recall", "from-sets-to-rankings", "average-precision", "ap-at-k"
    shortest = sorted(min(each.minutes for each in questions_of(name) if not isinstance(each, Choice)) for name in four)
    most = max(n for n in range(5) if sum(shortest[:n]) <= minutes - exams.reading(minutes))
    for seed in range(30):
        chosen = exams.chosen_from(four, seed, minutes)
        assert sum(any(each in questions_of(name) for each in chosen if not isinstance(each, Choice)) for name in four) >= most
        assert exams.chosen_from(four, seed, minutes) == chosen and sum(each.minutes for each in chosen) <= minutes - exams.reading(minutes)


def test_an_exam_has_the_questions_objectives_and_levels_that_are_named_and_a_key():
    named = exams.chosen_from(["average-precision"], 1, questions=["ap-which-move", "ap-by-hand"])
    assert [each.name for each in named] == ["ap-which-move", "ap-by-hand"]
    assert {each.objective for each in exams.chosen_from(PAGES, 1, objectives=[3])} == {3}
    assert {each.level for each in exams.chosen_from(PAGES, 1, levels=["choose", "recall"])} == {"choose", "recall"}
    made = exams.exam(["f-and-e"], "s", 4, minutes=20)
    of_solutions = [["ABCDEF"[[bool(mark) for mark in re.findall(r'<li( class="right")?>', options)].index(True)]
                     for options in re.findall(r"<ol.*?</ol>", form)] for form in made["solutions.html"].split('<div class="form">')[1:]]  # fmt: skip
    assert {form.count('<div class="page">') % 2 for form in made["exam.html"].split('<div class="form">')[1:]} == {0}
    rows = [re.findall(r"<td>([A-F])</td>", row) for row in re.findall(r"<tr><th>\d+\..*?</tr>", made["key.html"])]
    assert rows == [list(letters) for letters in zip(*of_solutions)] and len(rows) > 3
    for wrong in ({"questions": ["ap"]}, {"levels": ["hard"]}, {"objectives": [9]}, {"minutes": 1}):
        with pytest.raises(ValueError, match="no "):
            exams.chosen_from(["f-and-e"], 1, **wrong)


def test_the_head_of_an_exam_says_how_long_it_takes_as_it_was_asked():
    two = "precision-and-recall", "average-precision"
    for seed in range(5):
        used = sum(each.minutes for each in exams.chosen_from(two, seed, 30))
        made = exams.exam(two, seed, 1, minutes=30)
        said = f"30 minutes (questions: {used}, reading: {30 - used})."
        assert used <= 27 and said in made["exam.html"] and said in made["solutions.html"]


def test_no_third_task_nearly_like_two_others_is_drawn_while_there_is_something_else():
    for seed in range(40):
        chosen = exams.chosen_from(["average-precision", "ap-at-k"], seed, 30)
        assert sum(each.name in ("apk-ideal", "apk-relevant", "apk-retrieved") for each in chosen) <= 2, seed
    assert len(exams.chosen_from(["ap-at-k"], 1, 30)) == 5, "there is nothing else"


@pytest.mark.parametrize("forms", (2, 3, 4))
def test_in_two_forms_at_most_two_right_letters_agree(forms):
    for seed in range(30):
        made = exams.exam(["average-precision", "ap-at-k"], seed, forms, minutes=30)["key.html"]
        rows = [re.findall(r"<td>([A-F])</td>", row) for row in re.findall(r"<tr><th>\d+\..*?</tr>", made)]
        for one, other in combinations(zip(*rows, strict=True), 2):
            assert sum(a == b for a, b in zip(one, other, strict=True)) <= (0 if forms == 2 else 2), (seed, rows)
    assert len({exams.exam(["ap-at-k"], seed, 1)["key.html"] for seed in range(10)}) > 5, "one form has its letters by chance, too"


def test_a_question_about_a_deeper_section_names_it_and_can_be_left_out(tmp_path, capsys):
    named = [(page, each) for page in PAGES for each in questions_of(page) if each.deeper]
    for page, each in named:
        text = "\n".join(cell.source for cell in sources.read(sources.ROOT / f"book/{page}.ipynb").prose)
        assert f"\n### {each.deeper}\n" in text.partition("\n## Deeper")[2].partition("\n## ")[0], each.name
    assert {"ap-one-more-judgement", "bpref-by-hand"} <= {each.name for _, each in named}
    exams.main([str(tmp_path), "--chapters", "average-precision", "--seed", "1"])
    said = capsys.readouterr().out
    assert 'variants; needs "Can one more judgement lower AP?" from the part Deeper' in said and "leave such questions out with --core" in said
    exams.main([str(tmp_path), "--chapters", "average-precision", "--seed", "1", "--core"])
    assert "Deeper" not in capsys.readouterr().out and "more relevant item is found" not in (tmp_path / "exam.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="no question"):
        exams.chosen_from(["average-precision"], 1, questions=["ap-one-more-judgement"], core=True)


def test_the_first_page_of_the_course_and_the_teaching_page_make_the_same_exam():
    first, teaching = ((ROOT / "book" / name).read_text(encoding="utf-8") for name in ("_sphinx/course.html", "teaching.md"))
    commands = {re.search(r"metrics\.exam exam --chapters average-precision r-precision[^<\n]*", text)[0] for text in (first, teaching)}
    assert len(commands) == 1 and "--minutes 30" in commands.pop() and "<code>--minutes</code>" in first


def test_a_form_has_three_questions_a_page_or_two_and_one_only_if_it_is_alone():
    for many in range(1, 20):
        pages = [page.count("<p>") for page in exams.in_pages("<header>", ["<p>"] * many).split('<div class="page">')[1:]]
        pages = pages[: -1 if exams.in_pages("", ["<section>"] * many).count("Notes") else None]
        assert sum(pages) == many and max(pages) <= 3 and len(pages) == -(-many // 3) and pages == sorted(pages, reverse=True)
        assert min(pages) > 1 or many == 1


def test_a_solution_says_what_each_point_is_for_and_one_point_has_no_lines():
    for each in QUESTIONS:
        assert sum(map(int, re.findall(r"\b(\d) for", exams.divided(each)))) == exams.points(each) or exams.divided(each) == "The point is for the letter."
        assert not getattr(each, "steps", ()) or len(each.steps) == exams.points(each) - 1
    made = exams.exam(["from-sets-to-rankings", "average-precision"], 1, 2)
    for section in re.findall("<section.*?</section>", made["exam.html"]):
        assert ("1 point, " in section) is ("lines" not in section) and "1 points" not in section
        assert ("Why?" in section or "Your working" in section) is ("lines" in section)
    said = re.findall(r"<small>((?:1 for the letter, |The point).*?)</small></p>", made["solutions.html"])
    assert len(said) == made["solutions.html"].count("<section>") > 10
    assert "1 for the letter, 1 for the ranks of the hits, 1 for the sum, 1 for the divisor." in said


def test_each_question_for_moodle_and_in_gift_has_one_right_answer_and_a_word_on_each_other():
    made = exams.exam(PAGES, 1, 4)
    questions = ElementTree.fromstring(made["moodle.xml"]).findall("question[@type='multichoice']")
    assert len({each.findtext("name/text") for each in questions}) == len(questions) == 4 * len(QUESTIONS)
    for question in questions:
        answers = question.findall("answer")
        assert sorted(each.get("fraction") for each in answers) == ["0"] * (len(answers) - 1) + ["100"]
        assert all(each.findtext("feedback/text") for each in answers) and question.findtext("questiontext/text").startswith("<p>")
    in_gift = [block for block in made["questions.gift"].split("\n\n") if block.startswith("::")]
    assert len(in_gift) == len(questions)
    for block in in_gift:
        assert len(re.findall(r"^  =", block, re.M)) == 1 and len(re.findall(r"(?<!\\)[{}]", block)) == 2, "its own marks are escaped"


def ran(notebook, python=sys.executable):
    """What the code of a sheet prints, in order, under some Python."""
    code = "\n\n".join("".join(cell["source"]) for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code")
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


FURTHER = [python for python in map(shutil.which, ("python3.12", "python3.13", "python3.14")) if python]
PYTHONS = [sys.executable, *(python for python in FURTHER if subprocess.run([python, "-V"], capture_output=True).returncode == 0)]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_blank_sheet_runs_to_its_end_and_a_solved_one_is_right(name, python):
    assert [line[0] for line in ran(sheets.sheet(name), python)] == ["…"] * len(chapter(name).TASKS)
    assert [line[0] for line in ran(sheets.sheet(name, solved=True), python)] == ["✓"] * len(chapter(name).TASKS)


@pytest.mark.parametrize("function, said", [
    (lambda relevance: "1", "Yours says a str"),
    (lambda relevance: relevance[9], "at relevance = [1], n_relevant = 1 it stops with IndexError"),
    (lambda ranking: 1, "asks for ranking; a case has relevance, n_relevant"),
    (lambda relevance, n_relevant: float("nan") if relevance.clear() is None else 0, "Yours says undefined"),
])  # fmt: skip
def test_check_says_what_is_wrong(function, said, capsys):
    check(task("average_precision"), function)
    assert said in capsys.readouterr().out


def test_points_in_part_are_exact():
    for each in TASKS:
        cases = len(list(each.cases.make()))
        for agreed, tenths in product(range(cases), (5, 6, 7, 8, 9)):
            above = Fraction(agreed, cases) - Fraction(tenths, 10)
            exact = max(0, int(2 * each.points * above / Fraction(10 - tenths, 10))) / 2
            assert beliefs.Verdict(each, agreed, cases, floor=tenths / 10).points == exact


# The grader. Each attack stands in the first task of a notebook whose other task is right: it gets no point, and the other keeps its own.

SIGNATURE = "def average_precision(relevance, n_relevant):\n"
HIDDEN_OS = SIGNATURE + "    o = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__\n"
SYS = "from statistics import sys\n" + SIGNATURE
ATTACKS = {
    "endless": SIGNATURE + "    while True: pass",
    "memory": SIGNATURE + "    return len([0] * 10**11)",
    "recursion": SIGNATURE + "    return average_precision(relevance, n_relevant)",
    "kill": SIGNATURE + "    import os\n    os.kill(os.getppid(), 9)",
    "kill-hidden": HIDDEN_OS + "    o['kill'](o['getppid'](), 9)",
    "write": SIGNATURE + "    open('{marker}', 'w').write('here')",
    "equal-int": "class Same(int):\n    def __eq__(self, other): return True\n" + SIGNATURE + "    return Same(0)",
    "equal-fraction": "class Same(Fraction):\n    def __eq__(self, other): return True\n    __hash__ = None\n" + SIGNATURE + "    return Same(0)",
    "patched": SIGNATURE + "    Fraction.__eq__ = lambda *a: True\n    return Fraction(7)",
    "patched-numerator": SIGNATURE + "    Fraction.numerator = property(lambda self: self)\n    return Fraction(7)",
    "fraction-again": "class Fraction:\n    def __eq__(self, other): return True\n" + SIGNATURE + "    return 7",
    "at-the-top": SIGNATURE + "    return 7\nopen('{marker}', 'w')\nimport os; os.kill(os.getppid(), 9)",
    "as-default": "def average_precision(relevance, n_relevant, file=open('{marker}', 'w')):\n    return 7",
    "print": SIGNATURE + "    print('{\"values\": []}')\n    return 7",
    "exit": SIGNATURE + "    raise SystemExit(0)",
    "lambda": "average_precision = lambda relevance, n_relevant: 7",
    "huge-number": SIGNATURE + "    return 10 ** 10 ** 7",
    "find-answers": "import importlib\n" + SIGNATURE + "    return importlib.import_module('metrics.exact.definitions').average_precision(relevance)",
    "deep": SIGNATURE + "    return " + "-" * 90_000 + "1",
    "frames-to-the-guard": SIGNATURE + "    try: 1 / 0\n    except ZeroDivisionError as error: frame = error.__traceback__.tb_frame\n"
    "    while frame: frame.f_globals.update(REFUSED=('zzz',)); frame = frame.f_back\n    open('{marker}', 'w')",
    "hook": SYS + "    sys.addaudithook(print)\n    for each in sys.modules.values(): vars(each).update(watch=print, REFUSED=())\n    open('{marker}', 'w')",
    "pipe": "from random import _os\n" + SIGNATURE + "    _os.mkfifo('{marker}')",
    "loader": SYS + "    sys.modules['_frozen_importlib'].BuiltinImporter.load_module('posix').mkfifo('{marker}')",
    "source": SYS + "    return [c for c in object.__subclasses__() if c.__name__ == 'FileLoader'][0]('a', 'b').get_data(sys.modules['__main__'].__file__)",
    "wait": SYS + "    lock = sys.modules['_thread'].allocate_lock()\n    while True: lock.acquire()",
    "crash": SYS + "    sys.setrecursionlimit(10**9)\n    return average_precision(relevance, n_relevant)",
    "thread": SYS + "    while True: sys.modules['_thread'].start_new_thread(average_precision, (relevance, n_relevant))",
    "surrogate": SIGNATURE + "    raise ValueError('\\ud800')",
    "controls": SIGNATURE + "    raise ValueError('\\x1b[2J\\u202e\\n\\n4 of 4 points\\n;=1+1')",
    "digits": SIGNATURE + "    return 10 ** 4000",
    "endless-words": "class Words(Exception):\n    def __str__(self):\n        while True: pass\n" + SIGNATURE + "    raise Words",
    "no-name": SIGNATURE + "    raise NameError(name=[])",
    "forged": HIDDEN_OS + "    for n in range(9): o['write'](n, b'{\"values\": [1' + b'0' * 400 + b']}')",
    "frames": SYS + "    return sys._getframe(1).f_globals['answer_to']",
    "wrapped-by-itself": SIGNATURE + "    return 7\naverage_precision.__wrapped__ = average_precision",
    "signature-of-its-own": SIGNATURE + "    return 7\naverage_precision.__signature__ = 7",
    "equal-object": "class All:\n    def __getattr__(self, name): return self\n    def __call__(self, *a, **k): return self\n    __eq__ = lambda *a: True\n"
    "average_precision = All()",
    "in-a-text": '"""\n' + SIGNATURE + '    pass\n"""',
}

MARKS = dict.fromkeys(ATTACKS, [0, 0, 3]) | {"right": [4, 3, 3], "blank": [0, 0, 0], "mark": [4, 0, 3]}
FIRST = chapter("average-precision").TASKS[0]


def believed(belief):
    """A belief as a student could write it: a table of its values."""
    table = {str(case): str(value) for case, value in zip(FIRST.cases.make(), values(belief.function, FIRST), strict=True)}
    lines = "    value = TABLE[str((tuple(relevance), n_relevant))]\n    return Fraction(value) if value != 'undefined' else 1 // 0"
    return f"TABLE = {table!r}\n{SIGNATURE}{lines}"


OTHERS = {  # the first task, and its points
    "float": (SIGNATURE + "    found = [k for k, r in enumerate(relevance, 1) if r]\n    return sum(j / k for j, k in enumerate(found, 1)) / n_relevant", 4),
    "helper": ("from itertools import accumulate as sums\ndef share(a, b): return Fraction(a, b)\n"
    + SIGNATURE + "    parts = zip(enumerate(sums(relevance), 1), relevance)\n    return sum(share(s, k) for (k, s), r in parts if r) / n_relevant", 4),
    "magic": ("%matplotlib inline\n!rm -r x\n" + FIRST.solved, 4),
    "blanks": (FIRST.solved.replace("def ", "def \t ").replace("\n", "\r\n"), 4),
    "old-mac": (FIRST.solved.replace("\n", "\r"), 4),
    "dataclass": ("from dataclasses import dataclass\n@dataclass\nclass Share:\n    hits: int\n    rank: int\n"
    + FIRST.solved.replace("return ", "share = Share(hits=1, rank=2)\n    return "), 4),
    "syntax": (SIGNATURE + "    return (", 0),
    **{name: (FIRST.solved, 4) for name in ("\u0915\u093f", "\u0915\u0940", "e\u0301", "\u00e9", "O'Neil", "O\u2019Neil", "a.b", "a,b", "Bob", "=1+1")},
} | {f"belief-{each.name}": (believed(each), 0) for each in FIRST.beliefs}  # fmt: skip
MARKS |= {name: [points, 0, 3] for name, (_, points) in OTHERS.items()}


def homework(first):
    """A notebook of two tasks, of which the second is right."""
    notebook = json.loads(sheets.sheet("average-precision", solved=True))
    imports, hole, last = (next(cell for cell in notebook["cells"] if cell["id"] == name) for name in ("imports", "hole-1", "hole-3"))
    return json.dumps(notebook | {"cells": [imports, hole | {"source": first}, last]})


RIGHT = homework(FIRST.solved)
HONEST = {name: homework(code) for name, (code, _) in OTHERS.items()} | {
    "right": sheets.sheet("average-precision", solved=True), "blank": sheets.sheet("average-precision"), "mark": "\ufeff" + RIGHT,
}  # fmt: skip
CODES = {  # what no notebook should be
    "not-json": b"{", "a-list": b"[]", "nested": b"[" * 100_000, "empty": b"", "digits-in-json": b'{"cells": 1' + b"0" * 5000 + b"}",
    "no-text": b"\xff\xfe\xfa", "large": b" " * 5_000_001, "much-code": json.dumps({"cells": [{"cell_type": "code", "source": "#" * 600_000}]}).encode(),
    "odd-cells": b'{"cells": [{"cell_type": "code", "source": [1]}]}', "surrogates": homework("'\ud800'\n" + SIGNATURE + "    return 7").encode(),
}  # fmt: skip


def odd_ones(folder):
    """Hand in what no plain file is, and what is called almost as others are; how many rows that makes."""
    os.mkfifo(folder / "waits.ipynb")
    (folder / "zero.ipynb").symlink_to("/dev/zero")
    (folder / "copied.ipynb").symlink_to(folder / "right.ipynb")
    (folder / "everything").symlink_to("/")
    folders = [folder / name for name in ("Bob", "bob.ipynb", "many", "hidden", "far-down", "marks.csv", "\u202e\x1b[2J", "f" * 252)]
    for each in folders:
        each.mkdir()
        os.mkfifo(each / "b.ipynb")
        (each / "._right.ipynb").write_text(RIGHT)
    for n in range(100):
        (folder / "many" / f"{n}.ipynb").touch()
    here = os.open(folder / "far-down", os.O_RDONLY)
    for _ in range(25):  # deeper than a path can be long
        os.mkdir("d" * 200, dir_fd=here)
        here, above = os.open("d" * 200, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    os.close(here)
    names = [b"\xff.ipynb", b"bob.IPYNB", b"Bob.ipynb.ipynb", b"a:b.ipynb", b"a_b.ipynb", b"g" * 249 + b".ipynb"]
    for name in names:
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(homework(SIGNATURE + "    return 7"))
    for name in ("._Bob.ipynb", "__MACOSX/._Bob.ipynb", "__MACOSX/Eve.ipynb", ".ipynb_checkpoints/Eve.ipynb"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(RIGHT)
    return 4 + len(folders) + len(names)


def class_of(folder, out, submissions):
    """The marks of a class, a notebook for each student."""
    for name, text in submissions.items():
        (folder / f"{name}.ipynb").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "SECONDS", 1)
        patch.setattr(judging, "PATIENCE", 6)
        return grading.grade(folder, out)


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    folder, out = tmp_path_factory.mktemp("homework"), tmp_path_factory.mktemp("marks")
    submissions = {name: homework(code.replace("{marker}", f"{folder}/marker")) for name, code in ATTACKS.items()}
    rows = odd_ones(folder) + len(HONEST) + len(CODES) + len(ATTACKS)
    before = sorted(map(str, folder.iterdir()))
    marks = class_of(folder, out, HONEST | CODES | submissions)
    assert len(marks) == rows == len({*map(str, marks)})
    left = {*map(str, folder.iterdir())} - {f"{folder}/{name}.ipynb" for name in HONEST | CODES | submissions}
    assert sorted(left) == before, "an attack left something"
    return marks, out


def test_whoever_attacks_the_others_have_the_marks_that_they_have_alone(marked, tmp_path):
    marks, out = marked
    (tmp_path / "in").mkdir()
    alone = class_of(tmp_path / "in", tmp_path / "out", HONEST)
    letters = {name: out / f"{file}.txt" for name, file in grading.file_names(marks).items()}
    for name, expected in alone.items():
        own = f"{name}.ipynb" if f"{name}.ipynb" in marks else name  # where a folder has the name
        assert list(map(str, marks[own])) == list(map(str, expected))
        assert letters[own].read_bytes() == (tmp_path / "out" / f"{grading.file_names(alone)[name]}.txt").read_bytes()
    assert {name: [each.points for each in verdicts] for name, verdicts in alone.items()} == {name: MARKS[name] for name in HONEST}


def test_who_attacks_has_one_row_without_a_point_and_the_other_tasks_keep_theirs(marked):
    marks, out = marked
    wrong = {name: list(map(str, marks[name])) for name in ATTACKS if [each.points for each in marks[name]] != MARKS[name]}
    assert not wrong and not {name for name in CODES if sum(each.points for each in marks[name]) not in (0, 3 * (name == "surrogates"))}
    assert not [each for verdicts in marks.values() for each in verdicts if each and "the grader fails" in each.trouble]
    texts = {path.name: path.read_text(encoding="utf-8-sig") for path in out.iterdir()}
    assert len(texts) == len(marks) + 3
    assert not [name for name, text in texts.items() if visible(text) != text] and "\n4 of 4" not in texts["controls.txt"]


VALUES = [
    b"1" + b"0" * 400, b"1" + b"0" * 5000, b'["1", "0"]', b'["1"]', b'["1", 2]', b'[["1"], "2"]', b"{}", b"null", b"true", b'"\\ud800"', b'"=1\\u001b"', b"NaN",
    b'"1e999"', b'["1' + b"0" * 990 + b'", "1"]', b'["1' + b"0" * 5000 + b'", "1"]', b'"' + b"x" * 10**6 + b'"',
]  # fmt: skip
TOLD = [b"", b"null", b"7", b'{"values": 7}', b'{"trouble": {}}', b"[" * 10**6, b"\xff", *(b'{"values": [%s]}' % value for value in VALUES)]


@pytest.mark.parametrize("answer", TOLD, ids=lambda answer: answer[:40])
def test_whatever_a_worker_says_is_a_number_or_short_plain_words(answer):
    said = judging.told(answer)
    for value in map(judging.understood, said["values"]) if "values" in said else said.values():
        value = str(value)
        assert len(value) <= judging.LONGEST_WORDS and visible(value) == value


def test_a_belief_is_named_to_the_student_and_counted_for_the_class(marked):
    marks, out = marked
    for belief in FIRST.beliefs:
        assert marks[f"belief-{belief.name}"][0].belief is belief
        assert belief.hint in (out / f"belief-{belief.name}.txt").read_text(encoding="utf-8")
        assert belief.words in (out / "class.html").read_text(encoding="utf-8")


def test_the_table_of_marks_is_safe_in_a_spreadsheet_and_the_same_again(marked, tmp_path):
    marks, out = marked
    raw = (out / "marks.csv").read_bytes()
    assert raw.startswith("\ufeff".encode())
    rows = list(csv.DictReader(raw.decode("utf-8-sig").splitlines()))
    assert len(rows) == len(marks) and "'=1+1" in {row["student"] for row in rows}
    assert not [field for row in rows for field in row.values() if safe_for_a_spreadsheet(field) != field]
    (tmp_path / "right.ipynb").write_text(sheets.sheet("average-precision", solved=True), encoding="utf-8")
    first, again = ((grading.grade(tmp_path, tmp_path / n), (tmp_path / n / "marks.csv").read_bytes())[1] for n in ("1", "2"))
    assert first == again


def test_sheets_are_written_with_the_package_and_a_word_for_students(tmp_path, monkeypatch, capsys):
    """The package is copied from the current folder, from its folder homework, or from where it is said to be; solved sheets are the teacher's."""
    monkeypatch.chdir(tmp_path)
    wanted = {"homework-averaging.ipynb", "README.txt"}

    def written(*options):
        sheets.main(["out", "--chapters", "averaging", *options])
        found = {path.name for path in Path("out").iterdir()}
        shutil.rmtree("out")
        return found, capsys.readouterr().out

    assert written() == (wanted, f"1 notebook in out, with README.txt; hand them out with {sheets.WHEEL}, which the first cell installs (--wheel copies it)\n")
    for place in ("elsewhere", "homework", "."):
        Path(place).mkdir(exist_ok=True)
        Path(place, sheets.WHEEL).write_bytes(b"PK")
        found, said = written(*["--wheel", f"elsewhere/{sheets.WHEEL}"] * (place == "elsewhere"))
        assert found == {*wanted, sheets.WHEEL} and "hand out the whole folder" in said
        Path(place, sheets.WHEEL).rename("kept.whl")
    assert written("--solved") == ({"homework-averaging.ipynb"}, "1 notebook in out, with the solutions\n")
    with pytest.raises(SystemExit):
        written("--wheel", "kept.whl")
    assert f"kept.whl is not the file {sheets.WHEEL}" in capsys.readouterr().err
    told = sheets.README.format(wheel=sheets.WHEEL)
    assert told.count(sheets.WHEEL) == 3 and "restart Python and run all cells" in told and "hand it in where your teacher says" in told


def test_every_sheet_can_be_graded_and_those_of_a_student_are_one_row(tmp_path):
    for name in CHAPTERS:
        for student, solved in (("ada", True), ("bob", False)):
            (tmp_path / student).mkdir(exist_ok=True)
            (tmp_path / student / f"homework-{name}.ipynb").write_text(sheets.sheet(name, solved), encoding="utf-8")
    one = sheets.sheet("f-and-e", solved=True).replace("from fractions import Fraction", "import numpy as np", 1).replace("return ", "return np.", 1)
    (tmp_path / "eve.ipynb").write_text(one, encoding="utf-8")
    (tmp_path / "zoe").mkdir()
    marks = grading.grade(tmp_path, tmp_path / "out")
    assert [each.right for each in marks["ada"]] == [True] * len(TASKS), "\n".join(map(str, marks["ada"]))
    assert {each.trouble for each in marks["bob"]} == {"nothing written yet"}
    first, second = [each for each in marks["eve"] if each.task in chapter("f-and-e").TASKS]
    assert "its import is not run, for homework may import" in first.trouble and "numpy" not in first.trouble.split("may import")[1]
    rows = {row["student"]: row for row in csv.DictReader((tmp_path / "out" / "marks.csv").read_text(encoding="utf-8-sig").splitlines())}
    assert {row["of"] for row in rows.values()} == {str(sum(each.points for each in TASKS))}
    assert rows["eve"]["auc"] == rows["zoe"]["points"] == "0" and {each.trouble for each in marks["zoe"]} == {"not handed in"}
    page = (tmp_path / "out" / "class.html").read_text(encoding="utf-8")  # eve handed in another sheet: the page says that she is counted
    assert "precision, 3 points, written by 2 of 4<" in page and "no function of this name<td>1<" in page and grading.WRITTEN + grading.NOT_FOUND in page
