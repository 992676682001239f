"""Read one record with an adapter: its row, the reason of its Reject, and the verdicts of programs for the row."""

from typing import Any

import pytest

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import to_problem
from microcoder_data.sources import adapter
from microcoder_eval import Grader, Submission


def row_of(source: str, record: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return adapter(source)(record, SourceSpec(source=source, path=("x",), **spec))


def reject_of(source: str, record: dict[str, Any], **spec: Any) -> str:
    with pytest.raises(Reject) as caught:
        row_of(source, record, **spec)
    return caught.value.reason


def verdicts(row: dict[str, Any], *codes: str) -> list[str]:
    problem = to_problem(row)
    with Grader(workers=1) as grader:
        return [
            grader.grade(problem, Submission(str(n), problem.id, code)).verdict.value for n, code in enumerate(codes)
        ]
