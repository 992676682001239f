"""Find the parameters of a function: their names and types, from the starter code and the known calls.

    parameters, by_keyword = parameters_of(row, known)      # raises Unclear

A list of lists is a list of records where the statement names the fields (`queries[i] = [l_i, r_i]`) or gives a small
fixed length, a matrix where all rows have one length, else rows of any length.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.make_tests.grammar.arguments import Parameter
from microcoder_data.make_tests.grammar.contents import Unclear
from microcoder_data.make_tests.grammar.expression import base_name
from microcoder_data.schema import Row

MOST_FIELDS = 8
Call = list[Any] | dict[str, Any]


def parameters_of(row: Row, known: Sequence[Call], text: str) -> tuple[list[Parameter], dict[str, list[str]]]:
    """The parameters, and for each list of records the names of its fields as the statement writes them.

    text: the statement with its constraints, as plain text.
    """
    annotated = annotated_parameters(row)
    first = known[0]
    names = list(first) if isinstance(first, dict) else list(annotated)
    if annotated and set(names) == set(annotated):
        names = list(annotated)
    if any(len(call) != len(names) or (isinstance(call, dict) and set(call) != set(names)) for call in known):
        raise Unclear("the known calls have other arguments than the signature")
    found = []
    written: dict[str, list[str]] = {}
    for at, name in enumerate(names):
        values = [call[name] if isinstance(call, dict) else call[at] for call in known]
        nodes = _node_class(annotated.get(name))
        if nodes:
            found.append(_of_nodes(name, nodes, values))
            continue
        depth, base = _type_of(name, annotated.get(name), values)
        shape = ("one", "list")[depth] if depth < 2 else _shape_of_rows(name, values, text)
        if shape == "records":
            written[name] = _fields_of(name, values, text)
        found.append(Parameter(name, base, shape))
    return _with_fields(found, written), written


def annotated_parameters(row: Row) -> dict[str, ast.expr | None]:
    """The parameters in the starter code with their annotations."""
    function = (row["entry_point"] or "").rpartition(".")[2]
    code = (row["starter_code"] or "").rstrip()
    for ending in ("", "\n        pass", " pass", "\n    pass"):
        try:
            tree = ast.parse(code + ending)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == function:
                return {one.arg: one.annotation for one in node.args.args if one.arg != "self"}
    return {}


def _type_of(name: str, annotation: ast.expr | None, values: Sequence[Any]) -> tuple[int, str]:
    """How deep the lists of a parameter are nested, and what they hold."""
    depth, base = _annotated(annotation)
    shown_depth, shown = _shown(values)
    if shown_depth is None:
        raise Unclear(f"{name} is no number, no text and no list of these")
    if not base or (depth == 0 and shown_depth):
        depth, base = shown_depth, shown
    if base not in ("int", "float", "bool", "str") or depth > 2:
        raise Unclear(
            f"{name} is {'a list of deeper lists' if depth > 2 else f'of a type that no reader knows: {base}'}"
        )
    return depth, base


def _annotated(annotation: ast.expr | None) -> tuple[int, str]:
    depth = 0
    while isinstance(annotation, ast.Subscript):
        outer = ast.unparse(annotation.value).rpartition(".")[2]
        if outer in ("List", "list", "Sequence"):
            depth += 1
        elif outer != "Optional":
            return 0, ""
        annotation = annotation.slice
    return depth, ast.unparse(annotation) if isinstance(annotation, ast.Name) else ""


def _node_class(annotation: ast.expr | None) -> str:
    """ListNode or TreeNode where an annotation names one of them."""
    text = ast.unparse(annotation) if annotation is not None else ""
    return next((name for name in ("ListNode", "TreeNode") if re.search(rf"\b{name}\b", text)), "")


def _of_nodes(name: str, nodes: str, values: Sequence[Any]) -> Parameter:
    """A parameter that is a linked list, a list of linked lists, a binary tree, or a node that its value names."""
    given = [[] if value is None else value for value in values]
    if nodes == "TreeNode" and all(isinstance(value, list) for value in given):
        items = [[item for item in value if item is not None] for value in given]
        shape = "tree"
    else:
        items, shape = given, ""
    depth, base = _shown(items)
    shape = shape or ("one", "list", "ragged")[depth] if depth is not None and depth < 3 else ""
    if not shape or (shape == "ragged" and nodes == "TreeNode") or (shape == "tree" and depth != 1):
        raise Unclear(f"{name} is of a form of {nodes} that no reader knows")
    if not any(items) and shape != "one":
        base = "int"
    return Parameter(name, base, shape, nodes=nodes)


def _shown(values: Sequence[Any]) -> tuple[int | None, str]:
    """The depth and the base type that known values show; the depth is None if they show several."""
    depth, level = 0, list(values)
    while level and all(isinstance(value, list) for value in level):
        depth, level = depth + 1, [item for value in level for item in value]
    kinds = {type(value).__name__ for value in level}
    if kinds == {"int", "float"}:
        kinds = {"float"}
    if len(kinds) > 1 or not kinds <= {"int", "float", "bool", "str"}:
        return None, ""
    return depth, kinds.pop() if kinds else "int"


def _named_fields(name: str, text: str) -> list[str]:
    """The fields that the statement names: `queries[i] = [l_i, r_i]`."""
    word = r"[A-Za-z]\w*(?:_\{\w+\})?"
    said = r"(?: ?==? ?| (?:is (?:given )?|has the form |comes )?(?:(?:in|of) the form(?:at)? (?:of )?|as )?)"
    match = re.search(rf"\b{re.escape(name)}\[\w\]{said}[\[(]({word}(?:, ?{word})*)[\])]", text)
    return re.split(r", ?", match[1]) if match else []


def _stated_width(name: str, text: str) -> int:
    match = re.search(rf"\b{re.escape(name)}\[\w\]\.length ?==? ?(\d+)\b", text)
    return int(match[1]) if match else 0


def _widths(values: Sequence[Any]) -> set[int]:
    return {len(row) for value in values for row in value if isinstance(row, list)}


def _shape_of_rows(name: str, values: Sequence[Any], text: str) -> str:
    widths = _widths(values)
    fields = _named_fields(name, text)
    if fields and widths <= {len(fields)}:
        return "records"
    stated = _stated_width(name, text)
    if 0 < stated <= MOST_FIELDS and widths <= {stated}:
        return "records"
    rectangular = all(len({len(row) for row in value}) <= 1 for value in values)
    own = re.escape(name)
    said = re.search(rf"==? ?{own}\[\w\]\.length|\b{own}\[\w\]\.length ?==|{own}\[0\]\.length|"
                     r"\b\w+ ?(?:x|\*|×) ?\w+\b[^.]{0,60}\b(?:matrix|grid|array|board|image)\b|"
                     rf"\b(?:matrix|grid|{own})\b[^.]{{0,40}}\b(?:size|of) \w+ ?(?:x|\*|×) ?\w+\b", text)  # fmt: skip
    if rectangular and said:
        return "rows"
    if not rectangular or re.search(rf"<=? ?{own}\[\w\]\.length", text):
        return "ragged"
    raise Unclear(f"it is not said how long the rows of {name} are")


def _fields_of(name: str, values: Sequence[Any], text: str) -> list[str]:
    fields = _named_fields(name, text)
    return fields or [f"{name}_{at}" for at in range(_stated_width(name, text))]


def _with_fields(parameters: Sequence[Parameter], written: Mapping[str, list[str]]) -> list[Parameter]:
    """The parameters with names for the fields of records that no other value has."""
    taken = {parameter.name for parameter in parameters}
    counts: dict[str, int] = {}
    for listed in written.values():
        for name in listed:
            counts[base_name(name)] = counts.get(base_name(name), 0) + 1
    found = []
    for parameter in parameters:
        fields = []
        for at, name in enumerate(written.get(parameter.name, ())):
            short = base_name(name)
            fields.append(short if counts[short] == 1 and short not in taken else f"{parameter.name}_{at}")
        found.append(replace(parameter, fields=tuple(fields)))
    return found
