"""Tests that somebody wrote as lines: `1 2 -> 3`, `input => output`.

    tests_on_lines(["1 2 -> 3", "4 5 -> 9"])                    # [["1 2", "3"], ["4 5", "9"]]

All lines must have one and the same arrow, once: otherwise the arrow may be a part of an input.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

_ARROWS = ("-->", "->", "==>", "=>", "\u2192", "\u21d2", "|->", "\u27f6")


def tests_on_lines(lines: Sequence[str]) -> list[list[str]] | None:
    """The inputs and outputs on the lines; None where they are no such lines. Empty lines and comments are left out.

    >>> tests_on_lines(['"a\\\\nb" => ""', "# the rest", "2 => 3"]), tests_on_lines(["a -> b -> c"])
    ([['a\\nb', ''], ['2', '3']], None)
    """
    stated = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    for arrow in sorted(_ARROWS, key=len, reverse=True):
        if stated and all(line.count(arrow) == 1 for line in stated):
            return [[_side(side) for side in line.split(arrow)] for line in stated]
    return None


def _side(text: str) -> str:
    """A side of a line; in quotes it is written as in JSON, with `\\\\n` for the end of a line."""
    stripped = text.strip()
    if len(stripped) > 1 and stripped[0] == stripped[-1] == '"':
        try:
            value = json.loads(stripped)
        except ValueError:
            return stripped
        return value if isinstance(value, str) else stripped
    return stripped
