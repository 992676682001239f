"""A step's grades come in bounded time: what is missing has no reward, says why, and holds up no later step."""

from __future__ import annotations

from concurrent.futures import Future
from typing import cast

from microcoder_eval import Grade, Grader, Problem, Submission, Verdict
from microcoder_eval.connection import AnyGrader, step_grades
from microcoder_eval.connection.step_grades import is_cut

ONE = Problem.from_dict({"id": "one", "tests": [{"input": "", "output": "1"}], "time_limit_s": 20})
MANY = Problem.from_dict({"id": "many", "tests": [{"input": str(n), "output": "1"} for n in range(200)]})
ENDLESS = "n = 0\nwhile True: n += 1"
SLOW = "import time\nbegan = time.process_time()\nwhile time.process_time() - began < 0.2: pass\nprint(1)"


def ask(grader: Grader, problem: Problem, code: str) -> Future[Grade]:
    submission = Submission("", problem.id, code=code)
    return step_grades.submit(cast(AnyGrader, grader), problem, submission, all_tests=False, may_be_cut=True)


def grades(grader: Grader, futures: list[Future[Grade]], budget_s: float, quiet_s: float = 100) -> list[Grade]:
    cut = step_grades.wait_for(cast(AnyGrader, grader), futures, quiet_s=quiet_s, budget_s=budget_s)
    return [
        step_grades.grade_of(future, "p", quiet_s=quiet_s, budget_s=budget_s, cut=future in cut) for future in futures
    ]


def test_what_the_budget_cuts_has_no_reward_and_says_why() -> None:
    with Grader(workers=1) as grader:
        right = ask(grader, ONE, "print(1)")
        right.result()
        endless = [ask(grader, ONE, f"{ENDLESS}  # {number}") for number in range(3)]
        found = grades(grader, [right, *endless], budget_s=0.5)
        assert [grade.verdict for grade in found] == [Verdict.ACCEPTED] + [Verdict.JUDGE_ERROR] * 3
        assert [grade.reward for grade in found] == [1.0, None, None, None]
        assert [is_cut(grade) for grade in found] == [False, True, True, True]
        assert "grader.step_s, 0.5 s" in found[1].detail


def test_a_later_step_does_not_wait_for_what_was_cut() -> None:
    with Grader(workers=1) as grader:
        ask(grader, ONE, "print(1)").result()
        cut = [ask(grader, MANY, f"{SLOW}  # {number}") for number in range(50)]  # 2,000 s of CPU time
        assert all(map(is_cut, grades(grader, cut, budget_s=0.5)))
        assert grades(grader, [ask(grader, ONE, "print(1)  # next")], budget_s=100)[0].accepted


def test_without_a_budget_all_grades_come() -> None:
    with Grader(workers=2) as grader:
        found = grades(grader, [ask(grader, ONE, f"print(1)  # {number}") for number in range(9)], budget_s=0)
    assert all(grade.accepted for grade in found)


def test_a_silent_grader_is_given_up_without_the_note() -> None:
    silent: Future[Grade] = Future()
    with Grader(workers=1) as grader:
        (grade,) = grades(grader, [silent], budget_s=0, quiet_s=0.05)
    assert (grade.verdict, is_cut(grade)) == (Verdict.JUDGE_ERROR, False)
    assert grade.detail == "no grade came for 0.05 s"


def test_the_failure_of_a_grader_is_told_as_such() -> None:
    failed: Future[Grade] = Future()
    failed.set_exception(RuntimeError("no connection"))
    with Grader(workers=1) as grader:
        (grade,) = grades(grader, [failed], budget_s=5)
    assert (grade.detail, is_cut(grade)) == ("RuntimeError: no connection", False)
