"""The programs on which LiveCodeBench and a contest judge disagree, case by case: as data and as a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.atomic import atomic_path
from microcoder_eval.problem import Policy
from microcoder_eval.report.cells import reason
from microcoder_eval.report.changes import compare_runs
from microcoder_eval.report.changes_report import write_changes_report
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.verdict import Verdict


def write_differences(out: Path, strict: Path, contest: Path, scores: Mapping[Policy, Any]) -> dict[str, Any]:
    """Compare two runs of the same generations; write `differences.html` and `differences.json`, and return the latter.

    A case is a program that one policy accepts and the other does not. Its `why` is the rejecting side's reason.
    """
    before, after = GradingRun(strict), GradingRun(contest)
    before.name, after.name = "strict", "contest"
    changes = compare_runs(before, after)
    disagreements = {
        (change.problem_id, change.submission_id): change for change in changes.verdicts if change.kind != "other"
    }
    cases = []
    for run in (before, after):
        for grade in run.grades():
            change = disagreements.get((grade.problem_id, grade.submission_id))
            if change is not None and not grade.accepted:
                cases.append(
                    {
                        "problem_id": grade.problem_id,
                        "submission_id": grade.submission_id,
                        "strict": change.before.value,
                        "contest": change.after.value,
                        "why": reason(grade),
                    }
                )
    accepted_by = {name: sum(case[name] == Verdict.ACCEPTED for case in cases) for name in ("strict", "contest")}
    found: dict[str, Any] = {
        "scores": {policy.value: score for policy, score in scores.items()},
        "compared": changes.compared,
        "accepted_only_by_strict": accepted_by["strict"],
        "accepted_only_by_contest": accepted_by["contest"],
        "cases": sorted(cases, key=lambda case: (case["problem_id"], case["submission_id"])),
    }
    with atomic_path(out / "differences.json") as path:
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    write_changes_report(out / "differences.html", changes, before, after)
    return found
