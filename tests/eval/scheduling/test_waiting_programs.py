"""In which order waiting programs begin, and in which order a problem's tests run."""

from __future__ import annotations

import os
import signal

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict
from microcoder_eval.protocol.messages import RunOptions
from microcoder_eval.scheduling.job import Job
from microcoder_eval.scheduling.test_order import TestOrder
from tests.eval.family import descendants, parent_of


def job(submitted_at: float, expected_cost_s: float) -> Job:
    options = RunOptions("contest", "test", False, judged=True)
    return Job(1, "k", "", 1, options, TestOrder([1.0]), 0, expected_cost_s, submitted_at=submitted_at)


def test_a_cheap_program_begins_before_an_expensive_one_that_came_first() -> None:
    cheap = Problem.from_dict({"id": "cheap", "tests": [{"input": "", "output": "1"}]})
    dear = Problem.from_dict({"id": "dear", "tests": [{"input": str(n), "output": "1"} for n in range(50)]})
    ended: list[str] = []
    with Grader(workers=1) as grader:
        assert grader.grade(cheap, Submission("", "", code="print(1)")).accepted
        waiting = []
        for name, problem in [*((f"dear{n}", dear) for n in range(6)), ("cheap", cheap)]:
            code = f"import time\ntime.sleep(0.05)\nprint(1)  # {name}"
            waiting.append(grader.submit(problem, Submission(name, "", code=code)))
            waiting[-1].add_done_callback(lambda done: ended.append(done.result().submission_id))
        assert all(future.result().accepted for future in waiting)
    assert ended.index("cheap") < ended.index("dear5")


def test_an_expensive_program_does_not_wait_for_ever() -> None:
    dear, cheap = job(0.0, 5.0), [job(float(second), 0.01) for second in range(100)]
    dear.remaining = [0]
    begun = sorted([dear, *cheap], key=Job.due_at)
    assert 2 < begun.index(dear) < 20


@pytest.mark.parametrize("isolation", ["test", "submission"])
def test_long_tests_wait_until_short_ones_of_later_programs_have_run(isolation: str) -> None:
    tests = [{"input": "1 " * 500_000, "output": "500000"}, {"input": "1 1", "output": "2"}]
    problem = Problem.from_dict({"id": "count", "time_limit_s": 30.0, "tests": tests})
    ended: list[str] = []
    with Grader(workers=1, isolation=isolation) as grader:
        first = grader.submit(
            problem, Submission("", "", code="import time\ntime.sleep(0.5)\nprint(len(input().split()))")
        )
        waiting = []
        for name in ("right 1", "right 2", "right 3", "wrong"):
            code = "print(3)" if name == "wrong" else f"print(len(input().split()))  # {name}"
            waiting.append(grader.submit(problem, Submission(name, "", code=code)))
            waiting[-1].add_done_callback(lambda done: ended.append(done.result().submission_id))
        grades = [future.result() for future in [first, *waiting]]
    assert ended[0] == "wrong" and grades[-1].verdict is Verdict.WRONG_ANSWER
    assert [[test.index for test in grade.tests] for grade in grades] == [[0, 1]] * 4 + [[1]]
    assert all(grade.accepted for grade in grades[:-1])


def test_a_program_whose_supervisor_dies_between_its_tests_is_graded_again() -> None:
    tests = [{"input": "1 " * 500_000, "output": "1"}, {"input": "1", "output": "1"}]
    problem = Problem.from_dict({"id": "first", "time_limit_s": 30.0, "tests": tests})
    before = descendants(os.getpid())
    with Grader(workers=1) as grader:
        codes = [f"import time\ntime.sleep(0.2)\nprint(input().split()[0])  # {n}" for n in range(4)]
        waiting = [grader.submit(problem, Submission("", "", code=code)) for code in codes]
        waiting[0].result()
        for pid, _ in descendants(os.getpid()) - before:
            if parent_of(pid) == os.getpid():
                os.kill(pid, signal.SIGKILL)
        grades = [future.result() for future in waiting]
    assert [[test.index for test in grade.tests] for grade in grades] == [[0, 1]] * 4
    assert all(grade.accepted for grade in grades)


def test_a_wrong_program_ends_before_a_problem_s_long_tests() -> None:
    long = " ".join(["1"] * 200_000)
    tests = [{"input": long, "output": "200000"}, {"input": "1 2", "output": "3"}, {"input": "4", "output": "4"}]
    problem = Problem.from_dict({"id": "sum", "tests": tests})
    code = "values = list(map(int, input().split()))\nprint(sum(values[:1]))"
    with Grader(workers=1) as learnt, Grader(workers=1, tests_order="given") as given:
        wrong = [grader.grade(problem, Submission("", "", code=code)) for grader in (learnt, given)]
        right = [grader.grade(problem, Submission("", "", code=code.replace("[:1]", ""))) for grader in (learnt, given)]
    assert [[test.index for test in grade.tests] for grade in wrong] == [[1], [0]]
    assert [grade.verdict for grade in wrong] == [Verdict.WRONG_ANSWER] * 2
    assert [[test.index for test in grade.tests] for grade in right] == [[0, 1, 2]] * 2


def test_the_arguments_of_a_call_count_as_its_test_s_size() -> None:
    tests = [{"input": [[1] * 100_000], "output": 100_000}, {"input": [[5]], "output": 5}]
    problem = Problem.from_dict({"id": "sum", "kind": "call", "entry_point": "f", "tests": tests})
    with Grader(workers=1) as grader:
        grade = grader.grade(problem, Submission("", "", code="def f(values):\n    return 0"))
    assert [test.index for test in grade.tests] == [1]
