"""Records of real files are bent: nulls, numbers as text, JSON inside text, other nesting. A Row, or a named reject.

Every value of every record is replaced by every bent one. A reject that only quotes an exception is not named.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.conversion import rows_of, split_by_schema
from microcoder_data.reading.parts import Part
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.shards import TestStore
from tests.data.made_up import taco_record
from tests.data.sources.reading import reject_of, row_of
from tests.data.sources.test_code_contests_plus import RECORD
from tests.data.sources.test_newer_sets import OLYMPIAD, OLYMPIAD_TESTS, RECORDS, STATEMENT, TESTS
from tests.data.sources.test_training_sets import CODEFORCES, PRIME

pytestmark = pytest.mark.fast

CODE_CONTESTS = {
    "name": "1_A. Sum", "description": STATEMENT, "public_tests": {"input": ["1 2\n"], "output": ["3\n"]},
    "private_tests": {"input": [], "output": []}, "generated_tests": None, "source": 2, "difficulty": 7,
    "solutions": {"language": [3, 2], "solution": ["print(3)", "int main() {}"]}, "incorrect_solutions": None,
    "cf_contest_id": 1, "cf_index": "A", "cf_rating": 800, "cf_tags": ["math"], "is_description_translated": False,
    "time_limit": {"seconds": 1, "nanos": 500000000}, "memory_limit_bytes": 256000000,
}  # fmt: skip
KODCODE = {
    "style": "instruct", "subset": "Leetcode", "question_id": "Leetcode_1_I", "question": "Write f that adds one.",
    "solution": "def f(x):\n    return x + 1", "gpt_pass_sequence": [1, 0, 1], "gpt_difficulty": "medium",
    "test": "from solution import f\n\ndef test_f():\n    assert f(1) == 2\n",
    "test_info": [{"function_declaration": "def f(x):", "function_name": "f", "parameter_list": "(x)"}],
}  # fmt: skip
RSTAR = {
    "question_id": "seed_1", "question": "Print the larger number.", "starter_code": "", "inputs": '["1\\n1"]',
    "outputs": '["1"]', "is_synthesized": "[0]", "test_case_type": '["stdin_stdout"]', "func_name": "",
    "class_name": "",
}  # fmt: skip
ANSWER = {"dataset": "taco", "split": "train", "index": "0", "solution": "print(1)", "r1_generation": "-", "id": "a"}
JOINED: dict[str, tuple[str, dict[str, Any]]] = {
    "hardtests": ("tests", {"pid": "codeforces_1_A", "test_cases": TESTS}),
    "live_oi_bench": ("tests", {**OLYMPIAD_TESTS, "tests": {"0-01": TESTS[0]}, "subtasks": {}}),
    "open_r1_codeforces": ("generated_tests", {"problem_id": "2063/A", "input": "9\n", "output": "3\n"}),
    "opencodereasoning_2": ("taco/train", taco_record(0)),
}
ALL: dict[str, dict[str, Any]] = {
    **RECORDS, "code_contests": CODE_CONTESTS, "code_contests_plus": RECORD, "kodcode": KODCODE, "rstar_coder": RSTAR,
    "deepcoder": {"problem": "Add.", "tests": [{"type": "stdin_stdout", "input": "1", "output": "2"}]},
    "live_oi_bench": OLYMPIAD, "open_r1_codeforces": CODEFORCES, "opencodereasoning_2": ANSWER,
    "prime_intellect": {**PRIME, "verification_info": json.loads(PRIME["verification_info"])},
}  # fmt: skip
MISSING = object()


def bent(value: Any) -> Iterator[Any]:
    yield from (MISSING, None, "", "null", "[]", "x = (", "5", [], {}, [None], [[]], [{}], {"a": 1}, True, -1, 2.5)
    yield from (10**400, float("nan"), "\ud800", "\0", [value], {"input": value})
    yield json.dumps(value)
    if isinstance(value, str):
        yield value.replace("\n", "\r\n") + " " * 10_000
    if isinstance(value, list):
        yield from ([*value, None], [*value, 5], [json.dumps(item) for item in value])
    if isinstance(value, dict):
        yield from ({**value, "new": [{}]}, [value], list(value.values()), dict.fromkeys(value))


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key in value if isinstance(value, dict) else range(len(value[:2])) if isinstance(value, list) else ():
        yield (*place, key)
        yield from places(value[key], (*place, key))


def bent_records(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The record with one value bent, and what was done."""
    for *way, last in places(record):
        inner: Any = record
        for key in way:
            inner = inner[key]
        for value in bent(inner[last]):
            changed = copy.deepcopy(record)
            target: Any = changed
            for key in way:
                target = target[key]
            if value is MISSING:
                del target[last]
            else:
                target[last] = value
            yield f"{[*way, last]} = {value!r:.60}", changed


def outcomes(records: list[dict[str, Any]], spec: SourceSpec, folder: Path) -> Iterator[str]:
    """For each record, which is on a line of its own: the reason of its reject, or an empty text for a row."""
    file = folder / "records.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    part = Part(0, str(file), "lines", 0, file.stat().st_size)
    for row, entry in rows_of([part], spec, TestStore(folder / "tests"), None, strict=False):
        if row is not None:
            _, entries = split_by_schema([row], strict=False)
            entry = entries[0] if entries else None
        yield f"{entry['reason']}: {entry['detail']}" if entry else ""


def joined(source: str, file: Path) -> SourceSpec:
    """The source, which takes what `JOINED` says from a file."""
    return SourceSpec(source=source, path=("x",), join={JOINED[source][0]: str(file)} if source in JOINED else {})


def unnamed(cases: list[tuple[str, str]]) -> list[str]:
    return [f"{what}: {said}" for what, said in cases if said.startswith(("unforeseen_record", "does_not_fit_schema"))]


@pytest.mark.parametrize("source", ALL)
def test_a_bent_record_is_a_row_or_a_named_reject(source: str, tmp_path: Path) -> None:
    if source in JOINED:
        (tmp_path / "other.jsonl").write_text(json.dumps(JOINED[source][1]) + "\n")
    what, records = zip(("as it is", ALL[source]), *bent_records(ALL[source]), strict=True)
    found = list(outcomes(list(records), joined(source, tmp_path / "other.jsonl"), tmp_path))
    assert len(found) == len(records) and not found[0]
    assert not unnamed(list(zip(what, found, strict=True)))


@pytest.mark.parametrize("source", JOINED)
def test_a_bent_record_of_a_joined_file_is_a_row_or_a_named_reject(source: str, tmp_path: Path) -> None:
    cases = []
    for number, (what, other) in enumerate(bent_records(JOINED[source][1])):
        file = tmp_path / f"other{number}.jsonl"
        file.write_text(json.dumps(other) + "\n")
        cases += [(what, said) for said in outcomes([ALL[source]], joined(source, file), tmp_path)]
    assert len(cases) > 50 and not unnamed(cases)


@pytest.mark.parametrize("source", ["code_contests_plus", "aethercode", "hardtests", "open_r1_codeforces"])
def test_objects_of_lists_are_the_lists_of_objects_that_they_stand_for(source: str) -> None:
    """`datasets` turns a list of objects into an object of lists."""
    as_it_is = row_of(source, ALL[source])
    names = ("test_cases", "public_test_cases", "official_tests", "examples", "correct_submissions", "solutions")
    turned = {
        name: {key: [one[key] for one in value] for key in value[0]}
        for name, value in ALL[source].items()
        if name in names
    }
    assert turned and row_of(source, {**ALL[source], **turned}) == as_it_is
    name = next(iter(turned))
    uneven = {**turned[name], next(iter(turned[name])): []}
    assert reject_of(source, {**ALL[source], name: uneven}) in ("broken_tests", "broken_solutions")
