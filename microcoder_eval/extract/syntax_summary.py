"""Summarizes a Python program's syntax tree: what it defines, what it uses, and whether loading it runs anything.

Names are collected without scopes. That is enough to distinguish a program from an example of its use.
"""

from __future__ import annotations

import ast
import builtins
import sys
from dataclasses import dataclass, field

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__builtins__"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_WORK = (
    *(*_DEFINITIONS, *_IMPORTS, ast.Call, ast.For, ast.While, ast.If, ast.With, ast.Try),
    *(ast.Return, ast.Yield, ast.AugAssign, ast.Raise, ast.Assert, ast.Lambda),
)


@dataclass(frozen=True)
class SyntaxSummary:
    """What a program defines, uses and does when it is loaded."""

    functions: frozenset[str] = frozenset()
    """Functions defined at the top level, also by `name = lambda ...`."""
    methods: dict[str, frozenset[str]] = field(default_factory=dict)
    """Classes defined at the top level, each with its methods."""
    asserting: frozenset[str] = frozenset()
    """Those functions and classes that assert something."""
    bound: frozenset[str] = frozenset()
    """All names that get a value at the top level."""
    missing: frozenset[str] = frozenset()
    """Names that are used, get no value anywhere and are not builtins; and names imported from an unknown module."""
    works: bool = False
    """Whether it does anything: `[1, 2]` and `n = 5` are data, as in an example's input."""
    runs: bool = False
    """Whether loading it does more than define names."""
    reads_input: bool = False
    prepares: bool = False
    """Whether it only imports, sets values and changes settings: it prints nothing and defines only by lambda."""

    @property
    def names(self) -> frozenset[str]:
        return self.functions | self.methods.keys()

    def defines(self, entry_point: str | None) -> bool:
        if not entry_point:
            return False
        name = entry_point.rpartition(".")[2]
        return name in self.functions or any(name in methods for methods in self.methods.values())


def summarize(tree: ast.Module) -> SyntaxSummary:
    """The summary of a program.

    >>> summarize(ast.parse("print(solve(int(input())))")).missing
    frozenset({'solve'})
    """
    used: set[str] = set()
    given: set[str] = set()
    foreign: set[str] = set()
    works = reads_input = any_name = False
    for node in ast.walk(tree):
        works = works or isinstance(node, _WORK)
        reads_input = reads_input or _reads_input(node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.add(node.id)
        elif isinstance(node, _IMPORTS):
            names = _bound_here(node)
            any_name = any_name or "*" in names
            (given if _is_known(node) else foreign).update(names)
        else:
            given |= _bound_here(node)
    missing = set() if any_name else used - given - _BUILTINS
    return SyntaxSummary(
        functions=frozenset(name for node in tree.body for name in _functions(node)),
        methods={
            node.name: frozenset(item.name for item in node.body if isinstance(item, FUNCTIONS))
            for node in tree.body
            if isinstance(node, ast.ClassDef)
        },
        bound=frozenset(name for node in tree.body for name in bound_by(node)),
        missing=frozenset(missing | foreign),
        works=works,
        runs=any(map(_runs, tree.body)),
        reads_input=reads_input,
        asserting=frozenset(node.name for node in tree.body if isinstance(node, _DEFINITIONS) and _asserts(node)),
        prepares=all(map(_prepares, tree.body)),
    )


def _asserts(definition: ast.AST) -> bool:
    return any(isinstance(node, ast.Assert) for node in ast.walk(definition))


def _functions(statement: ast.stmt) -> set[str]:
    if isinstance(statement, FUNCTIONS):
        return {statement.name}
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
        return {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return set()


def bound_by(statement: ast.stmt) -> set[str]:
    """The names that get a value from a statement at the top level."""
    if isinstance(statement, _DEFINITIONS):
        return {statement.name}
    return {name for node in ast.walk(statement) for name in _bound_here(node)}


def _bound_here(node: ast.AST) -> set[str]:
    """The names that get a value from this node itself, in any scope."""
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Load) else {node.id}
    if isinstance(node, _IMPORTS):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.arg):
        return {node.arg}
    if isinstance(node, ast.MatchMapping):
        return {node.rest} if node.rest else set()
    if isinstance(node, (*_DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return {node.name} if node.name else set()
    return set()


def _is_known(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether an import needs nothing from the reply: every plain import, and names from Python's modules or numpy."""
    return isinstance(node, ast.Import) or (node.module or "").partition(".")[0] in {*sys.stdlib_module_names, "numpy"}


def _reads_input(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in ("input", "stdin")
    if isinstance(node, ast.Attribute):
        return node.attr in ("stdin", "fileinput")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open" and node.args:
        return isinstance(node.args[0], ast.Constant) and node.args[0].value in (0, "/dev/stdin")
    return False


def _runs(statement: ast.stmt) -> bool:
    if isinstance(statement, (*_DEFINITIONS, *_IMPORTS)):
        return False
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not isinstance(statement.value, ast.Lambda) and any(map(_reads_input, ast.walk(statement)))
    return True


def _prepares(statement: ast.stmt) -> bool:
    """Whether a statement is such as `input = sys.stdin.readline` or `sys.setrecursionlimit(10**6)`."""
    if isinstance(statement, _IMPORTS):
        return True
    if isinstance(statement, ast.Expr):
        value = statement.value
        if isinstance(value, ast.Call):  # of a function of a module, with constants: a setting
            given = [node for argument in (*value.args, *value.keywords) for node in ast.walk(argument)]
            constant = not any(isinstance(node, ast.Name) for node in given)
            named = isinstance(value.func, ast.Attribute) and isinstance(value.func.value, ast.Name)
            return named and constant and not _answers(value)
        return isinstance(value, ast.Constant)
    return isinstance(statement, (ast.Assign, ast.AnnAssign)) and not any(map(_answers, ast.walk(statement)))


def _answers(node: ast.AST) -> bool:
    """Whether a node prints, runs a program or hands on a function that does: `list(map(print, a))`."""
    if isinstance(node, ast.Name):
        return node.id in ("print", "exec") and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        return name in ("print", "write", "writelines")
    return False
