"""The largest or smallest of nothing: the task implies no value, and publishers' solutions choose one.

`if not numbers: return 0` before `best = numbers[0]` is such a choice; another right solution raises an error. The sum
of nothing, the number of its items and its sorted order are no choice. Programs are read, never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from microcoder_data.schema import Row
from microcoder_data.syntax import last_word, nodes_of, parsed

_EXTREME = re.compile(r"\b(?:max|min|largest|smallest|highest|lowest|greatest|second)\w*\b")
_SAYS_EMPTY = re.compile(
    r"\b(?:empty|no (?:elements?|items?|numbers?)|zero (?:elements?|items?)|length (?:is )?(?:0|zero))\b"
)
_NOTHING = ("[]", "()", "{}", "''", "set()")


def extremes_of_nothing(row: Row, text: str) -> frozenset[str]:
    """The functions whose value for an empty argument the publisher chose and the statement (in lower case) leaves
    open."""
    if not _EXTREME.search(text) or _SAYS_EMPTY.search(text):
        return frozenset()
    programs = [parsed(solution["code"]) for solution in row["solutions"] if solution["language"] == "python"]
    functions = [node for program in programs if program for node in nodes_of(program, ast.FunctionDef)]
    return frozenset(
        one.name
        for one in functions
        if any(_chooses(one, name.arg) for name in one.args.args)
        and not any(f"{one.name}({empty})".lower() in text.replace('"', "'") for empty in _NOTHING)
    )


def asks_for_nothing(test: ast.expr, functions: frozenset[str]) -> bool:
    """Whether an assertion compares such a function's value for an empty argument with a number."""
    if not functions or not isinstance(test, ast.Compare) or not isinstance(call := test.left, ast.Call):
        return False
    number = test.comparators[0]
    return (
        last_word(call.func) in functions
        and len(call.args) == 1
        and ast.unparse(call.args[0]) in _NOTHING
        and isinstance(number, ast.Constant | ast.UnaryOp)
    )


def _chooses(function: ast.FunctionDef, name: str) -> bool:
    """Whether a function returns a constant if the argument is empty, and reads an item of it otherwise."""
    guards = [node for node in ast.walk(function) if isinstance(node, ast.If) and _is_emptiness(node.test, name)]
    constant = any(
        isinstance(first := guard.body[0], ast.Return) and isinstance(first.value, ast.Constant | ast.UnaryOp)
        for guard in guards
    )
    return constant and any(_reads_an_item(function, name))


def _is_emptiness(test: ast.expr, name: str) -> bool:
    return ast.unparse(test) in (f"not {name}", f"len({name}) == 0", f"{name} == []", f"not len({name})")


def _reads_an_item(function: ast.FunctionDef, name: str) -> Iterator[bool]:
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript):
            yield ast.unparse(node.value) == name and isinstance(node.slice, ast.Constant | ast.UnaryOp)
        elif isinstance(node, ast.Call) and len(node.args) == 1 and last_word(node.func) in ("max", "min"):
            yield ast.unparse(node.args[0]) == name
