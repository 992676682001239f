"""A program's syntax tree, parsed once while the rules look at one row: several of them read the same test program.

The last trees are kept and shared: do not change them. Programs are never run here.
"""

from __future__ import annotations

import ast
from functools import lru_cache

KEPT = 4


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
