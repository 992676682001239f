"""Which lines of a program were not executed, and on which line it broke. Pure functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import Literal

from microcoder_eval import Grade, Verdict

_ALWAYS_TRAINED = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom),
    *(ast.Global, ast.Nonlocal),  # Python runs nothing for these
)


def unexecuted_lines(code: str, reached: Set[int]) -> set[int]:
    """The lines of statements that no test executed. Definitions, imports, docstrings, declarations, comments and empty
    lines are never among them; nor is a line that another statement executed.

    >>> sorted(unexecuted_lines("if a:\\n    b = [\\n        1]\\nelse:\\n    c\\n# d\\n", {1, 5}))
    [2, 3]
    """
    try:
        statements = list(_statements(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    spans = [(_lines(each), not _is_always_trained(each)) for each in statements]
    executed = {line for lines, _ in spans if reached & set(lines) for line in lines}
    kept = {line for lines, counts in spans if not counts for line in lines}
    return {line for lines, counts in spans if counts for line in lines} - executed - kept


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.stmt))


def _is_always_trained(statement: ast.stmt) -> bool:
    """Whether a statement declares something: no tracer sees docstrings, `global x` and `x: int`, which run nothing."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, _ALWAYS_TRAINED)


def _lines(statement: ast.stmt) -> range:
    """The lines of a statement; for a compound statement, the lines before its body."""
    body = getattr(statement, "body", None)
    end = body[0].lineno - 1 if isinstance(body, list) and body else statement.end_lineno or statement.lineno
    if isinstance(statement, ast.Match):
        end = statement.cases[0].pattern.lineno - 1
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
