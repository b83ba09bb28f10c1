"""A drawn figure made ready to be an SVG whose letters are text, which another font than that of Matplotlib will show."""

from __future__ import annotations

from typing import Any

LARGER = 1.08  # the font of the pages is set so much larger, because its small letters are lower than those of Matplotlib's
# The widths of its letters from the space to the tilde, in hundredths of its size.
WIDTHS = [
    20, 29, 43, 50, 50, 82, 61, 25, 30, 30, 42, 50, 25, 31, 25, 35, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 25, 25, 50, 50, 50, 42,
    85, 54, 59, 57, 61, 53, 49, 62, 65, 26, 48, 58, 49, 73, 65, 66, 57, 66, 57, 53, 54, 64, 51, 79, 51, 48, 54, 30, 35, 30, 50, 50,
    54, 50, 55, 46, 55, 50, 29, 50, 54, 25, 25, 49, 25, 83, 55, 54, 55, 55, 35, 42, 34, 54, 47, 72, 45, 47, 42, 30, 24, 30,
    50,
]  # fmt: skip
OTHER = 50


def powers_in_words(fig: Any) -> None:
    """Write powers of ten on logarithmic axes without raised digits: 1,000."""
    from matplotlib.ticker import LogFormatter

    for axis in (axis for ax in fig.axes for axis in (ax.xaxis, ax.yaxis)):
        if isinstance(axis.get_major_formatter(), LogFormatter):
            axis.set_major_formatter(lambda value, _: f"{value:,.10g}" if value < 1e6 else f"{value / 1e6:,.10g} million")


def keep_spaces(fig: Any) -> None:
    """Make all but the last of several spaces such as an SVG does not take for one."""
    from matplotlib.text import Text

    for text in fig.findobj(lambda part: isinstance(part, Text) and "  " in part.get_text()):
        text.set_text(text.get_text().replace("  ", " \u00a0"))


def split_lines(fig: Any) -> None:
    """Draw each text of several lines as texts of one: only these are centred, or end, where they should in another font."""
    from matplotlib.text import Text

    for text in fig.findobj(Text):
        if "\n" not in text.get_text() or text.get_rotation() or not text.get_visible():
            continue
        whole, side, lines = text.get_window_extent(), text.get_ha(), text.get_text().split("\n")
        at = {"left": whole.x0, "center": (whole.x0 + whole.x1) / 2, "right": whole.x1}[side]
        like = {"ha": side, "va": "top", "color": text.get_color(), "fontproperties": text.get_fontproperties(), "alpha": text.get_alpha()}
        like["gid"] = text.get_gid()
        singles = [Text(at, whole.y1, line, figure=fig, **like) for line in lines]
        gap = (whole.height - singles[0].get_window_extent().height) / (len(lines) - 1)
        for place, single in enumerate(singles):
            single.set_y(whole.y1 - place * gap)
        text.draw = lambda renderer, singles=singles: [single.draw(renderer) for single in singles]


def ink(fig: Any) -> list[float]:
    """The box of what is drawn, as the left, the top, the width and the height in points, with letters as wide as on the page."""
    from matplotlib.transforms import Bbox

    boxes = [box_of(part) for part in drawn_parts(fig)]
    box = Bbox.union([each for each in boxes if each is not None and max(each.width, each.height) > 0])
    high = fig.get_size_inches()[1] * fig.dpi
    return [round(float(each) * 72 / fig.dpi, 1) for each in (box.x0, high - box.y1, box.width, box.height)]


def drawn_parts(fig: Any) -> list[Any]:
    """What leaves ink; of an axis its labels, and nothing where it is off. The ground of the axes is blank."""
    found = [*fig.texts]
    for ax in fig.axes:
        axes = (ax.xaxis, ax.yaxis)
        found += [part for part in ax.get_children() if part not in (ax.patch, *axes, *ax.spines.values()) and part.get_visible()]
        if ax.axison:
            found += [part for part in (*ax.spines.values(), *(axis.label for axis in axes)) if part.get_visible()]
            found += [tick.label1 for axis in axes for tick in axis.get_major_ticks() if within(tick.get_loc(), axis) and tick.label1.get_visible()]
    return found


def within(place: float, axis: Any) -> bool:
    """Whether a tick lies on its axis."""
    first, last = sorted(axis.get_view_interval())
    little = (last - first) / 1e6
    return bool(first - little <= place <= last + little)


def box_of(part: Any) -> Any:
    """The box of a part, with the outer half of its outline, None if it has none."""
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    if isinstance(part, Text):
        return narrow(part)
    box = part.get_tightbbox()
    outlined = box is not None and isinstance(part, Patch) and part.get_edgecolor()[3]
    return box.padded(part.get_linewidth() * part.get_figure(root=True).dpi / 144) if outlined else box


def narrow(text: Any) -> Any:
    """The box of a text whose letters are as wide as on the page."""
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

    box = Text.get_window_extent(text)  # of an annotation without its arrow
    if not text.get_text().strip() or text.get_rotation():
        return box
    wide = width(text.get_text(), text.get_size()) * text.get_figure(root=True).dpi / 72
    left = box.x0 + {"left": 0, "center": 0.5, "right": 1}[text.get_ha()] * (box.width - wide)
    return Bbox.from_bounds(left, box.y0, wide, box.height)


def width(lines: str, size: float) -> float:
    """The width of the widest line on the page, where its size in the figure is given."""
    lines = lines.replace("\u00a0", " ")
    return max(sum(WIDTHS[ord(letter) - 32] if " " <= letter <= "~" else OTHER for letter in line) for line in lines.split("\n")) / 100 * LARGER * size
