"""open-r1/codeforces: the statement in parts, official tests (sometimes incomplete), Python checkers.

Generated tests are in separate files: `join: {generated_tests: generated_tests/*.parquet}` adds them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from microcoder_data.reading.joins import files_of, records_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject, marked, step
from microcoder_data.schema import Row, new_checker, new_row
from microcoder_data.sources import columns

LICENSE = "CC-BY-4.0"
CHECKER = '''\
import contextlib
import io
import sys

PROGRAM = {program!r}


def check(input, expected, actual):
    """Runs a program that reads three files and prints its score."""
    for name, text in (("input", input), ("expected", expected), ("actual", actual)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    sys.argv = ["checker", "input", "expected", "actual"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(PROGRAM, "checker", "exec"), {{"__name__": "__main__"}})
        except SystemExit:
            pass
    words = printed.getvalue().split()
    try:
        return bool(words) and float(words[-1]) >= 1, " ".join(words)
    except ValueError:
        return words[-1].lower() == "true", " ".join(words)
'''


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    name = columns.text(record, "id")
    if not name:
        raise Reject("no_id", "id is missing")
    statement = columns.statement_of(record, "description")
    interaction = columns.text(record, "interaction_format")
    if interaction:
        statement += f"\n\n## Interaction\n\n{interaction}"
    samples = columns.samples_of(columns.tests_of_objects(record.get("examples"), "examples"))
    official = columns.tests_of_objects(record.get("official_tests"), "official_tests")
    made = columns.tests_of_objects(_generated(record, name, spec), "generated_tests", "generated")
    tests = [*official, *made]
    program = columns.text(record, "generated_checker")
    contest, _, index = name.rpartition("/")
    mode = columns.text(record, "input_mode") or "stdio"
    row = new_row(
        problem_id=name,
        source="open_r1_codeforces",
        license=LICENSE,
        url=f"https://codeforces.com/problemset/problem/{contest}/{index}",
        platform="codeforces",
        contest_id=columns.text(record, "contest_id") or contest,
        problem_index=columns.text(record, "index") or index,
        title=columns.text(record, "title") or None,
        contest_date=columns.date(record.get("contest_start")),
        statement=statement,
        input_format=columns.text(record, "input_format") or None,
        output_format=columns.text(record, "output_format") or None,
        notes=columns.text(record, "note") or None,
        samples=samples,
        kind="stdin",
        io="interactive" if interaction else "file" if mode == "file" else None,
        tests=tests,
        checker=new_checker("python", code=CHECKER.format(program=program)) if program else None,
        time_limit_ms=columns.milliseconds(record.get("time_limit")),
        memory_limit_mb=columns.megabytes(record.get("memory_limit")),
        tags=columns.texts(record.get("tags"), "tags"),
        difficulty=columns.difficulty(rating=record.get("rating")),
    )
    if not tests:
        raise Reject("no_tests", "no official tests; generated ones are files of their own, named under join")
    if record.get("official_tests_complete") is False and not made:
        note = f"{len(official)} of {columns.whole(record.get('testset_size')) or 'more'} official tests are known"
        row["provenance"] = [step("collect", "adapter_v1", marked(note))]
    return row


def _generated(record: Mapping[str, Any], name: str, spec: SourceSpec) -> list[Mapping[str, Any]]:
    """The generated tests of the problem, from the file of its contest."""
    contest = columns.whole(columns.text(record, "contest_id"))
    found: list[Mapping[str, Any]] = []
    for path in files_of(spec, "generated_tests"):
        number = re.search(r"test_cases_(\d+)", Path(path).name)
        if number is None or int(number[1]) == contest:
            found += records_of(path, "problem_id", name)
    return found
