"""Convert HTML tags and entities inside a Markdown statement. Code stays as it is, byte for byte.

A Markdown text with some tags must not go through the HTML converter, which ignores empty lines.
"""

# ruff: noqa: E501 - a pattern is one line

from __future__ import annotations

import functools
import html
import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from microcoder_data.process.attributes import with_plain_attributes, without_ends_of_nothing
from microcoder_data.process.html_text import DRAWING, drawing, end_tag, html_to_markdown, image, underlined_to_bold
from microcoder_data.process.pairs import AT_ONCE, Pair, outside_pairs, pairs_replaced
from microcoder_data.process.scripts_of_formulas import scripts_in_formulas
from microcoder_data.process.simple_tags import raised

_MARKDOWN = re.compile(r"\n(?:#{1,6} |```|~~~|[-*+] \S|\d{1,2}\. \S|> |-{4,}\w)|\*\*\S")
"""With the line end before it, which makes the search fast."""
_BLOCK_TAG = re.compile(
    r"<(/?)(p|ul|ol|table|pre|div|section|aside|article|main|h[1-6]|dl|blockquote|center|details|figure)\b[^<>]*>", re.I
)
_BEGINS_BLOCK = re.compile(_BLOCK_TAG.pattern.replace("(/?)", ""), re.IGNORECASE)
_ARRANGES_TABLES = re.compile(
    r"<table\b.*?<t[dh]\b[^<>]*>\s*\n[ \t]*\|[^\n]*\|[ \t]*\n[ \t]*\|[ \t:|-]+\|[ \t]*\n", re.I | re.S
)
"""An HTML table that only arranges: a cell of it holds a whole table in Markdown."""
_OF_A_TABLE = re.compile(r"</?(?:table|thead|tbody|tr|td|th)\b[^<>]*>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"<(?:p|li|div|h[1-6])\b[^<>]*>", re.IGNORECASE)
_FENCE = r"^[ \t]*(?P<fence>```+(?=[^`\n]*$)|~~~+).*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)|"
"""Code between backticks that begins a line is none."""
_IN_LINE = r"(?<!`{9})`(?P<ticks>`*)(?!`)[^\n]*?[^`\n]`(?P=ticks)(?!`)"
"""Of a long run of backticks only the first ones are tried as a beginning: the time would grow with its square."""
_CODE_ONLY = re.compile(_FENCE + _IN_LINE, re.DOTALL | re.MULTILINE)
_CODE = re.compile(_CODE_ONLY.pattern + r"|\$\$.+?\$\$|\$[^$\n]+\$", _CODE_ONLY.flags)
_WITHOUT_FENCES = {code: re.compile(code.pattern.removeprefix(_FENCE), re.DOTALL) for code in (_CODE, _CODE_ONLY)}
_CODE_OR_TAG_OF_CODE = re.compile(
    _CODE_ONLY.pattern + r"|<(?P<tag>code|pre|tt|samp)\b[^<>]*>", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
"""Code and, of code in tags, the tag that begins it."""
_CODE_OR_VALUE = re.compile(
    _CODE_OR_TAG_OF_CODE.pattern + r"|\"[^\"\n]*\"|&quot;(?:(?!&quot;)[^\n])*&quot;",
    _CODE_OR_TAG_OF_CODE.flags,
)
"""The same and quoted values."""
_ATTRIBUTE = re.compile(r'\s(src|alt|class)="([^"]*)"', re.IGNORECASE)


def _image(found: re.Match[str]) -> str:
    attributes = {name.lower(): html.unescape(value) for name, value in _ATTRIBUTE.findall(found[0])}
    return image(attributes.get("alt", ""), attributes.get("src", ""), attributes.get("class", "").split())


_MARK_OF = {"sup": "^", "sub": "_"}
_BREAK = re.compile(r"(?<![ \t])[ \t]*</?br\s*/?>[ \t]*", re.IGNORECASE)
_PAIRED: tuple[tuple[re.Pattern[str], Callable[[Pair], str]], ...] = (
    (re.compile("<!()--"), lambda comment: ""),
    (re.compile(r"<(style)\b[^<>]*>(?=[^<>]*\{)", re.I), lambda style: ""),
    (re.compile("<(rt)>", re.I), lambda ruby: f"({ruby.inside.strip()})"),
    (re.compile(r"<(su[pb])\b[^<>]*>", re.I), lambda su: raised(_MARK_OF[su.opened[1].lower()], su.inside.strip())),
    (re.compile(r'<(a)\b[^<>]*\shref="([^"]*)"[^<>]*>', re.I), lambda a: f"[{a.inside}]({html.unescape(a.opened[2])})"),
    (DRAWING, drawing),
)
"""Tags that are replaced with what they hold, or by it: the tag that begins the pair, and the pair's text."""
_INLINE: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(?:(?<![ \t])[ \t]+)?(?:<br\s*/?>|</br>)[ \t]*\n?", re.I), "\n"),
    (re.compile(r"</?(?:b|strong)\b[^<>]*>", re.I), "**"),
    (re.compile(r"</?(?:i|em|var|italic)\b[^<>]*>", re.I), "*"),
    (re.compile(r"<img\b[^<>]*>", re.I), _image),
    (re.compile(r"<hr\s*/?>", re.I), "\n\n---\n\n"),
    (re.compile(  # tags that only mark a place or a style
        r"</?(?:span|font|u|s|big|small|nobr|ins|del|ruby|rb|rp|p|div|section|center|a|abbr|wbr|summary|details)\b[^<>]*>|</img>", re.I), ""),
)  # fmt: skip
_CODE_TAG = re.compile(r"<(code|tt|kbd|samp)\b[^<>]*>", re.IGNORECASE)
_LONE_CODE_TAG = re.compile(r"</?(?:code|tt|kbd|samp)\b[^<>]*>", re.IGNORECASE)
_SCRIPT_IN_SCRIPT = re.compile(r"(<su[pb]\b[^<>]*>[^<>]*)<(su[pb])\b[^<>]*>([^<>]*)</\2>", re.IGNORECASE)
_SAMPLE_LINE = re.compile(
    r"^(?P<head>[\s>*_]*(?:<(?:strong|b)>)?\s*(?:Input|Output)\s*(?:</(?:strong|b)>)?[\s*_]*:).*$", re.M | re.I
)
_LABEL = re.compile(r"[pP][uU][tT]\s*(?:</(?:[sS][tT][rR][oO][nN][gG]|[bB])>)?[\s*_]*:")
_QUOTED_TAG = re.compile(r'"[^"\n<]*<')
"""In every sample line, and in every quoted value that contains a tag: fast checks."""
_LITERAL = re.compile(r'=\s*"[^"\n]*"|(?P<value>"[^"\n]*")')
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
_ESCAPED_TWICE = re.compile(r"&amp;(?:amp;)*(?:[a-zA-Z]{2,8}|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
MOST_ESCAPES = 5
_ESCAPED_TAG = re.compile(
    r"&(?:amp;)*lt;/?(?:br|p|sup|sub|strong|em|b|i|u|ul|ol|li|div|span|pre|code|font|center|var|img|table|tbody|tr|td|th|h[1-6])"
    r"(?:\s(?:(?!&(?:amp;)*[lg]t;)[^<>\n]){0,200})?\s*/?&(?:amp;)*gt;",
    re.IGNORECASE,
)
_FENCED = re.compile(r"(^[ \t]*```(?=`*[^`\n]*$).*?(?:^[ \t]*```[ \t]*$|\Z))", re.DOTALL | re.MULTILINE)
_ITEM_PARAGRAPH = re.compile(
    r"^(?P<mark>[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)+)<p>[ \t]*(?P<text>(?:(?!</?p\b|\n[ \t]*\n).)*)</p>[ \t]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_ABOUT_TAGS = re.compile(r"(?<![./\w])(?:x?html|xml|tags?|markup|bbcode|web ?pages?|browsers?)\b", re.IGNORECASE)
_ABOUT_ENTITIES = re.compile(
    r"[hxe实](?:(?<![./\w].)(?:(?<=h)tml|(?<=x)ml)\b|(?<=e)ntit|(?<=e)scap|(?<=实)体)", re.IGNORECASE
)


def is_markdown(text: str) -> bool:
    """Whether a text with tags is Markdown: outside its HTML blocks it has more marks of Markdown than HTML paragraphs.

    >>> is_markdown("One.<br>\\n\\n- two"), is_markdown("<p>One.</p>\\n<ul><li>two</li></ul>")
    (True, False)
    """
    prose = _without_code(text)
    paragraphs = len(_PARAGRAPH.findall(prose))
    if not paragraphs:
        return _MARKDOWN.search(f"\n{text}") is not None or not _BEGINS_BLOCK.search(prose)
    return len(_MARKDOWN.findall(f"\n{_without_blocks(text)}")) > paragraphs


def tags_to_markdown(text: str) -> str:
    """The Markdown text without tags; blocks of HTML in it are converted, code and formulas stay.

    >>> tags_to_markdown("Up to 10<sup>5</sup>.<br>Print `<b>`.")
    'Up to 10^5.\\nPrint `<b>`.'
    """
    pieces, end = [], 0
    for start, stop in _blocks(text):
        block = text[start:stop]
        if _ARRANGES_TABLES.match(block):
            converted = _without_inline_tags(_OF_A_TABLE.sub("\n\n", block))
        else:
            converted = html_to_markdown(block)
        pieces += [_without_inline_tags(text[end:start]), f"\n\n{converted}\n\n"]
        end = stop
    whole = "".join([*pieces, _without_inline_tags(text[end:])])
    if "\n\n\n\n" in whole:
        whole = outside_code(whole, lambda piece: re.sub(r"\n{4,}", "\n\n", piece), _CODE_ONLY)
    return whole.strip()


def unescaped(text: str) -> str:
    """The text with entities decoded. In code they are decoded only if the prose has entities too.

    >>> unescaped("1 &lt;= n &amp;lt; `a &lt; b`")
    '1 <= n < `a < b`'
    >>> unescaped("Escape `&lt;` as in HTML."), unescaped("So `&lt;` it is.")
    ('Escape `&lt;` as in HTML.', 'So `&lt;` it is.')
    """
    if not _ENTITY.search(text):
        return text
    if _ESCAPED_TWICE.search(text) and not _ABOUT_ENTITIES.search(text):
        return without_entities(text)
    if _ENTITY.search(_without_code(text)) and not _ABOUT_ENTITIES.search(text):
        return html.unescape(html.unescape(text))
    return outside_code(text, lambda piece: html.unescape(html.unescape(piece)), _CODE_ONLY)


def without_entities(text: str) -> str:
    """The text with entities decoded, even if it was escaped several times."""
    for _ in range(MOST_ESCAPES):
        plain = html.unescape(text)
        if plain == text:
            break
        text = plain
    return text


def with_readable_tags(text: str) -> str:
    """The text with attributes as `attributes.py` writes them and without end tags of nothing, except in code.

    >>> with_readable_tags("`<b id=a>` <b id=a>")
    '`<b id=a>` <b id="a">'
    """
    if "<" not in text or _readable(text) == text:
        return text
    return outside_code(text, _readable, _CODE_ONLY)


def _readable(text: str) -> str:
    return without_ends_of_nothing(with_plain_attributes(text))


def with_its_tags(text: str) -> str:
    """The text with escaped tags such as `&lt;br&gt;` decoded, except in code, where they are data.

    A text about tags stays as it is.

    >>> with_its_tags("Two lines.&lt;br /&gt;Print `&lt;br&gt;`.")
    'Two lines.<br />Print `&lt;br&gt;`.'
    """
    if "lt;" not in text or not _ESCAPED_TAG.search(text) or _ABOUT_TAGS.search(text):
        return text
    change = functools.partial(_ESCAPED_TAG.sub, lambda tag: without_entities(tag[0]))
    return outside_pairs(text, _CODE_OR_VALUE, _ends_of_code, change)


def with_scripts(text: str) -> str:
    """The text with the exponents and indices of formulas inside of them (see `scripts_of_formulas.py`), except in code.

    >>> with_scripts("`$a$<sub>1</sub>` <code>$a$<sub>1</sub></code> $a$<sub>1</sub>")
    '`$a$<sub>1</sub>` <code>$a$<sub>1</sub></code> $a_{1}$'
    """
    if "$" not in text or "<su" not in text.lower():
        return text
    return outside_pairs(text, _CODE_OR_TAG_OF_CODE, _ends_of_code, scripts_in_formulas)


def _ends_of_code(opened: re.Match[str]) -> list[re.Pattern[str]]:
    return [end_tag(opened["tag"]) if opened["tag"] else AT_ONCE]


def items_without_paragraphs(text: str) -> str:
    """The text with `<p>` removed around the items of Markdown lists.

    >>> items_without_paragraphs("- <p>red</p>\\n- <p>blue</p>")
    '- red\\n- blue'
    """
    if "<p>" not in text or not any(map(text.lower().__contains__, (" <p>", "\t<p>"))):
        return text
    pieces = _FENCED.split(text)
    pieces[::2] = [_ITEM_PARAGRAPH.sub(_item, piece) for piece in pieces[::2]]
    return "".join(pieces)


def _item(found: re.Match[str]) -> str:
    return found["mark"] + found["text"].rstrip(" \t")


def _code_in(text: str, code: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The code, and formulas if the pattern finds them. Fences are searched only where there may be one: it takes
    long."""
    if "```" in text or "~~~" in text:
        return code.finditer(text)
    return _WITHOUT_FENCES[code].finditer(text) if "`" in text or "$" in text else iter(())


def _without_code(text: str) -> str:
    """The text with a space for each piece of code."""
    pieces, end = [], 0
    for found in _code_in(text, _CODE_ONLY):
        pieces.append(text[end : found.start()])
        end = found.end()
    return " ".join([*pieces, text[end:]])


def outside_code(text: str, change: Callable[[str], str], code: re.Pattern[str] = _CODE) -> str:
    """The text with `change` applied outside code and, by default, outside formulas."""
    pieces, end = [], 0
    for found in _code_in(text, code):
        pieces += [change(text[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*pieces, change(text[end:])])


def _without_inline_tags(text: str) -> str:
    if "<" not in text:
        return text
    return outside_code(text, lambda piece: _outside_literals(piece, _replace_inline_tags) if "<" in piece else piece)


def _outside_literals(text: str, change: Callable[[str], str]) -> str:
    """The text with `change` applied, except to quoted values after `Input:` and `Output:`: a tag there is data.

    >>> _outside_literals('Output: "a<b>c</b>"\\nA <b>c</b>', _replace_inline_tags)
    'Output: "a<b>c</b>"\\nA **c**'
    """
    pieces, end = [], 0
    for start, stop in literals_of_samples(text):
        pieces += [change(text[end:start]), text[start:stop]]
        end = stop
    return "".join([*pieces, change(text[end:])])


def literals_of_samples(text: str) -> list[tuple[int, int]]:
    """The spans of quoted values that contain a tag, on lines of `Input:` and `Output:`; attributes do not count.

    >>> literals_of_samples('Output: <i class="x">"<b>"</i>')
    [(21, 26)]
    """
    if '"' not in text or "put" not in text or not _LABEL.search(text) or not _QUOTED_TAG.search(text):
        return []
    return [
        literal.span("value")
        for line in _SAMPLE_LINE.finditer(text)
        for literal in _LITERAL.finditer(text, line.end("head"), line.end())
        if literal["value"] and "<" in literal["value"]
    ]


def _replace_inline_tags(text: str) -> str:
    if "<" not in text:
        return text
    if "|" in text:
        text = "\n".join(map(_without_breaks_in_cells, text.split("\n")))
    text = underlined_to_bold(text)
    while "<su" in text and (inner := _SCRIPT_IN_SCRIPT.search(text)):
        mark = raised(_MARK_OF[inner[2].lower()], inner[3].strip())
        text = text[: inner.start()] + inner[1] + mark + text[inner.end() :]
    for opening, replaced in _PAIRED:
        text = pairs_replaced(text, opening, lambda opened: [end_tag(opened[1])], replaced)
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    text = pairs_replaced(text, _CODE_TAG, lambda opened: [end_tag(opened[1])], _code_between_backticks)
    return _LONE_CODE_TAG.sub("`", text)


def _code_between_backticks(code: Pair) -> str:
    """Entities in code of HTML stand for characters, in code of Markdown for themselves."""
    return f"`{html.unescape(code.inside)}`"


def _without_breaks_in_cells(line: str) -> str:
    """A row of a table in Markdown, with a space for each line break inside it."""
    first, last = line.find("|"), line.rfind("|")
    return line[:first] + _BREAK.sub(" ", line[first:last]) + line[last:] if first < last else line


@functools.lru_cache(maxsize=1)
def _blocks(text: str) -> list[tuple[int, int]]:
    """The spans of the outermost HTML blocks outside code. `is_markdown` and `tags_to_markdown` need those of one text."""
    ends: dict[int, int] = {}  # where a block ends, by where it begins
    begun: defaultdict[str, list[int]] = defaultdict(list)
    for tag in _BLOCK_TAG.finditer(text):
        name = tag[2].lower()
        if not tag[1]:
            begun[name].append(tag.start())
        elif begun[name]:
            ends[begun[name].pop()] = tag.end()
    if not ends:
        return []
    found: list[tuple[int, int]] = []
    code = iter([*(found.span() for found in _code_in(text, _CODE)), (len(text), len(text))])
    first, last = next(code)
    for start in sorted(ends):
        while last <= start:
            first, last = next(code)
        if not first <= start and not (found and start < found[-1][1]):
            found.append((start, ends[start]))
    return found


def _without_blocks(text: str) -> str:
    pieces, end = [], 0
    for start, stop in _blocks(text):
        pieces.append(text[end:start])
        end = stop
    return "".join([*pieces, text[end:]])
