"""How large a row's tests are: the largest size and value of each argument, or of a program's whole input.

extent = Extent(row)
extent.of("nums.length"), extent.of("nums[i]"), extent.largest
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from microcoder_data.schema import Row
from microcoder_data.syntax import nodes, nodes_of, parsed
from microcoder_eval.arguments import parse_arguments

_NUMBER = re.compile(r"(?<![\w.])-?\d{1,30}(?![\w.])")
_NAME = re.compile(r"\|?\s*([A-Za-z_]\w*)")
_FUNCTION = re.compile(r"def\s+(\w+)\s*\(([^)]*)\)?")
_BRACKETS = re.compile(r"\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]")
MOST_CHARACTERS = 200_000
"""Of all inputs together. Further tests are not read."""


class Extent:
    """The arguments of the tests by name; what cannot be read is left out."""

    def __init__(self, row: Row) -> None:
        self._values: dict[str, list[Any]] = defaultdict(list)
        self._found: dict[str, int | None] = {}
        self._inputs = list(_first_inputs(row))
        if row["kind"] == "call" and self._inputs:
            parameters = parameters_of(row)
            for text in self._inputs:
                self._add(_arguments(text, parameters))
        if row["kind"] == "asserts" and row["test_code"] and len(row["test_code"]) <= MOST_CHARACTERS:
            for named in _calls(row["test_code"]):
                self._add(named)

    def of(self, name: str) -> int | None:
        """The largest value of what a bound names (`nums.length`, `nums[i]`, `n`) in the tests; None when it is not
        known.

        >>> from microcoder_data.schema import new_row, new_test
        >>> extent = Extent(new_row(kind="call", statement="", tests=[new_test("nums = [7, -8]\\nk = 3", "1")]))
        >>> extent.of("nums.length"), extent.of("nums[i]"), extent.of("k"), extent.of("m")
        (2, 8, 3, None)
        """
        if name not in self._found:
            self._found[name] = self._of(name)
        return self._found[name]

    def _of(self, name: str) -> int | None:
        plain = _NAME.match(name)
        if not plain:
            return None
        key, rest = plain[1], name[plain.end() :]
        values = self._values.get(key)
        if values is None and "[" not in rest and key[-1:] in "ij":  # `ai` means `a[i]`
            values, rest = self._values.get(key[:-1]), "[i]"
        if values is None:
            return None
        if rest.startswith("[") and (rest.endswith((".length", ".size()"))):
            inner = [item for value in values if isinstance(value, (list, tuple)) for item in value]
            return max((len(item) for item in inner if hasattr(item, "__len__")), default=None)
        if rest.endswith((".length", ".size()", "|")) or name.startswith("|"):
            return max((len(value) for value in values if hasattr(value, "__len__")), default=None)
        if rest and not rest.startswith("["):
            return None
        wanted = values if rest else [value for value in values if not isinstance(value, (list, tuple, dict, str))]
        greatest = max(map(_greatest, wanted), default=-1)
        return greatest if greatest >= 0 else None

    @cached_property
    def largest(self) -> int:
        """The largest whole number, without its sign, in any input."""
        written = (abs(int(number)) for text in self._inputs for number in _NUMBER.findall(text))
        values = (_greatest(value) for values in self._values.values() for value in values)
        return max(0, max(written, default=0), max(values, default=0))

    def _add(self, named: dict[str, Any]) -> None:
        for name, value in named.items():
            self._values[name].append(value)


def _first_inputs(row: Row) -> Iterator[str]:
    """The inputs that are read, short ones first."""
    read = 0
    for text in sorted((test["input"] for test in row["tests"] if not test["ref"]), key=len):
        read += len(text)
        if read > MOST_CHARACTERS:
            return
        yield text


def _greatest(value: Any) -> int:
    """The largest whole number in a value, without its sign; -1 where there is none.

    >>> _greatest([[1, -7], "8", True]), _greatest("8")
    (7, -1)
    """
    if isinstance(value, int):
        return -1 if isinstance(value, bool) else abs(value)
    if isinstance(value, (list, tuple)):
        return max(map(_greatest, value), default=-1)
    return -1


def parameters_of(row: Row) -> list[str]:
    """The names of the function's parameters in the starter code, in order, without `self`.

    >>> from microcoder_data.schema import new_row
    >>> code = "class Solution:\\n    def add(self, a: dict[str, int], b=(1, 2)): ..."
    >>> parameters_of(new_row(statement="", entry_point="Solution.add", starter_code=code))
    ['a', 'b']
    """
    function, code = (row["entry_point"] or "").rpartition(".")[2], row["starter_code"] or ""
    listed = next((found[2] for found in _FUNCTION.finditer(code) if found[1] == function), "")
    if "(" in listed and (tree := parsed(code)):
        functions = (node for node in nodes_of(tree, ast.FunctionDef) if node.name == function)
        names = [argument.arg for node in functions for argument in node.args.args]
    else:
        names = [part.split(":")[0].split("=")[0].strip() for part in _BRACKETS.sub("", listed).split(",")]
    return [name for name in names if name and name != "self"]


def _arguments(input_text: str, parameters: list[str]) -> dict[str, Any]:
    """The arguments of one test by name; empty when they cannot be read."""
    try:
        arguments = parse_arguments(input_text)
    except (ValueError, RecursionError):
        return {}
    if isinstance(arguments, dict):
        return arguments
    return dict(zip(parameters, arguments, strict=False)) if isinstance(arguments, list) else {}


def _calls(program: str) -> Iterator[dict[str, Any]]:
    """The literals that a test program passes by name, also through a call: `head = list_node([1, 2])`."""
    tree = parsed(program)
    if tree is None:
        return
    for node in nodes(tree):
        if isinstance(node, ast.Call):
            named = {}
            for keyword in node.keywords:
                value = keyword.value
                if isinstance(value, ast.Call) and len(value.args) == 1:
                    value = value.args[0]
                try:
                    if keyword.arg:
                        named[keyword.arg] = ast.literal_eval(value)
                except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                    continue
            yield named
