"""Figures that move: on the page, what `show(fig, moves="two-worlds", data=...)` drew becomes a thing of that name to move.

Each thing is a script `_static/hands-on-NAME.js`. Node draws its first state here, so that it teaches in print and without scripts;
JupyterLab shows the figure.
"""

import json

from sphinx.errors import ExtensionError

from .pages import STATIC as SCRIPTS, by_node, load
from .sources import moves_as

DRAW = """const things = require(process.argv[1]); require(process.argv[2]);
console.log(things.draw(process.argv[3], JSON.parse(require("fs").readFileSync(0, "utf8"))));"""


def script(name):
    return SCRIPTS / f"hands-on-{name}.js"


def drawn(name, data):
    """The HTML of a thing in its first state."""
    if not script(name).exists():
        raise ExtensionError(f"a figure moves as {name!r}, and there is no {script(name)}")
    return by_node("-e", DRAW, SCRIPTS / "hands-on.js", script(name), name, input=data)


def to_move(here, svg):
    """The thing that stands in place of a figure, None if the figure does not move."""
    if not (moves := moves_as(svg)):
        return None
    name, data = moves[0], json.dumps(moves[1], separators=(",", ":"))
    load(here, "hands-on.js")
    load(here, f"hands-on-{name}.js")
    live, data = f'<div class="hands-on-live">{drawn(name, data)}</div>', data.replace("<", "\\u003c")
    return f'<hands-on data-name="{name}">{live}<script type="application/json">{data}</script></hands-on>'
