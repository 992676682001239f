"""Keep what is bold or underlined inside of values: it shows which letter or element of a text or list is meant.

Markdown has no marks inside code, so code ends and begins again around them. Values of samples stay as they are.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Callable

from microcoder_data.process.pairs import Pair, pairs_replaced

SAMPLE_LABEL = re.compile(r"(?P<value>\b(?:Input|Output)\b|输入|输出)|\bExpla\w+|解释|\bExample\b|示例", re.IGNORECASE)
"""What stands before the values of a sample, and what ends them."""
_EXACT = re.compile(r"<(pre|code)\b[^<>]*>", re.IGNORECASE)
_ENDS = {name: [re.compile(f"</{name}>", re.IGNORECASE)] for name in ("pre", "code")}
_MARK = "(?:u|ins|strong|b|em|i)"
_MARKED = re.compile(rf"((?:<{_MARK}>){{1,3}})([^<>\n]{{1,60}})(?:</{_MARK}>){{1,3}}", re.IGNORECASE)
_ITALIC = re.compile("(?:<(?:em|i)>)+", re.IGNORECASE)
_ANY_MARK = re.compile(rf"</?{_MARK}>", re.IGNORECASE)
_EMPTY = re.compile(r"[\s\u200b:：\"']*")
_STARTS, _ENDS_OF_ELEMENTS = "[,(\"'", "],)\"'"
_NO_BREAK = re.compile("&nbsp;|\u00a0")
_IN_BOLD = re.compile(r"<(?:strong|b)>\s*\Z", re.IGNORECASE)
_WORD = re.compile("[A-Za-z0-9]")


def marked_parts_in_bold(text: str) -> str:
    """The HTML with marked parts of values in bold, which code and `<pre>` would lose.

    >>> marked_parts_in_bold("So <code>[<u>1</u>, 2]</code>.")
    'So <code>[</code><b><code>1</code></b><code>, 2]</code>.'
    >>> marked_parts_in_bold("<pre><b>Output:</b> [<u>1</u>,2]\\n<b>Explanation:</b> [<u>1</u>,2]</pre>")
    '<pre><b>Output:</b> [<u>1</u>,2]\\n<b>Explanation:</b> [**1**,2]</pre>'
    """
    if not _ANY_MARK.search(text):
        return text
    labels = list(SAMPLE_LABEL.finditer(text))
    starts = [label.start() for label in labels]

    def of_a_sample(place: int) -> bool:
        label = bisect_left(starts, place) - 1
        return label >= 0 and labels[label]["value"] is not None

    def changed(exact: Pair) -> str:
        start, marks = exact.opened.end(), _ANY_MARK.search(exact.inside)
        if not marks:
            return exact.whole
        if exact.opened[1].lower() == "pre":
            return exact.opened[0] + _in_a_block(exact.inside, lambda place: of_a_sample(start + place)) + "</pre>"
        return exact.whole if of_a_sample(start) else _in_code(exact)

    return pairs_replaced(text, _EXACT, lambda opened: _ENDS[opened[1].lower()], changed)


def _in_a_block(inside: str, of_a_sample: Callable[[int], bool]) -> str:
    """A block with `**` around the marked letters of words and elements of lists, except in the values of samples."""

    def changed(found: re.Match[str]) -> str:
        shows = _is_marked(found) and (_in_a_word(found) or _is_an_element(found))
        line = inside[inside.rfind("\n", 0, found.start()) + 1 : found.end()] + inside[found.end() :].split("\n", 1)[0]
        if not shows or of_a_sample(found.start()) or "*" in line:
            return found[0]
        part = found[2].strip()
        return found[2].replace(part, f"**{part}**")

    return _MARKED.sub(changed, inside)


def _in_code(code: Pair) -> str:
    """Code that ends before each marked part and begins again behind it; the part is code in bold."""
    if _IN_BOLD.search(code.opened.string, max(0, code.opened.start() - 20), code.opened.start()):
        return code.whole
    pieces, end = [""], 0  # in turn not marked and marked
    for found in filter(_is_marked, _MARKED.finditer(code.inside)):
        quoted = html.unescape(code.inside[: found.start()]).count('"') % 2 == 1
        if not (quoted or _in_a_word(found) or _is_an_element(found) or any(map(str.isdigit, found[2]))):
            return code.whole  # words of a sentence in code
        between = code.inside[end : found.start()]
        if between or len(pieces) == 1:
            pieces[-1] += between
            pieces += [found[2], ""]
        else:
            pieces[-2] += found[2]
        end = found.end()
    pieces[-1] += code.inside[end:]
    if not any(piece.strip() for piece in pieces[::2]) or any(map(_ANY_MARK.search, pieces[::2])):
        return code.whole  # all of it is marked, or by marks of two kinds
    pieces = [_NO_BREAK.sub(" ", piece) for piece in pieces]  # a space at the end of code goes out of it
    pieces[::2] = [f"<code>{piece}</code>" if piece.strip() else piece for piece in pieces[::2]]
    pieces[1::2] = [f"<b><code>{piece}</code></b>" for piece in pieces[1::2]]
    return "".join(pieces)


def _is_marked(found: re.Match[str]) -> bool:
    """Whether it is bold or underlined, not a label, and not empty. Variables are italic too."""
    return not (_ITALIC.fullmatch(found[1]) or _EMPTY.fullmatch(found[2]) or found[2].rstrip().endswith((":", "：")))


def _in_a_word(found: re.Match[str]) -> bool:
    before, after = _beside(found)
    return _WORD.match(before[-1:]) is not None or _WORD.match(after) is not None


def _is_an_element(found: re.Match[str]) -> bool:
    before, after = (beside.strip(" ") for beside in _beside(found))
    return before[-1:] in _STARTS and after[:1] in _ENDS_OF_ELEMENTS and bool(before and after)


def _beside(found: re.Match[str]) -> tuple[str, str]:
    """The text before and behind a marked part, without other marks."""
    before = found.string[max(0, found.start() - 40) : found.start()]
    after = found.string[found.end() : found.end() + 40]
    return html.unescape(_ANY_MARK.sub("", before)), html.unescape(_ANY_MARK.sub("", after))
