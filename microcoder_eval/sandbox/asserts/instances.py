"""Which expressions of a test program give what it makes by calling a class's name, as far as its text tells.

    made = Instances(tree, {"candidate": "Stack"})
    made.of(expression)          # {"Stack"} for `Stack()`, `candidate()`, and a variable that holds one

It follows assignments, loops, `with`, containers, fixtures, and classes that are passed on. It runs nothing.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from microcoder_eval.boundary.assert_units import FUNCTIONS, last_name

CLASS_NAME = re.compile(r"_?[A-Z][A-Za-z0-9]*")
TYPE_CHECKS = {"isinstance": 1, "issubclass": 0, "assertIsInstance": 1, "assertNotIsInstance": 1,
               "raises": 0, "assertRaises": 0, "assertRaisesRegex": 0}  # fmt: skip
"""Functions that are given classes, and from which argument on. They construct nothing."""
KEEPING = ("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "enumerate", "zip", "filter")
"""Builtin functions whose result holds what they are given."""
ROUNDS = 3
"""How many times a variable may be handed on against the order of the text."""


class Instances:
    """What the variables of a test program hold."""

    def __init__(self, tree: ast.Module, real: Mapping[str, str]) -> None:
        """`real`: what other names stand for."""
        self._real = real
        self._held: dict[str, set[str]] = defaultdict(set)
        self._inside: dict[str, set[str]] = defaultdict(set)
        self._variables = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} | {
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        self._passed_on = self._names_passed_on(tree)
        for _ in range(ROUNDS):
            for node in ast.walk(tree):
                self._follow(node)

    def of(self, node: ast.expr) -> set[str]:
        """The names by which a value was made that the expression may give."""
        if isinstance(node, ast.Call):
            return self._called(node.func)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._held.get(last_name(node), set())
        if isinstance(node, ast.Subscript):
            return self.inside(node.value)
        if isinstance(node, (ast.Await, ast.NamedExpr)):
            return self.of(node.value)
        if isinstance(node, ast.BinOp):
            return self.of(node.left) | self.of(node.right)
        return self.of(node.body) | self.of(node.orelse) if isinstance(node, ast.IfExp) else set()

    def inside(self, node: ast.expr) -> set[str]:
        """The names by which values were made that are in the container that the expression gives."""
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return self._all(node.elts)
        if isinstance(node, ast.Dict):
            return self._all(node.values)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return self.of(node.elt)
        if isinstance(node, ast.DictComp):
            return self.of(node.value)
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            called = self._called(node.args[0]) if name == "map" and node.args else set()
            return called.union(*map(self.inside, node.args)) if name in KEEPING else called
        return self._inside.get(last_name(node), set())

    def decorated(self, decorator: ast.expr) -> set[str]:
        """The names by which what a decorator gives was made: it is called with the function."""
        return self._called(decorator)

    def name(self, node: ast.expr) -> str:
        """The name that an expression ends with, or the one that it stands for."""
        name = last_name(node)
        return self._real.get(name, name)

    def _called(self, function: ast.expr) -> set[str]:
        name = self.name(function)
        if CLASS_NAME.fullmatch(name):
            return {name}
        found = self._held.get(name, set())  # a helper of the tests that gives one
        return found | self._passed_on if name in self._variables else found

    def _all(self, nodes: list[ast.expr]) -> set[str]:
        return set().union(*(self.of(node) | self.inside(node) for node in nodes))

    def _names_passed_on(self, tree: ast.Module) -> set[str]:
        """Classes that tests put into a list or hand to a function, to call them by another name."""
        holders = (ast.List, ast.Tuple, ast.Dict, ast.Call, ast.Assign)
        holding = [node for node in ast.walk(tree) if isinstance(node, holders)]
        inner = [part for node in holding for part in _parts(node)]
        return {name for part in inner if isinstance(part, ast.Name) and CLASS_NAME.fullmatch(name := self.name(part))}

    def _follow(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            self._bind(node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self._hold(node.target, self.inside(node.iter))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._bind(node.optional_vars, node.context_expr)
        elif isinstance(node, FUNCTIONS):
            for decorator in node.decorator_list:
                self._held[node.name] |= self.decorated(decorator)
            for part in ast.walk(node):
                if isinstance(part, (ast.Return, ast.Yield)) and part.value is not None:
                    self._held[node.name] |= self.of(part.value)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, given in zip(target.elts, value.elts, strict=True):
                self._bind(one, given)
        elif isinstance(target, ast.Tuple):
            self._hold(target, self.inside(value))
        else:
            self._hold(target, self.of(value))
            self._inside[last_name(target)] |= self.inside(value)

    def _hold(self, target: ast.expr, names: set[str]) -> None:
        for one in target.elts if isinstance(target, ast.Tuple) else [target]:
            self._held[last_name(one)] |= names


def _parts(node: ast.AST) -> Sequence[ast.AST]:
    """What a container holds, a call is given, or a variable is set to."""
    if isinstance(node, ast.Call):
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        return [] if last_name(node.func) in TYPE_CHECKS else given
    return [node.value] if isinstance(node, ast.Assign) else list(ast.iter_child_nodes(node))
