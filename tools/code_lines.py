"""How many code lines of each chapter only check claims. Run: make code-lines

What a check is, `book/_sphinx/sources.py` says: one rule, from the stored outputs. Blank lines do not count.
"""

from pathlib import Path

from book._sphinx.sources import ROOT, chapters, read


def counted(notebook):
    """(code cells, lines, cells that only check, lines that only check, claims) of a notebook."""
    checking = [cell for run in notebook.checks for cell in run]
    lines, check_lines = (sum(cell.lines for cell in cells) for cells in (notebook.code, checking))
    return len(notebook.code), lines, len(checking), check_lines, len(notebook.checks)


def table():
    """The counts of all chapters: name -> counts, and their sum as "all chapters"."""
    counts = {Path(name).name: counted(read(ROOT / f"{name}.ipynb")) for name in chapters()}
    return counts | {"all chapters": tuple(map(sum, zip(*counts.values())))}


def share(counts):
    return counts[3] / counts[1]


if __name__ == "__main__":
    print(f"{'chapter':<28} {'cells':>6} {'lines':>6} {'check cells':>12} {'check lines':>12} {'share':>6} {'claims':>7} {'a claim':>8}")
    for name, counts in table().items():
        code, lines, checking, check_lines, claims = counts
        per_claim = check_lines / claims if claims else 0
        print(f"{name:<28} {code:>6} {lines:>6} {checking:>12} {check_lines:>12} {share(counts):>6.0%} {claims:>7} {per_claim:>8.1f}")
