"""A training step graded within a time: what has no verdict by then is given up, and says why.

`Grader.grade_within` is the way to it. It decides nothing about programs: a grade that was cut is a JUDGE_ERROR.
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
"""The note of a grade that was given up because a step's budget was used up."""


class Withdrawing(Protocol):
    """The part of a `Grader` that is used here."""

    def submit(
        self, problem: Problem, submission: Submission | str, *, withdrawable: bool = False
    ) -> Future[Grade]: ...

    def withdraw(self, future: Future[Any]) -> None: ...


def graded_within(
    grader: Withdrawing, pairs: Iterable[tuple[Problem, Submission | str]], budget_s: float
) -> Iterator[Grade]:
    """The grades of all pairs, as they are ready. The clock starts with the first pair."""
    until = time.monotonic() + budget_s
    ready: queue.SimpleQueue[Future[Grade]] = queue.SimpleQueue()
    waiting: dict[Future[Grade], tuple[Problem, Submission | str]] = {}
    try:
        for problem, submission in pairs:
            future = grader.submit(problem, submission, withdrawable=True)
            waiting[future] = problem, submission
            future.add_done_callback(ready.put)
        while waiting:
            try:
                future = ready.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                break
            del waiting[future]
            yield future.result()
        for problem, submission in _given_up(grader, waiting):
            name = submission.id if isinstance(submission, Submission) else ""
            detail = f"not graded: the budget of {budget_s:g} s was used up before its verdict was there"
            yield Grade(name, problem.id, Verdict.JUDGE_ERROR, total=len(problem.tests), detail=detail, notes=(CUT,))
    finally:  # also when nobody takes the rest
        _given_up(grader, waiting)


def _given_up(
    grader: Withdrawing, waiting: dict[Future[Grade], tuple[Problem, Submission | str]]
) -> list[tuple[Problem, Submission | str]]:
    """Withdraw all that waits; nothing waits afterwards."""
    cut = list(waiting.values())
    for future in list(waiting):
        grader.withdraw(future)
    waiting.clear()
    return cut
