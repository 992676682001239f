"""The bins in which reports and statistics count: numbers of tests, and how strong tests are."""

from __future__ import annotations

from typing import NamedTuple


class Bins(NamedTuple):
    """Bins by their largest value, and the name of the bin above the last."""

    upto: tuple[tuple[float, str], ...]
    above: str

    @property
    def names(self) -> list[str]:
        return [*(name for _, name in self.upto), self.above]


TESTS = Bins(((0, "0"), (1, "1"), (3, "2-3"), (9, "4-9"), (15, "10-15"), (50, "16-50"), (100, "51-100")), "over 100")
"""Tests of a problem. Each of these bins lies inside one of the coarser bins below."""
TEST_SETS = Bins(((0, "none"), (3, "1-3"), (15, "4-15")), "16 or more")
"""Tests of a problem, as the first lines of card and report show them."""
STRENGTHS = Bins(((0.5, "to 50 %"), (0.75, "to 75 %"), (0.9, "to 90 %"), (0.99, "to 99 %")), "all")
"""The share of wrong programs that the tests of a problem reject."""


def binned(value: float, bins: Bins) -> str:
    """The name of the bin that a value falls into.

    >>> binned(3, TESTS)
    '2-3'
    """
    return next((name for most, name in bins.upto if value <= most), bins.above)
