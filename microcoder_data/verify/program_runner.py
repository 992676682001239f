"""Run a row's programs on its tests and collect the verdicts. `row_steps.py` decides what they mean for the row.

    runner = ProgramRunner(grader, problem, cpu_s=300.0)
    results = runner.run(programs)

Tests are sent to the grader in batches. No batch is started after the row has used up its CPU time.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from microcoder_data.schema import Row
from microcoder_data.syntax import parsed
from microcoder_eval import Grade, Output, Problem, Submission, TestCase, Verdict
from microcoder_eval.errors import UnsupportedError

if TYPE_CHECKING:
    from microcoder_eval.connection import AnyGrader

BATCH_S = 60.0
"""A batch has so few tests that a program needs at most this much CPU time for them, but at least `LEAST_TESTS`."""
LEAST_TESTS, MOST_TESTS = 4, 32
TIMEOUTS = 2
"""With `all_tests`, a program that ran out of time on this many tests gets no further batch."""

AGAINST = frozenset({Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR, Verdict.OUTPUT_LIMIT})
"""The verdicts that contradict a test. A program that is too slow, too large or forbidden gives no answer."""
NO_EVIDENCE = frozenset({Verdict.JUDGE_ERROR, Verdict.FORBIDDEN})
"""The verdicts that say nothing about whether a program is wrong."""


@dataclass(frozen=True)
class Program:
    """A solution or a mutant of one."""

    language: str
    code: str
    name: str


@dataclass
class Results:
    """How a program ended on each test; None where it was not run."""

    program: Program
    verdicts: list[Verdict | None]
    cpu_ms: list[float]
    not_run: str = ""
    """Why it could not be run at all: it does not compile, or the grader failed."""
    detail: str = ""
    """What the grader says about the first test that it did not pass."""

    def accepted(self) -> bool:
        """Whether it was run on all tests and passed each."""
        return bool(self.verdicts) and all(verdict is Verdict.ACCEPTED for verdict in self.verdicts)

    def rejected(self) -> bool:
        """Whether some test shows that it is wrong, slow or broken. The grader's own failures show nothing."""
        return bool(self.rejecting())

    def rejecting(self) -> set[int]:
        """The tests that reject it."""
        return {
            index
            for index, verdict in enumerate(self.verdicts)
            if verdict not in (None, Verdict.ACCEPTED, *NO_EVIDENCE)
        }

    def slowest_ms(self) -> float:
        """The CPU time of its slowest test."""
        return max(self.cpu_ms, default=0.0)

    def needs_next_batch(self, all_tests: bool) -> bool:
        """Whether to run it on further tests: up to its first failure, or on all tests."""
        if self.not_run:
            return False
        if all_tests:
            return sum(verdict is Verdict.TIME_LIMIT for verdict in self.verdicts) < TIMEOUTS
        return all(verdict in (None, Verdict.ACCEPTED) for verdict in self.verdicts)

    def take(self, start: int, grade: Grade) -> None:
        """Add the grade of a batch whose first test has the number `start`."""
        if grade.verdict in (Verdict.COMPILE_ERROR, Verdict.NO_CODE):
            self.not_run = f"does not compile: {grade.detail}"
        elif not grade.tests and grade.verdict is not Verdict.ACCEPTED:
            self.not_run = f"{grade.verdict}: {grade.detail}"
        if not self.verdicts:  # a test program's units are counted by the grader
            self.verdicts, self.cpu_ms = [None] * grade.total, [0.0] * grade.total
        for test in grade.tests:
            self.verdicts[start + test.index] = test.verdict
            if test.verdict is not Verdict.ACCEPTED:
                self.detail = self.detail or test.detail
            self.cpu_ms[start + test.index] = test.cpu_ms


class ProgramRunner:
    """Runs programs on the tests of one problem, several at a time."""

    def __init__(self, grader: AnyGrader, problem: Problem, cpu_s: float) -> None:
        self.grader = grader
        self.problem = problem
        self.left_s = cpu_s
        """The CPU time that the row may still use, in seconds."""

    @property
    def exhausted(self) -> bool:
        """Whether the row has used up its time."""
        return self.left_s <= 0

    def run(
        self, programs: Sequence[Program], *, limit_s: float | None = None, all_tests: bool = False, fresh: bool = False
    ) -> list[Results]:
        """Run each program up to its first failure, or on all tests.

        fresh: run programs again that have been graded before; otherwise identical programs are graded once.
        """
        count = len(self.problem.tests)
        results = [Results(program, [None] * count, [0.0] * count) for program in programs]
        problem = replace(self.problem, time_limit_s=limit_s or self.problem.time_limit_s)
        for start, batch in _batches(problem):
            if self.exhausted:
                break
            waiting = [
                (
                    result,
                    self.grader.submit(batch, _submission(batch, result.program), all_tests=all_tests, fresh=fresh),
                )
                for result in results
                if result.needs_next_batch(all_tests)
            ]
            for result, future in waiting:
                grade = future.result()
                self.left_s -= sum(test.cpu_ms for test in grade.tests) / 1000
                result.take(start, grade)
        return results

    def outputs(self, program: Program, tests: Sequence[TestCase], limit_s: float | None = None) -> list[Output]:
        """A program's outputs for the inputs of these tests; fewer when the row's CPU time is used up."""
        outputs: list[Output] = []
        problem = replace(self.problem, tests=tuple(tests), time_limit_s=limit_s or self.problem.time_limit_s)
        for _, batch in _batches(problem):
            if self.exhausted:
                break
            found = self.grader.outputs(batch, _submission(batch, program)).result()
            self.left_s -= sum(output.cpu_ms for output in found) / 1000
            outputs += found
        return outputs

    def on(self, tests: Sequence[TestCase]) -> ProgramRunner:
        """A runner for other tests of the same problem, with the CPU time that is left."""
        return ProgramRunner(self.grader, replace(self.problem, tests=tuple(tests)), self.left_s)

    def spend(self, other: ProgramRunner) -> None:
        """Take over the CPU time that `other` has left."""
        self.left_s = other.left_s


def programs(row: Row, problem: Problem, *, correct: bool, most: int) -> tuple[list[Program], str]:
    """At most `most` different solutions that can be run here, Python first, and why one cannot (else empty)."""
    chosen: list[Program] = []
    skipped = ""
    seen = set()
    listed = [solution for solution in row["solutions"] if solution["correct"] is correct]
    for number, solution in sorted(enumerate(listed), key=lambda pair: (pair[1]["language"] != "python", pair[0])):
        code = solution["code"]
        if not code.strip() or code in seen:
            continue
        seen.add(code)
        program = Program(solution["language"], code, f"{'right' if correct else 'wrong'} solution {number}")
        if reason := "a program in several files" if solution.get("files") else refusal(problem, program):
            skipped = skipped or reason
        elif len(chosen) < most:
            chosen.append(program)
    return chosen, skipped


def refusal(problem: Problem, program: Program) -> str:
    """Why the grader cannot run this program for this problem; empty when it can."""
    from microcoder_eval.gradable import refuse_unsupported  # it loads what reads a model's reply

    try:
        refuse_unsupported(problem, _submission(problem, program))
    except UnsupportedError as error:
        return error.reason
    missing = _missing_module(program.code) if program.language == "python" else ""
    return f"it imports {missing}, which is not installed" if missing else ""


def _missing_module(code: str) -> str:
    """The first module that a program imports at its top and that is not installed; empty when all are."""
    tree = parsed(code)
    for node in tree.body if tree else ():
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        if missing := next((name for name in names if not _is_installed(name.partition(".")[0])), ""):
            return missing
    return ""


@lru_cache(maxsize=1024)
def _is_installed(module: str) -> bool:
    try:
        return module in sys.builtin_module_names or find_spec(module) is not None
    except (ImportError, ValueError):  # a module that is loaded without a specification
        return module in sys.modules


def _submission(problem: Problem, program: Program) -> Submission:
    return Submission(id=program.name, problem_id=problem.id, code=program.code, language=program.language)


def _batches(problem: Problem) -> Iterator[tuple[int, Problem]]:
    """The problem in batches of tests, each with the number of its first test. A test program is one batch."""
    if problem.kind not in ("stdin", "call"):
        yield 0, problem
        return
    size = max(LEAST_TESTS, min(MOST_TESTS, int(BATCH_S / problem.time_limit_s)))
    for start in range(0, len(problem.tests), size):
        yield start, replace(problem, tests=problem.tests[start : start + size])
