"""A metric takes three files: its definition, its function with the record, and a chapter that names it. The tests of all metrics take it up."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
DEFINITION = '''

def weighted_hits_at(relevance, k, worth):
    """`worth` for each relevant item in the top k."""
    return worth * count(relevance[:k])
'''
FUNCTION = '''

@metric(
    "Toy@k", "toy at k", purpose="The top k is looked at", asks="What are the hits of the top k worth to a child?",
    formula=r"w\\, s(k)", rewards="Hits in the top k, each worth the same.", place="from-sets-to-rankings#def-at-k",
    also="worth at k", see="hits_at", tried={"worth": (1, 2, 0.5)},
    reads={"w s(k)": "0.5 * s(k)", "Hits in the top k, each worth the same": "v == 0.5 * of('Hits@k', k)"},
)
@per_ranking
def weighted_hits_at(relevance: Relevance, k: Whole, worth: Number) -> Values:
    """toy@k: the worth of the hits in the top k.

    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1;
    worth: of a hit, one number >= 0.
    Returns (...,) of numbers >= 0.
    Raises ValueError for bad grades, a bad k or a bad worth.
    Source: a test.

    >>> print(weighted_hits_at([0, 1, 1], k=2, worth=3))
    3.0
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    return hits.result(float(number("worth", worth, "that is finite and >= 0", lambda x: 0 <= x < np.inf)) * hits.within(k))
'''
FILES = ["definitions", "contract", "doors", "explained", "measures", "types", "notebooks"]
CHOSEN = "weighted_hits_at or Toy or toy or every_metric or public or part or finder or out_of_range or told_the_truth"


def test_a_metric_takes_three_files(tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "_build", "browser", "data", "__pycache__"))
    definitions, module, chapter = (copy / path for path in ("metrics/exact/definitions.py", "metrics/cutoff.py", "book/from-sets-to-rankings.ipynb"))
    definitions.write_text(definitions.read_text(encoding="utf-8") + DEFINITION, encoding="utf-8")
    text = module.read_text(encoding="utf-8").replace('__all__ = [\n    "hits_at",', '__all__ = [\n    "weighted_hits_at", "hits_at",') + FUNCTION
    module.write_text(text, encoding="utf-8")
    notebook = nbformat.read(chapter, as_version=4)
    notebook.cells[-1].source += "\n\nChildren take `metrics.weighted_hits_at`."
    nbformat.write(notebook, chapter)
    changed = [path for path in copy.rglob("*") if path.is_file() and path.read_bytes() != (ROOT / path.relative_to(copy)).read_bytes()]
    assert sorted(changed) == sorted([definitions, module, chapter])
    tests = [f"tests/test_{name}.py" for name in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-k", CHOSEN, "metrics/cutoff.py", *tests]
    done = subprocess.run(command, cwd=copy, env=os.environ | {"PYTHONPATH": str(copy)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-8000:]
