"""TACO: every column is text; tests are JSON in `input_output`, lists are Python literals, limits carry units.

TACO-verified has the same columns with `solutions` as a real list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.identity import place_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, text_sha256
from microcoder_data.sources import columns

LICENSE = "apache-2.0"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "question")
    starter = columns.text(record, "starter_code")
    solutions = columns.programs(record.get("solutions"), "solutions")
    platform = columns.text(record, "source").lower() or None
    url = columns.text(record, "url") or None
    place = place_of(url)
    kind, entry_point, tests = tests_of(record, starter, [program["code"] for program in solutions], platform)
    return new_row(
        problem_id=columns.text(record, "id") or text_sha256(statement)[:16],
        source="taco",
        license=LICENSE,
        url=url,
        platform=platform or (place.platform if place else None),
        contest_id=place.contest_id if place else None,
        problem_index=place.problem_index if place else None,
        slug=place.slug if place else None,
        title=columns.text(record, "name") or None,
        contest_date=columns.date(record.get("date")),
        statement=statement,
        kind=kind,
        entry_point=entry_point,
        starter_code=starter or None,
        tests=tests,
        time_limit_ms=columns.milliseconds(record.get("time_limit")),
        memory_limit_mb=columns.megabytes(record.get("memory_limit")),
        tags=columns.texts(record.get("tags"), "tags") or columns.texts(record.get("raw_tags"), "raw_tags"),
        difficulty=columns.difficulty(record.get("difficulty")),
        solutions=solutions,
    )


def tests_of(
    record: Mapping[str, Any], starter: str, programs: list[str], platform: str | None
) -> tuple[str, str | None, list[dict[str, Any]]]:
    """Kind, entry point and tests from `input_output`: {"inputs", "outputs", perhaps "fn_name"}. APPS writes it too."""
    pairs = columns.decoded(record.get("input_output"), "input_output") or {}
    if not isinstance(pairs, Mapping):
        raise Reject("broken_tests", f"input_output is a {type(pairs).__name__}, not an object")
    inputs, outputs = pairs.get("inputs"), pairs.get("outputs")
    function = pairs.get("fn_name")
    if not function:
        return "stdin", None, columns.stdin_tests(inputs, outputs)
    if platform in ("codewars", "leetcode", "hackerrank"):
        wrapped = platform == "codewars"
    else:
        wrapped = columns.outputs_are_wrapped(outputs, starter)
    tests = columns.call_tests(inputs, outputs, wrapped=wrapped)
    entry_point = columns.entry_point_of(str(function), starter, programs)
    if platform == "leetcode" and not starter and not programs:
        entry_point = f"Solution.{function}"
    return "call", entry_point, tests
