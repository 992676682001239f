"""Write the attributes of HTML tags so that one pattern reads them: `name="value"`, without `<` or `>` in a value.

What is broken is left out, and the rest of the tag stays: Python's parsers do not agree about a quote that nothing
closes, and some drop the text behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from microcoder_data.process.pairs import outside_pairs

TAGS = (
    "a|abbr|article|aside|b|big|blockquote|br|caption|center|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|"
    "font|footer|h[1-6]|header|hr|i|img|ins|kbd|li|main|nav|nobr|ol|p|pre|q|s|samp|section|small|span|strike|strong|style|"
    "script|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|html|head|body|meta|link|italic|ruby|rb|rt|rp|svg|video"
)
_IS_TAG: Callable[[str], object] = re.compile(rf"(?:{TAGS}|iframe|source)", re.IGNORECASE).fullmatch
_VALUE = r"[^\"<>&$]*(?:&(?=#?\w+;)[^\"<>&$]*)*"
"""In it, `&` begins an entity: some parsers find one in `?a=1&section=2`. A `$` might be read as that of a formula."""
_NAME = re.compile(r"[A-Za-z][\w:.-]*")
_PLAIN = rf"(?:\s{{1,40}}{_NAME.pattern}(?:=\"{_VALUE}\")?)*\s{{0,40}}/?>"
_TAG = re.compile(rf"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?=[\s/])(?P<plain>{_PLAIN})?")
_CLOSES = r"(?=\s|/?>|[A-Za-z][\w:-]*=)"
"""Behind the quote that closes a value. Others are part of it (`alt='it's'`)."""


_PRE = re.compile(r"<pre\b", re.IGNORECASE)
_END_OF_PRE = (re.compile("</pre>", re.IGNORECASE), re.compile(r"\Z"))
_END_OF_NOTHING = re.compile(rf"^[ \t]*</(?!(?:{TAGS})>)([A-Za-z][A-Za-z-]*)>[ \t]*$\n?", re.MULTILINE)


def without_ends_of_nothing(text: str) -> str:
    """The text without end tags that are alone on their line, outside of `<pre>`, if HTML has no such tag and nothing
    begins it.

    >>> without_ends_of_nothing("<b>Hats\\n</hatio>\\n</b>\\n<x>\\n</x>")
    '<b>Hats\\n</b>\\n<x>\\n</x>'
    """

    def change(part: str) -> str:
        return _END_OF_NOTHING.sub(lambda tag: tag[0] if f"<{tag[1]}" in text else "", part)

    if "</" not in text or not _END_OF_NOTHING.search(text):
        return text
    return outside_pairs(text, _PRE, lambda _: _END_OF_PRE, change)


def _quoted(kind: str, quote: str) -> str:
    """A value between quotes. Only one without other quotes may hold `<` or `>`, so that a quote that nothing closes
    does not reach into the text."""
    with_quotes = rf"[^{quote}<>]*(?:(?<!=){quote}(?!{_CLOSES})[^{quote}<>]*){{0,4}}"
    return rf"{quote}(?P<{kind}>{with_quotes}|[^{quote}\n]*(?<!\w=)){quote}{_CLOSES}"


_ATTRIBUTE = re.compile(
    r"[\s/]*(?:(?P<name>[^\s<>=/\"']+)(?:\s*=\s*(?:"
    rf"{_quoted('double', chr(34))}|{_quoted('single', chr(39))}|(?P<bare>[^\s<>\"'][^\s<>]*)|"
    r"[\"'](?P<open>[^\s<>\"']*)))?|[=\"'])"
)
_END = re.compile(r"\s*(/\s*|)>")
_END_IN_ANY_CASE = re.compile("[^<>]*?(/?)>")
_ADDRESSES = ("src", "href")
_ESCAPES = str.maketrans({"<": "&lt;", ">": "&gt;", '"': "&quot;", "$": "&#36;"})
_NO_ENTITY = re.compile(r"&(?!#?\w+;)")


def with_plain_attributes(text: str) -> str:
    """The text with the attributes of its tags written in one way, and end tags without any. Other words in `<>` stay.

    >>> with_plain_attributes("<img alt='a > b' src=b.png>"), with_plain_attributes('<a href="b" title=">c</a>')
    ('<img alt="a &gt; b" src="b.png">', '<a href="b">c</a>')
    >>> with_plain_attributes("a <b, c> d"), with_plain_attributes('<p class="a">')
    ('a <b, c> d', '<p class="a">')
    """
    pieces, end = [], 0
    leads_nowhere: set[int] = set()
    for tag in _TAG.finditer(text):
        if tag.start() < end or not _IS_TAG(tag["name"]) or (tag["plain"] and not tag["end"]):
            continue
        attributes, last = _attributes(text, tag.end("name"), leads_nowhere)
        if last:
            written = "" if tag["end"] else "".join(f' {name}="{value}"' for name, value in attributes.items())
            pieces += [text[end : tag.start()], f"<{tag['end']}{tag['name']}{written}{last[1].rstrip()}>"]
            end = last.end()
    return "".join([*pieces, text[end:]])


def _attributes(text: str, start: int, leads_nowhere: set[int]) -> tuple[dict[str, str], re.Match[str] | None]:
    """The attributes that begin at `start`, and the end of the tag. None are found where they lead to no end.

    `leads_nowhere`: the places from which they do not. Each is tried once, whatever tags stand before it.
    """
    found: dict[str, str] = {}
    passed = [start]
    while not (last := _END.match(text, passed[-1])):
        one = None if passed[-1] in leads_nowhere else _ATTRIBUTE.match(text, passed[-1])
        if one is None:
            leads_nowhere.update(passed)
            return {}, _END_IN_ANY_CASE.match(text, start)
        passed.append(one.end())
        if (value := _value(one)) is not None:
            value = _NO_ENTITY.sub("&amp;", value) if "&" in value else value
            found.setdefault(one["name"], value.translate(_ESCAPES))
    return found, last


def _value(one: re.Match[str]) -> str | None:
    """The value of an attribute; None for what has none, or only the beginning of one that is no address."""
    if one["name"] is None or not _NAME.fullmatch(one["name"]):
        return None
    value = next((one[kind] for kind in ("double", "single", "bare") if one[kind] is not None), None)
    if one["name"].lower() not in _ADDRESSES:
        return value
    return (one["open"] or "" if value is None else value).strip("\"'")
