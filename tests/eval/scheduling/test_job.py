"""From the outcomes of a job's parts to its grade."""

from __future__ import annotations

import pytest

from microcoder_eval import TestResult, Verdict
from microcoder_eval.protocol.messages import RunOptions, TestOutcome
from microcoder_eval.scheduling.job import Job, Part, conclude
from microcoder_eval.scheduling.test_order import TestOrder
from microcoder_eval.scoring import read_groups

pytestmark = pytest.mark.fast

ACCEPTED, WRONG, ERROR = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR


def job(*parts: dict[int, Verdict] | str, all_tests: bool = False, judged: bool = True, tests: int = 4) -> Job:
    made = Job(
        1, "k", "code", tests, RunOptions("contest", "test", all_tests, judged=judged), TestOrder([1.0] * tests), 0, 1.0
    )
    for number, part in enumerate(parts):
        outcomes = {} if isinstance(part, str) else part
        results = [TestOutcome(TestResult(i, v, detail=f"of {i}"), b"%d" % i) for i, v in outcomes.items()]
        error = part if isinstance(part, str) else None
        made.parts.append(Part(number, made, list(outcomes), results, error))
    return made


def test_all_accepted() -> None:
    grade = conclude(job({2: ACCEPTED, 0: ACCEPTED}, {1: ACCEPTED, 3: ACCEPTED}))
    assert (grade.verdict, grade.passed, grade.total, grade.failed_test) == (ACCEPTED, 4, 4, None)
    assert [test.index for test in grade.tests] == [0, 1, 2, 3]


def test_with_early_stop_what_lies_behind_the_first_failure_is_left_out() -> None:
    grade = conclude(job({2: ACCEPTED, 0: WRONG}, {1: ACCEPTED, 3: WRONG}))
    assert [test.index for test in grade.tests] == [0, 2]
    assert (grade.verdict, grade.passed, grade.total, grade.failed_test) == (WRONG, 1, 4, 0)
    assert grade.detail == "test 0: of 0"


def test_with_all_tests_the_lowest_failure_is_shown_and_a_judge_error_before_it() -> None:
    parts = ({2: WRONG, 3: ACCEPTED}, {1: WRONG, 0: ACCEPTED})
    assert conclude(job(*parts, all_tests=True)).failed_test == 1
    grade = conclude(job({2: ERROR, 3: ACCEPTED}, {1: WRONG, 0: ACCEPTED}, all_tests=True))
    assert (grade.verdict, grade.detail, grade.failed_test) == (ERROR, "test 2: of 2", 1)


def test_a_compile_error_is_of_the_whole_program() -> None:
    grade = conclude(job("line 1: invalid syntax", {1: ACCEPTED}))
    assert (grade.verdict, grade.tests, grade.total, grade.detail) == (
        Verdict.COMPILE_ERROR,
        (),
        4,
        "line 1: invalid syntax",
    )


def test_outputs_are_kept_only_where_they_were_asked_for() -> None:
    parts = ({1: ACCEPTED, 0: ACCEPTED},)
    assert conclude(job(*parts, tests=2)).outputs == ()
    assert conclude(job(*parts, tests=2, judged=False)).outputs == (b"0", b"1")


def test_a_scoring_problem_is_worth_its_groups() -> None:
    made = job({0: ACCEPTED, 1: ACCEPTED}, {2: WRONG}, all_tests=True)
    made.groups = read_groups(
        [{"name": "easy", "max_score": 30, "tests": [0, 1]}, {"name": "hard", "max_score": 70, "tests": [2, 3]}], 4
    )
    grade = conclude(made)
    assert (grade.points, grade.max_points, grade.verdict) == (30, 100, WRONG)
    assert grade.detail.startswith("30 of 100 points")
