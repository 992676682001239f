"""Check problems by grading their own solutions: right ones must be accepted, wrong ones fail as announced.

    with Grader() as grader:
        for report in check_all([find_problems() / "dark-cells"], grader, workers=2):
            print(report.slug, report.faults)

A solution that the grader cannot run here is reported as not run, never as passed. `check_output.py` prints this.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from microcoder_data.problem_set.folder_checks import folder_faults, generator_faults, sample_faults
from microcoder_data.problem_set.reader import Entry, Solution, read_entry
from microcoder_data.problem_set.reference import build_problem
from microcoder_eval import Grade, Grader, InputError, Problem, Submission, Verdict
from microcoder_eval.errors import UnsupportedError

logger = logging.getLogger(__name__)
OUT_OF_RESOURCES = {Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT}
VERDICTS_OF_FAULT = {
    "wrong": {Verdict.WRONG_ANSWER},
    "slow": OUT_OF_RESOURCES,
    "memory": {Verdict.MEMORY_LIMIT},
    "crash": {Verdict.RUNTIME_ERROR},
}


@dataclass(frozen=True)
class SolutionCheck:
    """The check of one solution: its verdict, or why it was not run."""

    solution: Solution
    verdict: Verdict | None = None
    cpu_s: float = 0.0
    """CPU time on the slowest test."""
    fault: str = ""
    """What is wrong with the verdict; empty when nothing is."""
    not_run: str = ""
    """Why the grader cannot run it here; empty when it was run."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "solution": self.solution.name,
            "announced": self.solution.announced,
            "reason": self.solution.reason,
            "verdict": self.verdict.value if self.verdict else None,
            "cpu_s": round(self.cpu_s, 3),
            "fault": self.fault,
            "not_run": self.not_run,
        }


@dataclass
class ProblemCheck:
    """One problem: its faults, and the check of each solution."""

    slug: str
    faults: list[str] = field(default_factory=list)
    solutions: list[SolutionCheck] = field(default_factory=list)
    tests: int = 0
    time_limit_s: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.faults

    @property
    def not_run(self) -> list[SolutionCheck]:
        return [each for each in self.solutions if each.not_run]

    def to_dict(self) -> dict[str, Any]:
        return {
            "problem": self.slug,
            "ok": self.ok,
            "faults": self.faults,
            "tests": self.tests,
            "time_limit_s": self.time_limit_s,
            "trials": [each.to_dict() for each in self.solutions],
        }


def check_all(folders: Sequence[Path], grader: Grader, workers: int) -> Iterator[ProblemCheck]:
    """Check the problems in `folders`, `workers` at a time; yields each report as soon as it is ready."""
    with ThreadPoolExecutor(workers) as threads:
        reports = [threads.submit(check_folder, folder, grader) for folder in folders]
        try:
            for report in as_completed(reports):
                yield report.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def check_folder(folder: Path, grader: Grader) -> ProblemCheck:
    """Check one problem: its folder, its generator, its samples, and then its solutions."""
    report = ProblemCheck(folder.name)
    began = time.monotonic()
    try:
        entry = read_entry(folder)
        report.time_limit_s = entry.time_limit_s
        report.faults += folder_faults(entry)
        problem = build_problem(entry)
        report.tests = len(problem.tests)
        report.faults += generator_faults(entry, [test.input for test in problem.tests])
        report.faults += sample_faults(entry, problem.tests)
    except InputError as error:
        report.faults.append(str(error))
        return report
    logger.info("%s: %d tests are made, and made again, in %.1f s", report.slug, report.tests, time.monotonic() - began)
    report.solutions += check_solutions(entry, problem, grader)
    for each in report.solutions:
        logger.info("%s: %s: %s, %.2f s", report.slug, each.solution.name, each.verdict or each.not_run, each.cpu_s)
    report.faults += [each.fault for each in report.solutions if each.fault]
    return report


def check_solutions(entry: Entry, problem: Problem, grader: Grader) -> list[SolutionCheck]:
    """Grade every solution of a problem and compare its verdict with the one that it announces."""
    submitted = [(solution, _submit(solution, problem, grader)) for solution in entry.solutions]
    return [_result(solution, parts) for solution, parts in submitted]


def _submit(solution: Solution, problem: Problem, grader: Grader) -> list[Future[Grade]] | str:
    """Submit a solution to the grader; returns the grades to come, or why the grader cannot run it.

    A slow right solution is graded test by test: it may run out of time on a test, but must not be wrong on any.
    """
    submission = Submission(solution.name, problem.id, solution.code, language=solution.language)
    parts = [problem]
    if solution.role == "slow_right":
        parts = [replace(problem, tests=(test,)) for test in problem.tests]
    try:
        return [grader.submit(part, submission) for part in parts]
    except UnsupportedError as error:
        return error.reason


def _result(solution: Solution, parts: list[Future[Grade]] | str) -> SolutionCheck:
    if isinstance(parts, str):
        return SolutionCheck(solution, not_run=parts)
    grades = [part.result() for part in parts]
    worst = next((grade for grade in grades if not grade.accepted), grades[0])
    cpu_s = max((test.cpu_ms / 1000 for grade in grades for test in grade.tests), default=0.0)
    return SolutionCheck(solution, worst.verdict, cpu_s, _fault(solution, grades))


def _fault(solution: Solution, grades: Sequence[Grade]) -> str:
    """What is wrong with the verdicts of a solution; empty when nothing is."""
    for grade in grades:
        if grade.verdict is Verdict.JUDGE_ERROR:
            return f"{solution.name}: the grader failed: {grade.detail}"
    if solution.role == "wrong":
        verdict = grades[0].verdict
        if verdict is Verdict.ACCEPTED:
            return f"{solution.name}: accepted, though {solution.reason or 'it is wrong'}: the tests are too weak"
        if verdict not in VERDICTS_OF_FAULT.get(solution.fault, {verdict}):
            return f"{solution.name}: announces '{solution.fault}', but ends with {verdict}: {why_rejected(grades[0])}"
        return ""
    allowed = {Verdict.ACCEPTED} | (OUT_OF_RESOURCES if solution.role == "slow_right" else set())
    for grade in grades:
        if grade.verdict not in allowed:
            return f"{solution.name}: a right solution ends with {grade.verdict}: {why_rejected(grade)}"
    if not any(grade.accepted for grade in grades):
        return f"{solution.name}: too slow for every test, so it confirms nothing"
    return ""


def why_rejected(grade: Grade) -> str:
    """The first failed test, and the last line of its detail.

    >>> why_rejected(Grade("s", "p", Verdict.COMPILE_ERROR, detail="line 1\\nSyntaxError: invalid syntax"))
    'SyntaxError: invalid syntax'
    """
    failed = next((test for test in grade.tests if test.verdict is grade.verdict), None)
    detail = (failed.detail if failed else grade.detail).strip().splitlines()
    return (f"test {failed.index}: " if failed else "") + (detail[-1] if detail else "no detail")
