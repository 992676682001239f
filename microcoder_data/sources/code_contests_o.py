"""CodeContests-O: CodeContests' statements with tests and checkers improved by feedback from solutions.

The keys are those of the publisher's card. Its checkers need the publisher's own, simplified testlib. The grader uses
the original one; Verify finds the checkers that do not compile with it. There are no solutions: read `code_contests` in
the same recipe, whose rows have the same names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, new_test, text_sha256
from microcoder_data.sources import columns

LICENSE = "Apache-2.0"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "description")
    name = re.sub(r"\s+", " ", columns.text(record, "name")).strip()
    checker = columns.testlib_checker(record)
    tests = _tests(columns.decoded(record.get("corner_cases"), "corner_cases"))
    if not tests:
        raise Reject("no_tests", "corner_cases is empty")
    return new_row(
        problem_id=name or text_sha256(statement)[:16],
        source="code_contests_o",
        license=LICENSE,
        title=name or None,
        statement=statement,
        kind="stdin",
        tests=tests,
        checker=checker,
    )


def _tests(listed: Any) -> list[dict[str, Any]]:
    if listed is None:
        return []
    if not isinstance(listed, list):
        raise Reject("broken_tests", f"corner_cases is a {type(listed).__name__}, not a list")
    tests = []
    for case in listed:
        sides = [case.get(side) if isinstance(case, Mapping) else None for side in ("input", "output")]
        given, wanted = (
            side.get(key) if isinstance(side, Mapping) else None
            for side, key in zip(sides, ("stdin", "stdout"), strict=True)
        )
        if not isinstance(given, str) or not isinstance(wanted, str):
            raise Reject("broken_tests", "a case without input.stdin and output.stdout")
        tests.append(new_test(given, wanted, origin="generated"))
    return tests
