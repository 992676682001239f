"""The settings of attempts: how often a model tries each row. Nothing is run here; `attempt_rows.py` makes the rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from microcoder_eval import InputError


@dataclass(frozen=True)
class Attempts:
    """Let the recipe's model attempt each remaining row, and grade the attempts: the pass rate. Off by default."""

    name: ClassVar[str] = "attempts_v1"
    count: int = 4
    """Attempts a row. The paper calibrates with four."""
    answer_tokens: int = 8192
    """The most tokens of one attempt; `llm.reasoning_tokens` are added."""
    temperature: float = 0.7

    def __post_init__(self) -> None:
        if self.count < 1 or self.answer_tokens < 1 or self.temperature < 0:
            raise InputError("count and answer_tokens must be at least 1, and temperature not negative")
        if self.count > 1 and self.temperature == 0:
            raise InputError("count above 1 needs a temperature above 0: greedy attempts are all the same")
