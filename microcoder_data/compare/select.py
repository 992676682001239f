"""Settings of the selection by level, the last of the steps predict, calibrate, select.

Shares of all levels add up to 1 and fix the distribution. Shares of some levels bound only those: `{easy: 0.2}` keeps
all other rows, and as many easy ones as make a fifth. Rows without a level are kept and not counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from microcoder_eval import InputError
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS


@dataclass(frozen=True)
class Select:
    """Drop rows of levels that have too many rows."""

    name: ClassVar[str] = "select_v1"
    shares: Mapping[str, Any] = field(default_factory=dict)
    """The share of easy, medium and hard rows, or of some of them."""
    prefer: Literal["hard", "recent", "random"] = "hard"
    """Which rows of a level stay: those predicted hardest, those of the latest contests, or any."""
    seed: int = 0
    """Decides between rows that `prefer` does not order."""

    def __post_init__(self) -> None:
        for level, share in self.shares.items():
            if level not in DIFFICULTY_LEVELS:
                raise InputError(f"shares: {level!r} is not one of {', '.join(DIFFICULTY_LEVELS)}")
            if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
                raise InputError(f"shares: {level} must be between 0 and 1, not {share!r}")
        total = sum(self.shares.values())
        if not self.shares or total > 1 + 1e-9:
            raise InputError(f"shares: they must add up to at most 1, not {total:g}")
        if len(self.shares) == len(DIFFICULTY_LEVELS) and total < 1 - 1e-9:
            raise InputError(f"shares: with all levels given they must add up to 1, not {total:g}")
