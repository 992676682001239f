"""Texts of the program that Python's own modules would execute in the process of the tests.

    is_harmless("list[int] | None")     # annotations: `typing.get_type_hints(f)` evaluates those that are texts
    refuse_doctests()                   # `doctest` runs what a docstring of the program says

A builtin function is no concern of this file: the program is given its own `eval`, not that of the tests.
"""

from __future__ import annotations

import ast
import builtins
import sys
import typing
from collections.abc import Collection
from typing import Any, NoReturn

from microcoder_eval.sandbox.asserts.pytest_subset import Unsupported

LONGEST_TEXT = 1000
OF_TYPES = (ast.Expression, ast.Name, ast.Load, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant,
            ast.BinOp, ast.BitOr)  # fmt: skip
"""What the text of a type is made of. No call is among them."""
MODULES = {"np", "numpy", "pd", "pandas"} | sys.stdlib_module_names
OF_PYTHON = {*vars(builtins), *vars(typing)}


def are_harmless(annotations: Any, names: Collection[str]) -> bool:
    """Whether nothing of the program is executed when annotations that it gave are evaluated.

    `names`: the program's own, which may stand for further texts.
    """
    if type(annotations) is not dict:
        return False
    texts = [value for value in annotations.values() if isinstance(value, str)]
    return all(is_harmless(text, names) for text in texts)


def is_harmless(text: str, names: Collection[str] = ()) -> bool:
    """
    >>> is_harmless("list[int] | 'str'"), is_harmless("list['print()']"), is_harmless("().__class__")
    (True, False, False)
    """
    if len(text) > LONGEST_TEXT:
        return False
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return all(_is_of_a_type(node, names) for node in ast.walk(tree))


def _is_of_a_type(node: ast.AST, names: Collection[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id in MODULES and not node.attr.startswith("_")
    if isinstance(node, ast.Name):
        return node.id in OF_PYTHON or node.id not in names
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return is_harmless(node.value, names)
    return isinstance(node, OF_TYPES)


def refuse_doctests() -> None:
    """Raise `Unsupported` from now on where tests run doctests."""
    import doctest

    vars(doctest)["DocTestRunner"].run = _refuse


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise Unsupported("tests that run doctests")
