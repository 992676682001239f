"""The arguments of a function as a tree over a layout, so that a call's inputs have a grammar as texts have one.

    arguments = Arguments(parameters, order)
    tree = arguments.read("nums = [3, 1]\nk = 2")       # over arguments.layout; raises Misfit
    arguments.write(tree)                               # the same text

The length of a list is a value of its own, `nums_length`, and so is the length of its rows, `grid_width`. All lengths
come before the contents, so that bounds such as `k <= nums.length` and `nums[i] <= k` hold while values are drawn.
`signature.py` finds the parameters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from microcoder_data.make_tests.grammar.expression import Expression
from microcoder_data.make_tests.grammar.layout import Block, Layout, Line, Listed, Misfit, Node, Scalar, Tree
from microcoder_data.sources.columns import encode_arguments
from microcoder_eval.arguments import parse_arguments
from microcoder_eval.errors import InputError

MOST_ITEMS = 20_000
"""About the most values of one made list: enough to show a program that is quadratic, and a row stays small."""

MOST_NODES = 400
"""The same for nodes: each access to one crosses the wall between the test program and the solution."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function."""

    name: str
    base: str
    """What it is made of: int, float, bool or str."""
    shape: str
    """one, list, rows (all of the same length), ragged (rows of any length), records (rows of named fields) or tree
    (a binary tree, given level by level with null for a child that is missing)."""
    fields: tuple[str, ...] = ()
    """The names of the fields of a record."""
    nodes: str = ""
    """ListNode or TreeNode where the function is given nodes; the values are still those of a plain list."""

    @property
    def form(self) -> str:
        """The name of a tree's form: a word with 1 for a node and 0 for a missing child, level by level."""
        return f"{self.name}_form"

    @property
    def length(self) -> str:
        return f"{self.name}_length"

    @property
    def width(self) -> str:
        return f"{self.name}_width"

    @property
    def values(self) -> tuple[str, ...]:
        """The names of what it is made of."""
        return self.fields or (self.name,)

    @property
    def sizes(self) -> tuple[str, ...]:
        """The names of its lengths that are known before its content."""
        return () if self.shape == "one" else (self.length, self.width) if self.shape == "rows" else (self.length,)


@dataclass(frozen=True)
class Arguments:
    """The parameters of a function, and the order in which their values and lengths are drawn."""

    parameters: tuple[Parameter, ...]
    by_keyword: bool
    order: tuple[str, ...]
    """The names of values, of lengths, and of lists for their contents."""

    @cached_property
    def layout(self) -> Layout:
        return tuple(self._node(name) for name in self.order)

    @cached_property
    def _by_name(self) -> dict[str, Parameter]:
        return {parameter.name: parameter for parameter in self.parameters}

    def _node(self, name: str) -> Node:
        one = self._by_name.get(name)
        if one is None or one.shape == "one":
            return Line(((Scalar(name),),))
        count = Expression(one.length)
        if one.shape == "list":
            return Line(((Listed(name, count),),))
        if one.shape == "tree":
            return Line(((Scalar(one.form), Listed(name, count)),))
        if one.shape == "records":
            return Block(count, (Line((tuple(map(Scalar, one.fields)),)),))
        row = Listed(name, Expression(one.width))
        return Block(count, (Line(((row,) if one.shape == "rows" else (Scalar(one.width), row),)),))

    def read(self, text: str) -> Tree:
        """The tree of a test's input; raises `Misfit`."""
        try:
            given = parse_arguments(text)
        except InputError as error:
            raise Misfit(str(error)) from None
        return self.tree_of(given)

    def tree_of(self, given: list[Any] | dict[str, Any]) -> Tree:
        """The tree of the arguments of a call; raises `Misfit`."""
        names = [parameter.name for parameter in self.parameters]
        if len(given) != len(names) or (isinstance(given, dict) and set(given) != set(names)):
            raise Misfit(f"it has other arguments than {', '.join(names)}")
        values = given if isinstance(given, dict) else dict(zip(names, given, strict=True))
        parts: dict[str, Any] = {}
        for parameter in self.parameters:
            parts |= _parts(parameter, values[parameter.name])
        return [parts[name] for name in self.order]

    def write(self, tree: Tree) -> str:
        """The input as a row's test holds it."""
        parts = dict(zip(self.order, tree, strict=True))
        values = {parameter.name: _value(parameter, parts[parameter.name]) for parameter in self.parameters}
        return encode_arguments(values if self.by_keyword else list(values.values()))

    def room(self, name: str, known: dict[str, Any]) -> int:
        """How many items a list may have so that an input stays affordable, if `name` is the length of one."""
        for parameter in self.parameters:
            if name == parameter.length and parameter.nodes:
                return MOST_NODES
            if name == parameter.length:
                return MOST_ITEMS // max(1, len(parameter.fields))
            if name == parameter.width:
                return MOST_ITEMS // max(1, known.get(parameter.length, 1))
        return 1 << 62


def _parts(parameter: Parameter, value: Any) -> dict[str, Any]:
    """The entries of a tree for one parameter, by the names in `order`."""
    name, base = parameter.name, parameter.base
    if parameter.shape == "one":
        return {name: {name: _item(value, base, name)}}
    if parameter.shape == "tree":
        form, values = form_of_tree(_list(value, name))
        content = {parameter.form: form, name: [_item(item, base, name) for item in values]}
        return {name: content, parameter.length: {parameter.length: len(values)}}
    rows = _list(value, name)
    lengths = {parameter.length: {parameter.length: len(rows)}}
    if parameter.shape == "list":
        return {name: {name: [_item(item, base, name) for item in rows]}, **lengths}
    rows = [[_item(item, base, name) for item in _list(row, name)] for row in rows]
    widths = {len(row) for row in rows}
    if parameter.shape == "ragged":
        return {name: [[{parameter.width: len(row), name: row}] for row in rows], **lengths}
    if parameter.shape == "records":
        if widths - {len(parameter.fields)}:
            raise Misfit(f"{name} has a row with another length than {len(parameter.fields)}")
        return {name: [[dict(zip(parameter.fields, row, strict=True))] for row in rows], **lengths}
    if len(widths) > 1:
        raise Misfit(f"{name} has rows of different lengths")
    width = widths.pop() if widths else 0
    return {name: [[{name: row}] for row in rows], **lengths, parameter.width: {parameter.width: width}}


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise Misfit(f"{name} is no list where one is expected")
    return value


def _item(value: Any, base: str, name: str) -> Any:
    """A value as the tree holds it: true and false as 1 and 0, a number with a decimal point as a `Decimal`."""
    if base == "bool" and type(value) is bool:
        return int(value)
    if base == "float" and type(value) in (int, float) and math.isfinite(value):
        return Decimal(repr(value))
    if type(value) is not {"int": int, "str": str}.get(base):
        raise Misfit(f"{name} has a value that is no {base}")
    return value


def _value(parameter: Parameter, part: Any) -> Any:
    """The argument of a call, from its entry in a tree."""
    name, base = parameter.name, parameter.base
    if parameter.shape == "one":
        return _given(part[name], base)
    if parameter.shape == "tree":
        return tree_of_form(part[parameter.form], [_given(item, base) for item in part[name]])
    if parameter.shape == "list":
        return [_given(item, base) for item in part[name]]
    if parameter.shape == "records":
        return [[_given(body[0][field], base) for field in parameter.fields] for body in part]
    return [[_given(item, base) for item in body[0][name]] for body in part]


def _given(value: Any, base: str) -> Any:
    return bool(value) if base == "bool" else float(value) if base == "float" else value


def form_of_tree(levels: list[Any]) -> tuple[str, list[Any]]:
    """The form and the values of a tree that is given level by level; raises `Misfit`.

    >>> form_of_tree([1, 2, 3, None, 4]), form_of_tree([])
    (('111010000', [1, 2, 3, 4]), ('0', []))
    """
    form, values, waiting = "", [], 1
    for item in levels:
        if not waiting:
            raise Misfit("a tree has a value without a parent")
        waiting += 1 if item is not None else -1
        form += "0" if item is None else "1"
        values += [] if item is None else [item]
    return form + "0" * waiting, values


def tree_of_form(form: str, values: list[Any]) -> list[Any]:
    """The opposite of `form_of_tree`, without the missing children at the end."""
    left = iter(values)
    return [next(left, None) if sign == "1" else None for sign in form.rstrip("0")]
