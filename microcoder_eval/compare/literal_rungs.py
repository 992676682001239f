"""The rung `literals` reads text as literals: lists, tuples, sets, dicts, quoted words, true/True, null/None.

The policy `lenient` uses it, and so does the checker `unordered` for nested elements. An untrusted program wrote the
text, so this file has a reader of its own: it evaluates nothing, and it bounds depth and size. 007, +5 and 1_000 are
words, not integers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from microcoder_eval.compare.number_rungs import is_real
from microcoder_eval.compare.value_rungs import Agreement, mismatch, sorted_values

MOST_BYTES = 1 << 20
"""Longer texts are not read as literals."""
_MOST_DEPTH = 60
_MOST_KEYS = 10_000  # more keys could be chosen so that their hashes collide, and comparing them would take hours
_PART = re.compile(
    r"""\s*(?:(?P<mark>[][(){},:])|(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<word>[^][(){},:'"\s]+)|\S)""",
    re.ASCII,
)
_WHITE = " \t\n\r\v\f"
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,3999})", re.ASCII)
_NAMES = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_CLOSING = {"[": "]", "(": ")", "{": "}"}


class _NotLiteral(ValueError):
    """The text is not written as a literal."""


def same_literals(expected: bytes, actual: bytes, agreement: Agreement) -> bool:
    """Whether two outputs are the same once every line is read as a literal."""
    if max(len(expected), len(actual)) > MOST_BYTES:
        return False
    return mismatch(read_output(expected), read_output(actual), agreement) is None


def same_readings(expected: Any, got: Any, agreement: Agreement) -> bool:
    """Whether two values are the same once the strings in them are read as literals."""
    return mismatch(_with_strings_read(expected), _with_strings_read(got), agreement) is None


def _read_literal(text: str) -> Any:
    """The value of a literal. Several literals side by side, with or without commas, make a list.

    >>> _read_literal("[1, ('a', True), null]"), _read_literal("1 2"), _read_literal("007")
    ([1, ['a', True], None], [1, 2], '007')
    """
    values = _read_items(_PART.finditer(text.strip(_WHITE)), "", 0)
    if not values:
        raise _NotLiteral("empty")
    return values[0] if len(values) == 1 else values


def read_output(output: bytes) -> Any:
    """The values in a printed output, read line by line; a line that is no literal is a list of words."""
    values = [_read_line(line) for line in output.split(b"\n") if line.strip()]
    return values[0] if len(values) == 1 else values


def _read_line(line: bytes) -> Any:
    try:
        return _read_literal(line.decode("utf-8", "surrogateescape"))
    except _NotLiteral:
        return [_read_word(word.decode("utf-8", "surrogateescape")) for word in line.split()]


def _with_strings_read(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return _read_literal(value) if len(value) <= MOST_BYTES else value
        except _NotLiteral:
            return value
    if isinstance(value, (list, tuple)):
        return [_with_strings_read(item) for item in value]
    if isinstance(value, dict):
        return {key: _with_strings_read(item) for key, item in value.items()}
    return value


def _read_items(parts: Iterator[re.Match[str]], closing: str, depth: int) -> Any:
    """Read up to the closing bracket: a list; or, in braces, a dict, or a set as a sorted list."""
    if depth > _MOST_DEPTH:
        raise _NotLiteral("nested too deeply")
    keys: list[Any] = []
    values: list[Any] = []
    for part in parts:
        mark, quoted, word = part.group("mark", "quoted", "word")
        if word is not None:
            values.append(_read_word(word))
        elif quoted is not None:
            values.append(_ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), quoted[1:-1]))
        elif mark in _CLOSING:
            values.append(_read_items(parts, _CLOSING[mark], depth + 1))
        elif mark == ":" and closing == "}" and len(values) == len(keys) + 1:
            keys.append(values.pop())
        elif mark == closing:
            return _braced(keys, values) if closing == "}" else values
        elif mark != ",":
            raise _NotLiteral(f"unexpected {part.group().strip()!r}")
    if closing:
        raise _NotLiteral("no closing bracket")
    return values


def _braced(keys: list[Any], values: list[Any]) -> Any:
    if values and not keys:
        return sorted_values(values)
    if len(keys) != len(values) or len(keys) > _MOST_KEYS or any(isinstance(key, (list, dict)) for key in keys):
        raise _NotLiteral("not a dict")
    return dict(zip(keys, values, strict=True))


def _read_word(word: str) -> Any:
    if word in _NAMES:
        return _NAMES[word]
    if _INTEGER.fullmatch(word):
        return int(word)
    if word.isascii() and is_real(word.encode()) and math.isfinite(float(word)):
        return float(word)
    return word
