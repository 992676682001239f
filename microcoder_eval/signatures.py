"""Reads a problem's starter code: the names of the parameters, and which of them are linked lists or trees."""

from __future__ import annotations

import ast

from microcoder_eval.problem import Problem

NODES = ("ListNode", "TreeNode")


def node_hints(problem: Problem) -> dict[str, str]:
    """The annotations that name a ListNode or a TreeNode, by parameter name or "return".

    >>> code = "class Solution:\\n    def f(self, head: Optional[ListNode], k: int) -> int:"
    >>> node_hints(Problem(id="p", kind="call", entry_point="Solution.f", starter_code=code))
    {'head': 'ListNode'}
    """
    if not any(node in problem.starter_code for node in NODES):
        return {}
    function = _find(problem.starter_code, (problem.entry_point or "").rpartition(".")[2])
    if function is None:
        return {}
    annotations = {argument.arg: argument.annotation for argument in function.args.args}
    hints = {}
    for name, annotation in {**annotations, "return": function.returns}.items():
        text = _unparsed(annotation)
        for node in NODES:
            if node in text:
                hints[name] = f"List[{node}]" if "list[" in text.lower() else node
    return hints


def parameters(problem: Problem) -> list[str]:
    """The names of the entry point's parameters in their order, without `self`; none when the starter code has none.

    >>> parameters(Problem(id="p", kind="call", entry_point="f", starter_code="def f(nums, target):"))
    ['nums', 'target']
    """
    function = _find(problem.starter_code, (problem.entry_point or "").rpartition(".")[2])
    names = [argument.arg for argument in function.args.args] if function else []
    return names[1:] if names[:1] == ["self"] else names


def _unparsed(annotation: ast.expr | None) -> str:
    try:
        return "" if annotation is None else ast.unparse(annotation)
    except RecursionError:  # an expression this deep is no type
        return ""


def _find(starter_code: str, name: str) -> ast.FunctionDef | None:
    """The function of that name; a starter often ends at its signature, without a body."""
    for source in (starter_code, starter_code.rstrip() + "\n        pass", starter_code.rstrip() + "\n    pass"):
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
    return None
