"""Read YAML that a stranger wrote, within bounds and with one kind of error.

    parsed(text, 20_000)    # a mapping, a list, ...; raises `yaml.YAMLError`

Aliases make a short text endless, and PyYAML builds what they stand for while it reads. So the nodes are counted before
any value is made of them. Records in YAML are read by `microcoder_eval.reading.yaml_form`, which takes no aliases.
"""

from __future__ import annotations

from typing import Any

import yaml

from microcoder_eval.reading.yaml_form import fault_at

DEEPEST = 100
LONGEST_NUMBER = 1000
"""PyYAML needs a time that grows with the square of a number's length."""
NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
"""What PyYAML raises for values that do not fit their tag, such as `!!bool maybe` or 2019-13-01."""
MOST = 1_000_000
"""The most values in a file that its user wrote, such as a recipe."""


def parsed(text: str, most: int = MOST) -> Any:
    """The value of a document with at most so many values, counted through its aliases."""
    try:
        loader = yaml.SafeLoader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            refuse_bomb(node, most)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise yaml.YAMLError(fault_at(error)) from None
    except RecursionError:
        raise yaml.YAMLError("nested too deeply to be read") from None
    except UNREADABLE as error:
        raise yaml.YAMLError(f"a value cannot be read: {error}; a date is written 2019-12-31") from None


def refuse_bomb(root: yaml.Node, most: int) -> None:
    """Raise `yaml.YAMLError` for nodes that would become too many values, too deep ones, or too long numbers."""
    left, stack = most, [(root, 0)]
    while stack:
        node, depth = stack.pop()
        inner = _inner(node)
        left -= len(inner)
        if left < 0:
            raise yaml.YAMLError(f"over {most} values, counted through its aliases")
        if depth > DEEPEST:
            raise yaml.YAMLError(f"nested more than {DEEPEST} levels deep")
        if node.tag in NUMBERS and len(node.value) > LONGEST_NUMBER:
            raise yaml.YAMLError(f"a number of {len(node.value)} characters")
        stack += [(one, depth + 1) for one in inner]


def _inner(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []
