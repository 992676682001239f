"""What LeetCode gives every Python program: imports, the classes of nodes, and builders for lists and trees in tests.

Solutions rely on it, so it belongs to the problem: without it they fail with a NameError that says nothing about tests.
"""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache
from typing import Any

IMPORTS = """\
import bisect, collections, copy, datetime, functools, heapq, itertools, math, operator, random, re, string, sys
from typing import *
from collections import *
from functools import *
from itertools import *
from heapq import *
from bisect import *
from math import *
from string import *
from operator import *
from builtins import abs, pow

try:
    from sortedcontainers import SortedDict, SortedList, SortedSet
except ImportError:
    pass
inf = math.inf
"""

LIST_NODE = """\
class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next
"""

TREE_NODE = """\
class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val = val
        self.left = left
        self.right = right
"""

_LIST_BUILDERS = """\
def list_node(values):
    head = None
    for value in reversed(values or []):
        head = ListNode(value, head)
    return head


def list_values(node):
    values = []
    while node is not None and len(values) < 1000000:
        values.append(node.val)
        node = node.next
    return values
"""

_TREE_BUILDERS = """\
def tree_node(values):
    if not values:
        return None
    root = TreeNode(values[0])
    waiting, index = deque([root]), 1
    while waiting and index < len(values):
        node = waiting.popleft()
        for side in ("left", "right"):
            if index < len(values) and values[index] is not None:
                setattr(node, side, TreeNode(values[index]))
                waiting.append(getattr(node, side))
            index += 1
    return root


def tree_values(root):
    values, waiting = [], deque([root])
    while waiting and len(values) < 1000000:
        node = waiting.popleft()
        values.append(None if node is None else node.val)
        if node is not None:
            waiting += [node.left, node.right]
    while values and values[-1] is None:
        values.pop()
    return values


def tree_find(root, value):
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        if node is not None:
            if node.val == value:
                return node
            waiting += [node.left, node.right]
    return TreeNode(value)
"""

CLASSES = {"ListNode": LIST_NODE, "TreeNode": TREE_NODE}


def prelude(program: str) -> str:
    """The prelude of a solution: imports, and the node classes that it names but does not define.

    >>> "class TreeNode" in prelude("class Solution:\\n    def f(self, root: TreeNode): ...")
    True
    """
    wanted = [code for name, code in CLASSES.items() if name in program and f"\nclass {name}" not in f"\n{program}"]
    return "\n\n".join([IMPORTS, *wanted])


def functions_missing(program: str) -> list[str]:
    """The functions that a solution calls and nobody defines: the site offers them for one problem, such as `read4`.

    >>> functions_missing("def f(n):\\n    return rand7() + max(gcd(n, 2), g(n))\\n\\ndef g(n): return len(str(n))")
    ['rand7']
    """
    called: dict[str, None] = {}
    bound = set(CLASSES)
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called[node.func.id] = None
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
    return [name for name in called if name[0].islower() and name not in bound and name not in _imported()]


@lru_cache
def _imported() -> frozenset[str]:
    """What the prelude's imports and Python itself define."""
    names: dict[str, Any] = {}
    exec(f"{IMPORTS}\nfrom random import *\nfrom copy import *", names)
    return frozenset({*names, *vars(builtins), "SortedDict", "SortedList", "SortedSet"})


def test_prelude(classes: set[str]) -> str:
    """The prelude of a test program that builds lists and trees."""
    parts = [IMPORTS]
    if "ListNode" in classes:
        parts += [LIST_NODE, _LIST_BUILDERS]
    if "TreeNode" in classes:
        parts += [TREE_NODE, _TREE_BUILDERS]
    return "\n\n".join(parts)
