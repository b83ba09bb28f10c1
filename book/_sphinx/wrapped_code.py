"""Code: each line is a box of its own, so that a line that is too long can go on below, further in; what no style colours has no element."""

from functools import cache

from pygments.styles import get_style_by_name
from pygments.token import Token
from sphinx.highlighting import PygmentsBridge

STYLES = []  # of the pages, in light and in dark


@cache
def is_plain(kind):
    """Whether all styles show a kind of token as they show any name."""
    return all(style.style_for_token(kind) == style.style_for_token(Token.Name) for style in STYLES)


class LineByLine(PygmentsBridge.html_formatter):
    def _format_lines(self, tokens):
        for is_code, line in super()._format_lines(tokens):
            yield is_code, f'<span class="line">{line}</span>' if is_code else line

    def _get_css_classes(self, kind):
        return "" if is_plain(kind) else super()._get_css_classes(kind)


def find_styles(app, config):
    STYLES[:] = [get_style_by_name(config.html_theme_options[f"pygments_{look}_style"]) for look in ("light", "dark")]
    is_plain.cache_clear()


def setup(app):
    app.connect("config-inited", find_styles)
    PygmentsBridge.html_formatter = LineByLine
