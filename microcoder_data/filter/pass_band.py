"""The rule that selects rows by how often a model solves them. It comes last, after `verify.attempts`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from microcoder_data.rules import Outcome, drop, kept
from microcoder_data.schema import Row
from microcoder_eval import InputError


@dataclass(frozen=True)
class PassBand:
    """Drop rows that a model solves too rarely or too often; by default those that it never or always solves."""

    name: ClassVar[str] = "pass_rate_v1"
    lowest: float = 0.01
    """The smallest share of accepted attempts. Without any accepted attempt a group of replies has no advantage to
    learn from; 0 keeps such rows."""
    highest: float = 0.99
    """The largest share of accepted attempts; 1 keeps rows that are always solved."""
    unknown: Literal["keep", "drop"] = "keep"
    """What becomes of a row without a pass rate, from attempts or from its source."""

    def __post_init__(self) -> None:
        if not 0 <= self.lowest <= self.highest <= 1:
            raise InputError("lowest and highest are shares from 0 to 1, lowest not above highest")

    def __call__(self, row: Row) -> Outcome | None:
        difficulty = row["difficulty"] or {}
        rate, model = difficulty.get("pass_rate"), difficulty.get("pass_model")
        if rate is None:
            return drop("pass_rate_unknown", "no attempt was judged") if self.unknown == "drop" else None
        detail = f"{model}, {difficulty.get('pass_n')} attempts"
        if rate < self.lowest:
            return drop("solved_too_rarely", detail, rate, self.lowest)
        if rate > self.highest:
            return drop("solved_too_often", detail, rate, self.highest)
        return kept(rate, None, detail)
