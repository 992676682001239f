"""Make mutants: a right Python program with one small change, such as `<` for `<=`. Good tests reject most of them.

Only lines that the tests execute are changed, where those are known: a change elsewhere says nothing about a test.
Some mutants are still right (`<` or `<=` where equality never occurs), so one that is accepted proves nothing.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "append": "appendleft", "popleft": "pop"}


@dataclass
class Mutants:
    """The mutants of a program, and how many changes were left out because no test reaches their line."""

    programs: list[str] = field(default_factory=list)
    unreached: int = 0


def normalised(code: str) -> str:
    """The program as its mutants are written, a statement a line; empty when it does not parse.

    >>> normalised("x = 1; print( x )")
    'x = 1\\nprint(x)'
    """
    try:
        return ast.unparse(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def mutants(code: str, most: int, lines: Collection[int] | None = None, prelude: str = "") -> Mutants:
    """At most `most` different mutants of a Python program, the same ones every time; none when it does not parse.

    lines: the only lines of `normalised(code)` that are changed; None for all.
    prelude: top-level statements that `code` shares with this program are not changed.

    >>> mutants("n = int(input())\\nprint(n < 3)", 1).programs
    ['n = int(input())\\nprint(n <= 3)']
    """
    found = Mutants()
    original = normalised(code)
    if not original:
        return found
    try:
        tree = ast.parse(original)
        prelude_statements = _statements(prelude)
        places = list(_places(tree, prelude_statements))
        places.sort(key=lambda place: hashlib.sha256(f"{original}{place[:2]}".encode()).digest())
        for number, kind, line in places:
            if len(found.programs) == most:
                break
            if lines is not None and line not in lines:
                found.unreached += 1
                continue
            changed = copy.deepcopy(tree)
            _change(list(ast.walk(changed))[number], kind)
            text = ast.unparse(ast.fix_missing_locations(changed))
            if text != original and text not in found.programs:
                found.programs.append(text)
    except (RecursionError, MemoryError):
        return Mutants()
    return found


def _statements(program: str) -> set[str]:
    """The top-level statements of a program, as text."""
    tree = ast.parse(normalised(program))
    return {ast.unparse(statement) for statement in tree.body}


def _places(tree: ast.Module, prelude_statements: Collection[str]) -> Iterator[tuple[int, str, int]]:
    """Every possible change: the number of the node in `ast.walk`, the kind of change, the line."""
    prelude = [
        statement for statement in tree.body if prelude_statements and ast.unparse(statement) in prelude_statements
    ]
    excluded = {id(node) for statement in prelude for node in ast.walk(statement)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in excluded:
            yield from ((number, kind, node.lineno) for kind in _kinds(node))  # type: ignore[attr-defined]


def _kinds(node: ast.AST) -> Iterator[str]:
    """The changes that are possible at a node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE and not _is_main_guard(node):
        yield "compare"
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _ARITHMETIC:
        yield "arithmetic"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "one more"
        yield "one less"
    elif isinstance(node, ast.Name) and node.id in _NAMES:
        yield "name"
    elif isinstance(node, ast.BoolOp):
        yield "and or"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield "unary"
    elif isinstance(node, ast.If) and not node.orelse and not _is_main_guard(node.test):
        yield "never"
        yield "always"


def _change(node: ast.AST, kind: str) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = _COMPARE[type(node.ops[0])]()
    elif isinstance(node, (ast.BinOp, ast.AugAssign)):
        node.op = _ARITHMETIC[type(node.op)]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value += 1 if kind == "one more" else -1
    elif isinstance(node, ast.Name):
        node.id = _NAMES[node.id]
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
        if isinstance(node.op, ast.Not):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.If):
        node.test = ast.Constant(kind == "always")


def _is_main_guard(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__"
