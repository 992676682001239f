"""Outputs: what a program answers, as data and without a comparison."""

from __future__ import annotations

import pytest

from microcoder_eval import Grader, InputError, Problem, Submission, Verdict

pytestmark = pytest.mark.fast

ADD = Problem.from_dict(
    {"id": "p", "tests": [{"input": "1 2\n", "output": "never seen"}, {"input": "x", "output": "never seen"}]}
)
FIRST = Problem.from_dict({"id": "p", "kind": "call", "entry_point": "f", "tests": [{"input": [[3, 1]], "output": 0}]})


def code(text: str) -> Submission:
    return Submission("s", "p", code=text)


def test_outputs_are_what_the_program_printed_and_failures_have_their_verdict(grader: Grader) -> None:
    well, badly = grader.outputs(ADD, code("print(sum(map(int, input().split())))")).result()
    assert (well.ended_well, well.value) == (True, "3\n")
    assert badly.verdict is Verdict.RUNTIME_ERROR and badly.value is None


def test_outputs_of_calls_are_values(grader: Grader) -> None:
    (output,) = grader.outputs(FIRST, code("def f(x):\n    return (x[0], {'a': 10**30})")).result()
    assert output.value == (3, {"a": 10**30})


def test_outputs_of_a_program_that_leaves_at_once_are_those_of_its_own_tests() -> None:
    """A shared process gets several short inputs together; the program ends it in the middle of them."""
    leaves = "import os\nn = int(input())\nprint(n, flush=True)\nif n % 5 == 4: os._exit(0)"
    many = Problem.from_dict({"id": "p", "tests": [{"input": f"{n}", "output": ""} for n in range(12)]})
    with Grader(workers=1, isolation="submission") as grader:
        outputs = grader.outputs(many, code(leaves)).result()
    assert [output.value for output in outputs] == [f"{n}\n" for n in range(12)]


def test_a_program_that_does_not_compile_has_no_output(grader: Grader) -> None:
    outputs = grader.outputs(ADD, code("print(")).result()
    assert [output.verdict for output in outputs] == [Verdict.COMPILE_ERROR] * 2


def test_outputs_and_grades_of_one_program_are_not_confused(grader: Grader) -> None:
    program = code("print(sum(map(int, input().split())))")
    assert grader.outputs(ADD, program).result()[0].ended_well
    assert grader.grade(ADD, program).verdict is Verdict.WRONG_ANSWER
    assert len(grader.submit(ADD, program, all_tests=True).result().tests) == 2
    assert len(grader.submit(ADD, program, all_tests=False).result().tests) == 1


def test_test_programs_have_no_outputs(grader: Grader) -> None:
    problem = Problem.from_dict({"id": "p", "kind": "asserts", "test_code": "assert f() == 1"})
    with pytest.raises(InputError, match="no output"):
        grader.outputs(problem, code("def f(): return 1"))
