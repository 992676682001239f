"""A program's syntax tree, parsed once while the rules look at one row: several of them read the same test program.

The last trees are kept and shared: do not change them. Programs are never run here.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import lru_cache
from typing import Any, TypeVar

KEPT = 8
Node = TypeVar("Node", bound=ast.AST)


@lru_cache(maxsize=KEPT)
def parsed(program: str) -> ast.Module | None:
    """The tree of a Python program; None where it does not parse.

    >>> parsed("x = 1") is parsed("x = 1"), parsed("x = ")
    (True, None)
    """
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=KEPT)
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a program in the order of `ast.walk`, which takes twice as long."""
    found: list[ast.AST] = [tree]
    for node in found:  # it grows while it is read
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                found += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return tuple(found)


def nodes_of(tree: ast.Module, kind: type[Node]) -> list[Node]:
    """The nodes of one class, in the order of `nodes`. Do not change the list.

    >>> [node.id for node in nodes_of(ast.parse("f(x, y)"), ast.Name)]
    ['f', 'x', 'y']
    """
    return _by_kind(tree).get(kind, [])


@lru_cache(maxsize=KEPT)
def _by_kind(tree: ast.Module) -> dict[type, list[Any]]:
    found: dict[type, list[Any]] = defaultdict(list)
    for node in nodes(tree):
        found[type(node)].append(node)
    return dict(found)


def last_word(called: ast.expr) -> str:
    """The name after the last dot of an expression.

    >>> last_word(ast.parse("self.assertEqual", mode="eval").body)
    'assertEqual'
    """
    if isinstance(called, ast.Name):
        return called.id
    return called.attr if isinstance(called, ast.Attribute) else ast.unparse(called).rpartition(".")[2]
