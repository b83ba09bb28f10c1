"""Code: each line is a box of its own, so that a line that is too long can go on below, further in; what no style colours has no element."""

from functools import cache

from pygments.styles import get_style_by_name
from pygments.token import Token
from sphinx.highlighting import PygmentsBridge

STYLES = ("a11y-high-contrast-light", "github-dark")  # as in _config.yml


@cache
def is_plain(kind):
    """Whether both styles show a kind of token as they show any name."""
    styles = map(get_style_by_name, STYLES)
    return all(style.style_for_token(kind) == style.style_for_token(Token.Name) for style in styles)


class LineByLine(PygmentsBridge.html_formatter):
    def _format_lines(self, tokens):
        for is_code, line in super()._format_lines(tokens):
            yield is_code, f'<span class="line">{line}</span>' if is_code else line

    def _get_css_classes(self, kind):
        return "" if is_plain(kind) else super()._get_css_classes(kind)


def setup(app):
    PygmentsBridge.html_formatter = LineByLine
