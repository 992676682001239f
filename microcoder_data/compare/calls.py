"""Examples of functions in one form: `f((1, 2), 'a')` is compared with the arguments `[1, 2]` and `"a"`; and the
examples that a test program asserts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress

from microcoder_data.syntax import call_and_answer, expression

LONGEST = 600
"""In characters: a longer value keeps the parentheses around it."""
_AROUND = ("set", "sorted", "list", "tuple")
_PARAMETER = "candidate"
"""What test programs such as HumanEval's call the function that they are given."""
_TEXT_OR_BRACKET = re.compile(r"\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)|'(?:[^'\\]|\\.)*(?:'|\\?\Z)|[()]|\bNone\b", re.DOTALL)
"""A text that nothing closes goes to the end: looked for again behind each quote, long ones would take hours."""
_SAME = {"(": "[", ")": "]", "None": "null"}


def called(function: str, given: str, wanted: str) -> tuple[str, str]:
    """The arguments of a call and its answer, with JSON's brackets; what is no call of the function keeps its form.

    >>> called("f", "f((1, 2), '()')", "(3, 4)"), called("f", "set(f([1]))", "set((1, None))")
    (("[1, 2], '()'", '[3, 4]'), ('[1]', '[1, null]'))
    >>> called("f", "g(1)", "2"), called("f", "f(1) + f(2)", "5")
    (('g[1]', '2'), ('f[1] + f[2]', '5'))
    >>> called("f", "f((7))", "('a')"), called("f", "f(7)", "('a',)")
    (('7', "'a'"), ('7', "['a',]"))
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
    if text[0] == "(" and text[-1] == ")" and len(text) <= LONGEST and (value := expression(text)) is not None:
        with suppress(RecursionError):  # of `(-----...1)`
            text = ast.unparse(value)  # without parentheses around one value
    return _TEXT_OR_BRACKET.sub(lambda part: _SAME.get(part[0], part[0]), text)


def asserted(program: str, function: str, longest: int) -> Iterator[tuple[str, str]]:
    """The calls of a function, with their answers, that lines of a test program assert. Only literals are compared.

    >>> lines = ["assert candidate(1, b=[2]) == (3,)", "assert f(x) == 2", "assert set(f(1)) == set([1])"]
    >>> list(asserted(chr(10).join(lines), "f", 100))
    [('f(1, b=[2])', '(3,)'), ('set(f(1))', 'set([1])')]
    >>> list(asserted("assert isclose(f(2), 1.5, rel_tol=0.1)" + chr(10) + "assert not f('a')", "f", 100))
    [('f(2)', '1.5'), ("f('a')", 'False')]
    """
    for line in program.split("\n"):
        if "assert" in line and len(line) <= longest:
            found = call_and_answer(line := line.strip())
            if found is not None and _compares_literals(*found, function):
                call, value = (_written(side, line) for side in found)
                yield call.replace(f"{_PARAMETER}(", f"{function}(", 1), value


def _written(node: ast.expr, line: str) -> str:
    """A part of a line as it is written there; the answer of `assert f(1)` is not."""
    return (ast.get_source_segment(line, node) if hasattr(node, "col_offset") else None) or ast.unparse(node)


def _compares_literals(left: ast.expr, right: ast.expr, function: str) -> bool:
    """Whether it is a call of the function with literals and a literal, or `sorted` or the like of both."""
    if _name(left) in _AROUND and _name(left) == _name(right):
        left, right = _only_argument(left), _only_argument(right)
    if not isinstance(left, ast.Call) or _name(left) not in (function, _PARAMETER):
        return False
    return all(map(_is_literal, [*left.args, *(one.value for one in left.keywords), right]))


def _name(node: ast.expr) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _only_argument(call: ast.expr) -> ast.expr:
    return call.args[0] if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords else call


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True
