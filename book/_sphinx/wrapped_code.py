"""Code: each line is a box of its own, so that a line that is too long can go on below, further in."""

from sphinx.highlighting import PygmentsBridge


class LineByLine(PygmentsBridge.html_formatter):
    def _format_lines(self, tokens):
        for is_code, line in super()._format_lines(tokens):
            yield is_code, f'<span class="line">{line}</span>' if is_code else line


def setup(app):
    PygmentsBridge.html_formatter = LineByLine
