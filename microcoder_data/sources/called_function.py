"""Which function a problem of calls is about, where its record does not name it: the one that a program offers."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

_READS_INPUT = re.compile(r"\binput\(|\bstdin\b|\bopen\(0")
_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


def method_of_solution(program: str) -> str | None:
    """`Solution.f` when a program reads no input and defines a class `Solution` with the one public method `f`.

    >>> method_of_solution("class Solution:\\n    def twoSum(self, nums): ...")
    'Solution.twoSum'
    """
    if not re.search(r"^class Solution\b", program, re.MULTILINE) or _READS_INPUT.search(program):
        return None
    body = re.split(r"^class Solution\b.*$", program, maxsplit=1, flags=re.MULTILINE)[1]
    inside = re.split(r"^\S", body, maxsplit=1, flags=re.MULTILINE)[0]
    methods = re.findall(r"^(?: {2,4}|\t)def ([a-zA-Z]\w*)\(self\b", inside, re.MULTILINE)
    return f"Solution.{methods[0]}" if len(methods) == 1 else None


def offered_function(program: str) -> str | None:
    """The one function that no other function or class uses, of a program that reads no input and only defines.

    >>> offered_function("def half(n):\\n    return n / 2\\n\\ndef mean(a, b):\\n    return half(a + b)\\n")
    'mean'
    >>> offered_function("def half(n):\\n    return n / 2\\n\\nclass Halves:\\n    function = half\\n") is None
    True
    >>> offered_function("def main():\\n    print(2)\\n\\nmain()") is None
    True
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if _READS_INPUT.search(program) or not all(map(_defines, tree.body)):
        return None
    defined = [each for each in tree.body if isinstance(each, (ast.FunctionDef, ast.ClassDef))]
    used = {
        node.id for each in defined for node in ast.walk(each) if isinstance(node, ast.Name) and node.id != each.name
    }
    offered = {each.name for each in defined if isinstance(each, ast.FunctionDef) and each.name not in used}
    return offered.pop() if len(offered) == 1 else None


def is_call(text: Any, function: str) -> bool:
    """Whether a text is one call of a function.

    >>> is_call("add(1, (2))", "add"), is_call("add(1) + add(2)", "add"), is_call("1 2", "add")
    (True, False, False)
    """
    if not isinstance(text, str) or not function or not text.strip().startswith(f"{function}("):
        return False
    try:
        found = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return isinstance(found, ast.Call) and isinstance(found.func, ast.Name)


def _defines(statement: ast.stmt) -> bool:
    """Whether a statement is a definition or a text."""
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return text or isinstance(statement, _DEFINITIONS)
