"""Time and memory limits: a missing or absurd limit is replaced by the default, a longer time than the longest by the
longest, and the provenance says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.rules import Outcome, changed
from microcoder_data.schema import Row

TIME_LIMIT_GIVEN = "time_limit_given"
"""Whether the source gave the time limit. `Limits` puts this key into the row for the rules after it; it is no column,
so it is not written."""

_ABSURD = 10
"""A time this many times longer than the longest is a mistake in the unit."""


@dataclass(frozen=True)
class Limits:
    """Fill in and bound the limits."""

    name: ClassVar[str] = "limits_v2"
    default_ms: int = 4000
    min_ms: int = 100
    max_ms: int = 60_000
    default_mb: int = 512
    min_mb: int = 4
    max_mb: int = 16_384

    def __call__(self, row: Row) -> Outcome | None:
        notes = []
        for column, least, most, default in (
            ("time_limit_ms", self.min_ms, self.max_ms, self.default_ms),
            ("memory_limit_mb", self.min_mb, self.max_mb, self.default_mb),
        ):
            given = row[column]
            usable = given is not None and least <= given <= most
            used = given if usable else default
            if column == "time_limit_ms":
                usable = given is not None and least <= given <= _ABSURD * most
                used = min(given, most) if usable else default
                row[TIME_LIMIT_GIVEN] = usable
            if used != given:
                notes.append(f"{column} {'missing' if given is None else given}, {used} is used")
                row[column] = used
        return changed("; ".join(notes)) if notes else None


def limit_was_given(row: Row) -> bool:
    """Whether the time limit is the source's own. If `Limits` is switched off, every time limit is.

    >>> row = {"time_limit_ms": None, "memory_limit_mb": 256}
    >>> _ = Limits()(row)
    >>> row["time_limit_ms"], limit_was_given(row)
    (4000, False)
    """
    return bool(row.get(TIME_LIMIT_GIVEN, row["time_limit_ms"] is not None))
