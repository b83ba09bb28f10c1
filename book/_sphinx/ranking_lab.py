"""The Ranking Lab in a page: an admonition of the class `ranking-lab`, whose name is that of its panel, `lab-average-precision`.

Its title and text say what to try, in JupyterLab, too. On the page a lab stands below them, whose first state node draws by
the script that brings it to life, so that it teaches without JavaScript as well.
"""

import json
import os
from functools import cache
from tempfile import NamedTemporaryFile

from docutils import nodes
from sphinx.errors import ExtensionError

from metrics.names.sheet import RECORDS

from .html_boxes import raw
from .pages import STATIC, by_node, load
from .paths import BUILD

SCRIPT = BUILD / "ranking-lab.js"  # with the records, as node takes it
DRAW = "const lab = require(process.argv[1]); console.log(JSON.stringify(Object.fromEntries(Object.keys(lab.PANELS).map(name => [name, lab.draw(name)]))))"


@cache
def drawn():
    """The HTML of each panel in its first state."""
    return json.loads(by_node("-e", DRAW, SCRIPT))


def with_records(script):
    """The script, where it asks for them with the records of the metrics that it names."""
    told = {name: {"path": its.path, "lower": its.lower, "parameters": [*its.parameters]} for name, its in RECORDS.items() if f'"{name}"' in script}
    return script.replace("const RECORDS = {};", f"const RECORDS = {json.dumps(told)};")


def write_script():
    """Write it in one step, for several processes may."""
    SCRIPT.parent.mkdir(exist_ok=True)
    with NamedTemporaryFile("w", encoding="utf-8", dir=SCRIPT.parent, delete=False) as file:
        file.write(with_records((STATIC / SCRIPT.name).read_text(encoding="utf-8")))
    os.replace(file.name, SCRIPT)


write_script()


def show_labs(here):
    """Turn the admonitions of the class into labs."""
    for box in list(here.document.findall(nodes.admonition)):
        if "ranking-lab" in box["classes"]:
            box.parent.replace(box, lab(here, box))
            load(here, "ranking-lab.js")


def lab(here, box):
    panel = next((name.removeprefix("lab-") for name in box["names"] + box["ids"]), "")
    if panel not in drawn():
        raise ExtensionError(f"{here.env.docname}: a lab is named {panel!r}, expected `:name: lab-...` with one of {', '.join(drawn())}")
    title = nodes.paragraph("", "", *box[0].children, classes=["lab-title"])
    caption = nodes.container("", *box[1:], classes=["lab-caption"])
    lab = raw(f'<ranking-lab data-lab="{panel}">{drawn()[panel]}</ranking-lab>')
    return nodes.container("", title, caption, lab, classes=["ranking-lab", "wide"], ids=box["ids"])
