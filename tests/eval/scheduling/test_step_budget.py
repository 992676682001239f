"""A step's budget cuts what is late and says so; urgent work begins first."""

from __future__ import annotations

import math

import pytest

from microcoder_eval import Grader, InputError, Problem, Submission, Verdict

ECHO = Problem.from_dict({"id": "echo", "tests": [{"input": str(n), "output": str(n)} for n in range(3)]})
ENDLESS = "n = 0\nwhile True: n += 1"
LONG = Problem.from_dict({"id": "long", "time_limit_s": 30, "tests": [{"input": "", "output": "x"}]})
SHORT = Problem.from_dict({"id": "short", "time_limit_s": 1, "tests": [{"input": "", "output": "x"}]})


def code(name: str, text: str) -> Submission:
    return Submission(name, "", code=text)


def test_what_is_late_is_cut_and_is_no_wrong_answer() -> None:
    with Grader(workers=1) as grader:
        assert grader.grade(ECHO, code("first", "print(input())")).accepted
        pairs = [(ECHO, code("quick", "print(input()) #"))] + [
            (LONG, code(f"late{n}", f"{ENDLESS} # {n}")) for n in range(3)
        ]
        # on a busy machine even the quick one may be cut: what counts is that each has one grade
        grades = {grade.submission_id: grade for grade in grader.grade_within(pairs, budget_s=2)}
    assert set(grades) == {"quick", "late0", "late1", "late2"}
    for name in ("late0", "late1", "late2"):
        grade = grades[name]
        assert (grade.verdict, grade.reward, grade.problem_id) == (Verdict.JUDGE_ERROR, None, "long")
        assert "the budget of 2 s was used up" in grade.detail
    assert grades["quick"].verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR)


def test_a_budget_that_is_enough_changes_nothing() -> None:
    with Grader(workers=2) as grader:
        pairs = [(ECHO, code(str(n), f"print(int(input()) + {n % 2}) # {n}")) for n in range(6)]
        grades = {grade.submission_id: grade.verdict for grade in grader.grade_within(pairs, budget_s=600)}
        assert grades == {str(n): Verdict.WRONG_ANSWER if n % 2 else Verdict.ACCEPTED for n in range(6)}
        assert list(grader.grade_within([], budget_s=1)) == []


def test_grades_that_nobody_takes_are_given_up() -> None:
    with Grader(workers=1) as grader:
        pairs = [(ECHO, code("quick", "print(input())"))] + [
            (SHORT, code(str(n), f"{ENDLESS} # {n}")) for n in range(40)
        ]
        grades = grader.grade_within(pairs, budget_s=600)
        next(grades)
        grades.close()  # type: ignore[attr-defined]  # it is a generator
        assert grader.grade(ECHO, code("later", "print(input()) # later")).accepted


@pytest.mark.parametrize("budget_s", [0, -1, math.inf, math.nan])
def test_a_budget_is_positive_and_ends(budget_s: float) -> None:
    with Grader(workers=1) as grader, pytest.raises(InputError, match="budget_s must be a positive number"):
        next(grader.grade_within([], budget_s))


def test_urgent_work_begins_first() -> None:
    ended: list[str] = []
    with Grader(workers=1) as grader:
        futures = []
        for name, urgency in [("a", 0), ("b", 0), ("c", 0), ("later", -1), ("normal", 0), ("urgent", 5.5)]:
            future = grader.submit(SHORT, code(name, f"import time; time.sleep(0.3) # {name}"), urgency=urgency)
            future.add_done_callback(lambda _, name=name: ended.append(name))
            futures.append(future)
        for future in futures:
            future.result(120)
        with pytest.raises(InputError, match="urgency must be a finite number"):
            grader.submit(ECHO, code("x", "print(1)"), urgency=math.nan)
        with pytest.raises(TypeError, match="fresh must be True or False"):
            grader.submit(ECHO, code("x", "print(1)"), fresh="no")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="urgency must be a number"):
            grader.submit(ECHO, code("x", "print(1)"), urgency="high")  # type: ignore[arg-type]
    assert ended.index("urgent") < ended.index("normal") < ended.index("later")
