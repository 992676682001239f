"""The rule that removes tests beyond the statement's bounds: `1 <= nums.length <= 100`, `0 <= nums[i] <= 50`.

A right program may rely on a bound, with a table of that size or a slow algorithm, so a test beyond it may reject right
programs. The rule applies to functions only: their arguments have the names that the statement uses. If a sample is
beyond a bound too, the bound was misread or is wrong, and every test stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from microcoder_data.process.bounds import Bound, bounds_of
from microcoder_data.process.test_extent import parameters_of
from microcoder_data.rules import Outcome, changed, marked
from microcoder_data.schema import Row
from microcoder_eval.arguments import parse_arguments

_NAME = re.compile(r"(?P<name>\w+)(?P<places>(?:\[\w+\])*)(?P<size>\.length|\.size\(\))?")
_PLACE = re.compile(r"\[(\w+)\]")
LONGEST = 200_000
"""In characters. A test with a longer input is not read, and stays."""


@dataclass(frozen=True)
class TestBounds:
    """Remove tests whose arguments are beyond what the statement allows."""

    __test__ = False

    name: ClassVar[str] = "test_bounds_v1"

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] != "call" or not row["tests"]:
            return None
        names = parameters_of(row)
        bounds = [bound for bound in bounds_of(row) if (found := _NAME.match(bound.name)) and found["name"] in names]
        if not bounds:
            return None
        beyond = [_beyond(test, bounds, names) for test in row["tests"]]
        if not any(beyond) or any(out and _is_shown(test) for out, test in zip(beyond, row["tests"], strict=True)):
            return None
        count = sum(bound is not None for bound in beyond)
        first = next(bound for bound in beyond if bound)
        detail = f"{first.low} <= {first.name} <= {first.high}"
        if count == len(row["tests"]):
            return marked(f"every test is beyond {detail}", count)
        row["tests"] = [test for test, out in zip(row["tests"], beyond, strict=True) if out is None]
        return changed(f"{count} tests beyond {detail}", count)


def _is_shown(test: dict[str, Any]) -> bool:
    return bool(test["public"]) or test["origin"] == "sample"


def _beyond(test: dict[str, Any], bounds: list[Bound], names: list[str]) -> Bound | None:
    """The first bound that a test breaks, or None."""
    if test["ref"] or len(test["input"]) > LONGEST:
        return None
    try:
        given = parse_arguments(test["input"])
    except (ValueError, RecursionError):
        return None
    arguments = given if isinstance(given, dict) else dict(zip(names, given, strict=False))
    return next(
        (bound for bound in bounds if any(not bound.low <= n <= bound.high for n in _numbers(bound.name, arguments))),
        None,
    )


def _numbers(name: str, arguments: dict[str, Any]) -> Iterator[int]:
    """The numbers in the arguments that a name of the statement refers to.

    >>> list(_numbers("grid[i].length", {"grid": [[1, 2], [3]]})), list(_numbers("pairs[i][1]", {"pairs": [[7, 8]]}))
    ([2, 1], [8])
    """
    found = _NAME.fullmatch(name)
    if found is None or found["name"] not in arguments:
        return
    values = [arguments[found["name"]]]
    for place in _PLACE.findall(found["places"]):
        lists = [value for value in values if isinstance(value, (list, tuple, str))]
        if place.isdecimal():
            values = [value[int(place)] for value in lists if int(place) < len(value)]
        else:
            values = [item for value in lists for item in value]
    for value in values:
        if found["size"]:
            if isinstance(value, (list, tuple, str)):
                yield len(value)
        elif type(value) is int:
            yield value
