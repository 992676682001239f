"""Time and memory limits as publishers and statements write them, with their units."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

INT32 = (1 << 31) - 1
MOST_BYTES = 1 << 60
_UP_TO = re.compile(r" ?[-–] ?(\d+(?:[.,]\d+)?)")
LEAST_MS = 100
"""No judge gives a program so many seconds."""


def milliseconds(value: Any) -> int | None:
    """A time limit with its unit, in milliseconds; None when it is absent or absurd.

    A number alone is of seconds, or from `LEAST_MS` on of milliseconds.

    >>> milliseconds("2.0 seconds"), milliseconds("{'seconds': 1, 'nanos': 500000000}"), milliseconds("500 ms")
    (2000, 1500, 500)
    >>> milliseconds(2.5), milliseconds(1500), milliseconds("1500"), milliseconds("120 s")
    (2500, 1500, 1500, 120000)
    >>> milliseconds("1 - 18"), milliseconds("0.5-2.5 s")  # of subtasks: the longest
    (18000, 2500)
    """
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return None
    if isinstance(value, Mapping):
        value = f"{(whole(value.get('seconds')) or 0) + (whole(value.get('nanos')) or 0) / 1e9} s"
    if isinstance(value, str):
        number = re.search(r"\d+(?:[.,]\d+)?", value)
        if not number:
            return None
        if upper := _UP_TO.match(value, number.end()):
            number = upper
        named = value[number.end() :].strip()
        value = float(number.group(number.lastindex or 0).replace(",", "."))
        if named.startswith(("ms", "milli")) or (not named and value >= LEAST_MS):
            value /= 1000
    elif isinstance(value, (int, float)) and LEAST_MS <= value < 1e9:
        value /= 1000
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 3600:
        return None
    return round(value * 1000) or None


def megabytes(value: Any) -> int | None:
    """A memory limit with its unit, in megabytes; a bare number of a million or more is bytes.

    >>> megabytes("256.0 megabytes"), megabytes(512000000), megabytes("65536 KB"), megabytes("1 GB")
    (256, 488, 64, 1024)
    """
    scale = 1.0
    if isinstance(value, str):
        number = re.search(r"\d+(?:\.\d+)?", value)
        if not number:
            return None
        unit = value[number.end() :].strip().lower()
        scale = {"k": 1 / 1024, "g": 1024.0}.get(unit[:1], 1.0)
        if unit.startswith("b"):
            scale = 1 / (1 << 20)
        value = float(number.group())
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < MOST_BYTES:
        return None
    if scale == 1.0 and value >= 1_000_000:
        scale = 1 / (1 << 20)
    limit = round(value * scale)
    return limit if 0 < limit <= INT32 else None


def whole(value: Any) -> int | None:
    """A positive whole number that fits a column, or None."""
    try:
        number = int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 < number <= INT32 else None
