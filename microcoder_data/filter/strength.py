"""The rule that selects rows by the strength of their tests, which execution measures. It is applied after
execution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from microcoder_data.rates import Rate, true_negative, true_positive
from microcoder_data.rules import Outcome, drop, kept
from microcoder_data.schema import Row
from microcoder_eval import InputError


@dataclass(frozen=True)
class MinStrength:
    """Drop rows whose tests accept too few right solutions or reject too few wrong programs."""

    name: ClassVar[str] = "strength_v1"
    min_rejected: float = 0.8
    """At least this share of the wrong solutions and mutants must be rejected."""
    min_rejected_low: float = 0.0
    """The lower end of that share's interval (Wilson, 95 %) must reach this, which needs many trials: 12 of 12 reach
    0.76, 50 of 50 reach 0.93."""
    min_accepted: float = 0.5
    """At least this share of the right solutions that were run must be accepted."""
    unknown: Literal["keep", "drop"] = "keep"
    """What becomes of a row for which no wrong program was run."""

    def __post_init__(self) -> None:
        if not all(0 <= share <= 1 for share in (self.min_rejected, self.min_rejected_low, self.min_accepted)):
            raise InputError("min_rejected, min_rejected_low and min_accepted are shares from 0 to 1")

    def __call__(self, row: Row) -> Outcome | None:
        rejected, accepted = true_negative(row["verification"]), true_positive(row["verification"])
        if accepted.share is not None and accepted.share < self.min_accepted:
            return drop("right_solutions_rejected", str(accepted), accepted.share, self.min_accepted)
        if rejected.share is None:
            return drop("strength_unknown", "no wrong program was run") if self.unknown == "drop" else None
        if rejected.share < self.min_rejected:
            return drop("weak_tests", _in_words(rejected), rejected.share, self.min_rejected)
        if rejected.interval[0] < self.min_rejected_low:
            return drop("strength_uncertain", _in_words(rejected), rejected.interval[0], self.min_rejected_low)
        return kept(rejected.share, self.min_rejected, _in_words(rejected))


def _in_words(rejected: Rate) -> str:
    return f"rejected: {rejected}"
