"""LiveOIBench: problems of informatics olympiads with their official tests and subtasks. A benchmark.

    - {source: live_oi_bench, path: raw/liveoibench_v1.parquet, join: {tests: raw/liveoibench_testcases_v1_*.parquet}}

Tests and subtasks are a separate data set, joined by `problem_id` (competition-year-round-task). Subtasks become
groups; tests of none are the group `sample`. The columns are those that the publisher's own toolkit reads. Checkers are
not among them: rows whose statement allows several answers are found by Process. Rejected are problems that are linked
with a grader, interactive ones and those whose outputs are submitted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from microcoder_data.packages.gradable import refuse_ungradable
from microcoder_data.reading.joins import files_of, records_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, new_test
from microcoder_data.sources import columns

_NOT_JUDGED = {"interactive": "communication", "communication": "communication", "output-only": "submit_answer"}
_OUTSIDE = "sample"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "problem_statement")
    name = columns.text(record, "problem_id")
    competition, year, round_name, task = _parts(name)
    kind = (columns.text(record, "task_type") or "batch").lower().replace("_", "-")
    if kind != "batch":
        raise Reject(_NOT_JUDGED.get(kind, "unknown_type"), f"task_type is {kind[:100]!r}")
    tests = _joined(spec, name)
    for one in (record, tests):
        if columns.decoded(one.get("grader_codes"), "grader_codes"):
            raise Reject("linked_grader", "solutions are linked with a grader")
    groups, groups_of = _subtasks(tests)
    row = new_row(
        problem_id=name,
        source="live_oi_bench",
        split="test",
        platform=competition.lower(),
        contest_id=f"{year}-{round_name}",
        slug=task,
        title=columns.text(record, "task_name") or None,
        statement=statement,
        kind="stdin",
        tests=_tests(tests, groups_of),
        groups=json.dumps(groups) if groups else None,
        time_limit_ms=columns.milliseconds(record.get("time_limit")),
        memory_limit_mb=columns.megabytes(record.get("memory_limit")),
        difficulty=columns.difficulty(columns.text(record, "difficulty")),
        tags=columns.texts(record.get("algorithms"), "algorithms"),
    )
    refuse_ungradable(row)
    return row


def _parts(name: str) -> list[str]:
    parts = name.split("-", 3)
    if len(parts) < 4:
        raise Reject("no_id", "problem_id is not competition-year-round-task")
    return parts


def _joined(spec: SourceSpec, name: str) -> Mapping[str, Any]:
    files = files_of(spec, "tests")
    if not files:
        raise Reject("needs_join", "the tests are a separate data set: name its files under join")
    found = next((one for path in files for one in records_of(path, "problem_id", name)), None)
    if found is None:
        raise Reject("join_finds_nothing", f"no tests have the id {name[:100]}")
    return found


def _subtasks(record: Mapping[str, Any]) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """The groups, and for each test the names of its groups. A subtask gives points when all its tests pass."""
    groups: list[dict[str, Any]] = []
    of_test: dict[str, list[str]] = {}
    for name, subtask in columns.mapping(columns.decoded(record.get("subtasks"), "subtasks")).items():
        subtask = columns.mapping(subtask)
        names, points = subtask.get("testcases"), subtask.get("score")
        if not isinstance(names, list) or isinstance(points, bool) or not isinstance(points, (int, float)):
            raise Reject("broken_groups", f"subtask {name[:100]} has no score, or no list of tests")
        groups.append({"name": f"subtask {name}", "max_score": points})
        for test in names:
            of_test.setdefault(str(test), []).append(f"subtask {name}")
    return ([{"name": _OUTSIDE}, *groups] if groups else []), of_test


def _tests(record: Mapping[str, Any], groups_of: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    named = columns.mapping(columns.decoded(record.get("tests"), "tests"))
    if not named:
        raise Reject("no_tests", "tests is empty")
    if missing := groups_of.keys() - named.keys():
        raise Reject("broken_groups", f"a subtask names {len(missing)} tests that are not there")
    tests = []
    for name, test in named.items():
        test = columns.mapping(test)
        if not isinstance(test.get("input"), str) or not isinstance(test.get("output"), str):
            raise Reject("broken_tests", f"test {name[:100]} has no input or no output")
        groups = groups_of.get(name, [_OUTSIDE]) if groups_of else None
        tests.append({**new_test(test["input"], test["output"], public=groups == [_OUTSIDE]), "groups": groups})
    return tests
