"""A program's tests as work for the supervisors, and the grade that follows from their outcomes."""

from __future__ import annotations

import time
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_eval.problem import Problem
from microcoder_eval.protocol.messages import Done, RunOptions, Streams, TestOutcome
from microcoder_eval.protocol.wire import Malformed
from microcoder_eval.scheduling.test_order import TestOrder
from microcoder_eval.scoring import Group, most_points, score
from microcoder_eval.verdict import MOST_EXCERPTS, Grade, GroupResult, Raised, TestResult, Verdict

LATER_S = 10.0
"""How long the long tests of a program let the short ones of programs that came later go first."""


@dataclass
class Job:
    """One program to grade: one supervisor runs all its tests, or several run parts of them."""

    number: int
    problem_key: str
    code: str
    tests: int
    """How many tests the problem has."""
    options: RunOptions
    order: TestOrder
    place: int
    """Its number in `order`."""
    expected_cost_s: float
    urgency: float = 0.0
    """Jobs with a higher urgency begin first; among equals, those with the lowest `due_at`."""
    remaining: list[int] | None = None
    """The tests that nobody runs yet, in their order; None before the job was first looked at."""
    submitted_at: float = field(default_factory=time.monotonic)
    future: Future[ProgramGrade] = field(default_factory=Future)
    parts: list[Part] = field(default_factory=list)
    attempts: int = 0
    groups: Group | None = None
    """The groups of a scoring problem; None for any other."""
    may_be_withdrawn: bool = False
    """Whether a supervisor must look for a `Cancel` between its tests."""
    known: ProgramGrade | None = None
    """Its grade from the verdict cache; then it is not run again."""

    def due_at(self) -> float:
        """When the tests that it waits for are due.

        All of them, or the long ones after the others, when they would have ended, had they begun at once: a cheap job
        begins before an expensive one that came a little earlier, and none waits for ever. Long ones let the short ones
        of jobs that come within `LATER_S` go first: most wrong programs fail these.
        """
        if self.remaining:
            return self.submitted_at + LATER_S + self.expected_cost_s
        return self.submitted_at + (0.0 if self.may_be_put_off else self.expected_cost_s)

    @property
    def may_be_put_off(self) -> bool:
        """Whether its long tests may wait while other programs do. A compiled program would be loaded twice."""
        return self.order.has_long and not self.options.all_tests and self.options.toolchain is None

    def take_tests(self, others_wait: bool) -> list[int]:
        """The tests to run now; at first, while others wait, only those that come before the long ones."""
        if self.remaining is None:
            self.remaining = list(range(self.tests)) if self.options.all_tests else self.order.order(self.place)
            if others_wait and self.may_be_put_off:
                short = self.order.before_long(self.remaining)
                taken, self.remaining = self.remaining[:short], self.remaining[short:]
                return taken
        taken, self.remaining = self.remaining, []
        return taken


@dataclass
class Part:
    """A run of consecutive tests (in the job's order) given to one supervisor."""

    number: int
    job: Job
    indices: list[int]
    outcomes: list[TestOutcome] | None = None
    compile_error: str | None = None
    compile_raised: Raised | None = None
    elsewhere: set[int] = field(default_factory=set)
    """Tests that it had before other supervisors got them. It may have run them all the same."""
    needed: bool = True
    """False once an earlier part has failed, or the job was withdrawn: this part's outcomes do not matter then."""
    is_short: bool = True
    """Whether it should end so soon that its supervisor needs another one at hand."""

    def take(self, done: Done) -> None:
        """Keep the outcomes that a supervisor has sent; raises `Malformed` when they cannot be this part's."""
        ran = [outcome.result.index for outcome in done.outcomes]
        if len({*ran}) < len(ran) or not {*ran} <= {*self.indices} | self.elsewhere:
            raise Malformed("outcomes of tests that were not asked for")
        options = self.job.options
        outcomes = [outcome for outcome in done.outcomes if outcome.result.index not in self.elsewhere]
        rejected = any(outcome.result.verdict is not Verdict.ACCEPTED for outcome in outcomes)
        may_be_missing = options.skip_unneeded or not self.needed or (rejected and not options.all_tests)
        if done.compile_error is None and len(outcomes) < len(self.indices) and not may_be_missing:
            raise Malformed("outcomes are missing")
        self.outcomes = outcomes
        self.compile_error, self.compile_raised = done.compile_error, done.compile_raised

    def keep(self, count: int) -> None:
        """Leave all tests but the first ones to other parts."""
        self.elsewhere.update(self.indices[count:])
        del self.indices[count:]

    def failed(self) -> bool:
        if self.compile_error is not None:
            return True
        return any(outcome.result.verdict is not Verdict.ACCEPTED for outcome in self.outcomes or ())


@dataclass(frozen=True)
class ProgramGrade:
    """The grade of a program, without the names of submission and problem: identical submissions share it."""

    verdict: Verdict
    tests: tuple[TestResult, ...] = ()
    passed: int = 0
    total: int = 0
    detail: str = ""
    failed_test: int | None = None
    points: float | None = None
    max_points: float | None = None
    groups: tuple[GroupResult, ...] = ()
    raised: Raised | None = None
    outputs: tuple[bytes | Streams | None, ...] = ()
    """The program's output on each of `tests`, where it was run for its outputs."""

    def grade(self, submission_id: str, problem_id: str, *, complete: bool, **about_code: Any) -> Grade:
        """The grade of one submission with this program. An accepted program counts as complete."""
        about_code["complete"] = complete or self.verdict is Verdict.ACCEPTED
        shared = {name: value for name, value in vars(self).items() if name not in ("failed_test", "outputs")}
        return Grade(submission_id, problem_id, **shared, **about_code)


def without_run(
    verdict: Verdict, total: int, detail: str, groups: Group | None, raised: Raised | None = None
) -> ProgramGrade:
    """The grade of a program none of whose tests was run."""
    grade = ProgramGrade(verdict, total=total, detail=detail, raised=raised)
    return grade if groups is None else replace(grade, points=0.0, max_points=most_points(groups))


def timeouts_are_sure(grade: ProgramGrade, problem: Problem) -> bool:
    """Whether every timed-out test used up its CPU time, so that the machine's load cannot be the reason."""
    late = [test for test in grade.tests if test.verdict is Verdict.TIME_LIMIT]
    limits = (problem.tests[test.index].time_limit_s if problem.tests else None for test in late)
    own = problem.time_limit_s
    return all(test.endless or test.cpu_ms >= 1000 * (limit or own) for test, limit in zip(late, limits, strict=True))


def _scored(groups: Group, results: tuple[TestResult, ...], passed: int, total: int) -> ProgramGrade:
    scored = score(groups, {result.index: result for result in results})
    why = [f"test {scored.shown.index}: {scored.shown.detail}"] if scored.shown else []
    raised = scored.shown.raised if scored.shown else None
    grade = ProgramGrade(scored.verdict, results, passed, total, "; ".join(why), groups=scored.groups, raised=raised)
    if scored.verdict is Verdict.JUDGE_ERROR:
        return grade
    bound = "" if scored.max_points is None else f" of {scored.max_points:g}"
    detail = "; ".join([f"{scored.points:g}{bound} points", *why])
    return replace(grade, detail=detail, points=scored.points, max_points=scored.max_points)


def _with_few_excerpts(results: list[TestResult]) -> tuple[TestResult, ...]:
    """The results; only the first failures keep the excerpts of the program's output."""
    left = MOST_EXCERPTS
    kept = []
    for result in results:
        if result.verdict is not Verdict.ACCEPTED:
            left -= 1
            result = replace(result, output=None, stderr=None, expected=None) if left < 0 else result
        kept.append(result)
    return tuple(kept)


def conclude(job: Job) -> ProgramGrade:
    """The grade from the outcomes of all parts. With early stop, outcomes after the first failure are left out."""
    outcomes: list[TestOutcome] = []
    first: TestResult | None = None
    all_tests = job.options.all_tests
    for part in job.parts:
        if part.compile_error is not None:
            return without_run(Verdict.COMPILE_ERROR, job.tests, part.compile_error, job.groups, part.compile_raised)
        for outcome in part.outcomes or ():
            result = outcome.result
            outcomes.append(outcome)
            if result.verdict is not Verdict.ACCEPTED and (first is None or all_tests):
                first = result if first is None else min(first, result, key=lambda r: r.index)
        if first is not None and not all_tests:
            break
    outcomes.sort(key=lambda outcome: outcome.result.index)
    results = _with_few_excerpts([outcome.result for outcome in outcomes])
    passed = sum(result.verdict is Verdict.ACCEPTED for result in results)
    if job.groups is not None:
        return _scored(job.groups, results, passed, job.tests)
    outputs = () if job.options.judged else tuple(outcome.output for outcome in outcomes)
    if first is None:
        return ProgramGrade(Verdict.ACCEPTED, results, passed, job.tests, outputs=outputs)
    judge_errors = [result for result in results if result.verdict is Verdict.JUDGE_ERROR]
    shown = judge_errors[0] if judge_errors and all_tests else first
    detail = f"test {shown.index}: {shown.detail}"
    return ProgramGrade(
        shown.verdict, results, passed, job.tests, detail, first.index, raised=shown.raised, outputs=outputs
    )
