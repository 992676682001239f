"""A file of grades that somebody has made or changed: each line is a grade, or is refused with its line number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_eval.report.run_report import write_run_report
from microcoder_eval.runs.grading_run import GradingRun
from tests.eval.made_up_runs import write_run
from tests.eval.record_mutants import changed, places

EXCERPT = {"text": "x", "start": 0, "size": 1}
GRADE: dict[str, Any] = {
    "submission_id": "s", "problem_id": "p", "verdict": "WRONG_ANSWER", "accepted": False, "passed": 0, "total": 1,
    "score": 0.5, "detail": "no", "language": "python", "code": "print(1)", "complete": True, "notes": ["a"],
    "raised": {"line": 1, "exception": "E"},
    "points": 1.0, "max_points": 2.0,
    "groups": [{"name": "all", "verdict": "WRONG_ANSWER", "points": 1.0, "max_points": 2.0}],
    "tests": [{"index": 0, "verdict": "WRONG_ANSWER", "cpu_ms": 1.5, "wall_ms": 2.5, "memory_kb": 100, "rung": None,
               "detail": "no", "points": 0.5, "judge_failed": False, "raised": {"line": 1, "exception": "E"},
               "output": EXCERPT, "stderr": EXCERPT}],
    "evidence": {"fields": {"model": "m"}, "reply": EXCERPT,
                 "tests": [{"index": 0, "input": EXCERPT, "expected": EXCERPT}]},
}  # fmt: skip
OTHERS: list[Any] = [None, 5, -1, 0.5, "x", "\x1b[2J", [], {}, [5], [None], {"a": 5}, True, 10**30, float("nan"), 1e999]


def shown(tmp_path: Path, line: str) -> bool:
    """Whether a line is read as a grade; then a page can be written of it."""
    run = tmp_path / "run"
    if not run.exists():
        write_run(run, [])
    (run / "grades.jsonl").write_text(line + "\n")
    try:
        read = list(GradingRun(run).explained())
    except InputError as error:
        assert "line 1" in str(error)
        return False
    assert len(read) == 1
    write_run_report(run)
    return True


def test_the_grade_that_is_changed_here_can_be_shown(tmp_path: Path) -> None:
    assert shown(tmp_path, json.dumps(GRADE))


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_every_field_of_another_kind(tmp_path: Path, number: int) -> None:
    for place in places(GRADE):
        shown(tmp_path, json.dumps(changed(GRADE, place, OTHERS[number])))


@pytest.mark.parametrize("line", ["[" * 100_000, "5", "null", '{"verdict": "ACCEPTED"}', '{"tests": "x"}'])
def test_a_line_that_is_no_grade(tmp_path: Path, line: str) -> None:
    assert not shown(tmp_path, line)
