"""AetherCode: problems of the premier contests of 2024 and 2025, a benchmark: its rows are split `test`.

The keys are those of the publisher's card. An empty `checker` means that the answer is compared by tokens. The unit of
`memory_limit` is not documented, so it is left out; statements and `time_limit` (milliseconds) contradict each other in
some rows, and neither is derived from the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "description")
    name = columns.text(record, "id")
    if not name:
        raise Reject("no_id", "id is missing")
    checker = columns.testlib_checker(record)
    tests = columns.tests_of_objects(record.get("test_cases"), "test_cases")
    if not tests:
        raise Reject("no_tests", "test_cases is empty")
    return new_row(
        problem_id=name,
        source="aethercode",
        split="test",
        contest_id=columns.text(record, "contest_name") or None,
        contest_date=columns.date(record.get("date")),
        statement=statement,
        kind="stdin",
        tests=tests,
        checker=checker,
        time_limit_ms=columns.whole(record.get("time_limit")),
        difficulty=columns.difficulty(columns.text(record, "difficulty")),
        tags=columns.texts(record.get("contest_category"), "contest_category"),
    )
