"""Split a text into what must survive a change of markup: numbers, words, operators, code, formulas, lists, tables,
links.

Only what conversion may change is normalised: tags, TeX's commands, entities, white space, emphasis, headings that
announce a part. Headings, quoted values and entities are read by the code of the rules that convert, so a fault there
is not detected here.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import functools
import html
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from microcoder_data.process.headings import heading_of, inline_heading
from microcoder_data.process.html_in_markdown import (
    literals_of_samples,
    with_its_tags,
    with_readable_tags,
    without_entities,
)
from microcoder_data.process.html_text import OF_A_BUTTON, with_products_apart
from microcoder_data.process.pairs import outside_pairs, pairs, pairs_replaced
from microcoder_data.process.simple_tags import END_OF_PRE, PRE

KINDS = ("numbers", "words", "operators", "lines of code", "formulas", "list items", "tables", "links")
KINDS_OF_LINES = KINDS[:3]
Atoms = dict[str, Counter[str]]
FEW_ATOMS = 16
NONE: Counter[str] = Counter()
"""Of a kind that a text lacks. It is never changed."""


class Parsed(NamedTuple):
    """A text's atoms, without those of its lines, which are found when they are needed."""

    atoms: Atoms
    """Links, list items, tables, lines of code and formulas, counted."""
    lines: list[str]
    """The lines without markup: they hold numbers, words and operators."""


_TAGS = r"a|abbr|article|aside|b|big|blockquote|br|caption|center|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|ins|kbd|li|main|nav|nobr|ol|p|pre|q|s|samp|section|small|span|strike|strong|style|script|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr|html|head|body|meta|link|italic|ruby|rb|rt|rp"
_MAY_BE_A_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TAG = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    r"</?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|pre|section|aside|article|main|hr|dt|dd|center|blockquote|td|th|caption|figure|figcaption|rb|rt)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_UNSEEN = re.compile(r"<!--|<(style|script|svg|video)\b", re.IGNORECASE)
_END_OF_UNSEEN = {None: re.compile("-->")} | {
    tag: re.compile(f"</{tag}>", re.IGNORECASE) for tag in ("style", "script", "svg", "video")
}
_RAISED = re.compile(r"<su([pb])\b[^<>]*>", re.IGNORECASE)
_END_OF_RAISED = {letter: re.compile(f"</su{letter}>", re.IGNORECASE) for letter in "pb"}
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_SUPERSCRIPTS = str.maketrans(_RAISED_DIGITS, "0123456789-")
_SUPERSCRIPT_RUN = re.compile(f"[{_RAISED_DIGITS}]+")
_BRACED = re.compile(r"([\^_])\s*\{([^{}]*)\}")
_SIGNS = {
    "<=": (r"\leqslant", r"\leq", r"\le", "≤", "⩽"),
    ">=": (r"\geqslant", r"\geq", r"\ge", "≥", "⩾"),
    "!=": (r"\neq", r"\ne", "≠"),
    "<": (r"\lt", r"\textless"),
    ">": (r"\gt", r"\textgreater"),
    "*": (r"\times", r"\cdot", "×", "⋅", "·"),
    "-": ("−", "–"),
}
_SIGN_OF = {written: sign for sign, ways in _SIGNS.items() for written in ways}
_OPERATOR = re.compile(
    r"[\\≤⩽≥⩾≠×⋅·−–](?:(?<!\\)|(?:leqslant|leq|le|geqslant|geq|ge|neq?|lt|gt|times|cdot)(?![A-Za-z])|text(?:less|greater))"
)
"""This pattern and others begin with a set of characters, which makes the search fast."""
_COMMENT = re.compile(r"(?m)(?<!\\)%.*$")
_LAYOUT = re.compile(
    r"\\(?:begin|end)\s*\{[A-Za-z*]+\}(?:\[[^\]]{0,300}\])*(?:\{(?:[^{}\n]|\{[^{}\n]*\})*\})*|\\(?:v|h)space\*?\{[^{}]*\}|\\(?:label|includegraphics|illustration|usepackage|lstinputlisting|pagestyle|problemname)\*?(?:\[[^\]]{0,300}\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})*|"
    r"\\(?:c|C|auto|eq)?ref\{[^{}]*\}|\\(?:set|lst|newcolumntype|definecolor|noalign|lstdefinestyle)\w*(?:\{(?:[^{}]|\{[^{}]*\})*\})+|\\(?:cline|multicolumn|multirow)\{[^{}]*\}(?:\{[^{}]*\})?|"
    r"\\(?:(?:re)?new|provide)command\*?\{?\\\w+\}?(?:\[\d\])?\{(?:[^{}]|\{[^{}]*\})*\}|\\def\\\w+\{[^{}]*\}"
)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?")
_FIGURE = re.compile(r"\\begin\{((?:wrap|sub)?figure|tikzpicture)\}")
_END_OF_FIGURE = {
    name: re.compile(rf"\\end\{{{name}\}}") for name in ("figure", "wrapfigure", "subfigure", "tikzpicture")
}
_VERBATIM = re.compile(r"\\verb\*?([^\w\s{*])(.*?)\1")
"""TeX's code inside a line: its delimiters are no operators."""
_OF_A_PAGE = re.compile(r"<link\b[^<>]*>")
_CODE_ALONE = re.compile(r"\$[ \t]*(`[^`$\n]+`)[ \t]*\$")
"""A formula that is nothing but code."""
_CODE_BLOCK = re.compile(
    r"`(?<!``)``+[^`\n]*\n|~(?<!~~)~~+(?:[^~\n][^\n]*)?\n|<pre\b[^<>]*>|\\begin\{(?:verbatim|lstlisting|alltt)\}(?:\[[^\]]{0,300}\])?"
)
_END_OF_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[ \t]*$", re.MULTILINE)
_END_OF_PRE = re.compile("</pre>")
_END_OF_TEX = re.compile(r"\\end\{(?:verbatim|lstlisting|alltt)\}")
_FORMULA = re.compile(
    r"\$(?<![\\$]\$)\${0,2}(?!\$)([^$\n]{1,400})(?<!\\)\${1,3}|\\\((.{1,400}?)\\\)|<var>([^<>]{1,200})</var>"
)
_ITEM = re.compile(r"\n[ \t>]*(?:[-*+•]|\d{1,2}[.)])[ \t]+\S|<li\b|\\item(?![A-Za-z])")
_TABLE = re.compile(r"<table\b|\\begin\{(?:tabular|longtable)")
_LINE_OF_TABLE = re.compile(r"[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)+\|?[ \t]*")
"""The line below the head of a table in Markdown."""
_LINK = re.compile(r"https?://[^\s<>\"')\]}]+")
_MACRO = re.compile(r"\\(?:(?:(?:re)?new|provide)command\*?\{?|def)\\(\w+)")
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])-?\d+(?:\.\d+)*(?:\^-?\w+)?)|(?P<operator><=|>=|!=|==|<|>|[=+%&@~∗])|(?P<word>[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]\w*(?:'\w+)*|\d\w*)"
)  # fmt: skip
_TIMES = "∗"
_PRODUCT = re.compile(r"(?<=[^\s|] )\*(?= [^\s|])")
"""The sign of a product, which is no emphasis, becomes that sign: the other stars are marks."""
_PUNCTUATION = ".,;:?()[]'\""
"""Around a word, it is no part of any atom."""
_SPACE = re.compile(r"\s+")
_TEX_OVER_LINES = re.compile(
    r"\\(?:\\|begin|end|section|[vh]space|label|include|illus|use|lst|page|problem|\w*ref|set|new|renew|def|noalign|cline|multi)"
)
"""TeX that may go over several lines: commands for layout, macros and rows of tables."""
_RAISED_OVER_LINES = re.compile(r"[\^_](?:\s*\{[^{}\n]*\n|[^\S\n]*\n\s*\{)")
_TAG_OVER_LINES = re.compile(
    r"<(?:!--|(?i:style|script|svg|video|su([pb])\b(?![^\n]*</su\1>))|/?[A-Za-z][^<>\n]*(?:[<\n]|\Z))"
)
"""Tags that hold more than their line, and what may be one that ends on another line."""
_MAY_BE_TAG = re.compile(r"<[/A-Za-z!]")
_LESS = "\ue000"
"""Replaces `<` in a quoted value while tags are removed."""
_ZERO_WIDTH = re.compile("[\u200b-\u200f\u2060\ufeff]")
_NOT_PLAIN = re.compile(
    "[^\x00-\x9f\u00a1-\u02ff\u0391-\u03ce\u0400-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u2328\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff]"
)
"""All characters but frequent ones that are plain already: seen, composed, and not joined to the one before."""
_CELL = re.compile(r"(?<!\\)&")
_ESCAPED = re.compile(r"\\([&%#_$])")
_TEX_SPACE = re.compile(r"\\[,;!: ]|~")
_FENCE_LABEL = re.compile(r"```[ \t]*[A-Za-z][\w+#.-]*(?:\|[\d,]*)?[ \t]*$", re.MULTILINE)
"""The language of a fence, or `input1|2,3` with the lines of its test cases: no words of the text."""
_PLACE_OF_FIGURE = re.compile(r"!\[([^\]\n]{0,300})\]\([^()\n]*\)")
_QUOTE_MARK = re.compile(r"(?m)^[ \t]*>+(?=[ \t]|$)")
_MAY_BE_QUOTED = re.compile(r"\n[ \t]*>")


@functools.lru_cache(maxsize=16)
def atoms(text: str, processed: bool = False) -> Atoms:
    """The atoms of a text by kind, counted. In a processed text, tags are text, and every line may be code.

    The last results are cached and shared, because texts are compared more than once: do not change them.

    >>> atoms("<p>At most 10<sup>5</sup>.</p>") == atoms("At most $10^{5}$.") | {"formulas": Counter()}
    True
    """
    found, lines = parsed(text, processed)
    return {**found, **atoms_of_lines(lines)}


@functools.lru_cache(maxsize=16)
def parsed(text: str, processed: bool = False) -> Parsed:
    """The text's atoms and its lines without markup. The last results are shared like those of `atoms`."""
    return parsed_plain(in_plain_characters(text), processed)


@functools.lru_cache(maxsize=16)
def in_plain_characters(text: str) -> str:
    """The text without invisible characters, and with letters and their accents composed."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    odd = set() if text.isascii() else set(_NOT_PLAIN.findall(text))
    if not odd:
        return text
    if any(map(_ZERO_WIDTH.match, odd)):
        text = _ZERO_WIDTH.sub("", text)
    text = text.replace("\u00a0", " ")
    form: Literal["NFKC", "NFC"] = "NFKC" if "\uff01" <= max(odd) <= "\uff5e" else "NFC"
    for one in odd:  # what is left is mostly in this form already, which is known fast
        if (plain := unicodedata.normalize(form, one)) != one:
            text = text.replace(one, plain)
    return unicodedata.normalize(form, text)


@functools.lru_cache(maxsize=16)
def is_of_lines(text: str, processed: bool = False) -> bool:
    """Whether each line's atoms can be found alone: no construct goes over two lines or changes other lines.

    Blocks of code are an exception: what is in them is found by `code_in_blocks`.

    >>> is_of_lines("1 <= n and $n \\\\le 5$"), is_of_lines("<p>Add.</p>"), is_of_lines("<p>10<sup>5\\n</sup></p>")
    (True, True, False)
    """
    if "~" in text and "\\" in text:  # in TeX it is a space
        return False
    if not processed:
        if may_hold_tags(text) and (_TAG_OVER_LINES.search(text) or literals_of_samples(text)):
            return False
        if "\\verb" in text and has_blocks(text):
            return False
    if "\\" in text and _TEX_OVER_LINES.search(text):
        return False
    return "{" not in text or _RAISED_OVER_LINES.search(text) is None


def may_hold_tags(text: str) -> bool:
    """Whether a tag or a comment may be in a text."""
    return "<" in text and _MAY_BE_TAG.search(text) is not None


def has_blocks(text: str) -> bool:
    """Whether blocks of code may be in a text."""
    return "```" in text or "~~~" in text or "<pre" in text or "\\begin" in text


def code_in_blocks(text: str) -> Counter[str]:
    """The lines of fences and other blocks of code."""
    return code_in_lines("\n".join(_blocks_of_code(text)))


def _blocks_of_code(text: str) -> Iterator[str]:
    """What is in fences and other blocks of code, as it is shown."""
    if not has_blocks(text):
        return
    may_have_fences = "```" in text or "~~~" in text
    ends = sorted(set(_END_OF_FENCE.findall(text)), key=len, reverse=True) if may_have_fences else []

    def closings(opened: re.Match[str]) -> list[re.Pattern[str]]:
        if opened[0][0] in "<\\":
            return [_END_OF_PRE if opened[0][0] == "<" else _END_OF_TEX]
        if text[text.rfind("\n", 0, opened.start()) + 1 : opened.start()].strip(" \t"):
            return []  # it does not begin its line
        # A shorter end closes a longer fence if no end of its length does.
        return [_end_of_fence(end) for end in ends if opened[0].startswith(end)]

    for block in pairs(text, _CODE_BLOCK, closings):
        yield _flat_code(block.inside) if block.opened[0][0] == "<" else block.inside


@functools.lru_cache(maxsize=64)
def _end_of_fence(mark: str) -> re.Pattern[str]:
    return re.compile(rf"^[ \t]*{mark}[ \t]*$", re.MULTILINE)


def code_in_lines(text: str) -> Counter[str]:
    """All lines as lines of code, without headings and empty lines."""
    return Counter(filter(None, map(_code_line, text.split("\n"))))


def lost_code(before: str, after: str) -> Counter[str]:
    """The lines in a text's blocks of code that a processed text lacks."""
    written, shown = "\n".join(_blocks_of_code(before)), after.split("\n")
    if not more(Counter(filter(None, written.split("\n"))), Counter(shown)):
        return Counter()  # most blocks are kept line by line
    code = code_in_lines(written)
    lines = [line for line in shown if line.strip() in code or _IS_CHANGED.search(line)]
    return Counter(more(code, Counter(map(_code_line, lines))))


def parsed_plain(text: str, processed: bool, kinds: Collection[str] = KINDS) -> Parsed:
    """The parts of a text that comes from `in_plain_characters`; of links, items, tables, code and formulas only these
    `kinds`."""
    found: Atoms = dict.fromkeys(KINDS[len(KINDS_OF_LINES) :], NONE)
    if "lt;" in text and not processed:
        text = with_its_tags(text)
    if "<" in text and not processed:
        text = with_readable_tags(text)
        text = _without_unseen(text)
    if "\\verb" in text:
        text = _CODE_ALONE.sub(r"\1", _VERBATIM.sub(r"`\2`", text))
    if "\\begin" in text and not processed:
        text = pairs_replaced(text, _FIGURE, lambda opened: [_END_OF_FIGURE[opened[1]]], lambda figure: " ")
    if "links" in kinds and "://" in text:
        found["links"] = Counter(link.replace("\\", "").replace("&amp;", "&") for link in _LINK.findall(text))
    if "list items" in kinds:
        found["list items"] = _counted("items", _items(text))
    if "tables" in kinds and ("---" in text or "<table" in text or "\\begin" in text):
        found["tables"] = _counted("tables", _tables(text))
    if "lines of code" in kinds:
        found["lines of code"] = code_in_lines(text) if processed else code_in_blocks(text)
    macros = [f"\\{name}" for name in _MACRO.findall(text)] if "\\" in text and not processed else []
    text = flat(text, processed)
    if "formulas" in kinds and ("$" in text or "\\(" in text or "<var>" in text):
        found["formulas"] = Counter(_formulas(text, macros))
    return Parsed(found, _without_headings(_without_marks(_COMMAND.sub(" ", text) if "\\" in text else text)))


def _formulas(text: str, macros: Sequence[str]) -> Iterator[str]:
    """The formulas of a text without spaces and braces; names, and what the text's own macros make, are none."""
    for formula in _FORMULA.finditer(text):
        written = _SPACE.sub("", formula[1] or formula[2] or formula[3] or "")
        if written and not written.isalnum() and not any(name in written for name in macros):
            yield written.replace("{", "").replace("}", "").replace("\\|", "|")


def _counted(name: str, count: int) -> Counter[str]:
    return Counter({name: count}) if count else NONE


def _items(text: str) -> int:
    """How many list items a text has."""
    return len(_ITEM.findall("\n" + text))


def is_item(line: str) -> bool:
    """Whether a line is a list item in Markdown."""
    return _ITEM.match("\n" + line) is not None


def _tables(text: str) -> int:
    """How many tables a text has."""
    lines = text.split("\n") if "|" in text else ()
    return len(_TABLE.findall(text)) + sum(
        "---" in line and _LINE_OF_TABLE.fullmatch(line) is not None for line in lines
    )


def atoms_of_lines(lines: Iterable[str]) -> Atoms:
    """The numbers, words and operators of lines without markup."""
    return _atoms_of(_pieces(lines))


def _pieces(lines: Iterable[str]) -> Counter[str]:
    """What stands between spaces, counted. No atom goes over two pieces."""
    return Counter("\n".join(lines).split())


def more(ours: Mapping[str, int], theirs: Mapping[str, int]) -> dict[str, int]:
    """How many more the first has, as `ours - theirs` gives, but faster."""
    return {piece: count - other for piece, count in ours.items() if count > (other := theirs.get(piece, 0))}


def _atoms_of(pieces: Mapping[str, int]) -> Atoms:
    found: Atoms = {kind: Counter() for kind in KINDS_OF_LINES}
    numbers, words, operators = found.values()
    for piece, count in pieces.items():
        core = piece.strip(_PUNCTUATION)
        if core.isalpha() and core.isascii():
            word = core.lower()
            words[word] = words.get(word, 0) + count
            continue
        for number, operator, word in _TOKEN.findall(piece):
            atom = (number or operator or word).lower()
            kind = words if word else numbers if number else operators
            kind[atom] = kind.get(atom, 0) + count
    return found


def lost_atoms(before: Parsed, after: Parsed) -> Atoms:
    """The atoms that the second text lacks. Pieces that both have lose none."""
    ours, theirs = _pieces(before.lines), _pieces(after.lines)
    first, second = before.atoms, after.atoms
    if missing := more(ours, theirs):
        wanted = _atoms_of(missing)
        first, second = first | wanted, second | _atoms_of(_that_may_hold(wanted, more(theirs, ours)))
    lost = {kind: more(first[kind], second[kind]) for kind in KINDS if first.get(kind)}
    return {kind: Counter(lost[kind]) if lost.get(kind) else NONE for kind in KINDS}


def _that_may_hold(wanted: Atoms, pieces: dict[str, int]) -> dict[str, int]:
    """The pieces in which a wanted atom may be; all pieces where many atoms are wanted. Most rules take out few."""
    atoms_wanted = [atom for found in wanted.values() for atom in found]
    text = "\n".join(pieces)
    if len(atoms_wanted) > FEW_ATOMS or "Σ" in text:  # its small letter depends on what stands behind it
        return pieces
    text = text.lower()
    held = [atom for atom in atoms_wanted if atom in text]
    return {piece: count for piece, count in pieces.items() if any(atom in piece.lower() for atom in held)}


def _without_marks(text: str) -> str:
    """The text without Markdown's and TeX's marks, and with straight quotation marks."""
    for mark in "`{}$\\":
        text = text.replace(mark, "")
    if " * " in text:
        text = _PRODUCT.sub(_TIMES, text)
    text = text.replace("*", "")
    if text.isascii():
        return text
    return text.replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")


def flat_as_collected(text: str) -> str:
    """What is seen of a text as its publisher has it, flat, in plain characters.

    >>> flat_as_collected("<p>10<sup>5</sup><!-- n -->&nbsp;cats</p>").strip()
    '10^5 cats'
    """
    text = in_plain_characters(text)
    return flat(_without_unseen(text) if "<" in text else text)


def _without_unseen(text: str) -> str:
    text = OF_A_BUTTON.sub("", text) if "class=" in text else text
    text = _OF_A_PAGE.sub("", text) if "<link" in text else text
    return pairs_replaced(text, _UNSEEN, lambda opened: [_END_OF_UNSEEN[opened[1] and opened[1].casefold()]])


def flat(text: str, processed: bool = False) -> str:
    """The text without tags and layout, with entities decoded and powers written with `^`."""
    if "```" in text:
        text = _FENCE_LABEL.sub("```", text)
    if "![" in text:
        text = _PLACE_OF_FIGURE.sub(r"\1", text)
    if "<" in text and not processed:
        for start, stop in reversed(literals_of_samples(text)):  # a tag inside a value is data
            text = text[:start] + text[start:stop].replace("<", _LESS) + text[stop:]
        if ">*" in text or "*<" in text:
            text = outside_pairs(text, PRE, lambda _: [END_OF_PRE], with_products_apart)
        text = _with_raised(text).replace("<var>", "$").replace("</var>", "$")
        text = _MAY_BE_A_TAG.sub(lambda tag: _layout_of(tag[0]), text).replace(_LESS, "<")
    if "&" in text:
        text = without_entities(text).replace("\u00a0", " ")
    if "\\" in text:
        text = _LAYOUT.sub(" ", _COMMENT.sub("", text) if "\\begin" in text or "\\section" in text else text)
        if "\\begin{tab" in text or "\\begin{long" in text or "\\\\" in text:
            text = _CELL.sub(" ", text)
        text = _ESCAPED.sub(lambda sign: sign[1], text)
        text = _TEX_SPACE.sub(" ", text)
    if not text.isascii() and any(map(text.__contains__, _RAISED_DIGITS)):
        text = _SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
    if not text.isascii() or "\\" in text:
        text = _OPERATOR.sub(lambda written: _SIGN_OF[written[0]], text)
    if ">" in text and _MAY_BE_QUOTED.search(f"\n{text}"):
        text = _QUOTE_MARK.sub("", text)
    if "{" in text:
        text = _BRACED.sub(lambda power: power[1] + power[2], text)
    return _LINK.sub(" ", text) if "://" in text else text


def _with_raised(text: str) -> str:
    """The text with `^` and `_` for exponents and indices."""
    return pairs_replaced(
        text,
        _RAISED,
        lambda opened: [_END_OF_RAISED[opened[1].casefold()]],
        lambda pair: ("^" if pair.opened[1] in "pP" else "_") + pair.inside.lstrip(" "),
    )


@functools.lru_cache(maxsize=256)
def _layout_of(tag: str) -> str:
    """What a tag leaves: the end of a line or nothing; other words in `<>` stay. A text has few tags, many times."""
    return tag if not _TAG.fullmatch(tag) else "\n" if _BLOCK_TAG.fullmatch(tag) else ""


def _flat_code(text: str) -> str:
    """The text that `<pre>` shows."""
    text = re.sub(r"<br\s*/?>", "\n", _with_raised(text), flags=re.IGNORECASE)
    return html.unescape(_TAG.sub("", text))


_IS_CHANGED = re.compile("[:：*&\u00a0]")
"""In a line of which `_code_line` leaves out more than spaces."""


def _code_line(line: str) -> str:
    """A line of code without marks; empty for a heading."""
    if heading_of(line) is not None:
        return ""
    if "&" in line:
        line = without_entities(line)
    inline = inline_heading(line)
    return (inline[1] if inline else line).replace("\u00a0", " ").replace("**", "").strip()


def _without_headings(text: str) -> list[str]:
    """The lines without those that only announce a part, and without such a word before a colon."""
    lines = []
    for line in text.split("\n"):
        if len(line) < 80 and heading_of(line) is not None:
            continue
        inline = inline_heading(line)
        lines.append(inline[1] if inline else line)
    return lines
