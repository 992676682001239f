"""Run directories with chosen verdicts, for the tests of reports and comparisons."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from microcoder_eval import Grade, TestResult, Verdict
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.runs.run_directory import RunDirectory

SETTINGS = {"policy": "contest", "isolation": "test", "all_tests": False}


def graded(
    submission: str,
    problem: str,
    verdict: Verdict | str = Verdict.ACCEPTED,
    cpu_ms: float = 10.0,
    rung: str = "exact",
    detail: str = "",
    code: str | None = "print(1)\n",
) -> Grade:
    """A grade with one test."""
    verdict = Verdict(verdict)
    accepted = verdict is Verdict.ACCEPTED
    test = TestResult(0, verdict, cpu_ms, cpu_ms + 1, 9000, rung if accepted else None, detail)
    return Grade(submission, problem, verdict, int(accepted), 1, (test,), detail, code)


def write_run(path: Path, grades: Iterable[Grade], attributes: dict[str, ProblemAttributes] | None = None) -> Path:
    """A finished run without its report."""
    with RunDirectory(path, SETTINGS, resume=False) as directory:
        directory.write_attributes(attributes or {})
        for grade in grades:
            directory.write(grade)
        directory.write_summary(attributes or {})
    return path


def write_lines(path: Path, records: Iterable[object]) -> Path:
    """Write records as JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path
