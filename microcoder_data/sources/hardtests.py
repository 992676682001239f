"""HardTests: problems of 13 judges with solutions. Their tests are a separate data set, joined by `pid`.

    - {source: hardtests, path: raw/hardtests_problems/*.parquet, join: {tests: raw/hardtests_tests/*.parquet}}

The keys of problems and tests are those of the publisher's cards. The card does not say how `test_cases` is written: a
list of input and output is read, and so is text that holds one (JSON, or JSON packed like LiveCodeBench's, which is
read without unpickling); anything else is rejected. Without `join` a row has its public tests only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.identity import place_of
from microcoder_data.reading.joins import files_of, records_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns

LICENSE = "MIT"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "question_content")
    name = columns.text(record, "pid")
    if not name:
        raise Reject("no_id", "pid is missing")
    public = _tests(record.get("public_test_cases"), "public_test_cases", "official", public=True)
    joined = [one for path in files_of(spec, "tests") for one in records_of(path, "pid", name)]
    made = [test for one in joined for test in _tests(_unpacked(one.get("test_cases")), "test_cases", "generated")]
    url = columns.text(record, "url") or None
    place = place_of(url)
    return new_row(
        problem_id=name,
        source="hardtests",
        license=LICENSE,
        url=url,
        platform=columns.text(record, "platform").lower() or (place.platform if place else None),
        contest_id=place.contest_id if place else None,
        problem_index=place.problem_index if place else None,
        slug=place.slug if place else None,
        title=columns.text(record, "question_title") or None,
        contest_date=columns.date(record.get("contest_date")),
        statement=statement,
        samples=columns.samples_of(public),
        kind="stdin",
        tests=[*public, *made],
        time_limit_ms=columns.milliseconds(record.get("time_limit")),
        memory_limit_mb=columns.megabytes(record.get("memory_limit")),
        tags=columns.texts(record.get("tags"), "tags"),
        solutions=_solutions(record),
    )


def _unpacked(value: Any) -> Any:
    return columns.compressed_json(value, "test_cases") if isinstance(value, str) and value.strip() else value


def _tests(value: Any, name: str, origin: str, public: bool = False) -> list[dict[str, Any]]:
    listed = columns.objects(value, name, "broken_tests")
    if any(str(test.get("testtype") or "stdin") != "stdin" for test in listed):
        raise Reject("no_entry_point", "the tests call a function that no column names")
    if any("input" not in test or "output" not in test for test in listed):
        raise Reject("broken_tests", "a test without input and output")
    return columns.stdin_tests([one["input"] for one in listed], [one["output"] for one in listed], origin, public)


def _solutions(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "language": str(one.get("language") or "unknown").lower(),
            "code": one["code"],
            "correct": True,
            "origin": "official",
        }
        for one in columns.objects(record.get("solutions"), "solutions", "broken_solutions")
        if isinstance(one.get("code"), str) and one["code"].strip()
    ]
