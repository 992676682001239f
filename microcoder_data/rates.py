"""What a row's tests are worth as rates with intervals: right solutions accepted, wrong programs rejected.

    true_negative(row["verification"])       # Rate(part=11, whole=12): 92 %, from 65 to 99 %

A rate of few trials says little; its interval says how little (Wilson's, 95 %).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, NamedTuple

Z_95 = 1.959963984540054


class Rate(NamedTuple):
    """So many of so many."""

    part: int
    whole: int

    @property
    def share(self) -> float | None:
        return self.part / self.whole if self.whole else None

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.part, self.whole)

    def __str__(self) -> str:
        if not self.whole:
            return "not known"
        low, high = self.interval
        return f"{100 * self.part / self.whole:.1f} % of {self.whole:,} ({100 * low:.0f} to {100 * high:.0f} %)"


def wilson(part: int, whole: int, z: float = Z_95) -> tuple[float, float]:
    """The interval in which a share lies with a confidence of 95 %; from 0 to 1 without trials.

    >>> tuple(round(end, 3) for end in wilson(9, 10)), wilson(0, 0)
    ((0.596, 0.982), (0.0, 1.0))
    """
    if whole <= 0:
        return 0.0, 1.0
    share, squared = part / whole, z * z
    middle = share + squared / (2 * whole)
    half = z * sqrt(share * (1 - share) / whole + squared / (4 * whole * whole))
    return max(0.0, (middle - half) / (1 + squared / whole)), min(1.0, (middle + half) / (1 + squared / whole))


def true_positive(verification: Mapping[str, Any] | None) -> Rate:
    """The share of right solutions, among those that were run, that the tests accept."""
    said = verification or {}
    return Rate(said.get("solutions_ok") or 0, said.get("solutions_run") or 0)


def true_negative(verification: Mapping[str, Any] | None) -> Rate:
    """The share of known-wrong solutions and mutants that are rejected, without those that are likely right.

    >>> str(true_negative({"wrong_run": 4, "wrong_rejected": 4, "mutants_run": 8, "mutants_rejected": 7}))
    '91.7 % of 12 (65 to 99 %)'
    """
    said = verification or {}
    run = (said.get("wrong_run") or 0) + (said.get("mutants_run") or 0) - (said.get("mutants_equivalent") or 0)
    return Rate((said.get("wrong_rejected") or 0) + (said.get("mutants_rejected") or 0), max(0, run))
