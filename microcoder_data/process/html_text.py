"""Convert HTML statements to Markdown: <var>, <sup> and <sub> become mathematics, <pre> a fence, images `![](...)`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from microcoder_data.process.attributes import TAGS, with_plain_attributes, without_ends_of_nothing
from microcoder_data.process.implied_ends import with_implied_ends
from microcoder_data.process.marked_parts import SAMPLE_LABEL, marked_parts_in_bold
from microcoder_data.process.pairs import Pair, outside_pairs, pairs, pairs_replaced
from microcoder_data.process.simple_tags import END_OF_PRE, PRE, block, converted, raised, variable
from microcoder_data.process.tables_of_code import cells_apart

_EVIDENCE = re.compile(
    rf"</(?:{TAGS})\s*>|<(?:br|hr|img|p|li|td|tr)(?:\s[^<>]*)?/?>|<img\s+[\w-]+=|<!--", re.IGNORECASE
)
_NOT_A_TAG = re.compile(rf"<(?!/?(?:{TAGS})(?:\s[^<>]*)?/?>|!--|!DOCTYPE[^<>]*>)", re.IGNORECASE)
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""What entities such as `&NoBreak;` stand for: the rule `text` has removed these characters before."""
_SPACES_AT_START = re.compile(r"^[ \t]+(?=[#>])", re.MULTILINE)
_EMPHASIS_TAG = re.compile(r"<(/?)(?:b|strong|i|em)>", re.IGNORECASE)
_SCRIPT = re.compile(r"(?<=<su)([bp])>(?:[^<]|</?(?:b|strong|i|em)>)*(?=</su\1>)", re.IGNORECASE)
_EMPHASISED_SCRIPT = re.compile(r"<(b|strong|i|em)>(<su([bp])>[^<>]*</su\3>)</\1>", re.IGNORECASE)
"""`2<b><sup>n</sup></b>`: the mark would stand between a base and its exponent."""
_OF_A_BLOCK = re.compile(r"(</?(?:p|div|ul|ol|li|pre|h[1-6]|table|tr|t[dh]|br)\b[^<>]*>)", re.IGNORECASE)
_BOLD = re.compile(r"<(/?)(?:b|strong)>", re.IGNORECASE)
_ITEMS = re.compile(
    r"(?<![\s>])\s*((?:<li\b[^<>]*>(?:(?!</?(?:li|ul|ol|p|div|pre|h[1-6])\b).)*</li>\s*)+)", re.IGNORECASE | re.DOTALL
)
"""Items right behind a text: a list that is open has a tag before its items."""
_LIST = re.compile(r"<(/?)[uo]l\b", re.IGNORECASE)
_PRE_IN_PRE = re.compile(r"(<pre\b[^<>]*>(?:(?!</?pre\b).)*)(?=<pre\b)", re.IGNORECASE | re.DOTALL)
OF_A_BUTTON = re.compile(
    r'<(i|span|div) class="(?:[^"]*[ _-])?(?:material-icons|popup)(?:[ _-][^"]*)?"[^<>]*>[^<]*</\1>', re.IGNORECASE
)
"""The name of an icon, or what a button says when it is pressed."""
_EMPTY_LINK = re.compile(r"<a\b[^<>]*>\s*</a>", re.IGNORECASE)
_NO_NUMBER = re.compile(r"&#(?![0-9]|x[0-9a-f])", re.IGNORECASE)
"""`&#` without a number. The parser behind `markdownify` reads nothing after it."""
_AROUND_BLOCKS = re.compile("<(b|strong|i|em)>", re.IGNORECASE)
_BLOCK_INSIDE = re.compile(r"<(?:ul|ol|pre|table)\b", re.IGNORECASE)
_PRE_AS_AN_END = re.compile(r"(<pre\b[^<>]*>[^<]*)<pre>(?=\s*(?:<(?:/?(?:p|div)|h[1-6])\b|\Z))", re.IGNORECASE)
"""`<pre>1 2<pre>` before a block, where the second tag was meant to end the first."""
_COMMENT = re.compile("<!--")
_END_OF_COMMENT = re.compile("--!?>")
_EMPHASIS = r"(?:em|strong|b|i|u|s|span|font|var|small|big|a)\b"
_SPACE_INSIDE_START = re.compile(rf"(<{_EMPHASIS}[^<>]*>)((?:[ \t\n]|&nbsp;|\u00a0)+)", re.IGNORECASE)
_SPACE_INSIDE_END = re.compile(
    rf"(?<![ \t\n\u00a0])(?<!&nbsp;)((?:[ \t\n]|&nbsp;|\u00a0)+)(</{_EMPHASIS}>)", re.IGNORECASE
)
_SPACES_BEFORE_END = (" </", "\n</", "\t</", "\u00a0</", ";</")
"""One of them is in all that the pattern above matches."""
_EMPTY = re.compile(r"<(em|strong|b|i|u|s|span|font)\b[^<>]*></\1>", re.IGNORECASE)
_EMPTY_OF_NO_KIND = re.compile(rf"<(?!(?:{TAGS})>)([a-z]+)></\1>", re.IGNORECASE)
"""`<ui></ui>`, a tag that no browser knows, with nothing in it."""
_BEHIND_A_LIST = re.compile(
    r"(</(?:ul|ol)>)\s*([^<\s](?:(?!</?(?:li|ul|ol|p|div|pre|table)\b).)*)(?=</li>)", re.DOTALL | re.IGNORECASE
)
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_END_OF_TABLE = re.compile("</table>", re.IGNORECASE)
_BETWEEN_ITEMS = re.compile(r"</li>(\s*[^<\s][^<]*)(?=<li\b)", re.IGNORECASE)
"""It would be glued to the item that follows."""
DRAWING = re.compile(r"<(svg|video|iframe)\b[^<>]*>", re.IGNORECASE)
_VIDEO_ADDRESS = re.compile(r'\ssrc="([^"]+)')
_BLANK_LINES = re.compile(r"\n{3,}")
_BETWEEN_BOLD = re.compile(r"(?<=[^\s*])\*{4}(?=[^\s*])")
_SPACES = re.compile(r"(?<=[^\s<>])[ \u00a0]{2,}(?=[^\s<>])")
_LONG_GAP = re.compile(r"[ \t\r\n]{100,}")
"""It means no more than one space. The converter reads the rest of it again from each of its spaces."""
_EXACT = re.compile(r"<pre\b", re.IGNORECASE)
_END_OF_EXACT = (re.compile("</pre>", re.IGNORECASE), re.compile(r"\Z"))
_UNDERLINED = re.compile(r"<(?P<tag>u|ins)>(?P<part>[^<>\s]{1,60})</(?P=tag)>", re.IGNORECASE)
_BOLD_AND_UNDERLINED = re.compile(
    r"<strong><u>(?P<one>[^<>\s]{1,60})</u></strong>|<u><strong>(?P<other>[^<>\s]{1,60})</strong></u>"
)
_CODE = re.compile(r"<code\b", re.IGNORECASE)
_END_OF_CODE = re.compile("</code>", re.IGNORECASE)
_CODE_BESIDE_CODE = re.compile(r"</code><code\b[^<>]*>", re.IGNORECASE)
_FENCE = re.compile(r"(```.*?```)", re.DOTALL)


def looks_like_html(text: str) -> bool:
    """Whether the text contains tags that statements use: a closing tag, or one that needs none.

    >>> looks_like_html("if a<b and c>d"), looks_like_html("line<br>line"), looks_like_html("vector<int> v")
    (False, True, False)
    """
    return "<" in text and _EVIDENCE.search(text) is not None


def html_to_markdown(text: str) -> str:
    """The Markdown of an HTML statement.

    >>> html_to_markdown("<p>Sort a<b.</p><pre>1 2\\n</pre>")
    'Sort a<b.\\n\\n```\\n1 2\\n```'
    """
    text = _NO_NUMBER.sub("&amp;#", with_plain_attributes(text))
    text = _with_tags_in_place(_without_gaps(text))
    if "class=" in text:
        text = _EMPTY_LINK.sub("", OF_A_BUTTON.sub("", text))
    text = pairs_replaced(text, DRAWING, lambda opened: [end_tag(opened[1])], drawing)
    if "></" in text:
        text = _EMPTY_OF_NO_KIND.sub("", text)
    text = _CODE_BESIDE_CODE.sub("", text)  # two code marks side by side are no code in Markdown
    text = without_ends_of_nothing(text)
    text = without_comments(_NOT_A_TAG.sub("&lt;", text)).replace("<!--", "&lt;!--")
    text = underlined_to_bold(marked_parts_in_bold(text))
    if "<table" in text and "<pre" in text:
        text = pairs_replaced(with_implied_ends(text), _TABLE, lambda _: [_END_OF_TABLE], cells_apart)
    text = with_implied_ends(_BETWEEN_ITEMS.sub(r"\1</li>", text) if "</li>" in text else text)
    text = _BEHIND_A_LIST.sub(r"\1<p>\2</p>", text)  # the converter would glue it to the last item
    text = pairs_replaced(text, PRE, lambda _: [END_OF_PRE], _with_kept_spaces, _spaces_outside)
    markdown = converted(text) or _converter().convert(text)
    pieces = _FENCE.split(markdown)
    pieces[::2] = [_without_extra_marks(piece) for piece in pieces[::2]]
    return _UNSEEN.sub("", "".join(pieces)).replace("\u00a0", " ").strip()


def _with_tags_in_place(text: str) -> str:
    """HTML without emphasis where Markdown has no place for it: inside an index, around lists and blocks, twice.

    Items behind a text are put in a list, and a `<pre>` that begins in another that has no end ends it.

    >>> _with_tags_in_place("<b>s<sub><b>K</b></sub></b><b><ul><li>a</li></ul></b><pre>1<pre><p>b")
    '<b>s<sub>K</sub></b><ul><li>a</li></ul><pre>1</pre><p>b'
    """
    if "<su" in text:
        text = _EMPHASISED_SCRIPT.sub(r"\2", _SCRIPT.sub(_without_emphasis_tags, text))
    text = "".join(map(_bold_once, _OF_A_BLOCK.split(text))) if _BOLD.search(text) else text
    if "<pre" in text:
        text = _PRE_AS_AN_END.sub(r"\1</pre>", text)
        lacks_an_end = text.lower().count("<pre") > text.lower().count("</pre>")
        text = _PRE_IN_PRE.sub(r"\1</pre>", text) if lacks_an_end else text
    if "<li" in text:
        text = _items_in_lists(text)
    if not _BLOCK_INSIDE.search(text):
        return text
    return pairs_replaced(text, _AROUND_BLOCKS, lambda opened: [end_tag(opened[1])], _without_emphasis)


def _without_emphasis_tags(found: re.Match[str]) -> str:
    ends = _EMPHASIS_TAG.findall(found[0])
    return _EMPHASIS_TAG.sub("", found[0]) if 2 * ends.count("/") == len(ends) else found[0]


def _bold_once(piece: str) -> str:
    """A piece without bold inside of bold, which means no more.

    >>> _bold_once("<b>4<strong> <= </strong>N</b>")
    '<b>4 <= N</b>'
    """
    if "<" not in piece:
        return piece
    depth = 0
    kept, end = [], 0
    for tag in _BOLD.finditer(piece):
        depth += -1 if tag[1] else 1
        if depth < 0:
            return piece
        kept.append(piece[end : tag.start()] + tag[0] * (depth == (0 if tag[1] else 1)))
        end = tag.end()
    return "".join([*kept, piece[end:]]) if depth == 0 else piece


def _items_in_lists(text: str) -> str:
    """A text whose items that stand in no list are in one."""
    kept, end, open_lists = [], 0, 0
    for items in _ITEMS.finditer(text):
        tags = _LIST.findall(text, end, items.start())
        open_lists += len(tags) - 2 * tags.count("/")
        kept += [text[end : items.start()], items[0] if open_lists > 0 else f"<ul>{items[1]}</ul>"]
        end = items.end()
    return "".join([*kept, text[end:]])


def _without_emphasis(pair: Pair) -> str:
    """What stands in emphasis, without it if it is around blocks. Another tag inside shows that an end is missing."""
    around = _BLOCK_INSIDE.search(pair.inside) and pair.opened[0].lower() not in pair.inside.lower()
    return pair.inside if around else pair.whole


def _with_kept_spaces(code: Pair) -> str:
    """Code with no-break spaces for runs of spaces, for now: the converter would leave one."""
    return _SPACES.sub(lambda run: "\u00a0" * len(run[0]), code.whole)


def without_comments(text: str) -> str:
    """The text without its comments; one that nothing closes stays."""
    return pairs_replaced(text, _COMMENT, lambda _: [_END_OF_COMMENT]) if "<!--" in text else text


@lru_cache(maxsize=64)
def end_tag(name: str) -> re.Pattern[str]:
    """What closes a tag or, without a name, a comment."""
    return re.compile(f"</{name}>", re.IGNORECASE) if name else _END_OF_COMMENT


def drawing(found: Pair) -> str:
    """A figure drawn inside the text has no address; a video or a page in a frame has one."""
    whole = found.opened[0] + found.inside
    address = _VIDEO_ADDRESS.search(whole) if found.opened[1].lower() != "svg" else None
    return f'<img alt="" src="{address[1] if address else ""}">'


def image(alt: str, src: str, classes: Collection[str]) -> str:
    """An image in Markdown. The image of a formula is its text."""
    if "tex" in classes or "tex-formula" in classes:
        return f"${alt.strip('$')}$" if alt else "![]()"
    return f"![{alt}]({src})"


def _underlined_only(both: re.Match[str]) -> str:
    """A part of a word that is bold and underlined, only underlined; a whole word stays as it is."""
    around = both.string[both.start() - 1 : both.start()] + both.string[both.end() : both.end() + 1]
    return f"<u>{both['one'] or both['other']}</u>" if any(map(str.isalnum, around)) else both[0]


def underlined_to_bold(text: str) -> str:
    """The text with underlined parts of words in bold: they show which letters are meant. Code and samples stay.

    Whole words too where the text speaks of what is underlined.

    >>> underlined_to_bold('Explanation: from "a<u>b</u>c" to "ac". Output: "a<u>b</u>"')
    'Explanation: from "a**b**c" to "ac". Output: "a<u>b</u>"'
    """
    if "<u>" not in text and "<ins>" not in text:
        return text
    if "<strong><u>" in text or "<u><strong>" in text:
        if text.count("<u>") != len(_BOLD_AND_UNDERLINED.findall(text)):
            return text  # bold and underlined mean different things here: keep both
        text = _BOLD_AND_UNDERLINED.sub(_underlined_only, text)
    all_parts = "underlined" in text
    labels = list(SAMPLE_LABEL.finditer(text))
    starts_of_labels = [label.start() for label in labels]
    code = [(block.opened.start(), block.end) for block in pairs(text, _CODE, lambda _: [_END_OF_CODE])]

    def marked(found: re.Match[str]) -> str:
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        part_of_a_word = before.isalnum() or after.isalnum()
        if not (part_of_a_word or all_parts) or "*" in text[found.start() - 20 : found.end() + 20]:
            return found[0]
        label = bisect_left(starts_of_labels, found.start()) - 1
        block = bisect_left(code, (found.start(), 0)) - 1
        if (label >= 0 and labels[label]["value"]) or (block >= 0 and found.start() < code[block][1]):
            return found[0]
        return f"**{found['part']}**"

    return _UNDERLINED.sub(marked, text)


def _without_gaps(text: str) -> str:
    """The text with one space or line break for each long gap outside `<pre>`."""

    def short(piece: str) -> str:
        return _LONG_GAP.sub(lambda gap: "\n" if "\n" in gap[0] or "\r" in gap[0] else " ", piece)

    return outside_pairs(text, _EXACT, lambda _: _END_OF_EXACT, short) if _LONG_GAP.search(text) else text


def _spaces_outside(text: str) -> str:
    """The text with spaces at the ends of emphasis moved outside: the converter would drop them and join words. Stars
    that are nothing but emphasised are code: `*****` is no star in bold.

    >>> _spaces_outside("<b>N </b>is 2*<b>K</b>, for <b>*</b>")
    '<b>N</b> is 2 * <b>K</b>, for <code>*</code>'
    """
    text = with_products_apart(text)
    if "*</" in text or "_</" in text:
        text = _EMPHASISED_MARK.sub(r"\2<code>\3</code>\4", text)
    for _ in range(3):
        before = text
        text = _SPACE_INSIDE_START.sub(r"\2\1", text)
        if any(map(text.__contains__, _SPACES_BEFORE_END)):
            text = _SPACE_INSIDE_END.sub(r"\2\1", text)
        if "></" in text:
            text = _EMPTY.sub("", text)
        if text == before:
            break
    return text


_EMPHASISED_PRODUCT = re.compile(
    r"((?:\w|</(?:b|strong|em|i)>))<(b|strong|em|i)>\*</\2>(?=\w|<(?:b|strong|em|i)>)", re.IGNORECASE
)
_EMPHASISED_MARK = re.compile(r"<(b|strong|em|i)>(\s*)([*_]{1,3})(\s*)</\1>", re.IGNORECASE)
_PRODUCT_BEHIND = re.compile(r"(</(?:b|strong|em|i)>)\*(?=[\w(]|<(?:b|strong|em|i)>)")
_PRODUCT_BEFORE = re.compile(r"(?<=[\w)])\*(?=<(?:b|strong|em|i)>)")


def with_products_apart(text: str) -> str:
    """The HTML with spaces around the sign of a product beside emphasis: in Markdown it would be one mark with it.

    >>> with_products_apart("2*<b>K</b>*<b>L</b><i>*</i><b>M</b>")
    '2 * <b>K</b> * <b>L</b> * <b>M</b>'
    """
    if ">*" in text or "*<" in text:
        text = _EMPHASISED_PRODUCT.sub(r"\1*", text)
        text = _PRODUCT_BEFORE.sub(" * ", _PRODUCT_BEHIND.sub(r"\1 * ", text))
    return text


def _without_extra_marks(text: str) -> str:
    text = _SPACES_AT_START.sub("", text)
    if "****" in text:
        text = _BETWEEN_BOLD.sub("", text)
    return _BLANK_LINES.sub("\n\n", text) if "\n\n\n" in text else text


@lru_cache(maxsize=1)
def _converter() -> Any:
    from bs4 import Tag
    from markdownify import MarkdownConverter

    class Element(Tag):
        """An element that finds a parent by its name without a general search. The converter asks for each element."""

        def find_parent(self, name: str) -> Tag | None:  # type: ignore[override]
            parent = self.parent
            while parent is not None and parent.name != name:
                parent = parent.parent
            return parent

    class Statements(MarkdownConverter):
        """Converts tags as contest statements use them."""

        def convert_var(self, node: Any, text: str, parent_tags: set[str]) -> str:
            if "pre" in parent_tags or "code" in parent_tags:
                return text
            return variable(text)

        def convert_sup(self, node: Any, text: str, parent_tags: set[str]) -> str:
            return raised("^", text)

        def convert_sub(self, node: Any, text: str, parent_tags: set[str]) -> str:
            return raised("_", text)

        def convert_img(self, node: Any, text: str, parent_tags: set[str]) -> str:
            return image(node.attrs.get("alt", ""), node.attrs.get("src", ""), node.attrs.get("class") or ())

        def convert_pre(self, node: Any, text: str, parent_tags: set[str]) -> str:
            return block(text)

        def convert_br(self, node: Any, text: str, parent_tags: set[str]) -> str:
            line_break: str = super().convert_br(node, text, parent_tags)  # type: ignore[misc]
            return "\n" if "pre" in parent_tags else line_break

        def convert_tt(self, node: Any, text: str, parent_tags: set[str]) -> str:
            return f"`{text.strip()}`" if text.strip() and "pre" not in parent_tags else text

        def convert_rt(self, node: Any, text: str, parent_tags: set[str]) -> str:
            return f"({text.strip()})" if text.strip() else ""

        def convert_td(self, node: Any, text: str, parent_tags: set[str]) -> str:
            cell: str = super().convert_td(node, text.replace("|", "\\|"), parent_tags)  # type: ignore[misc]
            return cell

        def convert_th(self, node: Any, text: str, parent_tags: set[str]) -> str:
            cell: str = super().convert_th(node, text.replace("|", "\\|"), parent_tags)  # type: ignore[misc]
            return cell

        def convert_style(self, node: Any, text: str, parent_tags: set[str]) -> str:
            return ""

        convert_script = convert_style

    return Statements(
        heading_style="ATX",
        bullets="-",
        escape_asterisks=False,
        escape_underscores=False,
        escape_misc=False,
        autolinks=False,
        bs4_options={"features": "html.parser", "element_classes": {Tag: Element}},  # type: ignore[arg-type]
    )
