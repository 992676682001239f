"""Records with one field changed, for tests that try every field with every type."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any


def places(record: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every field and list entry of a record."""
    for key, value in record.items() if isinstance(record, dict) else enumerate(record):
        yield (*before, key)
        if isinstance(value, (dict, list)):
            yield from places(value, (*before, key))


def changed(record: dict[str, Any], place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy of a record with another value at a path."""
    made = copy.deepcopy(record)
    target = made
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = value
    return made
