"""Decides the verdict of a test from how a run ended and what it wrote. Pure: starts nothing and reads no file.

`judge_output` and `judge_answer` compare a program's answer with the expected one.
"""

from __future__ import annotations

import signal
from typing import Any, NamedTuple

from microcoder_eval.boundary.box_protocol import (
    ENDLESS,
    EXIT_ENDLESS,
    EXIT_NOT_DEFINED,
    EXIT_OUT_OF_MEMORY,
    EXIT_UNUSABLE,
    OUT_OF_MEMORY,
    REFUSED,
)
from microcoder_eval.boundary.decode_values import NotAValue, read_answer
from microcoder_eval.compare import Comparison, compare_output, compare_value
from microcoder_eval.problem import Checker, Policy
from microcoder_eval.protocol.messages import Streams, TestOutcome
from microcoder_eval.supervisor.failure import Failure
from microcoder_eval.supervisor.opinion import Opinion, read_opinion
from microcoder_eval.supervisor.run import Run
from microcoder_eval.supervisor.said import Excerpts
from microcoder_eval.supervisor.watch import Limits
from microcoder_eval.verdict import Raised, TestResult, Verdict

SHOWN = 400
NO_EXCERPTS = Excerpts()


class Judgement(NamedTuple):
    """The verdict of a test, and why."""

    verdict: Verdict
    rung: str | None = None
    """The rung of the comparison ladder that accepted; None for any other verdict."""
    detail: str = ""
    points: float | None = None
    """The points that a checker gave, if it gives points."""
    judge_failed: bool = False
    """Whether a WRONG_ANSWER means that the judge failed on this output (see `fair_judging`)."""
    endless: bool = False
    """Whether a TIME_LIMIT means that the program was ended early (see `sandbox/endless/`)."""
    raised: Raised | None = None
    """The exception that ended the program; for display only."""


def outcome(
    index: int, run: Run, judgement: Judgement, output: bytes | Streams | None = None, excerpts: Excerpts | None = None
) -> TestOutcome:
    """The outcome of a test: its judgement with what its run used, and `excerpts` when it was not accepted."""
    verdict, rung, detail, points, judge_failed, endless, raised = judgement
    used = run.cpu_s * 1000, run.wall_s * 1000, run.memory_kb
    shown = excerpts or NO_EXCERPTS
    result = TestResult(index, verdict, *used, rung, detail, points, judge_failed, endless, raised, *shown)
    return TestOutcome(result, output)


def judge_error(index: int, detail: str) -> TestOutcome:
    """The outcome of a test that could not be run or judged."""
    return TestOutcome(TestResult(index, Verdict.JUDGE_ERROR, detail=detail))


def judge_run(run: Run, limits: Limits, output_bytes: int, failure: Failure) -> Judgement | None:
    """The verdict that the run alone decides; None when the output must be judged."""
    if run.stopped == "memory" or run.memory_kb * 1024 > limits.memory_bytes:
        return Judgement(Verdict.MEMORY_LIMIT, detail=f"used more than {limits.memory_bytes >> 20} MiB")
    if output_bytes >= limits.output_bytes:
        return Judgement(Verdict.OUTPUT_LIMIT, detail=f"wrote {limits.output_bytes >> 20} MiB or more")
    if run.stopped == "idle":
        detail = f"did not end: waited without using the CPU (limit {limits.cpu_s:g} s)"
        return Judgement(Verdict.TIME_LIMIT, detail=detail)
    if run.cpu_s > limits.cpu_s + run.allowed_s:
        return Judgement(Verdict.TIME_LIMIT, detail=f"used more than {limits.cpu_s:g} s of CPU time")
    if run.stopped == "time":
        return Judgement(Verdict.TIME_LIMIT, detail=f"did not end in {run.wall_s:.1f} s (limit {limits.cpu_s:g} s)")
    if run.stopped == "disk":
        return Judgement(Verdict.OUTPUT_LIMIT, detail="wrote too much into its directory")
    if run.stopped == "threads":
        return Judgement(Verdict.RUNTIME_ERROR, detail="started too many threads")
    if run.status == 0:
        return None
    if run.allowed_s and run.exit_status == EXIT_ENDLESS and failure.cause == ENDLESS:
        where = failure.raised.line if failure.raised else None
        loop = "a loop" if where is None else f"the loop in line {where}"
        detail = f"would use more than {limits.cpu_s:g} s of CPU time: {loop} cannot end, so it was ended early"
        return Judgement(Verdict.TIME_LIMIT, detail=detail, endless=True)
    return judge_failure(run.status, failure)._replace(raised=failure.raised)


def judge_failure(status: int, failure: Failure) -> Judgement:
    """The verdict on a program that failed, from its wait status and the cause of its failure."""
    number = status & 0x7F
    if number == signal.SIGSYS:
        return Judgement(Verdict.FORBIDDEN, detail="made a system call that the sandbox does not allow")
    if number == signal.SIGXCPU:
        return Judgement(Verdict.TIME_LIMIT, detail="used up its CPU time")
    if failure.cause == OUT_OF_MEMORY:
        return Judgement(Verdict.MEMORY_LIMIT, detail=f"ran out of memory: {_shorten(failure.last_line)}")
    if number:
        return Judgement(Verdict.RUNTIME_ERROR, detail=f"killed by {_signal_name(number)}")
    if failure.cause == REFUSED:
        return Judgement(Verdict.FORBIDDEN, detail=f"refused by the sandbox: {_shorten(failure.errors)}")
    return Judgement(Verdict.RUNTIME_ERROR, detail=_shorten(failure.errors) or f"exit status {status >> 8}")


def judge_output(expected: bytes, actual: bytes, checker: Checker, policy: Policy) -> Judgement:
    """Compare what a program printed with the expected output."""
    return _judge_comparison(compare_output(expected, actual, checker, policy))


def judge_answer(expected: Any, answer: bytes, checker: Checker, policy: Policy) -> Judgement:
    """Compare what a call returned with the expected value.

    If it returned None and another value is expected, its changed first argument is compared, except under `strict`.
    """
    strict = policy is Policy.STRICT
    try:
        result = read_answer(answer, expected is not None and not strict, lists_only=strict)
    except NotAValue as error:
        return Judgement(Verdict.WRONG_ANSWER, detail=str(error))
    return _judge_comparison(compare_value(expected, result, checker, policy))


def checker_opinion(run: Run, answer: bytes, errors: bytes, secret: bytes, most_points: float) -> Opinion:
    """The opinion of a checker function."""
    if run.stopped:
        return Opinion(Verdict.JUDGE_ERROR, f"the checker was ended: {run.stopped} limit", exhausted=True)
    if run.status != 0:
        return _checker_failure(run.status, _shorten(last_line(errors)))
    opinion = read_opinion(answer, secret, "checker", most_points)
    return opinion._replace(message=_shorten(opinion.message))


def _checker_failure(status: int, error: str) -> Opinion:
    code = status >> 8
    if code == EXIT_NOT_DEFINED:
        error = "it defines no function check(input, expected, actual)"
    elif not status & 0x7F and code not in (EXIT_UNUSABLE, EXIT_OUT_OF_MEMORY):
        return Opinion(Verdict.JUDGE_ERROR, f"the checker raised {error}", raised=True)
    message = f"the checker failed: {error or f'status {status}'}"
    return Opinion(Verdict.JUDGE_ERROR, message, exhausted=code == EXIT_OUT_OF_MEMORY)


def interactor_opinion(run: Run, answer: bytes, errors: bytes, secret: bytes, most_points: float) -> Opinion:
    """The opinion of an interactor function."""
    if run.stopped:
        return Opinion(Verdict.JUDGE_ERROR, f"the interactor was ended: {run.stopped} limit", exhausted=True)
    if run.status != 0:
        code = run.status >> 8
        error = _shorten(last_line(errors)) or f"status {run.status}"
        if code == EXIT_NOT_DEFINED:
            error = "it defines no function interact(input, read_line, write_line)"
        message = f"the interactor failed: {error}"
        return Opinion(Verdict.JUDGE_ERROR, message, exhausted=code == EXIT_OUT_OF_MEMORY)
    return read_opinion(answer, secret, "interactor", most_points)


def judge_opinion(opinion: Opinion) -> Judgement:
    """The judgement that follows from a checker's opinion."""
    if opinion.verdict is Verdict.ACCEPTED:
        return Judgement(Verdict.ACCEPTED, "checker", opinion.message, opinion.points)
    detail = opinion.message or "the checker says no"
    return Judgement(opinion.verdict, detail=detail, judge_failed=opinion.judge_failed)


def last_line(errors: bytes) -> str:
    """The last line that a process wrote to stderr."""
    return errors.decode("utf-8", "backslashreplace").strip().rsplit("\n", 1)[-1]


def _judge_comparison(comparison: Comparison) -> Judgement:
    if comparison.accepted:
        return Judgement(Verdict.ACCEPTED, comparison.rung, comparison.detail)
    return Judgement(Verdict.WRONG_ANSWER, detail=comparison.detail)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _shorten(text: str) -> str:
    """The end of a text, and its beginning: a traceback of Python ends with the error, those of Node.js, Java and Mono
    begin with it."""
    if len(text) <= SHOWN:
        return text
    first = 0 if text.startswith("Traceback") else SHOWN // 2
    return f"{text[:first]}...{text[first - SHOWN :]}"
