"""Let a model solve the problems of a dataset. The graded attempts give the pass rates that calibrate difficulty."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcoder_data.difficulty.attempt_question import attempt_question
from microcoder_data.llm.question import NoAnswer
from microcoder_data.report.dataset import rows

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

COLUMNS = [
    "problem_id", "title", "statement", "input_format", "output_format", "constraints", "samples", "notes",
    "starter_code", "answer_format",
]  # fmt: skip


def attempts(
    directory: Path, client: Client, count: int, answer_tokens: int, temperature: float, limit: int | None = None
) -> Iterator[dict[str, Any] | None]:
    """For each problem `count` submissions as `microcoder eval grade` reads them, in order; None where no answer
    came."""
    items = ((row, draw) for row in islice(rows(directory, COLUMNS), limit) for draw in range(count))

    def attempt(item: tuple[dict[str, Any], int]) -> dict[str, Any] | None:
        row, draw = item
        try:
            response = client.ask(attempt_question(row, draw, answer_tokens, temperature))["text"]
        except NoAnswer:
            return None
        return {"id": f"{row['problem_id']}#{draw}", "problem_id": row["problem_id"], "response": response}

    return client.side_by_side(attempt, items)
