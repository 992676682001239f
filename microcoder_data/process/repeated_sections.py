"""The rule for sections that stand twice: a dump of a judge's pages may have the whole page as the statement, without
headings, and the input and the output format once more as parts of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.rules import Outcome, changed
from microcoder_data.schema import Row

SHORTEST = 40
"""In characters: a shorter end may be equal by chance."""


@dataclass(frozen=True)
class RepeatedSections:
    """Take the input and the output format out of the end of the statement where they are parts of their own too."""

    name: ClassVar[str] = "repeated_sections_v1"

    def __call__(self, row: Row) -> Outcome | None:
        parts = [(row[name] or "").strip() for name in ("input_format", "output_format")]
        end = "\n\n".join(filter(None, parts))
        statement = row["statement"].rstrip()
        if len(end) < SHORTEST or len(statement) <= len(end) or not statement.endswith(f"\n{end}"):
            return None
        row["statement"] = statement[: -len(end)].rstrip()
        return changed("input and output format stood in the statement too", len(end), took_out=True)
