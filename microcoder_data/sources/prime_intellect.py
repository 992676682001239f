"""PrimeIntellect verifiable-coding-problems and the code of SYNTHETIC-1: everything is text, JSON or Python literals.

`verification_info` holds {"language", "test_cases": [{"type", "fn_name", "input", "output"}]}. SYNTHETIC-1 has a row
for each answer of a model; the problem's id is the same in all of them, so they merge.
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
PLATFORMS = ("codeforces", "codechef", "atcoder", "leetcode", "hackerrank", "codewars", "aizu", "hackerearth", "kattis")


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    return row_of(record, "prime_intellect", "prompt")


def row_of(record: Mapping[str, Any], source: str, statement_column: str) -> Row:
    """The row of a record; its publishers differ in the names of columns and in which of them are text."""
    task = columns.text(record, "task_type") or "verifiable_code"
    if task != "verifiable_code":
        raise Reject("not_a_coding_task", f"task_type is {task}")
    statement = columns.statement_of(record, statement_column, "prompt", "problem_statement")
    info = columns.decoded(record.get("verification_info"), "verification_info")
    if not isinstance(info, Mapping):
        raise Reject("broken_tests", f"verification_info is a {type(info).__name__}, not an object")
    language = str(info.get("language") or "python").lower()
    gold = columns.programs(record.get("gold_standard_solution"), "gold_standard_solution", language)
    codes = [program["code"] for program in gold]
    kind, entry_point, tests = tests_of(info.get("test_cases"), codes)
    if kind == "call" and language != "python":
        raise Reject("not_python", f"the tests call a function in {language}")
    metadata = columns.mapping(columns.decoded(record.get("metadata"), "metadata"))
    url = columns.text(metadata, "problem_url") or None
    place = place_of(url)
    native = columns.text(record, "source").lower()
    return new_row(
        problem_id=columns.text(record, "problem_id") or text_sha256(statement)[:16],
        source=source,
        license=LICENSE,
        url=url,
        platform=place.platform if place else native if native in PLATFORMS else None,
        contest_id=place.contest_id if place else None,
        problem_index=place.problem_index if place else None,
        slug=place.slug if place else None,
        statement=statement,
        kind=kind,
        entry_point=entry_point,
        tests=tests,
        time_limit_ms=columns.milliseconds(metadata.get("time_limit")),
        memory_limit_mb=columns.megabytes(metadata.get("memory_limit") or metadata.get("memory_limit_bytes")),
        difficulty=columns.difficulty(metadata.get("difficulty")),
        solutions=[*gold, *_answers(record, language)],
    )


def tests_of(listed: Any, programs: list[str]) -> tuple[str, str | None, list[dict[str, Any]]]:
    """Kind, entry point and tests of a list of test cases."""
    listed = columns.decoded(listed, "test_cases")
    if listed is None:
        raise Reject("no_tests", "test_cases is empty")
    if not isinstance(listed, list) or not all(
        isinstance(test, Mapping) and "input" in test and "output" in test for test in listed
    ):
        raise Reject("broken_tests", "test_cases is not a list of objects with input and output")
    kinds = {str(test.get("type") or "stdin_stdout") for test in listed}
    if kinds <= {"stdin_stdout"}:
        return "stdin", None, columns.stdin_tests([t["input"] for t in listed], [t["output"] for t in listed])
    if kinds != {"function_call"}:
        raise Reject("broken_tests", f"test types {', '.join(sorted(kinds))} in one problem")
    names = {str(test["fn_name"]) for test in listed if test.get("fn_name")}
    if len(names) != 1:
        raise Reject("no_entry_point", f"the tests call {', '.join(sorted(names)) or 'a function that has no name'}")
    inputs = [columns.decoded_or_same(test["input"]) for test in listed]
    outputs = [columns.decoded_or_same(test["output"]) for test in listed]
    wrapped = columns.outputs_are_wrapped(outputs, "\n".join(programs[:1]))
    function = names.pop()
    return (
        "call",
        columns.entry_point_of(function, "", programs),
        columns.call_tests(inputs, outputs, wrapped=wrapped),
    )


def _answers(record: Mapping[str, Any], language: str) -> list[dict[str, Any]]:
    """A model's answer with its score, if the record has one."""
    answer, score = columns.text(record, "llm_response"), record.get("score")
    code = columns.unfenced(answer.rpartition("</think>")[2])
    if not answer or "```" not in answer or not isinstance(score, (int, float)):
        return []
    return [{"language": language, "code": code, "correct": score >= 1, "origin": "model"}]
