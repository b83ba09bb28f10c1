"""Code: each line is a box of its own, so that a line that is too long can go on below, further in; what needs no colour has no element."""

from functools import cache

from pygments.styles import get_style_by_name
from pygments.token import Token
from sphinx.highlighting import PygmentsBridge

STYLES = []  # of the pages, in light and in dark


@cache
def is_plain(kind):
    """Whether a kind of token is an operator or a blank, which are as dark as names here, or all styles show it as they show any name."""
    return kind is Token.Operator or kind in Token.Text or all(style.style_for_token(kind) == style.style_for_token(Token.Name) for style in STYLES)


class LineByLine(PygmentsBridge.html_formatter):
    def _format_lines(self, tokens):
        for is_code, line in super()._format_lines(tokens):
            yield is_code, f'<span class="line">{line}</span>' if is_code else line

    def _wrap_pre(self, inner):
        return ((is_code, part.replace("<span></span>", "")) for is_code, part in super()._wrap_pre(inner))

    def _get_css_classes(self, kind):
        return "" if is_plain(kind) else super()._get_css_classes(kind)


def find_styles(app, config):
    STYLES[:] = [get_style_by_name(config.html_theme_options[f"pygments_{look}_style"]) for look in ("light", "dark")]
    is_plain.cache_clear()


def setup(app):
    app.connect("config-inited", find_styles)
    PygmentsBridge.html_formatter = LineByLine
