"""How many code lines of each notebook only check claims. Run: make code-lines

What a check is, `book/_ext/cells.py` says: one rule, from the stored outputs. Blank lines do not count.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "book"))
sys.path.insert(0, str(ROOT / "tests"))

from _ext import cells  # noqa: E402
from lint import chapters  # noqa: E402


def counted(path):
    """(code cells, lines, cells that only check, lines that only check, claims) of a notebook."""
    every = cells.read(path)
    runs = cells.checks(every)
    code = [cell for cell in every if cell]
    checking = [cell for run in runs for cell in run]
    return len(code), sum(cell.lines for cell in code), len(checking), sum(cell.lines for cell in checking), len(runs)


def table():
    """The counts of all chapters: name -> counts, and their sum as "all chapters"."""
    counts = {Path(name).name: counted(ROOT / f"{name}.ipynb") for name in sorted(chapters())}
    return counts | {"all chapters": tuple(map(sum, zip(*counts.values())))}


def share(counts):
    return counts[3] / counts[1]


if __name__ == "__main__":
    print(f"{'chapter':<28} {'cells':>6} {'lines':>6} {'check cells':>12} {'check lines':>12} {'share':>6} {'claims':>7} {'a claim':>8}")
    for name, counts in table().items():
        code, lines, checking, check_lines, claims = counts
        per_claim = check_lines / claims if claims else 0
        print(f"{name:<28} {code:>6} {lines:>6} {checking:>12} {check_lines:>12} {share(counts):>6.0%} {claims:>7} {per_claim:>8.1f}")
