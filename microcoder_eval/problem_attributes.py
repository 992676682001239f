"""A problem's platform and difficulty, by which scores are tabulated. Grading does not use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ProblemAttributes:
    """The platform and the difficulty of a problem, in lower case; "" where the record has none.

    >>> ProblemAttributes.from_record({"platform": "AtCoder", "difficulty": {"level": "hard"}})
    ProblemAttributes(platform='atcoder', difficulty='hard')
    """

    platform: str = ""
    difficulty: str = ""

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> ProblemAttributes:
        """Read a problem's own record or a row of a dataset, whose difficulty is a structure with several fields."""
        difficulty = record.get("difficulty")
        if isinstance(difficulty, Mapping):
            difficulty = difficulty.get("level") or difficulty.get("native")
        return cls(_normalised(record.get("platform")), _normalised(difficulty))

    def __bool__(self) -> bool:
        return bool(self.platform or self.difficulty)


def _normalised(value: Any) -> str:
    return str(value).strip().lower() if isinstance(value, (str, int, float)) else ""
