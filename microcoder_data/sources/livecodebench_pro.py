"""LiveCodeBench-Pro: a zip of tests and a checker for each problem, joined with the statements. A benchmark.

    - {source: livecodebench_pro, path: testcases/*.zip, join: {problems: raw/livecodebench_pro/*.parquet}}

The zips (`2000A.zip`) are packages for the publisher's judge, `packages/light_judge.py`; statements are records with
`problem_id`, `problem_title`, `problem_statement`, `difficulty` and `platform`, the keys of the publisher's card. If an
id is in several splits, the first record is taken.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

from microcoder_data.packages.files import Package
from microcoder_data.packages.light_judge import light_problem
from microcoder_data.reading.joins import files_of, records_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row
from microcoder_data.sources import columns
from microcoder_data.sources.frontier_cs import row_of


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    package = record.get("package")
    if not isinstance(package, Package):
        raise Reject("not_a_package", "the source livecodebench_pro reads packages: zips with a config.yaml")
    files, name = files_of(spec, "problems"), posixpath.basename(package.name)
    if not files:
        raise Reject("needs_join", "a package has no statement: name the problems' files under join")
    found = next((one for path in files for one in records_of(path, "problem_id", name)), None)
    if found is None:
        raise Reject("join_finds_nothing", f"no problem has the id {name}")
    return row_of(
        package, light_problem(package), "livecodebench_pro",
        statement=columns.statement_of(found, "problem_statement"),
        title=columns.text(found, "problem_title") or None,
        platform=columns.text(found, "platform").lower() or None,
        difficulty=columns.difficulty(columns.text(found, "difficulty")),
    )  # fmt: skip
