"""Examples of functions in one form: `f((1, 2), 'a')` is compared with the arguments `[1, 2]` and `"a"`."""

from __future__ import annotations

import re

_AROUND = ("set", "sorted", "list", "tuple")
_TEXT_OR_BRACKET = re.compile(r"\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)|'(?:[^'\\]|\\.)*(?:'|\\?\Z)|[()]|\bNone\b", re.DOTALL)
"""A text that nothing closes goes to the end: looked for again behind each quote, long ones would take hours."""
_SAME = {"(": "[", ")": "]", "None": "null"}


def called(function: str, given: str, wanted: str) -> tuple[str, str]:
    """The arguments of a call and its answer, with JSON's brackets; what is no call of the function keeps its form.

    >>> called("f", "f((1, 2), '()')", "(3, 4)"), called("f", "set(f([1]))", "set((1, None))")
    (("[1, 2], '()'", '[3, 4]'), ('[1]', '[1, null]'))
    >>> called("f", "g(1)", "2"), called("f", "f(1) + f(2)", "5")
    (('g[1]', '2'), ('f[1] + f[2]', '5'))
    """
    if function and function in given:
        for around in _AROUND:
            inside = _inside(given, around)
            if inside is not None and (arguments := _inside(inside, function)) is not None:
                given, wanted = arguments, _inside(wanted, around) or wanted
                break
        else:
            arguments = _inside(given, function)
            given = given if arguments is None else arguments
    return _in_brackets(given), _in_brackets(wanted)


def _inside(text: str, name: str) -> str | None:
    """What is between the brackets of `name(...)`, if the text is that and no more.

    >>> _inside("f(')', (1, 2))", "f"), _inside("f(1)(2)", "f"), _inside("f(1", "f")
    ("')', (1, 2)", None, None)
    """
    text = text.strip()
    if not text.startswith(f"{name}(") or not text.endswith(")"):
        return None
    depth = 0
    for part in _TEXT_OR_BRACKET.finditer(text, len(name)):
        depth += (part[0] == "(") - (part[0] == ")")
        if depth == 0:
            return text[len(name) + 1 : -1] if part.end() == len(text) else None
    return None


def _in_brackets(text: str) -> str:
    if "(" not in text and "None" not in text:
        return text
    return _TEXT_OR_BRACKET.sub(lambda part: _SAME.get(part[0], part[0]), text)
