"""What rows lost of their text in Process, for the report and the card: counts by rule and source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from microcoder_data.process.fidelity import FIDELITY_RULE
from microcoder_data.schema import Row
from microcoder_eval.report.page import Html, element, section, table

Losses = Counter[tuple[str, str, str]]
"""How many rows, by (rules that lost something, source, `marked` or `dropped`)."""


def add_published(counts: Losses, row: Row) -> None:
    """Count what a published row lost; it reads `source` and `provenance`."""
    for step in row["provenance"]:
        if step["rule"] == FIDELITY_RULE:
            counts[_rules(step), row["source"], "marked"] += 1


def add_dropped(counts: Losses, entry: Row) -> None:
    """Count a row that was dropped because it lost text; it reads `source`, `reason` and `names`."""
    if entry["reason"] == "text_lost":
        counts[_rules(entry), entry["source"], "dropped"] += 1


def fidelity_section(counts: Losses) -> Html:
    """The section of the report."""
    note = "Numbers, words, samples, code, formulas, lists, tables and links of the collected text that the row lost."
    title = "Text lost in Process"
    if not counts:
        return section(title, element("p", "No row lost anything that is measured.", class_="note"))
    return section(title, table(["Rule", "Source", "Outcome", "Rows"], table_rows(counts), numbers=(3,)), note=note)


def table_rows(counts: Losses) -> list[list[str]]:
    """The rows of the table (rule, source, outcome, number), the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [[rule, source, outcome, f"{count:,}"] for (rule, source, outcome), count in ordered]


def _rules(outcome: Mapping[str, Any]) -> str:
    return ", ".join(outcome["names"]) or "unknown"
