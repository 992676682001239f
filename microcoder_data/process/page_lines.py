"""Tests as a scraper left them: their lines as HTML, or behind the line break that opens a `<pre>`.

A program can read neither. What may be a test about HTML stays as it is; `escaped_tests.py` has the statement.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

_MAY_BE_HTML = re.compile(r"<(?:br|div|pre)\b", re.IGNORECASE)
_LINE_OF_CODEFORCES = re.compile(r'<div class="test-example-line\b', re.IGNORECASE)
_WHOLE_BLOCK = re.compile(r"\s*<pre\b[^<>]*>.*</pre>\s*", re.IGNORECASE | re.DOTALL)
_BREAK_FIRST = re.compile(r"\s*<br\b[^<>]*>", re.IGNORECASE)
_BREAK_LAST = re.compile(r"<br\b[^<>]*>\s*\Z", re.IGNORECASE)
_BREAK_ALONE = re.compile(r"^[ \t]*<br\b[^<>]*>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_LONGEST_BREAK = 40
_NEW_LINE = re.compile(r"\n?<(?:br\b|div class=)[^<>]*>", re.IGNORECASE)
_OF_A_PAGE = re.compile(r"</div>|</?(?:pre|span|code)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def without_first_break(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The inputs and outputs of one problem. A line break that opens every one of them is the page's.

    >>> without_first_break([("\\n3\\n", "\\n4\\n")]), without_first_break([("\\n3", "4")])
    ([('3\\n', '4\\n')], [('\\n3', '4')])
    """
    first = "\n" if all(side[:1] in ("\n", "<") and side.strip() for pair in pairs for side in pair) else ""
    return [(given.removeprefix(first), wanted.removeprefix(first)) for given, wanted in pairs]


def is_certainly_of_a_page(text: str) -> bool:
    """Whether a text has lines as Codeforces shows them, which no problem is about."""
    return _LINE_OF_CODEFORCES.search(text) is not None


def lines_of_html(text: str) -> str:
    """The text with the lines that a page's tags show; a text that is not a page's is the same.

    >>> lines_of_html("<p>a<br>b</p>"), lines_of_html("a<br>b"), lines_of_html("<pre>1 2</pre>")
    ('<p>a<br>b</p>', 'a\\nb', '1 2')
    """
    if "<" not in text or not _MAY_BE_HTML.search(text) or not _is_of_a_page(text):
        return text
    shown = _OF_A_PAGE.sub("", _NEW_LINE.sub("\n", text))
    return html.unescape(shown).replace("\u00a0", " ").strip("\n")


def _is_of_a_page(text: str) -> bool:
    if _LINE_OF_CODEFORCES.search(text) or _WHOLE_BLOCK.fullmatch(text):
        return True
    lines = "\n" in text.strip()
    other_tags = _TAG.search(_OF_A_PAGE.sub("", _NEW_LINE.sub("", text))) is not None
    if _BREAK_FIRST.match(text) or _BREAK_LAST.search(text[-_LONGEST_BREAK:]):
        return not (lines and other_tags)
    alone = len(_BREAK_ALONE.findall(text)) == len(_NEW_LINE.findall(text))
    return not other_tags and (alone or not lines)
