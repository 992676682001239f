"""Run the right solutions on the tests, and find the tests that most of them contradict.

two accepted solutions              they agree, and no more are run
otherwise                           all are run on all tests and vote: a test is contradicted when more solutions fail
                                    it than pass it (a timeout is no vote)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from microcoder_data.verify.program_runner import AGAINST, Program, ProgramRunner, Results
from microcoder_eval import Verdict

ENOUGH = 2
"""With this many accepted solutions, no more are run."""


@dataclass
class Agreement:
    """What the right solutions say about the tests."""

    agreeing: list[Results] = field(default_factory=list)
    """The solutions that are accepted on all tests that stay, in the given order."""
    judged: int = 0
    """How many solutions passed or failed some test."""
    contradicted: list[int] = field(default_factory=list)
    """The tests that more solutions fail than pass: they are dropped."""
    doubted: list[int] = field(default_factory=list)
    """The tests that at least one solution fails, dropped or not."""
    results: list[Results] = field(default_factory=list)
    not_run: str = ""
    """Why a solution could not be run; empty when all could."""


def agree(runner: ProgramRunner, rights: Sequence[Program], limit_s: float) -> Agreement:
    """Run the right solutions until two are accepted; if fewer are, let all of them vote on every test."""
    results_so_far: list[Results] = []
    waiting = list(rights)
    while waiting and (missing := ENOUGH - sum(result.accepted() for result in results_so_far)) > 0:
        results_so_far += runner.run(waiting[:missing], limit_s=limit_s)
        del waiting[:missing]
    failed = [result for result in results_so_far if not result.accepted()]
    accepted = [result for result in results_so_far if result.accepted()]
    if len(accepted) < ENOUGH and failed and not runner.exhausted:
        runnable = [result.program for result in failed if not result.not_run]
        voted = runner.run(runnable, limit_s=limit_s, all_tests=True)
        not_runnable = [result for result in failed if result.not_run]
        results_so_far = sorted(accepted + voted + not_runnable, key=lambda result: rights.index(result.program))
    return vote(results_so_far)


def vote(results: list[Results]) -> Agreement:
    """Let the results vote on every test.

    >>> A, W = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
    >>> ran = [Results(Program("python", name, name), list(v), []) for name, v in {"a": (A, W), "b": (A, W)}.items()]
    >>> vote(ran).contradicted, len(vote(ran).agreeing)
    ([1], 2)
    """
    judged = [result for result in results if not result.not_run and _answers(result)]
    not_run = next((result.not_run for result in results if result.not_run), "")
    agreement = Agreement(judged=len(judged), results=results, not_run=not_run)
    for test in range(max((len(result.verdicts) for result in judged), default=0)):
        answers = [result.verdicts[test] for result in judged]
        against = sum(verdict in AGAINST for verdict in answers)
        if against:
            agreement.doubted.append(test)
        if against > sum(verdict is Verdict.ACCEPTED for verdict in answers):
            agreement.contradicted.append(test)
    dropped = set(agreement.contradicted)
    for result in judged:
        verdicts_left = [verdict for test, verdict in enumerate(result.verdicts) if test not in dropped]
        if (
            verdicts_left
            and not any(verdict in AGAINST for verdict in verdicts_left)
            and Verdict.ACCEPTED in verdicts_left
        ):
            agreement.agreeing.append(result)
    return agreement


def _answers(result: Results) -> bool:
    return any(verdict is Verdict.ACCEPTED or verdict in AGAINST for verdict in result.verdicts)
