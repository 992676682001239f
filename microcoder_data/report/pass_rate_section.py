"""The part of a dataset's report about pass rates: how often a model solves the published rows, by model and source."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from microcoder_data.rates import Rate
from microcoder_data.schema import Row
from microcoder_eval.report.page import Html, section, table


@dataclass
class PassRates:
    """The pass rates of all published rows, measured in the build or given by their sources."""

    by_model: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    """By model and source: problems, attempts, accepted attempts, problems never and always solved."""

    def add(self, row: Row) -> None:
        """Count one published row."""
        difficulty = row["difficulty"] or {}
        rate, attempts = difficulty.get("pass_rate"), difficulty.get("pass_n") or 0
        if rate is None:
            return
        model = difficulty.get("pass_model") or "unknown"
        self.by_model.setdefault((model, row["source"]), Counter()).update(
            problems=1, attempts=attempts, accepted=round(rate * attempts), never=rate == 0, always=rate == 1
        )


def pass_rates(found: PassRates) -> list[Html]:
    """The section; none where no row has a pass rate."""
    if not found.by_model:
        return []
    lines = [
        (model, source, f"{counts['problems']:,}", str(Rate(counts["accepted"], counts["attempts"])),
         f"{counts['never']:,}", f"{counts['always']:,}")
        for (model, source), counts in sorted(found.by_model.items())
    ]  # fmt: skip
    headings = ["Model", "Source", "Problems", "Attempts accepted", "Never solved", "Always solved"]
    note = "Wilson's interval of 95 % over attempts; the attempts at one problem depend on each other."
    return [section("Pass rates", table(headings, lines, numbers=(2, 4, 5)), note=note)]
