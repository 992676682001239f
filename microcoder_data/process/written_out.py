"""Whether a statement holds the very program that it asks for. Such a row teaches copying.

Some publishers let a model begin the prompt, and it went on to write the answer. A task about given code (a fault to
find, a function to make faster) is another thing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from microcoder_data.process.pairs import pairs
from microcoder_data.syntax import nodes_of, parsed, walk

_FENCED = re.compile(r"```(?:python|py)?[ \t]*\n", re.IGNORECASE)
_END_OF_FENCED = re.compile(r"\n[ \t]*```")
_ABOUT_CODE = re.compile(
    r"(?<!\w)(?:bugs?|buggy|debug|fix|faulty?|incorrect|wrong|refactor|optimi[sz]ed?|improve|modify|rewrite|extend|"
    r"complete (?:the|this|it)|missing (?:code|parts?|lines?|bod(?:y|ies))|fill in|todo|"
    r"your (?:code|implementation|solution))(?![\w(])",
    re.IGNORECASE,
)


def written_out(statement: str, tests: ast.Module) -> str:
    """The function or class that the tests ask for and the statement defines with its body; empty when there is none.

    Where the tests ask for several and the statement leaves one of them open, it gives the others as help.
    """
    if "def " not in statement or _ABOUT_CODE.search(statement):
        return ""
    whole = parsed(statement)
    programs = [whole] if whole else [found for text in _fenced(statement) if (found := parsed(text))]
    own = {node.name for node in tests.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    asked = {node.id for node in nodes_of(tests, ast.Name)} - own
    shown = [
        node
        for program in programs
        for node in program.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in asked
    ]
    written = {node.name for node in shown if _is_written(node)}
    return min(written) if written and written == {node.name for node in shown} else ""


def _fenced(statement: str) -> list[str]:
    return [pair.inside for pair in pairs(statement, _FENCED, lambda _: [_END_OF_FENCED])]


def _is_written(definition: ast.FunctionDef | ast.ClassDef) -> bool:
    if isinstance(definition, ast.ClassDef):
        methods = [node for node in definition.body if isinstance(node, ast.FunctionDef) and node.name != "__init__"]
        return any(map(_is_written, methods)) and not any(map(_is_open, methods))
    return any(_does_something(statement) for statement in _steps(definition))


def _is_open(method: ast.FunctionDef) -> bool:
    """Whether a method beside written ones is left to be written: `return 0` may be all that it has to do."""
    return not any(isinstance(one, ast.Return) and _is_value(one.value) for one in method.body) and not any(
        _steps(method)
    )


def _is_value(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is not None


def _steps(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """The statements of a body that are no docstring and no placeholder such as `pass`, `...` and `return None`."""
    for statement in function.body:
        if isinstance(statement, ast.Expr | ast.Return) and isinstance(statement.value, ast.Constant | None):
            continue
        if not isinstance(statement, ast.Pass | ast.Raise):
            yield statement


def _does_something(statement: ast.stmt) -> bool:
    """Whether a statement gives an answer: it returns or yields a value, or calls something for its effect."""
    return any(
        (isinstance(node, ast.Return | ast.Yield) and node.value is not None)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        for node in walk(statement)
    )
