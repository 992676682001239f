"""Replace simple pairs of tags such as `<code>n</code>` before HTML is converted, which takes long for each tag.

The result is what the converter gives.
"""

from __future__ import annotations

import re

from microcoder_data.process.pairs import Pair, pairs_replaced

_UNIT = "(?:[^\\s<>&`]|&(?:lt|gt|le|ge|amp|quot);)"
_PLAIN = rf"{_UNIT}(?:(?:{_UNIT}|[ \u00a0])*{_UNIT})?"
"""What stands in a simple pair: no tag, no entity that is a space, no space at its ends."""
_CODE = re.compile(rf"<code>({_PLAIN})</code>")
_SIMPLE = re.compile(rf"<(?P<tag>strong|b|em|i|sup|sub|var)>(?P<text>{_PLAIN})</(?P=tag)>")
_EMPHASIS = re.compile(rf"<(?P<tag>strong|b|em|i)>(?P<text>{_PLAIN})</(?P=tag)>")
_MARK = {"strong": "**", "b": "**", "em": "*", "i": "*", "sup": "^", "sub": "_"}
_DEEPEST = 3
PRE = re.compile(r"<(?:pre|code)\b", re.IGNORECASE)
END_OF_PRE = re.compile("</(?:pre|code)>", re.IGNORECASE)
_KEEPS_FORMAT = re.compile(r"<(/?)(pre|code)\b", re.IGNORECASE)
_OTHER_CODE = re.compile(r"<(?:kbd|samp)\b", re.IGNORECASE)
_TAG_IN_ATTRIBUTE = re.compile("=\\s*(?:\"[^\"<>]*<|'[^'<>]*<)")
_REPLACED = "</?(?:code|strong|b|em|i|sup|sub|var)>"
_ODD_SPACES = r"[ \t\r\n]*(?:&#?\w+;|[^\S \t\r\n])(?:\s|&#?\w+;)*"
_ODD_SPACES_ALONE = re.compile(rf"{_REPLACED}{_ODD_SPACES}(?:<|\Z)|(?:>|\A){_ODD_SPACES}{_REPLACED}")
"""Beside a tag that is replaced. The converter leaves them out between tags, and keeps them beside words."""
_BROKEN_ENTITY = re.compile(r"&#(?![0-9]|[xX][0-9a-fA-F])")
"""Behind it the converter reads no tags."""
_TABLE_OR_ROW = re.compile(r"<(/?)(table|tr)\b", re.IGNORECASE)
_MARKS_BEHIND = re.compile(r"(-?\w+)([.,;:]+)")


def with_marks(html: str) -> str:
    """The HTML with marks for simple pairs, but not inside code and attributes, where tags mean nothing.

    >>> with_marks("<strong>Add</strong> <var>x<sub>i</sub></var> and <code>a &lt; b</code>.<pre><b>In:</b> 1</pre>")
    '**Add** $x_i$ and `a &lt; b`.<pre>In: 1</pre>'
    """
    code = [(end, name.lower()) for end, name in _KEEPS_FORMAT.findall(html)]
    apart = code[1::2] == [("/", name) for _, name in code[::2]] and code[::2] == [("", name) for _, name in code[1::2]]
    if not apart or _OTHER_CODE.search(html) or _TAG_IN_ATTRIBUTE.search(html) or _ODD_SPACES_ALONE.search(html):
        return html
    if _BROKEN_ENTITY.search(html) or _has_loose_row(html):
        return html
    return pairs_replaced(html, PRE, lambda _: [END_OF_PRE], _code_with_marks, _tags_to_marks)


def _has_loose_row(html: str) -> bool:
    """Whether a row of a table stands outside a table: the converter looks at the tags beside it."""
    open_tables = 0
    for end, name in _TABLE_OR_ROW.findall(html) if "<tr" in html.lower() else ():
        if name.lower() == "table":
            open_tables = max(0, open_tables + (-1 if end else 1))
        elif not end and not open_tables:
            return True
    return False


def _code_with_marks(code: Pair) -> str:
    """Simple code between backticks; without emphasis, which code cannot show."""
    found = _CODE.fullmatch(code.whole)
    return f"`{found[1]}`" if found else _EMPHASIS.sub(r"\g<text>", code.whole)


def _tags_to_marks(text: str) -> str:
    for _ in range(_DEEPEST):
        before = text
        text = _SIMPLE.sub(_marked, text)
        if text == before:
            break
    return text


def _marked(found: re.Match[str]) -> str:
    tag, inside = found["tag"], found["text"]
    if tag == "var":
        return variable(inside)
    return raised(_MARK[tag], inside) if tag in ("sup", "sub") else f"{_MARK[tag]}{inside}{_MARK[tag]}"


def variable(text: str) -> str:
    """What `<var>` holds, as a formula."""
    inside = text.strip().strip("$")
    return f"${inside}$" if inside else ""


def raised(mark: str, text: str) -> str:
    """An exponent (`^`) or an index (`_`), in braces unless it is short. The end of a sentence is no part of it.

    >>> raised("^", "5"), raised("_", "i + 1"), raised("_", "i.")
    ('^5', '_{i + 1}', '_i.')
    """
    inside = text.strip()
    if not inside:
        return ""
    if found := _MARKS_BEHIND.fullmatch(inside):
        return raised(mark, found[1]) + found[2]
    short = re.fullmatch(r"-?[^\W_]+", inside) and len(inside) <= 12
    return f"{mark}{inside}" + text[len(text.rstrip()) :] if short else f"{mark}{{{inside}}}"
