"""Waits for the grades of a training step, from any grader, in bounded time.

    future = submit(grader, problem, submission, all_tests=False, may_be_cut=True)
    ...                                                       # the rest of the step's replies
    cut = wait_for(grader, futures, quiet_s=120, budget_s=30)
    grade = grade_of(future, problem.id, quiet_s=120, budget_s=30, cut=future in cut)

A reply whose grade does not come in time gets a JUDGE_ERROR. Its reward is None, never that of a wrong answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue

from microcoder_eval.any_grader import AnyGrader
from microcoder_eval.grader import Grader
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.scheduling.step_budget import CUT
from microcoder_eval.verdict import Grade, Verdict


def submit(
    grader: AnyGrader, problem: Problem, submission: Submission, *, all_tests: bool, may_be_cut: bool
) -> Future[Grade]:
    """Start grading a reply of a step. may_be_cut: `wait_for` will get a budget, and may withdraw the grading."""
    if may_be_cut and isinstance(grader, Grader):
        return grader.submit(problem, submission, all_tests=all_tests, withdrawable=True)
    return grader.submit(problem, submission, all_tests=all_tests)


def wait_for(
    grader: AnyGrader, futures: Sequence[Future[Grade]], *, quiet_s: float, budget_s: float
) -> set[Future[Grade]]:
    """Wait until all grades are there, none has come for `quiet_s`, or `budget_s` is over (0: no bound).

    Returns the futures that were given up because the budget was used up. A `Grader` of this process then starts none
    of their tests any more; the test that is running ends. Another grader goes on, and its grades come too late.
    """
    until = time.monotonic() + (budget_s or float("inf"))
    finished: SimpleQueue[None] = SimpleQueue()
    for future in futures:
        future.add_done_callback(lambda _: finished.put(None))
    for _ in futures:
        left_s = until - time.monotonic()
        try:
            finished.get(timeout=max(0.0, min(quiet_s, left_s)))
        except Empty:
            if left_s > quiet_s:
                return set()
            break
    cut = {future for future in futures if not future.done()} if time.monotonic() >= until else set()
    if isinstance(grader, Grader):
        for future in cut:
            grader.withdraw(future)
    return cut


def grade_of(future: Future[Grade], problem: str, *, quiet_s: float, budget_s: float = 0.0, cut: bool = False) -> Grade:
    """The grade, or a JUDGE_ERROR that says why there is none. cut: `wait_for` has given it up."""
    if future.done() and not future.exception():
        return future.result()
    if cut:
        detail = f"no grade within grader.step_s, {budget_s:g} s after the end of sampling"
        return Grade("", problem, Verdict.JUDGE_ERROR, detail=detail, notes=(CUT,))
    error = future.exception() if future.done() else None
    detail = f"{type(error).__name__}: {error}" if error else f"no grade came for {quiet_s:g} s"
    return Grade("", problem, Verdict.JUDGE_ERROR, detail=detail)


def is_cut(grade: Grade | None) -> bool:
    """Whether a grading was given up because the step's budget was used up."""
    return grade is not None and CUT in grade.notes
