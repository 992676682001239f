"""The range of a recipe's number, declared with its key: `share: Annotated[float, Range(0, 1)] = 0.5`.

`config.from_mapping` refuses numbers outside of it, and `key_reference` shows it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Range:
    """The numbers from `low` to `high`. NaN and the infinities are in no range.

    >>> 1 in Range(1), 0 in Range(above=0), 1.0 in Range(0, below=1), float("nan") in Range()
    (True, False, False, False)
    >>> print(Range(1), Range(above=0, high=1), Range(2, 3, zero=True), sep="; ")
    at least 1; above 0 and at most 1; 0, or from 2 to 3
    """

    low: float | None = None
    high: float | None = None
    above: float | None = None
    """Like `low`, but this number itself is outside."""
    below: float | None = None
    zero: bool = False
    """0 is in the range, too."""

    def __contains__(self, value: float) -> bool:
        return (self.zero and value == 0) or (
            abs(value) <= sys.float_info.max
            and (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )

    def __str__(self) -> str:
        if self.zero:
            return f"0, or {replace(self, zero=False)}"
        if self.low is not None and self.high is not None:
            return f"from {self.low:g} to {self.high:g}"
        words = {"above": self.above, "at least": self.low, "below": self.below, "at most": self.high}
        return " and ".join(f"{word} {bound:g}" for word, bound in words.items() if bound is not None) or "finite"
