"""From how a run ended to a verdict: the pure functions, on made-up runs."""

from __future__ import annotations

import json
import signal

import pytest

from microcoder_eval import Checker, Policy, Verdict
from microcoder_eval.boundary.box_protocol import (
    ENDLESS,
    EXIT_ENDLESS,
    EXIT_NOT_DEFINED,
    EXIT_OUT_OF_MEMORY,
    EXIT_TRACEBACK,
    EXIT_UNUSABLE,
    OUT_OF_MEMORY,
    REFUSED,
)
from microcoder_eval.supervisor import judge
from microcoder_eval.supervisor.failure import Failure
from microcoder_eval.supervisor.opinion import MOST_POINTS, Opinion
from microcoder_eval.supervisor.run import Run
from microcoder_eval.supervisor.watch import Limits
from microcoder_eval.verdict import Raised

pytestmark = pytest.mark.fast

LIMITS = Limits(cpu_s=1.0, memory_bytes=64 << 20, output_bytes=1000)


def run(status: int = 0, cpu_s: float = 0.1, memory_kb: int = 100, stopped: str = "") -> Run:
    return Run(status, cpu_s, 0.2, memory_kb, stopped)


def test_a_run_that_ended_well_is_left_to_the_comparison() -> None:
    assert judge.judge_run(run(), LIMITS, 999, Failure()) is None


@pytest.mark.parametrize(
    ("ended", "output_bytes", "verdict"),
    [
        (run(stopped="memory"), 0, Verdict.MEMORY_LIMIT),
        (run(memory_kb=65 << 10), 0, Verdict.MEMORY_LIMIT),
        (run(), 1000, Verdict.OUTPUT_LIMIT),
        (run(stopped="idle"), 0, Verdict.TIME_LIMIT),
        (run(stopped="time"), 0, Verdict.TIME_LIMIT),
        (run(cpu_s=1.1), 0, Verdict.TIME_LIMIT),
        (run(stopped="disk"), 0, Verdict.OUTPUT_LIMIT),
        (run(stopped="threads"), 0, Verdict.RUNTIME_ERROR),
        (run(signal.SIGSYS), 0, Verdict.FORBIDDEN),
        (run(signal.SIGXCPU), 0, Verdict.TIME_LIMIT),
        (run(signal.SIGSEGV), 0, Verdict.RUNTIME_ERROR),
        (run(3 << 8), 0, Verdict.RUNTIME_ERROR),
        (run(stopped="memory", cpu_s=2.0), 2000, Verdict.MEMORY_LIMIT),
    ],
)
def test_limits_come_before_the_exit_status(ended: Run, output_bytes: int, verdict: Verdict) -> None:
    judgement = judge.judge_run(ended, LIMITS, output_bytes, Failure())
    assert judgement is not None
    assert judgement.verdict is verdict
    assert judgement.detail and judgement.rung is None and judgement.points is None


@pytest.mark.parametrize(
    ("failure", "verdict"),
    [
        (Failure("Traceback ...\nMemoryError", OUT_OF_MEMORY), Verdict.MEMORY_LIMIT),
        (Failure("Traceback ...\nMemoryError"), Verdict.RUNTIME_ERROR),
        (Failure("PermissionError: [Errno 1] Operation not permitted", REFUSED), Verdict.FORBIDDEN),
        (Failure("PermissionError: [Errno 1] Operation not permitted"), Verdict.RUNTIME_ERROR),
        (Failure("", OUT_OF_MEMORY), Verdict.MEMORY_LIMIT),
        (Failure(), Verdict.RUNTIME_ERROR),
    ],
)
def test_the_cause_of_a_failure_only_chooses_among_rejections(failure: Failure, verdict: Verdict) -> None:
    assert judge.judge_failure(EXIT_TRACEBACK << 8, failure).verdict is verdict
    assert judge.judge_run(run(), LIMITS, 0, failure) is None


def test_a_long_traceback_keeps_its_error_wherever_it_is() -> None:
    frames = "    in a function\n" * 100
    python = judge.judge_failure(1 << 8, Failure(f"Traceback (most\n{frames}{'v' * 300}ValueError: the end")).detail
    other = judge.judge_failure(1 << 8, Failure(f"Error: the beginning\n{frames}note: the end")).detail
    assert python.endswith("v" * 300 + "ValueError: the end") and python.startswith("...")
    assert other.startswith("Error: the beginning\n") and other.endswith("note: the end")
    assert max(len(python), len(other)) < 410


def test_an_output_is_compared_with_the_expected_one() -> None:
    right = judge.judge_output(b"1 2\n", b"1 2", Checker(), Policy.CONTEST)
    wrong = judge.judge_output(b"1 2\n", b"1 3\n", Checker(), Policy.CONTEST)
    assert right.verdict is Verdict.ACCEPTED and right.rung
    assert wrong.verdict is Verdict.WRONG_ANSWER and "expected '2', got '3'" in wrong.detail


@pytest.mark.parametrize(
    ("expected", "answer", "policy", "verdict"),
    [
        ([1, 2], {"r": [1, 2]}, Policy.CONTEST, Verdict.ACCEPTED),
        ([1, 2], {"r": [2, 1]}, Policy.CONTEST, Verdict.WRONG_ANSWER),
        ([1, 2], {"r": None, "a": [1, 2]}, Policy.CONTEST, Verdict.ACCEPTED),
        ([1, 2], {"r": None, "a": [1, 2]}, Policy.STRICT, Verdict.WRONG_ANSWER),
        (None, {"r": None, "a": [1]}, Policy.CONTEST, Verdict.ACCEPTED),
        ([1], {"r": {"o": "EqualsEverything"}}, Policy.LENIENT, Verdict.WRONG_ANSWER),
        ([1], {"r": {"unknown": 1}}, Policy.CONTEST, Verdict.WRONG_ANSWER),
        ([1], "nothing", Policy.CONTEST, Verdict.WRONG_ANSWER),
    ],
)
def test_a_returned_value_is_read_as_data(expected: object, answer: object, policy: Policy, verdict: Verdict) -> None:
    judgement = judge.judge_answer(expected, json.dumps(answer).encode(), Checker(), policy)
    assert judgement.verdict is verdict, judgement


def test_an_answer_that_is_missing_or_broken_is_wrong() -> None:
    for answer in (b"", b"{", b"[" * 100_000, b"[1]"):
        assert judge.judge_answer([1], answer, Checker(), Policy.CONTEST).verdict is Verdict.WRONG_ANSWER


SECRET = b"0123456789abcdef"


@pytest.mark.parametrize(
    ("ended", "answer", "verdict"),
    [
        (run(), b'[true, "fine", 0.5]', Verdict.ACCEPTED),
        (run(), b'[false, "", null]', Verdict.WRONG_ANSWER),
        (run(), b'[1, "", null]', Verdict.JUDGE_ERROR),
        (run(stopped="time"), b"", Verdict.JUDGE_ERROR),
        (run(EXIT_TRACEBACK << 8), b"", Verdict.JUDGE_ERROR),
        (run(EXIT_UNUSABLE << 8), b"", Verdict.JUDGE_ERROR),
        (run(EXIT_NOT_DEFINED << 8), b"", Verdict.JUDGE_ERROR),
        (run(EXIT_OUT_OF_MEMORY << 8), b"", Verdict.JUDGE_ERROR),
        (run(signal.SIGSEGV), b"", Verdict.JUDGE_ERROR),
    ],
)
def test_a_checkers_failure_is_no_verdict_on_the_output(ended: Run, answer: bytes, verdict: Verdict) -> None:
    errors = b"Traceback ...\nKeyError: 'check'"
    said = judge.checker_opinion(ended, SECRET + answer, errors, SECRET, MOST_POINTS)
    assert said.verdict is verdict
    assert said.raised == (ended.status == EXIT_TRACEBACK << 8)
    assert said.points == (0.5 if verdict is Verdict.ACCEPTED else None)


def test_an_interactor_that_runs_out_of_memory_is_exhausted() -> None:
    def opinion(ended: Run, answer: bytes = b"", errors: bytes = b"") -> Opinion:
        return judge.interactor_opinion(ended, answer, errors, SECRET, MOST_POINTS)

    said = opinion(run(EXIT_UNUSABLE << 8), errors=b"ValueError: MemoryError")
    assert (said.verdict, said.exhausted) == (Verdict.JUDGE_ERROR, False)
    assert opinion(run(EXIT_OUT_OF_MEMORY << 8)).exhausted
    assert opinion(run(stopped="memory")).exhausted
    assert opinion(run(), SECRET + b'[true, "ok", null]').verdict is Verdict.ACCEPTED


def test_only_a_program_that_was_asked_can_be_endless() -> None:
    answer = Failure("", ENDLESS, Raised(7, ""))
    asked = run(EXIT_ENDLESS << 8)._replace(allowed_s=0.03)
    judgement = judge.judge_run(asked, LIMITS, 0, answer)
    assert judgement is not None and (judgement.verdict, judgement.endless) == (Verdict.TIME_LIMIT, True)
    assert "line 7" in judgement.detail and judgement.raised is None
    for ended, failure in ((asked._replace(allowed_s=0.0), answer), (asked, Failure()), (run(1 << 8), answer)):
        judgement = judge.judge_run(ended, LIMITS, 0, failure)
        assert judgement is not None and (judgement.verdict, judgement.endless) == (Verdict.RUNTIME_ERROR, False)


def test_the_time_for_answers_is_allowed_on_top_of_the_limit() -> None:
    late = Verdict.TIME_LIMIT
    for allowed_s, cpu_s, verdict in ((0.0, 1.02, late), (0.03, 1.02, None), (0.03, 1.04, late)):
        judgement = judge.judge_run(run(cpu_s=cpu_s)._replace(allowed_s=allowed_s), LIMITS, 0, Failure())
        assert (judgement and judgement.verdict) == verdict


def test_an_outcome_carries_what_the_run_used() -> None:
    made = judge.outcome(3, Run(0, 0.5, 0.75, 1234), judge.Judgement(Verdict.ACCEPTED, "exact"), b"out")
    assert (made.result.index, made.result.cpu_ms, made.result.wall_ms, made.result.memory_kb) == (3, 500, 750, 1234)
    assert (made.result.rung, made.output) == ("exact", b"out")
