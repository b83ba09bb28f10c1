"""Run the cells of a page as its Run buttons do: each from what it needs of earlier ones, in a Python with these libraries alone.

python tests/as_in_the_page.py book/notation.ipynb prints a line of JSON for each cell that can do without NumPy and its like;
python tests/as_in_the_page.py book/notation.ipynb numpy scipy, for each that needs one of those. What is proved is shown, but not proved
again: the notebooks themselves do that.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from book._sphinx import page_cells  # noqa: E402
from book._sphinx.sources import read  # noqa: E402
from book._static import in_the_page  # noqa: E402


def main(path, *there):
    for library in page_cells.WANTED - {"pathlib", *there}:
        sys.modules[library] = None  # to import it is an error
    import metrics.exact.proofs

    metrics.exact.proofs.check_step = lambda *_: None
    notebook = read(path)
    cells = page_cells.cells_of(notebook)
    outputs = []
    session = in_the_page.Session(outputs.append)
    asides = [*page_cells.asides(notebook, cells), *(aside for _, aside in page_cells.tasks(notebook, cells))]
    changed = [aside | {"id": f"{aside['id']}, changed", "source": aside["source"].replace(*aside["change"])} for aside in asides]
    wanted = zip(cells, page_cells.wants(cells), strict=True)
    for cell in [cell for cell, needs in wanted if needs and needs <= {*there}] if there else [*cells, *asides, *changed]:
        outputs.clear()
        problem = session.run(cells, cell)
        shown = [{"shown": {kind: form for kind, form in each["shown"].items() if kind in page_cells.KINDS}} if "shown" in each else each for each in outputs]
        print(json.dumps({"id": cell["id"], "problem": problem, "outputs": shown}), file=sys.__stdout__)


if __name__ == "__main__":
    main(*sys.argv[1:])
