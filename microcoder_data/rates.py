"""How good a row's tests are: the rates of right solutions accepted and of wrong programs rejected.

    true_negative(row["verification"])       # Rate(part=11, whole=12): 92 %, from 65 to 99 %

Each rate has Wilson's interval at 95 %, which is wide after few trials.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, NamedTuple

Z_95 = 1.959963984540054


class Rate(NamedTuple):
    """A count out of a total, such as 11 of 12."""

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
    """Wilson's interval of a share, at 95 % for the default `z`; from 0 to 1 without trials.

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
    counts = verification or {}
    return Rate(counts.get("solutions_ok") or 0, counts.get("solutions_run") or 0)


def true_negative(verification: Mapping[str, Any] | None) -> Rate:
    """The share of known-wrong solutions and mutants that the tests reject. Mutants that are likely right do not count.

    >>> str(true_negative({"wrong_run": 4, "wrong_rejected": 4, "mutants_run": 8, "mutants_rejected": 7}))
    '91.7 % of 12 (65 to 99 %)'
    """
    counts = verification or {}
    run = (counts.get("wrong_run") or 0) + (counts.get("mutants_run") or 0) - (counts.get("mutants_equivalent") or 0)
    return Rate((counts.get("wrong_rejected") or 0) + (counts.get("mutants_rejected") or 0), max(0, run))
