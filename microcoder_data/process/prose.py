"""The sentences of a statement: without code, formulas, markup, links, samples and the headings that announce them."""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re
import string

from microcoder_data.process.headings import INPUT, OUTPUT, heading_of, inline_heading
from microcoder_data.process.pairs import AT_ONCE, pairs_replaced

_BLOCK = re.compile(r"```|~~~|<pre\b|<!--|\\begin\{(?:verbatim|lstlisting)\}")
_END_OF_BLOCK = {
    "```": re.compile(r"```|\Z"),
    "~~~": re.compile(r"~~~|\Z"),
    "<pre": re.compile(r"</pre>|\Z"),
    "<!--": re.compile("-->"),
    r"\begin{verbatim}": re.compile(r"\\end\{verbatim\}"),
    r"\begin{lstlisting}": re.compile(r"\\end\{lstlisting\}"),
}
_CODE_WITHOUT_ADDRESSES = re.compile(
    r"`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$|\]\([^\])\n]*\)|</?[a-zA-Z][^<>]*>|&#?\w{2,8};|"
    r"\\[A-Za-z]+(?:\[[^\]\n]*\])?",
    re.DOTALL,
)
_CODE = re.compile(rf"{_CODE_WITHOUT_ADDRESSES.pattern}|https?://\S+", re.DOTALL)
_CODE_OR_TAG_OF_CODE = re.compile(f"(?P<tag><code>)|{_CODE.pattern}", re.DOTALL)
_END_OF_CODE = re.compile("</code>")
_ADDRESS = re.compile(r"\S+@\S+")
_DOT_INSIDE = re.compile(r"\.(?<=\w\.)\w")
_DOTTED = re.compile(r"\w+(?:\.\w+)+")
_CODE_LINE = re.compile(
    r"[ \t]*(?:[#/%]{1,3}[ \t]|def |class (?a:\w+)[ \t]*[:({]|import |from \w+ import|return\b|(?:for|while|if|elif|switch)\s*\(|int |public |#include|"
    r"using |print\s*\(|cout|cin|std::|>>>|\}|\{)|[ \t]*(?:for|while|if|elif|else|with|try|except)\b.*:[ \t]*$|"
    r"[\x00-@\[-`{-\x7f]*$"
)
_ENDS_LIKE_CODE = re.compile(r"[ -~]{0,80}[;{}][ \t]*$")
_ASSIGNMENT = re.compile(r"[ \t]*[A-Za-z_][A-Za-z0-9_.\[\]]*(?:, ?[A-Za-z_]\w*)*[ \t]*[-+*/]?=[^=\n].{0,40}$")
# Only ASCII, because Japanese has no spaces around a digit.
_MARK_OF_IDENTIFIER = re.compile(r"[_0-9A-Z](?:(?<![A-Z])|(?<=[a-z][A-Z]))")
"""A capital letter marks one only behind a small letter."""
_WORD_CHARACTERS = frozenset(string.ascii_letters + string.digits + "_")
_WORD_AFTER = re.compile(r"\w*", re.ASCII)


def prose_of(text: str) -> str:
    """The sentences of a text.

    >>> prose_of("Find `the_sum` of $a_i$.\\n\\nSample Input 1:\\n3 4").split()
    ['Find', 'of', '.']
    """
    text = _without_code(without_blocks(text))
    if "@" in text:
        text = _ADDRESS.sub(" ", text)
    text = _without_dotted_names(text)
    return _without_identifiers("\n".join(filter(None, map(_prose_of_line, text.split("\n")))))


def without_blocks(text: str) -> str:
    """The text without fenced and preformatted blocks and comments."""
    if "```" in text or "~~~" in text or "<" in text or "\\begin" in text:
        return pairs_replaced(text, _BLOCK, lambda opened: [_END_OF_BLOCK[opened[0]]], lambda block: "\n")
    return text


def _without_code(text: str) -> str:
    """The text without code, formulas, addresses and tags."""
    if "</code>" not in text:
        return (_CODE if "://" in text else _CODE_WITHOUT_ADDRESSES).sub(" ", text)
    ends = {True: [_END_OF_CODE, AT_ONCE], False: [AT_ONCE]}
    return pairs_replaced(text, _CODE_OR_TAG_OF_CODE, lambda opened: ends[opened["tag"] is not None], lambda code: " ")


def _without_dotted_names(text: str) -> str:
    """Remove words with dots inside, such as `a.sort`, found from their dots."""
    pieces, end = [], 0
    for dot in _DOT_INSIDE.finditer(text):
        start = dot.start()
        if start < end:
            continue  # removed already
        while start > end and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        pieces.append(text[end:start])
        end = _DOTTED.match(text, start).end()  # type: ignore[union-attr]
    return " ".join([*pieces, text[end:]])


def _without_identifiers(text: str) -> str:
    """Remove words that have a digit, an underscore or a capital letter inside. Searching for these rare characters is
    faster than looking at every word."""
    pieces, end = [], 0
    for mark in _MARK_OF_IDENTIFIER.finditer(text):
        start = mark.start()
        if start < end:
            continue  # removed already
        while start > end and text[start - 1] in _WORD_CHARACTERS:
            start -= 1
        pieces.append(text[end:start])
        end = _WORD_AFTER.match(text, mark.end()).end()  # type: ignore[union-attr]
    return " ".join([*pieces, text[end:]])


def _prose_of_line(line: str) -> str:
    """The line without its heading; empty for code and for samples, such as what follows `Input:`."""
    if not line or _is_code(line) or heading_of(line) is not None:
        return ""
    kind, rest = inline_heading(line) or ("", line)
    return "" if kind in (INPUT, OUTPUT) else rest


def _is_code(line: str) -> bool:
    if _CODE_LINE.match(line) or ("=" in line and _ASSIGNMENT.match(line)):
        return True
    return line.rstrip(" \t").endswith((";", "{", "}")) and _ENDS_LIKE_CODE.match(line) is not None
