"""Whether a failed statement of the tests reads something of the program.

Tests can fail because of the value of a program's global name, without a request to the program: `assert LIMIT == 5`,
`assert issubclass(TooLarge, ValueError)`. Such a failure is the program's. A failure before the tests read anything of
the program is the tests' own.
"""

from __future__ import annotations

import ast
from types import TracebackType
from typing import Any

from microcoder_eval.sandbox.asserts.program_names import ProgramModule
from microcoder_eval.sandbox.asserts.proxies import RemoteClass, class_of, is_handle
from microcoder_eval.sandbox.asserts.tests_side import Tests
from microcoder_eval.sandbox.asserts.trust import FUNCTIONS

CAUSED_BY_CODE = (AssertionError, TypeError, AttributeError)
"""Errors that a function or a class of the program can cause without being called: `assert f is None`, `f + 1`."""


def reads_the_program(error: BaseException, peer: Tests, tree: ast.Module, file: str) -> bool:
    """Whether the innermost statement of the tests that raised `error` reads a value of the program."""
    innermost = None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        innermost = trace if trace.tb_frame.f_code.co_filename == file else innermost
        trace = trace.tb_next
    if innermost is None:
        return False
    frame = innermost.tb_frame
    statement = _statement_at(tree, innermost.tb_lineno)
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)} if statement else set()
    own = _defined_in(tree)
    values = [
        value
        for name in names
        for value in [frame.f_locals.get(name, frame.f_globals.get(name))]
        if is_handle(value) or isinstance(value, ProgramModule) or (peer.names.get(name) == "" and name not in own)
    ]
    return bool(values) and (isinstance(error, CAUSED_BY_CODE) or not all(map(_is_code, values)))


def _is_code(value: Any) -> bool:
    """Whether a value is a function or a class of the program, which tests call rather than read."""
    return type(value) is RemoteClass or (is_handle(value) and class_of(value).__name__ in FUNCTIONS)


def _statement_at(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement at a line."""
    found: ast.stmt | None = None
    for node in ast.walk(tree):  # the outer ones come first
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            found = node
    return found


def _defined_in(tree: ast.Module) -> set[str]:
    """The names that the tests define themselves, without imported ones."""
    found = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    found |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return found | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
