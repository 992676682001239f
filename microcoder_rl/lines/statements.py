"""Which lines of a program were not executed, and on which line it broke. Pure functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import Literal

from microcoder_eval import Grade, Verdict

_HEADERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def unexecuted_lines(code: str, reached: Set[int]) -> set[int]:
    """The lines of statements that no test executed. Definitions, imports, comments and empty lines are never among
    them; nor is a line that another statement executed.

    >>> sorted(unexecuted_lines("if a:\\n    b = [\\n        1]\\nelse:\\n    c\\n# d\\n", {1, 5}))
    [2, 3]
    """
    try:
        statements = list(_statements(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    spans = [(_lines(each), not isinstance(each, _HEADERS)) for each in statements]
    executed = {line for lines, _ in spans if reached & set(lines) for line in lines}
    kept = {line for lines, counts in spans if not counts for line in lines}
    return {line for lines, counts in spans if counts for line in lines} - executed - kept


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.stmt))


def _lines(statement: ast.stmt) -> range:
    """The lines of a statement; for a compound statement, the lines before its body."""
    body = getattr(statement, "body", None)
    end = body[0].lineno - 1 if isinstance(body, list) and body else statement.end_lineno or statement.lineno
    return range(statement.lineno, max(statement.lineno, end) + 1)


def error_lines(grade: Grade) -> set[int] | Literal["whole"] | None:
    """Where RLTF places an error: the line that does not compile or that raised; "whole" for the whole program when it
    ran out of time or stack; None when the line is unknown or there was no error.

    >>> from microcoder_eval.verdict import Raised
    >>> error_lines(Grade("", "p", Verdict.COMPILE_ERROR, raised=Raised(2, "SyntaxError"), code="a\\nb("))
    {2}
    """
    if grade.verdict is Verdict.TIME_LIMIT:
        return "whole"
    if grade.verdict not in (Verdict.COMPILE_ERROR, Verdict.RUNTIME_ERROR) or grade.raised is None:
        return None
    if grade.verdict is Verdict.RUNTIME_ERROR and grade.raised.exception == "RecursionError":
        return "whole"
    return {grade.raised.line} if grade.raised.line else None
