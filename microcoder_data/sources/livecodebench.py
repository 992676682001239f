"""LiveCodeBench code_generation_lite, a benchmark. Its private tests are pickled; they are read without unpickling.

Use these files as `benchmarks` or as a test split, never as training data. The contest date shows which problems are
newer than a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_data.identity import slug_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, new_test
from microcoder_data.sources import columns

LICENSE = "CC"


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    statement = columns.statement_of(record, "question_content")
    starter = columns.text(record, "starter_code")
    platform = columns.text(record, "platform").lower() or None
    question, title = columns.text(record, "question_id"), columns.text(record, "question_title")
    if not question:
        raise Reject("no_id", "question_id is missing")
    metadata = columns.decoded(record.get("metadata"), "metadata") or {}
    function = metadata.get("func_name") if isinstance(metadata, Mapping) else None
    public = _tests(columns.decoded(record.get("public_test_cases"), "public_test_cases"), public=True)
    packed = columns.text(record, "private_test_cases")
    private = _tests(columns.compressed_json(packed, "private_test_cases"), public=False) if packed else []
    tests = public + private
    kinds = {test.pop("testtype") for test in tests}
    if len(kinds) > 1:
        raise Reject("broken_tests", "stdin and functional tests in one problem")
    kind = "call" if kinds == {"functional"} else "stdin"
    if kind == "call" and not function:
        raise Reject("no_entry_point", "metadata has no func_name")
    contest, index = _place(platform, question, columns.text(record, "contest_id"))
    return new_row(
        problem_id=question,
        source="livecodebench",
        license=LICENSE,
        split="test",
        platform=platform,
        url=_address(platform, contest, question, title),
        contest_id=contest,
        problem_index=index,
        slug=slug_of(title) or None if platform == "leetcode" else None,
        title=title or None,
        contest_date=columns.date(record.get("contest_date")),
        statement=statement,
        samples=columns.samples_of(public),
        kind=kind,
        entry_point=columns.entry_point_of(str(function), starter) if kind == "call" else None,
        starter_code=starter or None,
        tests=tests,
        difficulty=columns.difficulty(record.get("difficulty")),
    )


def _place(platform: str | None, question: str, contest: str) -> tuple[str | None, str | None]:
    """The contest and the problem's index. Ids of AtCoder (`abc301_a`) and Codeforces (`1873_A`) hold both.

    >>> _place("atcoder", "abc301_a", "abc301"), _place("leetcode", "2777", "w-90")
    (('abc301', 'a'), ('w-90', None))
    """
    if platform not in ("atcoder", "codeforces") or "_" not in question:
        return contest or None, None
    from_id, _, index = question.rpartition("_")
    return contest or from_id, index


def _address(platform: str | None, contest: str | None, question: str, title: str) -> str | None:
    """The problem's web address, made from the other columns; None when it is not known."""
    if platform == "atcoder" and contest and "_" in question:
        return f"https://atcoder.jp/contests/{contest}/tasks/{question}"
    if platform == "codeforces" and contest and "_" in question:
        return f"https://codeforces.com/contest/{contest}/problem/{question.rpartition('_')[2]}"
    slug = slug_of(title) if platform == "leetcode" and title.isascii() else ""
    return f"https://leetcode.com/problems/{slug}/" if slug else None


def _tests(listed: Any, public: bool) -> list[dict[str, Any]]:
    if listed is None:
        return []
    if not isinstance(listed, list):
        raise Reject("broken_tests", f"the tests are a {type(listed).__name__}, not a list")
    tests = []
    for test in listed:
        if not isinstance(test, Mapping) or not isinstance(test.get("input"), str) or "output" not in test:
            raise Reject("broken_tests", "a test without input and output")
        row = new_test(test["input"], columns.stdin_text(test["output"]), public=public)
        tests.append({**row, "testtype": test.get("testtype") or "stdin"})
    return tests
