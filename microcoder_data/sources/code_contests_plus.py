"""CodeContests+: CodeContests' problems with new tests, a testlib checker, and solutions labelled right and wrong.

The default configuration has no tests: its rows then have only the samples of their statement, unless
`verify.make_tests` makes more. The configurations 1x to 5x add `test_cases`. The keys are those of the publisher's
card; `memory_limit` is left out, since its unit is not documented. Rows do not hold the validator and the generator.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import Row, new_row, text_sha256
from microcoder_data.sources import columns

LICENSE = "CC-BY-4.0"
LANGUAGES = {"cpp": "cpp", "java": "java", "py2": "python2", "py3": "python"}


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "description")
    name = columns.text(record, "id") or columns.text(record, "title")
    checker = columns.testlib_checker(record)
    return new_row(
        problem_id=re.sub(r"\s+", " ", name).strip() or text_sha256(statement)[:16],
        source="code_contests_plus",
        license=LICENSE,
        platform=(columns.text(record, "source") or "").lower() or None,
        title=columns.text(record, "title") or None,
        statement=statement,
        kind="stdin",
        tests=columns.tests_of_objects(record.get("test_cases"), "test_cases", "generated"),
        checker=checker,
        time_limit_ms=columns.whole(record.get("time_limit")),
        solutions=[
            *_programs(record, "correct_submissions", correct=True),
            *_programs(record, "incorrect_submissions", correct=False),
        ],
    )


def _programs(record: Mapping[str, Any], name: str, *, correct: bool) -> list[dict[str, Any]]:
    return [
        {
            "language": LANGUAGES.get(str(entry.get("language")), "unknown"),
            "code": entry["code"],
            "correct": correct,
            "origin": "official",
        }
        for entry in columns.objects(record.get(name), name, "broken_solutions")
        if isinstance(entry.get("code"), str) and entry["code"].strip()
    ]
