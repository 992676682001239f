"""What the benchmark commands print besides a run's summary: the publisher's scores and the differences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from microcoder_eval.command_line import literal, result_console

_SHOWN_CASES = 25
_COLUMNS = ("problem_id", "submission_id", "strict", "contest", "why")


def show_scores(summary: Mapping[str, Any]) -> None:
    """The publisher's scores, a line for each group of problems."""
    console = result_console()
    scores = summary["benchmark_scores"]
    ks = list(dict.fromkeys(name for group in scores.values() for name in group if name != "problems"))
    table = Table(box=None, padding=(0, 3, 0, 0))
    table.add_column(literal(summary["benchmark"]) + (", strict" if summary["policy"] == "strict" else ""))
    for heading in ("problems", *ks):
        table.add_column(heading, justify="right")
    for name, group in scores.items():
        table.add_row(literal(name), f"{group['problems']}", *(f"{group[k]:.2%}" if k in group else "" for k in ks))
    console.print(table)
    if summary.get("samples_with_fences"):
        console.print(
            f"[yellow]{summary['samples_with_fences']} of {summary['submissions']} samples hold a Markdown fence. "
            "Samples are run as they are, as the publisher does. With --extract the program is taken from each[/]",
            soft_wrap=True,
        )
    missing = summary["problems_without_samples"]
    if missing:
        console.print(f"[yellow]{missing} of {summary['problems']} problems have no samples and do not count[/]")


def show_differences(found: Mapping[str, Any], out: Path) -> None:
    """The cases where `strict` and `contest` disagree."""
    console = result_console()
    only_strict, only_contest = found["accepted_only_by_strict"], found["accepted_only_by_contest"]
    console.print(
        f"\n[bold]strict and contest[/] agree on {found['compared'] - only_strict - only_contest} of "
        f"{found['compared']}; only strict accepts {only_strict}, only contest accepts {only_contest}",
        soft_wrap=True,
    )
    scores = (f"{name} {scores['pass@1']:.2%}" for name, scores in found["scores"].items() if scores)
    console.print(literal(f"pass@1: {', '.join(scores)}"))
    listed = [[case[name] for name in _COLUMNS] for case in found["cases"][:_SHOWN_CASES]]
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for case in listed:
        cells = (cell.ljust(width) for cell, width in zip(case[:-1], widths, strict=False))
        console.print(literal("  ".join([*cells, case[-1]])), soft_wrap=True)
    if len(found["cases"]) > _SHOWN_CASES:
        console.print(f"[dim]... and {len(found['cases']) - _SHOWN_CASES} more[/]")
    console.print(f"case by case: {out}/differences.html   {out}/differences.json", soft_wrap=True, markup=False)
