"""The proofs in book/proofs: the stored goals belong to them, Coq accepts them without an axiom, and its definitions are those of metrics.exact.

The last two need Coq (on Debian: apt-get install --no-install-recommends coq); where it is missing they are skipped.
"""

import gzip
import json
import os
import re
import shutil
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import prod

import pytest

from book._sphinx import coq, sources
from metrics.exact import definitions as exact
from tools import proofs

ABSENT = "Coq is not installed here, so the stored goals are compared with the proofs by a checksum alone (apt-get install coq)."


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A folder with the compiled files, and the axioms in them."""
    if not shutil.which("coqchk"):
        pytest.fail(ABSENT) if "NOTHING_SKIPPED" in os.environ else pytest.skip(ABSENT)
    folder = tmp_path_factory.mktemp("proofs")
    return folder, proofs.compiled(folder)


def test_the_stored_goals_belong_to_the_proofs_and_a_changed_proof_is_told(tmp_path, monkeypatch):
    assert list(coq.stored()) == list(proofs.FILES) and coq.checksum(proofs.FILES) == json.loads(proofs.STORED.read_text(encoding="utf-8"))["sources"]
    shutil.copytree(coq.FOLDER, tmp_path / "proofs")
    changed = tmp_path / "proofs" / "Gain.v"
    changed.write_text(changed.read_text(encoding="utf-8").replace("ring", "field", 1), encoding="utf-8")
    monkeypatch.setattr(coq, "FOLDER", tmp_path / "proofs")
    with pytest.raises(ValueError, match="does not belong to the files beside it: run `python -m tools.proofs`"):
        coq.stored.__wrapped__()


def test_each_theorem_belongs_to_a_claim_and_has_a_near_miss_that_is_refuted():
    notebooks = [sources.read(path) for path in sorted((sources.ROOT / "book").glob("*.ipynb"))]
    strengths = {claim["label"]: claim["strength"] for notebook in notebooks for claim in notebook.claims}
    texts = "".join((coq.FOLDER / f"{name}.v").read_text(encoding="utf-8") for name in proofs.FILES)
    refuted = re.findall(r"Lemma (\w+)_near_miss : ~", texts)
    assert len(coq.theorems()) >= 20 and {strengths[label] for label in coq.theorems()} <= {"proved", "exhausted"}
    assert [label for label, found in coq.theorems().items() if not {each.name for each in found} & {*refuted}] == []
    assert {*refuted} <= {each.name for found in coq.theorems().values() for each in found}
    assert not re.search(r"\b(?:Admitted|Axiom|Parameter|Conjecture|admit)\b", texts)


def test_a_theorem_that_leaves_something_out_says_so(monkeypatch):
    heading = "(** * A quadratic form (A10, in part: without\n    its determinant), for n items *)\n"
    monkeypatch.setattr(coq, "stored", lambda: {"File": [(f"{heading}Theorem form : True.", "1 goal"), ("Qed.", "")]})
    monkeypatch.setattr(coq, "theorems", coq.theorems.__wrapped__)
    [box] = coq.in_coq("A10", "../")
    assert coq.claim_words("A10") == "in part for all n in Coq" and coq.claim_words("A11") == ""
    assert "In Coq, for every length, without its determinant: " in box.astext() and "../proofs/File.html#form" in box.astext()


def proofs_on_the_pages():
    """Name of a theorem -> its proof as the page has it."""
    for steps in coq.stored().values():
        for at, (part, _) in enumerate(steps):
            stated = coq.STATED.match(coq.plain(part))
            if stated:
                end = next(place for place in range(at, len(steps)) if coq.plain(steps[place][0]) == "Qed.")
                yield stated["name"], coq.proof(steps[at : end + 1])


def test_a_step_marks_what_it_has_changed_and_folds_what_is_as_before():
    goals = lambda facts, goal: "\n".join(["1 goal", "", *(f"  {fact}" for fact in facts), f"  {'=' * 28}", f"  {goal}"])
    known = ["a : nat", "b : nat", "c : nat", "A : a = b"]
    before = coq.read(goals(known, "a + c = c + b"))
    said = coq.left(goals([*known, "B : b =\n      c"], "b + c = c + b"), before)
    assert "<summary>4 facts as before</summary>" in said and said.count("coq-new") == 1 and "new: </span>B : b =" in said
    assert "  <del>a</del> + c = c + b" in said and "  <mark>b</mark> + c = c + b" in said and "as before</span>" not in said and "no longer" not in said
    said = coq.left(goals(["a : nat", "A : a = c"], "a + c = c +\n   b"), before)
    assert "changed: </span>A : a = <mark>c</mark>" in said and "  a : nat" in said and "<code>b, c</code>" in said
    assert "<del>" not in said and "to prove, as before" in said
    assert "<mark>" not in coq.left(goals(known, "b = b"), before, is_next=True)
    assert coq.left("No more goals.", before) == "<pre>No more goals.</pre>"
    assert coq.compared("x / (y) < z + 1", "x <= z") == ("x <del>/ (y) &lt; z + 1</del>", "x <mark>&lt;=</mark> z")
    assert coq.compared("a * (b - c) / (d * e) == 0", "a * (b - c) == 0")[0] == "a * (b - c) <del>/ (d * e)</del> == 0"
    assert coq.compared("a ->\n  b ->\n  c", "c")[0] == "<del>a -&gt;</del>\n  <del>b -&gt;</del>\n  c"
    assert coq.compared("a (b) = c", "f a (g b) = c")[1] == "<mark>f a (g</mark> b) = c"


def test_the_proof_of_a_theorem_is_at_most_15_kilobytes_and_its_comments_are_shown():
    pages = dict(proofs_on_the_pages())
    assert len(pages) > 100 and {name: size for name, page in pages.items() if (size := len(gzip.compress(page.encode()))) > 15_000} == {}
    assert pages["break_even_ranks"].count("coq-note") >= 6


def test_coq_accepts_every_proof_and_finds_no_axiom(compiled):
    assert compiled[1] == "<none>"


def value(definition, *arguments, **options):
    """The value of a definition as a Fraction; 0 for 0/0, which is 0 in Coq."""
    try:
        return Fraction(definition(*arguments, **options))
    except ZeroDivisionError:
        return Fraction(0)


def of_ranking(ranking):
    hits, length = sum(ranking), len(ranking)
    ranks, depths = [rank for rank, hit in enumerate(ranking, 1) if hit], range(1, length + 1)
    at = lambda definition, *more, **options: [value(definition, ranking, k, *more, **options) for k in depths]
    third, inverse = Fraction(1, 3), {"discount": lambda rank: Fraction(1, rank)}
    mean_seen = sum(sum(ranking[:k]) * third ** (k - 1) * (1 if k == length else 1 - third) for k in depths)  # a reader who stops after k items
    levels = [exact.interpolated_precision(ranking, Fraction(j, 4)) if hits else 0 for j in (1, 2, 3, 4)]
    first = [
        value(exact.average_precision, ranking), value(exact.average_precision, ranking, hits + 2), value(exact.mean_rank, ranking), exact.inversions(ranking),
        value(exact.auc, ranking), exact.reciprocal_rank(ranking), exact.rank_biased_precision(ranking, third), mean_seen,
        value(exact.r_precision, ranking), exact.full_recall(ranking) if hits else 0,
        exact.expected_reciprocal_rank(ranking, 1), value(exact.interpolated_average_precision, ranking), exact.inversions(ranking),
    ]  # fmt: skip
    four = [at(partial(exact.average_precision_at, denominator=name), n_relevant=hits + 1) for name in ("retrieved", "relevant", "ideal", "cutoff")]
    curves = [*at(exact.precision_at), *at(exact.recall_at), *at(exact.precision_sum)]
    return [*first, *at(exact.hits_at), *ranking, *curves, *ranks, *at(exact.dcg, **inverse), *at(exact.ndcg, **inverse), *levels, *sum(four, [])]


def of_counts(counts):
    tp, fp, fn, _ = counts
    given = [(exact.precision, tp, fp), (exact.recall, tp, fn), (exact.accuracy, *counts), (exact.jaccard, tp, fp, fn), (exact.f_score, tp, fp, fn)]
    f = value(*given[-1])
    return [*(value(*each) for each in given), 1 - f]


def determinant(size):
    """That of the matrix with 1/max(i, k) in row i and column k: the sum over all orders of the columns."""
    signs = lambda order: (-1) ** sum(earlier > later for at, earlier in enumerate(order) for later in order[at:])
    return sum(signs(order) * prod(Fraction(1, max(i, k)) for i, k in enumerate(order, 1)) for order in permutations(range(1, size + 1)))


def test_the_definitions_in_coq_are_those_of_the_book_on_all_small_cases(compiled):
    folder, _ = compiled
    shutil.copy(coq.FOLDER / "Tie.v", folder)
    said = " ".join(proofs.run("coqc", "-q", "-Q", ".", proofs.NAME, "Tie.v", cwd=folder).split())
    fractions = lambda row: [Fraction(int(over), int(below)) for over, below in re.findall(r"\(\(?(-?\d+)\)?%Z, (\d+)%positive\)", row)]
    tables = [[fractions(row) for row in re.findall(r"\[(\([^\[\]]*)\]", table)] for table in re.split("(?:^| )= ", said)[1:]]
    rankings, counts, orders, numbers, determinants = tables
    lists = [list(ranking) for length in range(1, 7) for ranking in product((0, 1), repeat=length)]
    assert rankings == [of_ranking(ranking) for ranking in lists]
    assert counts == [of_counts(each) for each in product(range(3), repeat=4)]
    assert len(orders) == 2 + 6 + 24 + 120
    for tau, wrong, *order in orders:
        pairs = sum(earlier > later for place, earlier in enumerate(order) for later in order[place:])
        assert (tau, wrong) == (exact.kendall_tau(list(range(1, len(order) + 1)), order, "a"), pairs)
    assert numbers == [[sum(sum(each) == hits for each in product((0, 1), repeat=length)) for hits in range(length + 1)] for length in range(7)]
    assert determinants == [[determinant(size) for size in range(7)]]
