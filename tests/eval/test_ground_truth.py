"""Problems in the forms in which data sets carry them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_eval.ground_truth import is_single_assert, problem_from

pytestmark = pytest.mark.fast

CALL = {"inputs": ["[1, 2]\n3"], "outputs": ["6"], "fn_name": "f"}
FORMS: dict[str, tuple[Any, str, int]] = {
    "a record": ({"id": "a", "tests": [{"input": "1", "output": "2"}]}, "stdin", 1),
    "APPS": ({"inputs": ["1", "2"], "outputs": ["2", "3"], "fn_name": None}, "stdin", 2),
    "TACO's lists of lines": ({"inputs": [["1", "2"]], "outputs": [["3"]]}, "stdin", 1),
    "LiveCodeBench's calls": (CALL, "call", 1),
    "calls with values": ({"inputs": [[[1, 2], 3]], "outputs": [6], "fn_name": "f"}, "call", 1),
    "a list of tests": ([{"input": "1", "output": "2", "testtype": "stdin"}], "stdin", 1),
    "a list of calls": ([{"input": "1", "output": "2", "metadata": {"func_name": "f"}}], "call", 1),
    "asserts": (["assert f(1) == 2", "assert f(2) == 3"], "asserts", 0),
    "verl's asserts": ({"assert_case": ["assert f(1) == 2"], "inputs": [""]}, "asserts", 0),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("as_json", [True, False])
def test_each_form_is_a_problem(form: str, as_json: bool) -> None:
    truth, kind, tests = FORMS[form]
    problem = problem_from(json.dumps(truth) if as_json else truth, "name", time_limit_s=7)
    assert (problem.kind, len(problem.tests)) == (kind, tests)
    assert problem.time_limit_s == 7
    assert problem.id == (truth["id"] if isinstance(truth, dict) and "id" in truth else "name")


def test_what_it_says_goes_before_what_is_assumed() -> None:
    record = {"id": "a", "time_limit_s": 1, "memory_limit_mb": None, "tests": [{"input": "", "output": ""}]}
    problem = problem_from(record, "b", time_limit_s=9, memory_limit_mb=99)
    assert (problem.id, problem.time_limit_s, problem.memory_limit_mb) == ("a", 1, 99)


def test_the_same_tests_have_the_same_name() -> None:
    assert problem_from(CALL).id == problem_from(json.dumps(CALL)).id != problem_from({**CALL, "outputs": ["7"]}).id


def test_arguments_are_read() -> None:
    assert problem_from(CALL).tests[0].input == [[1, 2], 3]
    assert problem_from(CALL).tests[0].output == 6


@pytest.mark.parametrize(
    ("inputs", "outputs", "expected"),
    [
        ([[1], [2]], [[5], [[1]]], [5, [1]]),  # as APPS, TACO and verl write results
        ([[1], [2]], [[5], [6, 7]], [[5], [6, 7]]),
        (["1", "2"], ["[5]", "[6]"], [[5], [6]]),  # as LiveCodeBench does
    ],
)
def test_results_in_lists_of_one(inputs: list[Any], outputs: list[Any], expected: list[Any]) -> None:
    record = {"inputs": inputs, "outputs": outputs, "fn_name": "f"}
    tests = [{"input": given, "output": wanted, "fn_name": "f"} for given, wanted in zip(inputs, outputs, strict=True)]
    for truth in (record, tests):
        assert [test.output for test in problem_from(truth).tests] == expected


NO_PROBLEMS: list[Any] = [
    *("", "{", "null", "5", "[]", "{}", None, 5, [], [5], [None], [["a"]], [{"input": "1"}], {"inputs": "ab"}),
    *({"inputs": [], "outputs": []}, {"inputs": ["1"], "outputs": []}, {"inputs": 5, "outputs": 5}, "[" * 100_000),
    *({"inputs": "1\n", "outputs": "2\n"}, {"assert_case": "assert f(1) == 2"}),
    *(
        [{"input": "1", "output": "2", "testtype": "functional"}],
        [{"input": [1], "output": [2], "type": "function_call"}],
    ),
    *({"assert_case": 5}, {"assert_case": [5]}, {"tests": 5}, {"inputs": [5], "outputs": ["5"]}, b"\xff"),
]


@pytest.mark.parametrize("truth", NO_PROBLEMS)
def test_what_is_no_problem_is_refused(truth: Any) -> None:
    with pytest.raises(InputError):
        problem_from(truth)


def test_single_asserts() -> None:
    assert is_single_assert("assert f(1) == 2, 'no'")
    for text in ("", "x = 1", "assert a; assert b", "assert (", "\0", "assert " + "(" * 1000):
        assert not is_single_assert(text)


def test_a_record_without_a_kind_has_the_one_that_its_fields_show() -> None:
    test = {"input": "1", "output": "2"}
    records = {
        "call": {"entry_point": "f", "kind": None, "tests": [test]},
        "asserts": {"entry_point": "f", "test_code": "assert f(1) == 2"},
        "stdin": {"entry_point": "f", "kind": "stdin", "tests": [test]},
    }
    assert {kind: problem_from(record).kind for kind, record in records.items()} == {kind: kind for kind in records}
