"""A newer benchmark through the commands: built as a data set, then graded, with the benchmark's own scores."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from microcoder_data.commands import data
from microcoder_data.report.dataset import rows
from microcoder_eval.commands import evaluate
from tests.data.made_up import write_lines
from tests.data.sources.test_newer_sets import OLYMPIAD, OLYMPIAD_TESTS, RECORDS

TASK = """You are given two integers, and you have to print their sum, as every beginner does. Nothing more is asked.

## Input

Two integers `a` and `b` on one line.

## Output

Their sum.
"""
TESTS = [{"input": f"{a} {b}\n", "output": f"{a + b}\n"} for a, b in ((1, 2), (4, 5), (7, 9))]
SUBTASKS = {"1": {"score": 30, "testcases": ["1"]}, "2": {"score": 70, "testcases": ["1", "2"]}}
RIGHT, SMALL = "print(sum(map(int, input().split())))", "a, b = map(int, input().split())\nprint(a + b if a < 5 else 0)"
RECIPE = """name: benchmarks
sources:
  - {{source: live_oi_bench, path: {0}/olympiad.jsonl, split: test, join: {{tests: {0}/tests.jsonl}}}}
  - {{source: aethercode, path: {0}/aether.jsonl, split: test, constants: {{memory_limit_mb: 321}}}}
process: {{completeness: {{samples: false}}}}
filter: false
compare: {{duplicates: false}}
"""


def test_olympiads_give_points_by_subtasks_and_contests_a_share_of_problems(tmp_path: Path) -> None:
    write_lines(tmp_path / "olympiad.jsonl", [{**OLYMPIAD, "problem_statement": TASK}])
    tests = {str(number): test for number, test in enumerate(TESTS)}
    joined = {**OLYMPIAD_TESTS, "tests": json.dumps(tests), "subtasks": json.dumps(SUBTASKS)}
    write_lines(tmp_path / "tests.jsonl", [joined])
    write_lines(tmp_path / "aether.jsonl", [{**RECORDS["aethercode"], "description": TASK, "checker": ""}])
    (tmp_path / "recipe.yaml").write_text(RECIPE.format(tmp_path))
    run = CliRunner()
    told = run.invoke(data, ["build", str(tmp_path / "recipe.yaml"), "--out", str(tmp_path / "set"), "--workers", "1"])
    assert told.exit_code == 0, told.output
    assert {row["memory_limit_mb"] for row in rows(tmp_path / "set")} >= {321}, "a column that the recipe gives"
    olympiad, contest = f"live_oi_bench:{OLYMPIAD['problem_id']}", "aethercode:7"
    programs = [(olympiad, RIGHT), (olympiad, SMALL), (contest, RIGHT)]
    write_lines(tmp_path / "replies.jsonl", [{"problem_id": name, "code": code} for name, code in programs])
    files = ["--problems", str(tmp_path / "set/data"), "--submissions", str(tmp_path / "replies.jsonl")]
    told = run.invoke(
        evaluate, ["grade", *files, "--out", str(tmp_path / "run"), "--no-cache", "--workers", "1", "--quiet"]
    )
    assert told.exit_code == 0, told.output
    summary = json.loads((tmp_path / "run/summary.json").read_text())
    assert summary["points"] == {"submissions": 2, "points": 130.0, "max_points": 200.0}
    assert summary["scores"]["table"]["ioi"]["all"]["value"] == 0.5
    assert "time_limit_ms" not in summary["fields"]["ignored"], "the limit is used"
