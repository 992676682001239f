"""Which classes of a program the tests construct, read from the tests' text and the starter code.

An object may answer for itself only if the tests construct it by the name of such a class. The program's own text does
not count: it could call any object `Stack`, or define a class under the name of the function that it was asked for.
"""

from __future__ import annotations

import ast
import re

from microcoder_eval.boundary.assert_units import last_name

CLASS_NAME = re.compile(r"_?[A-Z][A-Za-z0-9]*")
DEFINED_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)", re.MULTILINE)
DEFINED_METHOD = re.compile(r"^[ \t]+(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
DEFINED_FUNCTION = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
TYPE_CHECKS = ("isinstance", "issubclass", "raises", "assertRaises", "assertRaisesRegex", "assertIsInstance")
NUMERIC = ("abs", "round", "isclose", "allclose", "assertEqual", "assertEquals", "assertAlmostEqual")


def class_names(tree: ast.Module, entry_point: str, starter_code: str) -> frozenset[str]:
    """The names of the classes whose instances may answer.

    These are the classes in the starter code, and the names spelled like a class (`Stack`, not `Find_Max`) that the
    tests call. A name whose results the tests only compare with plain values is taken for a function.

    >>> sorted(class_names(ast.parse("s = Stack()\\nassert 1 in s\\nassert Sum(1, 2) == 3"), "", ""))
    ['Stack']
    """
    uses = _NameUses(tree, entry_point)
    found = {name for name in uses.constructed if CLASS_NAME.fullmatch(name)}
    found -= uses.compared - uses.surely_classes
    found -= set(DEFINED_FUNCTION.findall(starter_code))
    return frozenset(found | set(DEFINED_CLASS.findall(starter_code)))


def methods(tree: ast.Module, names: frozenset[str], starter_code: str) -> frozenset[str]:
    """The methods that the tests test on classes of these names.

    These are the methods in the starter code's classes, and the attributes that the tests read of what they construct.

    >>> sorted(methods(ast.parse("s = Stack()\\ns.index(1)\\nf().count(1)"), frozenset(["Stack"]), ""))
    ['index']
    """
    if not names:
        return frozenset()
    constructed = {id(node) for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node.func) in names}
    known: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(tree):
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            (known if id(value) in constructed else others).update(map(last_name, targets))
        elif isinstance(node, ast.FunctionDef):  # a fixture
            given = [part.value for part in ast.walk(node) if isinstance(part, (ast.Return, ast.Yield))]
            (known if any(id(part) in constructed for part in given) else others).add(node.name)
    found = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and (id(node.value) in constructed or last_name(node.value) in known - others)
    }
    return frozenset(found | _methods_in(starter_code))


def _methods_in(starter_code: str) -> set[str]:
    """The names of indented functions. Found without parsing: many starters end in the middle of a function."""
    return {name for name in DEFINED_METHOD.findall(starter_code) if not name.startswith("__")}


def blocks_with_asserts(tree: ast.Module) -> list[range]:
    """The lines of each `with` block in which the tests assert something."""
    return [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in ast.walk(tree)
        if isinstance(node, (ast.With, ast.AsyncWith)) and any(map(_asserts, ast.walk(node)))
    ]


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func).startswith(("assert", "fail", "check"))
    return isinstance(node, ast.Assert)


class _NameUses:
    """How the tests use names: `constructed`, `compared` with plain values, and `surely_classes`."""

    def __init__(self, tree: ast.Module, entry_point: str) -> None:
        self.constructed: set[str] = set()
        self.compared: set[str] = set()
        self.surely_classes: set[str] = set()
        self._aliases = {"candidate": entry_point} if entry_point else {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                self._aliases.update({alias.asname: alias.name for alias in node.names if alias.asname})
        checked: set[int] = set()
        for node in ast.walk(tree):
            checked |= self._note(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in checked:
                self.constructed.add(self._name(node))

    def _note(self, node: ast.AST) -> set[int]:
        """Note the names in one node; returns the ids of the name nodes that are only mentioned, not called."""
        if isinstance(node, ast.Call):
            return self._note_call(node)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name):
                self.surely_classes.add(self._name(node.value))
                return {id(node.value)}
        elif isinstance(node, ast.Compare):
            if not any(isinstance(operation, (ast.In, ast.NotIn)) for operation in node.ops):
                self._note_operands([node.left, *node.comparators])
        elif isinstance(node, ast.BinOp):
            self._note_operands([node.left, node.right])
        elif isinstance(node, ast.ExceptHandler) and node.type is not None:
            return _names_in(node.type)
        elif isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation is not None:
            return _names_in(node.annotation)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
            return _names_in(node.returns)
        return set()

    def _note_call(self, node: ast.Call) -> set[int]:
        function = node.func
        if last_name(function) in TYPE_CHECKS:
            named = {part for argument in node.args for part in ast.walk(argument) if isinstance(part, ast.Name)}
            self.surely_classes |= {self._name(part) for part in named}
            return {id(part) for part in named} - _called_in(node)
        if last_name(function) in NUMERIC:
            self._note_operands(node.args)
        if isinstance(function, ast.Attribute):
            self.constructed.add(function.attr)  # solution.Stack()
            if isinstance(function.value, ast.Name):
                self.constructed.add(self._name(function.value))  # Stack.of(...)
        return set()

    def _note_operands(self, operands: list[ast.expr]) -> None:
        made = [{self._name(call) for call in ast.walk(operand) if isinstance(call, ast.Call)} for operand in operands]
        for place, operand in enumerate(operands):
            others = set().union(*(names for other, names in enumerate(made) if other != place))
            name = self._name(operand)
            if isinstance(operand, ast.Call) and name in others:
                self.surely_classes.add(name)
            elif isinstance(operand, ast.Call) and (place == 0 or _is_literal(operands[0])):
                self.compared.add(name)  # the actual value is the first operand, or the first one is a literal
            elif isinstance(operand, (ast.BinOp, ast.UnaryOp)):
                self.surely_classes |= made[place] & others

    def _name(self, node: ast.AST) -> str:
        name = last_name(node.func if isinstance(node, ast.Call) else node)
        return self._aliases.get(name, name)


def _is_literal(node: ast.AST) -> bool:
    return not any(isinstance(part, (ast.Name, ast.Call)) for part in ast.walk(node))


def _names_in(node: ast.AST) -> set[int]:
    return {id(part) for part in ast.walk(node) if isinstance(part, ast.Name)}


def _called_in(node: ast.AST) -> set[int]:
    return {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
