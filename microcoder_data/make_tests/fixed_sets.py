"""Checkers for problems where any of a fixed set of answers is right: what the input treats like the expected answer.

    for candidate in same_keys(): ...        # `checkers.prove_checker` decides

`Print the place of any largest number`: an answer is right if the same number stands at its place. Each candidate maps
an answer to a key of the input, such as the number at that place, and accepts the answers with the expected one's key.
Right solutions must show that it is so: they print different answers to several inputs, and each is accepted. A number
that is as long as the expected one says nothing: small ones are in most inputs by chance. Of a function each argument
is a line, with the items of a list or the letters of a text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from microcoder_data.schema import new_checker

FIXED_SET = "any of a fixed set"
"""The class of these problems, as `class_of_answers` names it."""
LEAST_DIFFERING = 3
"""Right solutions must print different answers to this many inputs."""
_KEYS = {
    f"the same value at its place in {where}, from {first}": (values, f"values[place(answer, {first})]")
    for where, values in (("the longest line", "max(lines, key=len)"), ("the lines after the first one", "lines[1:]"))
    for first in (1, 0)
} | {
    "as often in the input": ("words", "values.count(answer) or None"),
    "a word of the input of the same length": (
        "words",
        "len(answer) if answer in values and not re.fullmatch('-?[0-9]+', answer) else None",
    ),
    "a number of the input as far from 0": ("words", "abs(int(answer)) if answer in values else None"),
}
_CODE = '''
import re


def place(answer, first):
    """The index of a place that is counted from `first`; past every end for what is no place."""
    return int(answer) - first if re.fullmatch("0|[1-9][0-9]{{0,17}}", answer) and int(answer) >= first else 10**18


def check(input, expected, actual):
    """Whether both answers have this in common: {said}."""
    if isinstance(input, str):
        lines = [line.split() for line in input.splitlines()]
        words = [word for line in lines[1:] for word in line]
        right, found = expected.split(), actual.split()
    else:
        lines = [list(map(str, one)) if isinstance(one, (list, str)) else [str(one)] for one in input]
        words = [word for line in lines for word in line]
        right, found = ([str(one)] if type(one) in (int, str) else [one, one] for one in (expected, actual))
        if type(expected) is not type(actual):
            return False
    values = {values}

    def key(answer):
        try:
            return {key}
        except (IndexError, ValueError):
            return None

    if len(right) != 1 or len(found) != 1:
        return right == found
    wanted = key(right[0])
    return found == right if wanted is None else key(found[0]) == wanted
'''


def same_keys() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The candidates: (name, class, column)."""
    for said, (values, key) in _KEYS.items():
        code = _CODE.format(said=said, values=values, key=key)
        yield said, FIXED_SET, new_checker("python", code=code, style="function")
