"""The Ranking Lab in a page: an admonition of the class `ranking-lab`, whose name is that of its panel, `lab-average-precision`.

Its title and text say what to try, in JupyterLab, too. On the page a lab stands below them, whose first state node draws by
the script that brings it to life, so that it teaches without JavaScript as well.
"""

import json
from functools import cache

from docutils import nodes
from sphinx.errors import ExtensionError

from .html_boxes import raw
from .pages import STATIC, by_node, load

SCRIPT = STATIC / "ranking-lab.js"
DRAW = "const lab = require(process.argv[1]); console.log(JSON.stringify(Object.fromEntries(Object.keys(lab.PANELS).map(name => [name, lab.draw(name)]))))"


@cache
def drawn():
    """The HTML of each panel in its first state."""
    return json.loads(by_node("-e", DRAW, SCRIPT))


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
