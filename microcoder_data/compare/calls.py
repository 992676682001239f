"""Examples of functions in one form: `f((1, 2), 'a')` is compared with the arguments `[1, 2]` and `"a"`."""

from __future__ import annotations

import re

_CALL = re.compile(r"(?:(?P<around>set|sorted|list|tuple)\()?(?P<name>[A-Za-z_]\w*)\((?P<inside>.*)\)", re.DOTALL)
_TEXT_OR_BRACKET = re.compile(r"\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)|'(?:[^'\\]|\\.)*(?:'|\\?\Z)|[()]|\bNone\b", re.DOTALL)
"""A text that nothing closes goes to the end: looked for again behind each quote, long ones would take hours."""
_SAME = {"(": "[", ")": "]", "None": "null"}


def called(function: str, given: str, wanted: str) -> tuple[str, str]:
    """The arguments of a call and its answer, with JSON's brackets; what is no call of the function keeps its form.

    >>> called("f", "f((1, 2), '()')", "(3, 4)"), called("f", "set(f([1]))", "set((1, None))")
    (("[1, 2], '()'", '[3, 4]'), ('[1]', '[1, null]'))
    >>> called("f", "g(1)", "2"), called("f", "x = 5", "2")
    (('g[1]', '2'), ('x = 5', '2'))
    """
    found = _CALL.fullmatch(given.strip()) if function in given else None
    if found and found["name"] == function:
        given = found["inside"]
        if around := found["around"]:
            given = given[:-1]
            wanted = wanted.removeprefix(f"{around}(").removesuffix(")") if wanted.startswith(f"{around}(") else wanted
    return _in_brackets(given), _in_brackets(wanted)


def _in_brackets(text: str) -> str:
    if "(" not in text and "None" not in text:
        return text
    return _TEXT_OR_BRACKET.sub(lambda part: _SAME.get(part[0], part[0]), text)
