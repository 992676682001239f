"""Identical programs share an outcome, in bounded memory."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict
from microcoder_eval.scheduling import repeats
from microcoder_eval.scheduling.job import ProgramGrade
from microcoder_eval.scheduling.repeats import Repeats
from microcoder_eval.verdict import TestResult

pytestmark = pytest.mark.fast

PROBLEM = Problem.from_dict({"id": "p", "tests": [{"input": "1\n", "output": "1\n"}]})


def finished(repeats: Repeats, program: bytes, verdict: Verdict = Verdict.ACCEPTED, tests: int = 4) -> None:
    future: Future[ProgramGrade] = Future()
    repeats.follow(program, future)
    assert repeats.find(program) is future
    grade = ProgramGrade(verdict, tuple(TestResult(index, verdict) for index in range(tests)))
    repeats.finish(program, future, grade)


def test_a_finished_program_is_found():
    known = Repeats()
    finished(known, b"a")
    future = known.find(b"a")
    assert future is not None and future.result(0).verdict is Verdict.ACCEPTED


def test_what_gave_no_verdict_is_tried_again():
    known = Repeats()
    finished(known, b"a", Verdict.JUDGE_ERROR)
    failed: Future[ProgramGrade] = Future()
    known.follow(b"b", failed)
    known.finish(b"b", failed, None)
    assert known.find(b"a") is None and known.find(b"b") is None


def test_the_oldest_make_room(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(repeats, "KEPT_TESTS", 20)
    known = Repeats()
    for number in range(4):
        finished(known, b"%d" % number)
    assert known.find(b"0") is not None  # used again, so it is not the oldest any more
    finished(known, b"4")
    assert [known.find(b"%d" % number) is not None for number in range(5)] == [True, False, True, True, True]
    finished(known, b"none compile", Verdict.COMPILE_ERROR, tests=0)
    assert known.find(b"none compile") is not None
    finished(known, b"huge", tests=50)
    assert all(known.find(program) is None for program in (b"0", b"4", b"huge"))


def test_a_closed_grader_refuses_the_same_program_every_time():
    grader = Grader(workers=1)
    grader.close()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="closed"):
            grader.submit(PROBLEM, Submission("s", "p", code="print(input())"))
