"""Settings of the last rule of Process: it compares the row with its text as collected
(`microcoder_data/fidelity/`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.rules import Outcome, drop, marked
from microcoder_data.schema import Row

FIDELITY_RULE = "fidelity_v12"


@dataclass(frozen=True)
class Fidelity:
    """Mark rows that lost text in Process, and drop those that lost much."""

    name: ClassVar[str] = FIDELITY_RULE
    max_loss: float = 0.1
    """Drop a row that lost a larger share of its text. No labelled row that a reader called complete lost that much."""

    def __call__(self, row: Row) -> Outcome | None:
        return None  # `fidelity/measure.py` measures: it has the collected row

    def judged(self, share: float, detail: str, rules: tuple[str, ...]) -> Outcome:
        """The outcome for a row that lost this share of its text by these rules."""
        detail = f"{', '.join(rules)}: {detail}" if rules else detail
        if share > self.max_loss:
            return drop("text_lost", detail, share, self.max_loss, rules)
        return marked(detail, share, self.max_loss)._replace(names=rules)
