"""Which exceptions of the program may reach the tests as they are, although they end something without a failure.

A loop ends at StopIteration, one over a `__getitem__` of the tests at IndexError, a task group forgets a task that
raises CancelledError, and who collects what is no `Exception` is rare. A program must not end its tests in such a way:
where their text does not name the exception, it becomes a RuntimeError.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from typing import Any

from microcoder_eval.boundary.assert_units import last_name

EXPECTING = ("raises", "assertRaises", "assertRaisesRegex", "suppress")
ORDINARY: tuple[Any, ...] = (
    *(Exception, SystemExit, KeyboardInterrupt),
    getattr(builtins, "BaseExceptionGroup", Exception),
)
ENDING: dict[str, Any] = {"next": StopIteration, "anext": StopAsyncIteration}
"""Operations, and the exception that ends what they are asked of."""
SILENT_IN: dict[str, Any] = {"__getitem__": IndexError, "__getattr__": AttributeError}
"""Methods of the tests, and the exception that means in them: nothing is there."""
TOO_GENERAL = {"Exception", "BaseException", "object"}
Expected = list[tuple[range, set[str]]]
"""Lines of the tests, and the names of the exceptions that are expected there."""


def expected_errors(tree: ast.Module) -> Expected:
    """
    >>> expected_errors(ast.parse("try:\\n    next(g)\\nexcept StopIteration: pass"))
    [(range(2, 3), {'StopIteration'})]
    """
    found: Expected = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.With, ast.AsyncWith)):
            names = set().union(*(_named_by(item.context_expr) for item in node.items))
            found.append((_lines(node, node), names))
        elif isinstance(node, ast.Try):
            names = set().union(*(_names(handler.type) for handler in node.handlers if handler.type is not None))
            found.append((_lines(node.body[0], node.body[-1]), names))
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            found.append((_lines(node, node), _named_by(node)))
    return [(lines, names) for lines, names in found if names]


def ends_in_silence(error: BaseException, operation: str, expected: Expected, file: str) -> bool:
    """Whether an exception that the program raised in `operation` would end something of the tests unexpectedly."""
    running = list(_running(file))
    silent = (StopIteration, StopAsyncIteration, *(SILENT_IN[name] for name, _ in running if name in SILENT_IN))
    is_ordinary = isinstance(error, ORDINARY) and not isinstance(error, silent)
    if is_ordinary or isinstance(error, ENDING.get(operation, ())):
        return False
    kinds = {kind.__name__ for kind in type(error).__mro__} - TOO_GENERAL
    wanted = [lines for lines, names in expected if names & kinds]
    return not any(line in lines for _, line in running for lines in wanted)


def _running(file: str) -> Iterator[tuple[str, int]]:
    """The functions of the tests that are running, each with its line."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == file:
            yield frame.f_code.co_name, frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]


def _named_by(call: ast.expr) -> set[str]:
    is_expecting = isinstance(call, ast.Call) and last_name(call.func) in EXPECTING
    return set().union(*map(_names, call.args)) if is_expecting and isinstance(call, ast.Call) else set()


def _names(expression: ast.expr) -> set[str]:
    return {last_name(part) for part in ast.walk(expression) if isinstance(part, (ast.Name, ast.Attribute))}


def _lines(first: ast.stmt | ast.expr, last: ast.stmt | ast.expr) -> range:
    return range(first.lineno, (last.end_lineno or last.lineno) + 1)
