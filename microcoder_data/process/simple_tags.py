"""Convert HTML of the most frequent tags to Markdown. The result is what the general converter gives, which takes long.

markdown = converted("<p>Sort <code>a</code>.</p>")     # None where other tags are in it
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

PRE = re.compile(r"<(?:pre|code)\b", re.IGNORECASE)
END_OF_PRE = re.compile("</(?:pre|code)>", re.IGNORECASE)
_ATTRIBUTES = '(?: [a-z-]+="[^"<>&]*")*'
_TAG = re.compile(
    rf"<(?P<end>/?)(?P<name>p|div|section|ul|ol(?=>)|li|pre|h[1-6]|span|strong|b|em|i|code|sup|sub|var|u|font|a|img|br|hr)"
    rf"(?P<attributes>{_ATTRIBUTES}) ?(?P<whole>/?)>"
)
_ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
_OTHER_ENTITY = re.compile(
    "&(?!(?:lt|gt|amp|quot|nbsp|ndash|mdash|ldquo|rdquo|lsquo|rsquo|hellip|times|minus|le|ge|ne|larr|rarr|#39);)"
)
_LINE_ENDS = re.compile(r"[\t \r\n]*[\r\n][\t \r\n]*")
_SPACES = re.compile(r"[\t ]+")
_ALL_SPACES = re.compile(r"[\t \r\n]+")
_START_OF_SAMPLE = re.compile(r"\A[ \n]*\n")
_NEXT_LINE = re.compile(r"\n(?!\n)")
_TICKS = re.compile("`+")
_MARKS_BEHIND = re.compile(r"(-?\w+)([.,;:]+)")
_SMALL_PRINT = re.compile(r"\*\*|__|\]\(|\$\$|(?:(?<![A-Za-z])[A-Za-z]{2,}[^A-Za-z\n]+){4}")
_LISTS = ("ul", "ol")
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_TRIMMED = _HEADINGS | {"p", "div", "section", "li", *_LISTS}
"""White space at their ends means nothing."""
_APART = _TRIMMED | {"pre"}
"""White space beside them means nothing."""
_EMPTY = frozenset(["img", "br", "hr"])
_NOT_IN_HEADINGS = _APART | _EMPTY
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}


class _Element(NamedTuple):
    name: str
    attributes: dict[str, str]
    children: list[_Element | str]


def converted(text: str) -> str | None:
    """The Markdown of the HTML; None where it has other tags or entities.

    >>> converted("<p>Sort it.</p><ul>\\n<li>1 &lt;= n</li>\\n</ul>"), converted("<p>Sort <s>it</s>.</p>")
    ('Sort it.\\n\\n- 1 <= n', None)
    """
    if "&" in text and _OTHER_ENTITY.search(text):
        return None
    top = _Element("", {}, [])
    opened, names, end = [top], [""], 0
    for tag in _TAG.finditer(text):
        if piece := text[end : tag.start()]:
            opened[-1].children.append(html.unescape(piece))
            if "<" in piece:
                return None
        end, name, attributes, whole = tag.end(), tag["name"], tag["attributes"], tag["whole"]
        if tag["end"]:
            if attributes or whole or name in _EMPTY:
                return None
            while name in names:  # others are ignored
                opened.pop()
                if names.pop() == name:
                    break
            continue
        if (whole and name not in _EMPTY) or (name in _NOT_IN_HEADINGS and not _HEADINGS.isdisjoint(names)):
            return None
        element = _Element(name, dict(_ATTRIBUTE.findall(attributes)) if attributes else {}, [])
        if (name == "img" and "class" in element.attributes) or (name == "a" and "title" in element.attributes):
            return None
        opened[-1].children.append(element)
        if name not in _EMPTY:
            opened.append(element)
            names.append(name)
    if rest := text[end:]:
        opened[-1].children.append(html.unescape(rest))
    return None if "<" in rest else _inside(top, ()).strip("\n")


def _inside(element: _Element, above: Sequence[str]) -> str:
    """What an element holds, converted; `above`: the names of the elements around it."""
    above = (*above, element.name)
    exact, children = "pre" in above, element.children
    trims = [isinstance(child, _Element) and child.name in _APART for child in children]
    trims = [element.name in _TRIMMED, *trims, element.name in _TRIMMED]
    pieces = [""]
    for place, child in enumerate(children):
        if isinstance(child, _Element):
            piece = _converted(child, above, children, place)
        else:
            piece = _text(child, exact, trims[place], trims[place + 2])
        if not piece:
            continue
        content = piece.strip("\n")
        start, _, end = piece.partition(content) if content else (piece, "", "")
        if pieces[-1] and start and not exact:
            start = "\n" * min(2, max(len(pieces.pop()), len(start)))
        pieces += [start, content, end]
    return "".join(pieces)


def _text(text: str, exact: bool, trims_start: bool, trims_end: bool) -> str:
    if (trims_start or trims_end) and not text.strip():
        return ""
    if not exact and ("\n" in text or "\r" in text):
        text = _LINE_ENDS.sub("\n", text)
    if not exact and ("  " in text or "\t" in text):
        text = _SPACES.sub(" ", text)
    if trims_start:
        text = text.lstrip(" \t\r\n")
    return text.rstrip() if trims_end else text


def _converted(element: _Element, above: Sequence[str], beside: Sequence[_Element | str], place: int) -> str:
    """An element, which stands at a place beside others."""
    name, attributes = element.name, element.attributes
    if name == "img":
        return f"![{attributes.get('alt', '')}]({attributes.get('src', '')})"
    if name in _EMPTY:
        line_break = "\n" if "pre" in above else "  \n"
        return line_break if name == "br" else "\n\n---\n\n"
    text = _inside(element, above)
    plain = "pre" in above or "code" in above  # code has no marks inside
    match name:
        case "p" | "div" | "section":
            text = text.strip(" \t\r\n") if name == "p" else text.strip()
            return f"\n\n{text}\n\n" if text else ""
        case "pre":
            return block(text)
        case "ul" | "ol":
            if "li" in above:
                return "\n" + text.rstrip()
            return f"\n\n{text}\n" if _is_before_text(beside, place) else f"\n\n{text}"
        case "li":
            mark = f"{_number(beside, place)}. " if above[-1] == "ol" else "- "
            text = _NEXT_LINE.sub("\n" + " " * len(mark), text.strip())
            return f"{mark}{text}\n" if text else "\n"
        case "sup" | "sub":
            return raised("^" if name == "sup" else "_", text)
        case "var" if not plain:
            return variable(text)
        case "a" if not plain:
            address = attributes.get("href")
            return _between_spaces(text, f"[{text.strip()}]({address})") if address else text.strip()
        case "strong" | "b" | "em" | "i" if not plain:
            return _between_spaces(text, f"{_MARKS[name]}{text.strip()}{_MARKS[name]}")
        case "code" if not plain:
            ticks = max(map(len, _TICKS.findall(text)), default=0)
            inside = f" {text.strip()} " if ticks else text.strip()
            return _between_spaces(text, f"{'`' * (ticks + 1)}{inside}{'`' * (ticks + 1)}")
        case _ if name in _HEADINGS:
            return f"\n\n{'#' * int(name[1])} {_ALL_SPACES.sub(' ', text.strip())}\n\n"
    return text


def _number(items: Sequence[_Element | str], place: int) -> int:
    """The number of an item in its list."""
    return sum(isinstance(one, _Element) and one.name == "li" for one in items[: place + 1])


def _is_before_text(beside: Sequence[_Element | str], place: int) -> bool:
    """Whether something other than a list follows."""
    following = (beside[behind] for behind in range(place + 1, len(beside)))
    first = next((one for one in following if isinstance(one, _Element) or one.strip()), None)
    return first is not None and not (isinstance(first, _Element) and first.name in _LISTS)


def _between_spaces(text: str, marked: str) -> str:
    """A marked text with the spaces around that the text has at its ends; nothing for an empty text."""
    if not text.strip():
        return ""
    return " " * text.startswith(" ") + marked + " " * text.endswith(" ")


def block(text: str) -> str:
    """What `<pre>` holds, in a fence."""
    shown = _START_OF_SAMPLE.sub("", text).rstrip(" \n")
    return f"\n\n```\n{shown}\n```\n\n" if text else ""


def variable(text: str) -> str:
    """What `<var>` holds, as a formula."""
    inside = text.strip().strip("$")
    return f"${inside}$" if inside else ""


def raised(mark: str, text: str) -> str:
    """An exponent (`^`) or an index (`_`), in braces unless it is short. The end of a sentence is no part of it. Small
    print is neither.

    >>> raised("^", "5"), raised("_", "i + 1"), raised("_", "i."), raised("_", "See the notes below for this.")
    ('^5', '_{i + 1}', '_i.', 'See the notes below for this.')
    """
    inside = text.strip()
    if not inside:
        return ""
    if _SMALL_PRINT.search(inside):
        return text
    if found := _MARKS_BEHIND.fullmatch(inside):
        return raised(mark, found[1]) + found[2]
    short = re.fullmatch(r"-?[^\W_]+", inside) and len(inside) <= 12
    return f"{mark}{inside}" + text[len(text.rstrip()) :] if short else f"{mark}{{{inside}}}"
