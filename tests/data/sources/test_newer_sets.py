"""The newer published sets, by the keys of their cards: a Row, or a named reject."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from microcoder_data.reading import joins
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, to_problem
from microcoder_data.sources import SOURCES, adapter

pytestmark = pytest.mark.fast

CHECKER = '#include "testlib.h"\nint main(int argc, char* argv[]) { registerTestlibCmd(argc, argv); quitf(_ok, "ok"); }'
STATEMENT = "Print the sum of two numbers.\n\nInput\n\nTwo integers.\n\nOutput\n\nTheir sum."
TESTS = [{"input": "1 2\n", "output": "3\n"}, {"input": "4 5\n", "output": "9\n"}]
RECORDS: dict[str, dict[str, Any]] = {
    "hardtests": {
        "pid": "codeforces_1_A",
        "question_title": "Sum",
        "question_content": STATEMENT,
        "platform": "Codeforces",
        "contest_date": "2020-01-02",
        "difficulty_ratings": [{"level": "800", "score": "", "source": "codeforces"}],
        "public_test_cases": [{**TESTS[0], "testtype": "stdin"}],
        "time_limit": "2 seconds",
        "memory_limit": "256 megabytes",
        "url": "https://codeforces.com/problemset/problem/1/A",
        "tags": ["math"],
        "solutions": [{"code": "print(3)", "language": "python", "source": "taco", "source_reliability": "high"}],
        "starter_code": "",
    },
    "code_contests_o": {
        "name": "1_A. Sum",
        "description": STATEMENT,
        "corner_cases": [{"input": {"stdin": t["input"]}, "output": {"stdout": t["output"]}} for t in TESTS],
        "commands": ["./gen 1"],
        "generator": "int main() {}",
        "checker": CHECKER,
        "input_constraints_summary": "small",
        "results": [],
    },
    "aethercode": {
        "id": 7,
        "description": STATEMENT,
        "time_limit": 2000,
        "memory_limit": 256,
        "checker": CHECKER,
        "test_cases": TESTS,
        "year": 2024,
        "date": "2024/05",
        "difficulty": "Easy",
        "contest_category": "ICPC",
        "contest_name": "Finals",
    },
    "nemotron_code": {
        "responses_create_params": {
            "input": [{"role": "user", "content": f"Think first.\n```python\n# Your code here\n```\n\n{STATEMENT}"}]
        },
        "verifier_metadata": {"unit_tests": {"inputs": ["1 2\n", "4 5\n"], "outputs": ["3\n", "9\n"]}},
        "hash_id": "abc",
        "dataset": "taco",
        "source": "codeforces",
    },
    "synthetic_2": {
        "problem_id": "p1",
        "prompt": STATEMENT,
        "verification_info": json.dumps(
            {"language": "python", "test_cases": [{**test, "type": "stdin_stdout", "fn_name": None} for test in TESTS]}
        ),
        "Qwen/Qwen3-4B_responses": ["a", "b"],
        "Qwen/Qwen3-4B_avg_reward": 0.5,
    },
}


def row_of(source: str, spec: SourceSpec | None = None, **changes: Any) -> Row:
    return adapter(source)({**RECORDS[source], **changes}, spec or SourceSpec(source=source, path=("x",)))


@pytest.mark.parametrize("source", RECORDS)
def test_a_record_becomes_a_row_that_can_be_graded(source: str) -> None:
    row = row_of(source)
    assert row["source"] == source and source in SOURCES and row["problem_id"] and row["statement"] == STATEMENT
    assert [(test["input"], test["output"]) for test in row["tests"]] == [
        (test["input"], test["output"]) for test in TESTS[: len(row["tests"])]
    ]
    assert to_problem({**row, "memory_limit_mb": 256}).tests[0].output.strip() == "3"


@pytest.mark.parametrize(
    ("source", "changes", "reason"),
    [
        ("hardtests", {"pid": ""}, "no_id"),
        ("hardtests", {"question_content": " "}, "no_statement"),
        ("hardtests", {"public_test_cases": [{**TESTS[0], "testtype": "functional"}]}, "no_entry_point"),
        ("hardtests", {"public_test_cases": [{"input": "1"}]}, "broken_tests"),
        ("hardtests", {"solutions": {"code": "x"}}, "broken_solutions"),
        ("code_contests_o", {"corner_cases": [{"input": "1", "output": "2"}]}, "broken_tests"),
        ("code_contests_o", {"corner_cases": []}, "no_tests"),
        ("code_contests_o", {"checker": "int main() {}"}, "unknown_checker"),
        ("aethercode", {"test_cases": ["1"]}, "broken_tests"),
        ("aethercode", {"test_cases": None}, "no_tests"),
        ("aethercode", {"id": None}, "no_id"),
        ("aethercode", {"checker": "judge by hand"}, "unknown_checker"),
        ("nemotron_code", {"responses_create_params": {"input": []}}, "no_statement"),
        ("nemotron_code", {"verifier_metadata": None}, "no_tests"),
        ("nemotron_code", {"verifier_metadata": {"unit_tests": {"inputs": ["1"], "outputs": []}}}, "tests_do_not_pair"),
        ("synthetic_2", {"verification_info": '{"ground_truth": "7"}'}, "not_a_coding_task"),
        ("synthetic_2", {"verification_info": "x = ("}, "broken_column"),
    ],
)
def test_broken_records_are_rejected_by_name(source: str, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Reject) as rejected:
        row_of(source, **changes)
    assert rejected.value.reason == reason


def _packed(value: object) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(value)))).decode()


@pytest.mark.parametrize("written", [TESTS, json.dumps(TESTS), _packed(TESTS)])
def test_the_tests_of_hardtests_are_joined_however_they_are_written(tmp_path: Path, written: Any) -> None:
    path = tmp_path / "tests.jsonl"
    path.write_text(json.dumps({"pid": "codeforces_1_A", "test_cases": written}) + "\n")
    spec = SourceSpec(source="hardtests", path=("x",), join={"tests": str(path)})
    assert [test["origin"] for test in row_of("hardtests", spec)["tests"]] == ["official", "generated", "generated"]


def test_a_pickle_that_would_run_something_is_refused(tmp_path: Path) -> None:
    class Harm:
        def __reduce__(self) -> tuple[Any, ...]:
            return (print, ("ran",))

    path = tmp_path / "tests.jsonl"
    harm = base64.b64encode(zlib.compress(pickle.dumps(Harm()))).decode()
    path.write_text(json.dumps({"pid": "codeforces_1_A", "test_cases": harm}) + "\n")
    with pytest.raises(Reject) as rejected:
        row_of("hardtests", SourceSpec(source="hardtests", path=("x",), join={"tests": str(path)}))
    assert rejected.value.reason == "unsafe_pickle"


def test_an_answer_of_opencodereasoning_2_becomes_its_problem(tmp_path: Path) -> None:
    from tests.data.made_up import taco_record, write_lines

    path = write_lines(tmp_path / "taco.jsonl", [taco_record(0), taco_record(1)])
    record = {
        "question": "-", "r1_generation": "thought\n```cpp\nint main() {}\n```", "qwq_critique": "ok",
        "judgement": "right",
        "solution": "int main() {}", "pass_rate": "0.9", "source": "codeforces", "license": "cc-by-4.0",
        "dataset": "taco", "split": "train", "difficulty": "EASY", "index": "1", "id": "a", "question_id": "b",
    }  # fmt: skip
    spec = SourceSpec(source="opencodereasoning_2", path=("x",), split="cpp", join={"taco/train": str(path)})
    row = adapter("opencodereasoning_2")(record, spec)
    assert row["problem_id"] == "taco/train/1" and row["source"] == "opencodereasoning_2" and len(row["tests"]) == 8
    assert row["solutions"][-1]["language"] == "cpp" and row["solutions"][-1]["correct"] is None
    with pytest.raises(Reject) as rejected:
        adapter("opencodereasoning_2")({**record, "index": "-"}, spec)
    assert rejected.value.reason == "broken_column"


OLYMPIAD = {
    "problem_id": "IOI-2024-day1-two-sums", "task_name": "Two sums", "task_type": "batch", "time_limit": 1.5,
    "memory_limit": 512, "difficulty": 2100.0, "algorithms": '["greedy"]', "problem_statement": STATEMENT,
    "grader_codes": "{}",
}  # fmt: skip
OLYMPIAD_TESTS = {
    "problem_id": "IOI-2024-day1-two-sums",
    "tests": json.dumps({"0-01": TESTS[0], "1-01": TESTS[0], "1-02": TESTS[1]}),
    "subtasks": json.dumps(
        {"1": {"score": 30, "testcases": ["1-01"]}, "2": {"score": 70, "testcases": ["1-01", "1-02"]}}
    ),
    "grader_codes": None,
}


def olympiad_row(folder: Path, record: dict[str, Any] | None = None, tests: dict[str, Any] | None = None) -> Row:
    """The row of a problem of LiveOIBench whose tests are the second record of another file."""
    other = {**OLYMPIAD_TESTS, "problem_id": "IOI-2024-day1-other", "tests": "{}"}
    table = pa.Table.from_pylist([other, {**OLYMPIAD_TESTS, **(tests or {})}])
    pq.write_table(table, folder / "tests.parquet", row_group_size=1)
    spec = SourceSpec(source="live_oi_bench", path=("x",), join={"tests": str(folder / "tests.parquet")})
    return adapter("live_oi_bench")({**OLYMPIAD, **(record or {})}, spec)


@pytest.mark.parametrize("held", [0, joins.HELD_BYTES])
def test_an_olympiads_subtasks_become_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int) -> None:
    monkeypatch.setattr(joins, "HELD_BYTES", held)
    row = olympiad_row(tmp_path)
    assert (row["split"], row["platform"], row["contest_id"], row["slug"]) == ("test", "ioi", "2024-day1", "two-sums")
    assert (row["time_limit_ms"], row["memory_limit_mb"], row["tags"]) == (1500, 512, ["greedy"])
    assert [(test["groups"], test["public"]) for test in row["tests"]] == [
        (["sample"], True), (["subtask 1", "subtask 2"], False), (["subtask 2"], False)
    ]  # fmt: skip
    assert [(group["name"], group.get("max_score"), group["tests"]) for group in to_problem(row).groups] == [
        ("sample", None, [0]), ("subtask 1", 30, [1]), ("subtask 2", 70, [2, 3])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "tests", "reason"),
    [
        ({"problem_id": "IOI-2024"}, {}, "no_id"),
        ({"problem_id": "IOI-2024-day1-third"}, {}, "join_finds_nothing"),
        ({"problem_statement": None}, {}, "no_statement"),
        ({"task_type": "interactive"}, {}, "communication"),
        ({"task_type": "output_only"}, {}, "submit_answer"),
        ({"task_type": "relay"}, {}, "unknown_type"),
        ({"grader_codes": '{"grader.cpp": "int main() {}"}'}, {}, "linked_grader"),
        ({}, {"grader_codes": '{"grader.cpp": "int main() {}"}'}, "linked_grader"),
        ({}, {"tests": "{}", "subtasks": "{}"}, "no_tests"),
        ({}, {"tests": '{"1-01": {"input": "1"}}', "subtasks": "{}"}, "broken_tests"),
        ({}, {"tests": '{"1-01": 5}'}, "broken_groups"),
        ({}, {"subtasks": '{"1": {"score": "all", "testcases": []}}'}, "broken_groups"),
        ({}, {"subtasks": '{"1": {"score": -1, "testcases": ["1-01"]}}'}, "not_gradable"),
    ],
)
def test_a_broken_olympiad_record_is_rejected_by_name(
    tmp_path: Path, record: dict[str, Any], tests: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Reject) as rejected:
        olympiad_row(tmp_path, record, tests)
    assert rejected.value.reason == reason
