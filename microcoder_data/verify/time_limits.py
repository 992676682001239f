"""Compute a time limit from measured solutions: raise a limit that is too short, set one where none was given.

Measured times differ from run to run, so a limit is one of a few round numbers, and a given limit stays while the
solutions are well below it. A contest package without a limit gets the limit that the judges' tools would set.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from microcoder_eval import InputError

STEPS_MS = (100, 200, 500, 1000, 2000, 3000, 5000, 8000, 12_000, 20_000, 30_000, 60_000)
JUDGES_FACTOR = 5.0
"""Kattis' rule for packages without a limit: this many times the time of the slowest right program."""
LEAST_FACTOR = 2.0
"""A row's limit is at least this many times the slowest solution: another machine may be slower, or busy."""


@dataclass(frozen=True)
class TimeLimits:
    """Scale the time limit from the slowest agreeing solution."""

    factor: float = 3.0
    """The limit is at least this many times the time of the slowest solution on its slowest test, up to `max_ms`."""
    min_ms: int = 1000
    max_ms: int = 30_000

    def __post_init__(self) -> None:
        if self.factor < 1:
            raise InputError("factor must be at least 1")
        if not 0 < self.min_ms <= self.max_ms:
            raise InputError("0 < min_ms <= max_ms is needed")

    def scaled(self, slowest_ms: float, given_ms: int | None) -> int:
        """The limit for a problem whose slowest solution needs `slowest_ms`.

        >>> TimeLimits().scaled(1700, given_ms=2000), TimeLimits().scaled(300, given_ms=2000)
        (8000, 2000)
        """
        wanted = slowest_ms * self.factor
        if given_ms is not None and wanted <= given_ms:
            return given_ms
        return max(given_ms or 0, min(max(round_up(wanted), self.min_ms), self.max_ms))

    def as_judges(self, slowest_ms: float, multiplier: float, least_ms: int | None) -> int:
        """The limit of a package that names none, not below `least_ms`.

        >>> TimeLimits().as_judges(1700, multiplier=1.2, least_ms=None)
        4000
        """
        wanted = min(judges_ms(slowest_ms, max(multiplier, LEAST_FACTOR)), self.max_ms)
        return max(wanted, self.min_ms, least_ms or 0)


def judges_ms(slowest_ms: float, multiplier: float | None) -> int:
    """The limit that judges set when their slowest right program needs `slowest_ms`: whole seconds, at least one.

    >>> judges_ms(90, None), judges_ms(1700, 2)
    (1000, 4000)
    """
    return max(1, math.ceil(slowest_ms * (multiplier or JUDGES_FACTOR) / 1000)) * 1000


def round_up(ms: float) -> int:
    """The smallest of the round times that is not below `ms`, or the largest.

    >>> round_up(0), round_up(1001), round_up(10**9)
    (100, 2000, 60000)
    """
    return next((step for step in STEPS_MS if ms <= step), STEPS_MS[-1])
