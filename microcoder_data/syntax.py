"""A program's syntax tree, parsed once while the rules look at one row: several of them read the same test program.

The last trees are kept and shared: do not change them. Programs are never run here.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeVar

BEGINS_A_PROGRAM = re.compile(r"\s*(?:import \w|from [\w.]+ import |(?:async )?def \w+\(|class \w+[(:]|@\w)")
KEPT = 8
Node = TypeVar("Node", bound=ast.AST)


@lru_cache(maxsize=KEPT)
def parsed(program: str) -> ast.Module | None:
    """The tree of a Python program; None where it does not parse.

    >>> parsed("x = 1") is parsed("x = 1"), parsed("x = ")
    (True, None)
    """
    return _tree(program)


def _tree(program: str) -> ast.Module | None:
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def expression(text: str) -> ast.expr | None:
    """The tree of a text that is one expression; None for another text."""
    tree = _tree(text)
    only = tree.body[0] if tree and len(tree.body) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None


def equation(assertion: str) -> tuple[ast.expr, ast.expr] | None:
    """The sides of `assert left == right`; None for another program.

    >>> [ast.unparse(side) for side in equation("assert f(1) == 2, 'message'") or ()], equation("assert f(1)")
    (['f(1)', '2'], None)
    """
    return _compared(_asserted(assertion), (ast.Eq,))


def call_and_answer(assertion: str) -> tuple[ast.expr, ast.expr] | None:
    """What an assertion in any form calls, and the answer that it wants; None for another program.

    >>> forms = "assert f(1) == 2", "assert math.isclose(f(1), 2.5, rel_tol=0.01)", "assert f(1)", "assert not f(1)"
    >>> [" gives ".join(map(ast.unparse, call_and_answer(form) or ())) for form in forms]
    ['f(1) gives 2', 'f(1) gives 2.5', 'f(1) gives True', 'f(1) gives False']
    """
    test = _asserted(assertion)
    if sides := _compared(test, (ast.Eq, ast.Is)):
        return sides
    call, wanted = test, True
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        call, wanted = test.operand, False
    if not isinstance(call, ast.Call):
        return None
    if wanted and last_word(call.func) == "isclose" and len(call.args) > 1:
        return call.args[0], call.args[1]
    return call, ast.Constant(wanted)


def _asserted(assertion: str) -> ast.expr | None:
    """What a program of one `assert` asserts."""
    tree = _tree(assertion)
    return tree.body[0].test if tree and len(tree.body) == 1 and isinstance(tree.body[0], ast.Assert) else None


def _compared(test: ast.expr | None, signs: tuple[type[ast.cmpop], ...]) -> tuple[ast.expr, ast.expr] | None:
    """Both sides of a comparison with one of these signs."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], signs)):
        return None
    return test.left, test.comparators[0]


@lru_cache(maxsize=KEPT)
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a program, as `walk` finds them."""
    return tuple(walk(tree))


def walk(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes in the order of `ast.walk`, which takes nearly twice as long; without the contexts, such as `ast.Load`.

    >>> [type(node).__name__ for node in walk(ast.parse("x + 1", mode="eval").body)]
    ['BinOp', 'Name', 'Add', 'Constant']
    """
    found = [root]
    for node in found:  # it grows while it is read
        yield node
        for field in _FIELDS_WITH_NODES[type(node)]:
            value = getattr(node, field, None)
            if isinstance(value, list):
                found += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)


class _FieldsWithNodes(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of a class that may hold nodes: a constant's value, a name and a context are none."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        fields = () if kind is ast.Constant else kind._fields
        found = self[kind] = tuple(field for field in fields if field not in ("id", "attr", "ctx"))
        return found


_FIELDS_WITH_NODES = _FieldsWithNodes()


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
