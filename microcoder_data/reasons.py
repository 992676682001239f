"""Why rows are rejected, dropped or merged, as records, the manifest and the reports write it."""

from __future__ import annotations

from typing import NamedTuple


class Reason(NamedTuple):
    """Why a row is rejected, dropped or merged. None of the three parts contains a space.

    >>> str(Reason("dropped", "quality_v4", "repetitive"))
    'dropped quality_v4 repetitive'
    """

    outcome: str
    """rejected, dropped or merged."""
    rule: str
    reason: str

    def __str__(self) -> str:
        return " ".join(self)

    @classmethod
    def parse(cls, text: str) -> Reason:
        """A reason as records and the manifest write it."""
        return cls(*text.split(" ", 2))
