"""Which exceptions a context manager of the program may swallow in the tests.

It may swallow what the program raises, and what the tests raise to see it swallowed. It may not swallow the failure of
a check: anything in a block in which the tests assert something, and what a line raises that looks at the manager, or
at what entering it gave: `if value != 5: raise ValueError`, `first, second = value`, `verify(value)`.
"""

from __future__ import annotations

import ast
import builtins

from microcoder_eval.boundary.assert_units import last_name

WITH = (ast.With, ast.AsyncWith)


def blocks_with_asserts(tree: ast.Module) -> list[range]:
    """The lines of each `with` block in which the tests assert something."""
    return [_lines(node) for node in ast.walk(tree) if isinstance(node, WITH) and any(map(_asserts, ast.walk(node)))]


def checking_lines(tree: ast.Module) -> set[int]:
    """The lines of `with` blocks that look at what the block's context manager gave.

    >>> checking_lines(ast.parse("with m() as v:\\n    if v != 5:\\n        raise E\\nwith m() as v:\\n    raise E(v)"))
    {2, 3}
    """
    found: set[int] = set()
    for block in (node for node in ast.walk(tree) if isinstance(node, WITH)):
        found |= _checking(block.body, _managed(block))
    return found


def _managed(block: ast.With | ast.AsyncWith) -> set[str]:
    """The names of a block's managers, of what entering them gives, and of what is made in it of these or by a call."""
    names = {item.context_expr.id for item in block.items if isinstance(item.context_expr, ast.Name)}
    names |= {name for item in block.items if item.optional_vars is not None for name in _names(item.optional_vars)}
    for node in ast.walk(block):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.comprehension)):
            given = node.iter if isinstance(node, (ast.For, ast.comprehension)) else node.value
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if given is not None and (names & _names(given) or _calls(given)):
                names |= {name for target in targets for name in _names(target)}
    return names


def _checking(body: list[ast.stmt], names: set[str]) -> set[int]:
    found: set[int] = set()
    for statement in body:
        inner = [node for node in ast.iter_child_nodes(statement) if isinstance(node, (ast.stmt, ast.ExceptHandler))]
        own = {name for node in ast.iter_child_nodes(statement) if node not in inner for name in _names(node)}
        asks = isinstance(statement, (ast.If, ast.While)) and _calls(statement.test)
        if (own & names or asks) and not isinstance(statement, (ast.Raise, *WITH)):
            found |= set(_lines(statement))
        else:
            nested = [part for node in inner for part in (node.body if isinstance(node, ast.ExceptHandler) else [node])]
            found |= _checking(nested, names)
    return found


def _calls(node: ast.AST) -> bool:
    """Whether an expression calls what may be the program's."""
    called = [last_name(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)]
    return any(name not in vars(builtins) for name in called)


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func).startswith(("assert", "fail", "check"))
    return isinstance(node, ast.Assert)


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
