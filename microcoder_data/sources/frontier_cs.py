"""Frontier-CS: open-ended problems as packages, `problems/<id>/` with config.yaml, statement.txt, testdata and a judge.

It is a benchmark: its rows are split `test`. Its checkers give points (a ratio to the best known answer). A problem's
points are the mean of its tests' ratios, as in the benchmark's own judge; a reply is accepted only with full marks.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.packages.files import Package
from microcoder_data.packages.gradable import refuse_ungradable
from microcoder_data.packages.light_judge import LightProblem, light_problem
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject, marked, step
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns

_GIVES_POINTS = re.compile(r"\bquitp\s*\(")
_MEAN = {"range": "0 1", "on_reject": "continue", "groups": [{"name": "tests", "range": "0 1", "grader_flags": "avg"}]}
"""All tests are run; what is accepted without a ratio counts as 1."""


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    package = record.get("package")
    if not isinstance(package, Package):
        raise Reject("not_a_package", "the source frontier_cs reads packages: directories or zips with a config.yaml")
    if "statement.txt" not in package.sizes:
        raise Reject("no_statement", "no statement.txt")
    row = row_of(package, light_problem(package), "frontier_cs", statement=package.text("statement.txt"))
    if gives_points(row):
        row["groups"] = json.dumps(_MEAN)
        row["tests"] = [{**test, "groups": ["tests"]} for test in row["tests"]]
    return row


def gives_points(row: Row) -> bool:
    """Whether the row's judge gives a part of the points."""
    return _GIVES_POINTS.search((row["checker"] or row["interactor"] or {})["code"]) is not None


def row_of(package: Package, problem: LightProblem, source: str, **known: Any) -> Row:
    """The row of a package for this judge. `known`: columns that the package does not give, such as the statement."""
    interactive = problem.kind == "interactive"
    row = new_row(
        problem_id=package.name,
        source=source,
        split="test",
        slug=posixpath.basename(package.name),
        kind=problem.kind,
        io="interactive" if interactive else "stdio",
        tests=problem.tests,
        checker=problem.checker,
        interactor=problem.interactor,
        time_limit_ms=columns.milliseconds(problem.time_limit),
        memory_limit_mb=columns.megabytes(problem.memory_limit),
        **known,
    )
    if not row["statement"].strip():
        raise Reject("no_statement", "the statement is empty")
    refuse_ungradable(row)
    if gives_points(row):
        note = f"{problem.judge} gives points: what is worth less than all of them is not accepted"
        row["provenance"] = [step("collect", "package_v1", marked(note))]
    return row
