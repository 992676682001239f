"""Reads arguments and values as datasets write them: JSON lines, Python literals, or `name = value` pairs.

[2, 7]\\n9                      one argument on each line (LiveCodeBench)
nums = [2, 7], target = 9      keyword arguments (LeetCode, LeetCodeDataset)
[2, 7], 9                      Python literals
"""

from __future__ import annotations

import ast
import json
import keyword
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from microcoder_eval.errors import InputError

MOST_DIGITS = 100_000
"""The most digits of an integer in JSON. The time to read or write one grows faster than the number of digits."""
LONGEST_NESTED = 1 << 20
"""A longer text that Python has no memory to read is refused; a shorter one is nested too deeply, and no value."""


def parse_arguments(text: str) -> list[Any] | dict[str, Any]:
    """The arguments of a call written as text: a list, or a dict of keyword arguments.

    >>> parse_arguments("[1, 2]\\n3")
    [[1, 2], 3]
    >>> parse_arguments("nums = [1, 2], k = 3")
    {'nums': [1, 2], 'k': 3}
    """
    text = text.strip()
    lines = [line for line in text.splitlines() if line.strip()]
    if not _ARGUMENT.match(text):  # a line with a name is no JSON
        try:
            return [read_json(line) for line in lines]
        except (ValueError, RecursionError):
            pass
    elif len(text) <= LONGEST_NESTED and (named := _json_by_name(text) or _json_by_line(lines)) is not None:
        return named
    return _read_by_python(text, lines)


def _read_by_python(text: str, lines: list[str]) -> list[Any] | dict[str, Any]:
    """The arguments as Python's parser reads them. It is slow: most arguments are JSON behind a name."""
    try:
        call = ast.parse(f"f({text.strip()}\n)", mode="eval").body
        positional = [_literal(node) for node in call.args] if isinstance(call, ast.Call) else []
        named = {pair.arg: _literal(pair.value) for pair in getattr(call, "keywords", ()) if pair.arg}
        if named and not positional:
            return named
        if positional and not named:
            return positional
    except _NO_LITERAL as error:
        _refuse_without_memory(error, text)
    if lines and all("=" in line for line in lines):
        return {line.split("=", 1)[0].strip(): parse_value(line.split("=", 1)[1].strip()) for line in lines}
    return [parse_value(line) for line in lines]


def _json_by_name(text: str) -> dict[str, Any] | None:
    """The arguments of `nums = [1, 2], k = 3`, if every value is JSON that Python reads the same way; else None."""
    if "\\" in text or text.count("[") + text.count("{") > MOST_BRACKETS:
        return None
    text = text.strip()
    named: dict[str, Any] = {}
    position = 0
    while name := _ARGUMENT.match(text, position):
        if name[1] in named or keyword.iskeyword(name[1]):
            return None
        try:
            named[name[1]], position = _JSON.raw_decode(text, name.end())
        except (ValueError, RecursionError):
            return None
        if position == len(text):
            return named
        comma = _COMMA.match(text, position)
        if not comma:
            return None
        position = comma.end()
    return None


def _json_by_line(lines: list[str]) -> dict[str, Any] | None:
    """The arguments of several lines `nums = [1, 2]`, if every value is JSON; else None. Python's parser refuses such
    lines: no comma is between them."""
    if len(lines) < 2:
        return None
    named: dict[str, Any] = {}
    for line in lines:
        name = _ARGUMENT.match(line.strip())
        try:
            if not name:
                return None
            named[name[1]] = read_json(line.strip()[name.end() :])
        except (ValueError, RecursionError):
            return None
    return named


def _no_constant(text: str) -> None:
    raise ValueError(text)


_ARGUMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \n]*=[ \n]*")
_COMMA = re.compile(r"[ \n]*,[ \n]*")
_JSON = json.JSONDecoder(parse_constant=_no_constant)
MOST_BRACKETS = 100
"""Python's parser allows about 200 nested ones."""


def parse_value(text: str) -> Any:
    """A value written as JSON or as a Python literal. Any other text is returned as it is.

    >>> parse_value("[true, null]"), parse_value("(1, 'a')"), parse_value("abc")
    ([True, None], (1, 'a'), 'abc')
    """
    stripped = text.strip()
    try:
        return read_json(stripped)
    except (ValueError, RecursionError):
        pass
    try:
        return _literal(ast.parse(stripped, mode="eval").body)
    except _NO_LITERAL as error:
        _refuse_without_memory(error, text)
        return text


def read_json(text: str | bytes) -> Any:
    """Parse JSON whose integers may have up to `MOST_DIGITS` digits; raises `ValueError` when one has more.

    >>> read_json("1" + "0" * 5000) == 10**5000
    True
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python's limit on the digits of an integer
        pass
    return json.loads(text, parse_int=_long_int)


@contextmanager
def long_integers() -> Iterator[None]:
    """Let this process write every integer that `read_json` can read: any field of a record may hold one."""
    before = sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else 0
    if before:
        sys.set_int_max_str_digits(max(before, MOST_DIGITS))
    try:
        yield
    finally:
        if before:
            sys.set_int_max_str_digits(before)


def _long_int(digits: str) -> int:
    """A long integer, by halves: far faster than digit by digit."""
    if len(digits) <= 4000:
        return int(digits)
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"an integer of more than {MOST_DIGITS} digits")
    if digits.startswith("-"):
        return -_long_int(digits[1:])
    half = len(digits) // 2
    return _long_int(digits[:-half]) * 10**half + _long_int(digits[-half:])


def _refuse_without_memory(error: BaseException, text: str) -> None:
    """Raise `InputError` when the memory was too small: as a text, the value would be another one."""
    if isinstance(error, MemoryError) and len(text) > LONGEST_NESTED:  # raised for deep nesting too
        raise InputError(f"a value of {len(text)} characters takes more memory to read than there is") from None


_NO_LITERAL = (SyntaxError, ValueError, TypeError, RecursionError, MemoryError)
"""The errors of reading text that is no literal. TypeError: a list as a key, or in a set."""
_NAMES = {"null": None, "true": True, "false": False, "inf": float("inf"), "nan": float("nan")}


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        items = [_literal(item) for item in node.elts]
        return items if isinstance(node, ast.List) else tuple(items) if isinstance(node, ast.Tuple) else set(items)
    if isinstance(node, ast.Dict):
        return {_literal(key): _literal(value) for key, value in zip(node.keys, node.values, strict=True) if key}
    return ast.literal_eval(node)
