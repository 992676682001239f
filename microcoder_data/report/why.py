"""Why a row is in the dataset or not: its history through the stages, with every statistic and threshold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from microcoder_data.remedies import remedy_of
from microcoder_data.report.dataset import dropped, rows
from microcoder_eval import InputError
from microcoder_eval.suggest import did_you_mean


def why(directory: Path, problem_id: str) -> list[str]:
    """The history of a row as lines of text. `problem_id` may also be `file:line`, or the end of an id."""
    lines = list(_lines_about(directory, problem_id, exact=True)) or list(
        _lines_about(directory, problem_id, exact=False)
    )
    if lines:
        return lines
    known = [row["problem_id"] for row in rows(directory, ["problem_id"])]
    known += [row["problem_id"] for row in dropped(directory, ["problem_id"]) if row["problem_id"]]
    hint = did_you_mean(problem_id, known)
    raise InputError(f"{directory}: no row or rejected record is called {problem_id!r}{hint} (file:line works too)")


def _lines_about(directory: Path, wanted: str, exact: bool) -> Iterator[str]:
    columns = ["problem_id", "location", "title", "merged_ids", "contamination", "provenance"]
    for row in rows(directory, columns):
        named = is_named(row, wanted, exact)
        if exact and not named and wanted in row["merged_ids"]:
            yield f"{row['problem_id']} ({row['location']}): kept, stands for {wanted}"
        if named:
            yield f"{row['problem_id']} ({row['location']}): kept"
            yield from map(_step, row["provenance"])
            if row["merged_ids"]:
                yield f"  stands for {', '.join(row['merged_ids'])}"
            for hit in row["contamination"]:
                yield f"  near benchmark {hit['benchmark']} {hit['item'] or ''} by {hit['method']}: {hit['score']:.3g}"
    for entry in dropped(directory):
        if is_named(entry, wanted, exact):
            reason = f"{entry['outcome']} at {entry['stage']} by {entry['rule']}: {entry['reason']}"
            yield f"{entry['problem_id'] or 'a record'} ({entry['location']}): {reason}"
            yield from map(_step, entry["provenance"])
            if not entry["provenance"] and entry["detail"]:
                yield f"  {entry['detail']}"
            if entry["duplicate_of"]:
                yield f"  {entry['duplicate_of']} stands for it"
            yield f"  to keep it: {remedy_of(entry)}"


def is_named(row: dict[str, Any], wanted: str, exact: bool) -> bool:
    """Whether `wanted` is a row's id or place, or with `exact=False` the end of one."""
    names = (row["problem_id"] or "", row["location"] or "")
    return wanted in names if exact else any(name.endswith(wanted) for name in names)


def _step(step: dict[str, Any]) -> str:
    numbers = ""
    if step["statistic"] is not None:
        numbers = f" {step['statistic']:.6g}"
        if step["threshold"] is not None:
            numbers += f" (threshold {step['threshold']:.6g})"
    detail = f" {step['detail']}" if step["detail"] else ""
    return f"  {step['stage']:8} {step['rule']:18} {step['outcome']:8}{numbers}{detail}"
