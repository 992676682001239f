"""nvidia/OpenCodeReasoning: models' answers to problems of other datasets; it has no tests of its own.

Records of `split_1` name the dataset, split and position of their problem. With `join: {taco/train: ...,
code_contests/train: ...}` that dataset's adapter makes the row, and the answer is added to its solutions. Answers to
one problem share its id, so they merge. Records of `split_0` do not name their problem: they are rejected (`no_tests`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.joins import nth_record
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row
from microcoder_data.sources import apps, code_contests, columns, open_r1_codeforces, taco

LICENSE = "CC-BY-4.0"
ADAPTERS = {
    "taco": taco.to_row,
    "apps": apps.to_row,
    "code_contests": code_contests.to_row,
    "open-r1/codeforces": open_r1_codeforces.to_row,
}


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    dataset, split = columns.text(record, "dataset"), columns.text(record, "split") or "train"
    position = columns.text(record, "index")
    if not position:
        raise Reject("no_tests", "the row does not say where its problem is, and has no tests of its own")
    if dataset not in ADAPTERS:
        raise Reject("unknown_dataset", f"{dataset!r} is not one of {', '.join(ADAPTERS)}")
    if not position.isdecimal():
        raise Reject("broken_column", f"index is {position!r}, not a position")
    problem = nth_record(spec, f"{dataset}/{split}", int(position))
    row = ADAPTERS[dataset](problem, dataclasses.replace(spec, split=split))
    solution = columns.text(record, "solution") or _last_program(columns.text(record, "output"))
    row.update(source="opencodereasoning", problem_id=f"{dataset}/{split}/{position}", split=split)
    row["solutions"] = [
        *row["solutions"],
        *({**one, "correct": None, "origin": "model"} for one in columns.programs([solution], "solution") if solution),
    ]
    return row


def _last_program(answer: str) -> str:
    """The program that an answer ends with."""
    _, fence, rest = answer.rpartition("```python")
    return rest.partition("```")[0] if fence else ""
