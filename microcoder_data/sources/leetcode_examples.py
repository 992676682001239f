"""The examples of a LeetCode statement in HTML or Markdown: the texts of input and output.

Markup is removed, such as `<strong>` or `**` around `Input:`; a `*` or a backslash inside a value stays.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from microcoder_data.process.attributes import with_plain_attributes
from microcoder_data.process.pairs import AT_ONCE, outside_pairs, pairs_replaced
from microcoder_data.rules import Reject
from microcoder_data.sources import columns
from microcoder_eval.arguments import parse_arguments

_BREAKS = re.compile(
    r"<br\s*/?>|</(?:p|div|li|ul|ol|pre|h\d|tr|table)\s*>|<(?:p|div|li|pre|ul|ol|table|tr)\b[^<>]*>", re.I
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--(?P<comment>)")
_END_OF_COMMENT = re.compile("-->")
_PRE = re.compile(r"<pre\b", re.IGNORECASE)
_END_OF_PRE = re.compile("</pre>", re.IGNORECASE)
_SOURCE_BREAK = re.compile(r"(?<!\s)\s*\n\s*")
_QUOTE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_LABEL_BOLD = re.compile(
    r"(?:\*\*|__)((?:Input|Output|Explanation|Example\s*\d*|输入|输出|解释|示例\s*\d*)\s*[:：]?)\s*(?:\*\*|__)"
)
_INPUT = re.compile(r"(?:^|(?<=\n))[ \t]*(?:Input|输入)[ \t]*[:：]|(?<=[^\w\n])(?:Input|输入)[ \t]*[:：]")
_OUTPUT = re.compile(r"(?:Output|输出)[ \t]*[:：]")
_REPEATED = re.compile(r"^\s*(?:Output|输出)[ \t]*[:：]")
_END = re.compile(
    r"(?<!\s)\s*\n\s*(?:Explanation|Explantion|Explaination|解释|Example|示例|Constraints|提示|Note|Follow|Input|输入)",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>-])")
_QUOTED = re.compile(r"""("[^"\n]*"|'[^'\n]*')""")
_BETWEEN_ARGUMENTS = re.compile(
    r"""(?P<quoted>"[^"\n]*"|'[^'\n]*')|[,，]?\s+(?:(?:和|and)\s+)?(?=[A-Za-z_]\w*\s*=(?!=))"""
)
_PICTURE = re.compile(r"\n[\s\d/\\]*[/\\][\s\d/\\]*\Z")
"""A tree that is drawn below the arguments."""
MOST_LINES = 60


class Example(NamedTuple):
    """The texts of an example's input and output, as the statement writes them."""

    given: str
    wanted: str


def plain_text(statement: str) -> str:
    """The text that a reader sees, without markup; values stay as they are.

    >>> plain_text('<pre>\\n<strong>Input:</strong> p = &quot;a*&quot;\\n</pre>').strip()
    'Input: p = "a*"'
    """
    statement = with_plain_attributes(_QUOTE.sub("<br>" if "<p" in statement else "", statement))
    if "<p" in statement or "<pre" in statement or "<div" in statement:
        text = html.unescape(_without_tags(_BREAKS.sub("\n", _without_source_breaks(statement))))
    else:
        text = html.unescape(_without_tags(re.sub(r"<br\s*/?>", "\n", statement)))
        text = _LABEL_BOLD.sub(r"\1", text)
    return text.replace("\u00a0", " ").replace("\u200b", "").replace("\r\n", "\n")


def _without_tags(text: str) -> str:
    return pairs_replaced(text, _TAG, lambda tag: [AT_ONCE if tag["comment"] is None else _END_OF_COMMENT])


def _without_source_breaks(statement: str) -> str:
    """The text with a space for each line break that HTML shows as one."""
    return outside_pairs(statement, _PRE, lambda _: [_END_OF_PRE], lambda piece: _SOURCE_BREAK.sub(" ", piece))


def examples_of(statement: str) -> Iterator[Example]:
    """The examples in order."""
    text = plain_text(statement)
    starts = [match.end() for match in _INPUT.finditer(text)]
    for number, start in enumerate(starts):
        block = text[start : starts[number + 1] if number + 1 < len(starts) else len(text)]
        output = _OUTPUT.search(block)
        if output:
            end = _END.search(block, output.end())
            wanted = block[output.end() : end.start() if end else len(block)]
            yield Example(_value_text(block[: output.start()]), _value_text(_REPEATED.sub("", wanted)))


def arguments_of(given: str) -> list[Any] | dict[str, Any]:
    """The arguments of an example, by name or by position; raises ValueError when they cannot be parsed."""
    given = _with_brackets(given)
    for text in (given, _unescaped(given), _with_ascii_commas(given), _as_a_list(given)):
        try:
            arguments = parse_arguments(text)
        except (ValueError, RecursionError):
            continue
        values = list(arguments.values()) if isinstance(arguments, dict) else arguments
        if not any(isinstance(value, str) and _is_raw(value, text) for value in values):
            return arguments
    raise ValueError(f"no arguments: {given[:80]!r}")


def _is_raw(value: str, text: str) -> bool:
    """Whether `value` is text that `parse_arguments` took as it is, because it could not parse it."""
    joined = f"= {value}" in text and _as_a_list(value) != value
    return joined or value in text.split("\n") or _with_ascii_commas(value) != value


def answer_of(wanted: str) -> Any:
    """The answer of an example: the value on its first line, or on as few lines as parse; else raises ValueError."""
    lines = _with_brackets(wanted).split("\n")[:MOST_LINES]
    for last in range(1, len(lines) + 1):
        text = "\n".join(lines[:last]).strip()
        for form in (text, _unescaped(text), _with_ascii_commas(text)):
            if form:
                try:
                    return columns.decoded(form, "output")
                except Reject:
                    continue
    raise ValueError(f"no value: {wanted[:80]!r}")


def _value_text(text: str) -> str:
    """The value without a code span or bold marks around it."""
    text = text.strip().strip("\n").rstrip("*").strip() if text.strip().endswith("**") else text.strip()
    text = re.sub(r"^\*\*\s*|^>\s*", "", text)
    lines = [_without_span(line) for line in text.split("\n")]
    return "\n".join(lines).strip()


def _without_span(line: str) -> str:
    stripped = line.strip()
    if len(stripped) > 1 and stripped[0] == stripped[-1] == "`" and "`" not in stripped[1:-1]:
        return stripped[1:-1].strip()
    if stripped.count("`") % 2 == 0 and re.search(r"`[^`\"']+`", stripped) and '"' not in stripped.split("`")[0]:
        return re.sub(r"`([^`]*)`", r"\1", stripped)
    return line.rstrip()


def _with_ascii_commas(text: str) -> str:
    """The text with commas for full-width commas, except inside quotes.

    >>> _with_ascii_commas('a = ["x，y"]， b = 1')
    'a = ["x，y"], b = 1'
    """
    pieces = _QUOTED.split(text)
    pieces[::2] = [piece.replace("，", ",") for piece in pieces[::2]]
    return "".join(pieces)


def _with_brackets(text: str) -> str:
    """Lists that are written as `{3, 4}` in brackets.

    >>> _with_brackets('{3, {4}}, "{5}"'), _with_brackets("{3: 4}")
    ('[3, [4]], "{5}"', '{3: 4}')
    """
    if "{" not in text or ":" in text:
        return text
    pieces = _QUOTED.split(text)
    pieces[::2] = [piece.replace("{", "[").replace("}", "]") for piece in pieces[::2]]
    return "".join(pieces)


def _as_a_list(given: str) -> str:
    """The arguments with commas between them, without a drawing below.

    >>> _as_a_list('s = "a b = 1" t = [2], and k = 3')
    's = "a b = 1", t = [2], k = 3'
    """
    return _BETWEEN_ARGUMENTS.sub(lambda found: found["quoted"] or ", ", _PICTURE.sub("", given))


def _unescaped(text: str) -> str:
    """The text without Markdown's backslash escapes."""
    return _ESCAPE.sub(r"\1", text)
