"""Join records that are one test each, as tables have them, into one record a problem with a list `tests`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from microcoder_data.reading.parts import Record
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_eval.reading.field_map import take


def problems_of_tests(records: Iterable[Record], spec: SourceSpec) -> Iterator[Record]:
    """The records of each problem as one, at the place of its first. Problems are told apart by their id, or by their
    statement where the records have no id."""
    key = str(spec.fields.get("problem_id") or spec.fields.get("statement") or "id")
    problems: dict[str, tuple[str, dict[str, Any]]] = {}
    for place, record in records:
        if isinstance(record, Reject):
            yield place, record
            continue
        _, problem = problems.setdefault(str(take(record, key)), (place, {**record, "tests": []}))
        problem["tests"].append(record)
    yield from problems.values()
