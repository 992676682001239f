"""Errors that a test program expects and the statement leaves open. Programs are read, never run."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from microcoder_data.schema import Row
from microcoder_data.syntax import last_word, nodes_of, parsed, walk

EXPECT = frozenset(["raises", "assertRaises", "assertRaisesRegex"])
OF_ERRORS = re.compile(r"\b(?:rais|throw|error|exception|invalid|valid\b)", re.IGNORECASE)
"""Words with which a statement speaks of errors."""
_VALUE = r"(?:0|-1|zero|none|null|false|an? empty)"
_VALUE_FOR_INVALID = re.compile(
    rf"\binvalid\b[^.\n]{{0,60}}?\b(?:as|returns?|returning|yields?|gives?)\s+(?:the\s+)?(?:\w+\s+)?{_VALUE}\b|"
    rf"\breturns?\s+{_VALUE}(?:\s+\w+)?\s+(?:if|for|when|where|on)\b[^.\n]{{0,60}}?\binvalid\b"
)
"""In lower case: the statement names what an invalid input gives."""


def expects_errors(program: str) -> bool:
    return any(name in program for name in EXPECT)


def _expects_error(function: str) -> bool:
    """Whether a function expects an error: tests of Exercism have an `assertRaisesWithMessage` of their own."""
    return function == "raises" or function.startswith("assertRaises")


def caught_as(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names under which blocks keep the errors that they expect. What asks one of these names needs its block."""
    for block in statements:
        if isinstance(block, ast.With):
            yield from (item.optional_vars.id for item in block.items if isinstance(item.optional_vars, ast.Name))


def names_in(statement: ast.stmt) -> set[str]:
    return {node.id for node in walk(statement) if isinstance(node, ast.Name)}


def raised(row: Row) -> Iterator[str]:
    """The errors that a row's solutions raise."""
    for program in (parsed(solution["code"]) for solution in row["solutions"]):
        for node in nodes_of(program, ast.Raise) if program else ():
            if node.exc is not None:
                yield ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)


@dataclass(frozen=True)
class OpenErrors:
    """What a reader of the statement cannot know about errors."""

    text: str
    """What a reader sees, in lower case."""
    chosen: frozenset[str] = frozenset()
    """Errors that the publisher's solution raises by a statement of its own: `unsaid` decides about those."""

    @classmethod
    def of(cls, row: Row, text: str) -> OpenErrors:
        return cls(text, frozenset(raised(row)) if expects_errors(row["test_code"] or "") else frozenset())

    def decide(self, statement: ast.stmt) -> bool:
        """Whether a statement of the tests expects an error, and the text speaks of none or names a value instead."""
        if isinstance(statement, ast.With):
            calls = [item.context_expr for item in statement.items]
        elif isinstance(statement, ast.Expr):
            calls = [statement.value]
        else:
            return False
        found = list(filter(None, map(self._unnamed, calls)))
        if found and _VALUE_FOR_INVALID.search(self.text):
            return True
        return any(error.id not in self.chosen for error in found) and not OF_ERRORS.search(self.text)

    def any_kind(self, program: str) -> tuple[str, int]:
        """The tests with `Exception` for errors of which the text speaks without a name, and how many there are."""
        tree = parsed(program) if expects_errors(program) and OF_ERRORS.search(self.text) else None
        named = [error for call in nodes_of(tree, ast.Call) if (error := self._unnamed(call))] if tree else []
        lines = program.split("\n")
        for error in sorted(named, key=lambda one: (one.lineno, one.col_offset), reverse=True):
            line = lines[error.lineno - 1].encode()
            lines[error.lineno - 1] = (line[: error.col_offset] + b"Exception" + line[error.end_col_offset :]).decode()
        return "\n".join(lines), len(named)

    def _unnamed(self, call: ast.expr) -> ast.Name | None:
        """The error that a call expects, if it is one of Python's and the text does not name it."""
        if not isinstance(call, ast.Call) or not call.args or not _expects_error(last_word(call.func)):
            return None
        error = call.args[0]
        if not isinstance(error, ast.Name) or not error.id.endswith("Error") or not hasattr(builtins, error.id):
            return None
        return error if error.id.lower() not in self.text else None
