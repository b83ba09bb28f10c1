"""Code: a long line is a box of its own, so that it can go on below, further in; what needs neither a box nor a colour has no element."""

import re

from pygments.formatters import HtmlFormatter
from pygments.token import Comment, Generic, Keyword, Name, Operator, String

COLOURED = Keyword, Operator.Word, String, Comment, Name.Function, Name.Class, Name.Decorator, Generic
SHORT = 29  # characters, the end of the line among them: a telephone has room for these


class FewElements(HtmlFormatter):
    def _get_css_classes(self, kind):
        kind = String if kind in String else kind  # a formatted string is one piece
        return super()._get_css_classes(kind) if any(kind in coloured for coloured in COLOURED) else ""


class LineByLine(FewElements):
    def _format_lines(self, tokens):
        for is_code, line in super()._format_lines(tokens):
            is_long = is_code and len(re.sub("<[^>]*>", "", line)) > SHORT
            yield is_code, f'<span class="line">{line}</span>' if is_long else line

    def _wrap_pre(self, inner):
        return ((is_code, part.replace("<span></span>", "")) for is_code, part in super()._wrap_pre(inner))
