"""Grades a training step within a time budget: pairs without a verdict at its end are cut, and their grades say so.

Users call `Grader.grade_within`. A cut grade is a JUDGE_ERROR, because nothing was decided about the program.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from typing import Any, Protocol

from microcoder_eval.problem import Problem, Submission
from microcoder_eval.verdict import Grade, Verdict

CUT = "cut by the step's budget"
"""The note of a grade that was cut because the step's time budget was used up."""


class Withdrawing(Protocol):
    """The methods of a `Grader` that are used here."""

    def submit(
        self, problem: Problem, submission: Submission | str, *, withdrawable: bool = False
    ) -> Future[Grade]: ...

    def withdraw(self, future: Future[Any]) -> None: ...


def graded_within(
    grader: Withdrawing, pairs: Iterable[tuple[Problem, Submission | str]], budget_s: float
) -> Iterator[Grade]:
    """The grades of all pairs, as they are ready. The budget starts when the first grade is asked for."""
    deadline = time.monotonic() + budget_s
    ready: queue.SimpleQueue[Future[Grade]] = queue.SimpleQueue()
    waiting: dict[Future[Grade], tuple[Problem, Submission | str]] = {}
    try:
        for problem, submission in pairs:
            future = grader.submit(problem, submission, withdrawable=True)
            waiting[future] = problem, submission
            future.add_done_callback(ready.put)
        while waiting:
            try:
                future = ready.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            del waiting[future]
            yield future.result()
        for problem, submission in _withdraw_all(grader, waiting):
            name = submission.id if isinstance(submission, Submission) else ""
            detail = f"not graded: the budget of {budget_s:g} s was used up before its verdict was there"
            yield Grade(name, problem.id, Verdict.JUDGE_ERROR, total=len(problem.tests), detail=detail, notes=(CUT,))
    finally:  # also when the caller stops iterating
        _withdraw_all(grader, waiting)


def _withdraw_all(
    grader: Withdrawing, waiting: dict[Future[Grade], tuple[Problem, Submission | str]]
) -> list[tuple[Problem, Submission | str]]:
    """Withdraw all futures in `waiting` and empty it; returns their pairs."""
    cut = list(waiting.values())
    for future in list(waiting):
        grader.withdraw(future)
    waiting.clear()
    return cut
