"""Rewrites calls of the tests that mean something else where tests and program share no process.

    @seeding(random.seed)(42)    # for random.seed(42), under any imported name: the program is given the seeds
    @next(made)                  # for next(made): an iterator of the program may not end anything but itself

`next` gives StopIteration to whoever calls it. In `all(map(lambda made: next(made) == 5, found))` that ends the `map`,
so a program's empty iterator would end the tests without a failure.
"""

from __future__ import annotations

import ast
from typing import Any

from microcoder_eval.boundary.assert_units import last_name
from microcoder_eval.sandbox.asserts.program_names import names_of
from microcoder_eval.sandbox.asserts.settings import SEEDING
from microcoder_eval.sandbox.asserts.tests_side import Tests

SEEDS, NEXT = "@seeding", "@next"


class NotedCalls(ast.NodeTransformer):
    """The transformer of a test program's statements."""

    def __init__(self, tree: ast.Module) -> None:
        imported = [alias for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
        self._seeding = {*SEEDING, *(alias.asname for alias in imported if alias.name in SEEDING)} - {None}
        self._next = NEXT if "next" not in names_of(tree)[1] else "next"

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """An iterator that the tests wrote ends where the iterator that it reads ends."""
        return node if node.name == "__next__" else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if last_name(node.func) in self._seeding:
            node.func = ast.Call(ast.Name(SEEDS, ast.Load()), [node.func], [])
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "__next__" and not node.args:
            return ast.copy_location(ast.Call(ast.Name(self._next, ast.Load()), [node.func.value], []), node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        is_read = node.id == "next" and isinstance(node.ctx, ast.Load)
        return ast.copy_location(ast.Name(self._next, node.ctx), node) if is_read else node


def next_of(peer: Tests, main: dict[str, Any]) -> Any:
    """What `next` is for the tests in `main`, where it may be a function of the program."""

    def following(*given: Any) -> Any:
        try:
            return main.get("next", next)(*given)
        except StopIteration as end:
            peer.refuse_silence(end, "")
            raise

    return following
