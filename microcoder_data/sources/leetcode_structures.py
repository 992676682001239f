"""Tests of LeetCode functions on linked lists and binary trees: a test program that builds them from plain lists.

The signature says which parameters are lists or trees. Problems with other structures are rejected.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from microcoder_data.rules import Reject
from microcoder_data.sources.leetcode_prelude import test_prelude

_PLAIN = {"int", "str", "bool", "float", "bytes", "complex", "None", "list", "dict", "set", "tuple"}
_PLAIN |= {"List", "Dict", "Set", "Tuple", "Optional", "Union", "Any", "Deque", "Iterable", "Iterator", "Sequence"}
_PLAIN |= {"Mapping", "DefaultDict", "Counter", "Generator", "Callable", "typing", "collections", "deque"}
_NODES = ("ListNode", "TreeNode")


def node_of(annotation: ast.expr | None) -> str:
    """ListNode, TreeNode, or empty for a plain value; raises a Reject for a class that a test cannot build."""
    if annotation is None:
        return ""
    text = annotation.value if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str) else ""
    names = re.findall(r"[A-Za-z_]\w*", text or re.sub(r"['\"]", "", ast.unparse(annotation)))
    found = next((name for name in names if name in _NODES), "")
    unknown = [name for name in names if name not in _PLAIN and name not in _NODES]
    if unknown:
        raise Reject("unknown_structure", f"a test cannot build a {unknown[0]}")
    return found


def test_program(method: ast.FunctionDef, cases: list[tuple[list[Any], Any]]) -> str | None:
    """The test program for a method on lists or trees; None when all its values are plain."""
    parameters = method.args.args[1:]
    nodes = [node_of(parameter.annotation) for parameter in parameters]
    returned = node_of(method.returns)
    classes = {name for name in (*nodes, returned) if name}
    if not classes:
        return None
    in_place = method.returns is None or (isinstance(method.returns, ast.Constant) and method.returns.value is None)
    lines = ["def check(candidate):"]
    for values, wanted in cases:
        lines += [f"    {line}" for line in _case(parameters, nodes, returned, in_place, values, wanted)]
    return test_prelude(classes) + "\n\n" + "\n".join(lines) + "\n"


def _case(
    parameters: list[ast.arg], nodes: list[str], returned: str, in_place: bool, values: list[Any], wanted: Any
) -> list[str]:
    """The lines that build the arguments of one case, call the function and compare its answer."""
    lines: list[str] = []
    names: list[str] = []
    for parameter, node, value in zip(parameters, nodes, values, strict=True):
        many = node and "List[" in ast.unparse(parameter.annotation)  # type: ignore[arg-type]
        tree = next((name for name, kind in zip(names, nodes, strict=False) if kind == "TreeNode"), None)
        lines.append(f"{parameter.arg} = {_built(node, value, bool(many), tree)}")
        names.append(parameter.arg)
    call = f"candidate({', '.join(names)})"
    if in_place:
        read = {"ListNode": "list_values", "TreeNode": "tree_values"}.get(nodes[0])
        shown = f"{read}({names[0]})" if read else names[0]
        return [*lines, call, f"assert {shown} == {wanted!r}"]
    if returned and not isinstance(wanted, (list, type(None))):
        return [*lines, f"assert {call}.val == {wanted!r}"]
    read = {"ListNode": "list_values", "TreeNode": "tree_values"}.get(returned)
    if read and isinstance(wanted, list) and any(isinstance(item, list) for item in wanted):
        return [*lines, f"assert [{read}(node) for node in {call}] == {wanted!r}"]
    return [*lines, f"assert {read}({call}) == {(wanted or [])!r}" if read else f"assert {call} == {wanted!r}"]


def _built(node: str, value: Any, many: bool, tree: str | None) -> str:
    """The expression that builds an argument. `tree`: the tree in which a single value names a node."""
    if not node:
        return repr(value)
    builder = "list_node" if node == "ListNode" else "tree_node"
    if many and tree and not any(isinstance(item, list) for item in value):
        return f"[tree_find({tree}, value) for value in {value!r}]"
    if many:
        return f"[{builder}(values) for values in {value!r}]"
    if isinstance(value, list) or value is None:
        return f"{builder}({value!r})"
    if node == "TreeNode" and tree:
        return f"tree_find({tree}, {value!r})"
    raise Reject("unknown_structure", f"a {node} is given as {value!r}")
