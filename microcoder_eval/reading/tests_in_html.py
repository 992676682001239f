"""Tests that a scraped page shows as HTML: a `<pre>` below the word Input, a `<pre>` below the word Output, and so on.

    tests_in_html("<h3>Sample Input 1</h3><pre>1 2</pre><h3>Sample Output 1</h3><pre>3</pre>")      # [["1 2", "3"]]

Patterns that take linear time on any text: the standard library's parser of HTML does not, on tags that do not end.
"""

from __future__ import annotations

import html
import re

_BEGIN = re.compile(r"<pre\b[^<>]*>", re.IGNORECASE)
_END = re.compile(r"</pre\b", re.IGNORECASE)
_SIDE = re.compile(r"input|output", re.IGNORECASE)
_NEW_LINE = re.compile(r"\n?<(?:br|div|p|li)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def tests_in_html(text: str) -> list[list[str]] | None:
    """The inputs and outputs; None where they do not take turns, so that it is not certain what belongs together.

    >>> tests_in_html("<b>Input</b><pre>1<br/>2</pre><b>Output</b><pre>a &lt; b</pre>"), tests_in_html("<pre>1 2</pre>")
    ([['1\\n2', 'a < b']], None)
    """
    shown: list[str] = []
    position = 0
    while begin := _BEGIN.search(text, position):
        end = _END.search(text, begin.end())
        words = _SIDE.findall(text, position, begin.end())
        if end is None or not words or words[-1].lower() != ("output" if len(shown) % 2 else "input"):
            return None
        inside = _TAG.sub("", _NEW_LINE.sub("\n", text[begin.end() : end.start()]))
        shown.append(html.unescape(inside).strip("\n"))
        position = end.end()
    return [shown[i : i + 2] for i in range(0, len(shown), 2)] if shown and len(shown) % 2 == 0 else None
