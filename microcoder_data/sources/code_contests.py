"""CodeContests: structs of lists for tests and solutions, numbers for platforms and languages, wrong solutions too.

Language 1 is Python 2 and gets that label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import Row, new_row, text_sha256
from microcoder_data.sources import columns

LICENSE = "CC-BY-4.0"
PLATFORMS = {1: "codechef", 2: "codeforces", 3: "hackerearth", 4: "codejam", 5: "atcoder", 6: "aizu", 7: "aizu"}
LANGUAGES = {1: "python2", 2: "cpp", 3: "python", 4: "java"}
_ATCODER = re.compile(r"AtCoder (?P<series>Beginner|Regular|Grand) Contest (?P<number>\d+) - (?P<title>.+)")


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "description")
    name = columns.text(record, "name")
    platform = PLATFORMS.get(columns.whole(record.get("source")) or 0)
    contest = columns.whole(record.get("cf_contest_id"))
    index = columns.text(record, "cf_index") or None
    title = re.sub(r"^\w+[._]\s*(?:[A-Z]\d?\.\s*)?|^p\d{5}\s+", "", name) or None
    contest_id = str(contest) if contest else None
    if match := _ATCODER.search(name):
        platform, title = "atcoder", match["title"]
        contest_id = f"a{match['series'][0].lower()}c{int(match['number']):03d}"
    tests = [
        *_tests(record, "public_tests", "official", public=True),
        *_tests(record, "private_tests", "official"),
        *_tests(record, "generated_tests", "generated"),
    ]
    return new_row(
        problem_id=re.sub(r"\s+", " ", name).strip() or text_sha256(statement)[:16],
        source="code_contests",
        license=LICENSE,
        url=f"https://codeforces.com/problemset/problem/{contest}/{index}" if contest and index else None,
        platform=platform,
        contest_id=contest_id,
        problem_index=index,
        title=title,
        statement=statement,
        statement_original=columns.text(record, "untranslated_description") or None,
        translator="code_contests" if record.get("is_description_translated") else None,
        samples=columns.samples_of(test for test in tests if test["public"]),
        kind="stdin",
        io="file" if columns.text(record, "input_file") or columns.text(record, "output_file") else None,
        tests=tests,
        time_limit_ms=columns.milliseconds(record.get("time_limit")),
        memory_limit_mb=columns.megabytes(record.get("memory_limit_bytes")),
        tags=columns.texts(record.get("cf_tags"), "cf_tags"),
        difficulty=columns.difficulty(record.get("difficulty"), record.get("cf_rating")),
        solutions=[*_programs(record, "solutions", True), *_programs(record, "incorrect_solutions", False)],
    )


def _tests(record: Mapping[str, Any], name: str, origin: str, public: bool = False) -> list[dict[str, Any]]:
    pairs = columns.decoded(record.get(name), name) or {}
    if not isinstance(pairs, Mapping):  # some copies hold a list of structs instead
        listed = columns.objects(pairs, name, "broken_tests")
        pairs = {side: [pair.get(side) for pair in listed] for side in ("input", "output")}
    return columns.stdin_tests(pairs.get("input"), pairs.get("output"), origin, public)


def _programs(record: Mapping[str, Any], name: str, correct: bool) -> list[dict[str, Any]]:
    found = columns.objects(record.get(name) or None, name, "broken_solutions")
    return [
        {
            "language": LANGUAGES.get(columns.whole(one.get("language")) or 0, "unknown"),
            "code": one["solution"],
            "correct": correct,
            "origin": "official",
        }
        for one in found
        if isinstance(one.get("solution"), str) and one["solution"].strip()
    ]
