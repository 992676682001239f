"""Runs the command `microcoder` in its own process, and writes the files that tests of grading commands need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

MICROCODER = [sys.executable, "-m", "cli"]
ROOT = str(Path(__file__).parents[2])
GRADE = ("eval", "grade", "--problems", "p.jsonl", "--submissions", "s.jsonl", "--out", "out")
PROBLEM = {"id": "sum", "tests": [{"input": "1 2", "output": "3"}, {"input": "3 4", "output": "7"}], "time_limit_s": 1}
RIGHT = "a, b = map(int, input().split())\nprint(a + b)"


def microcoder(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a directory; its status and output are in the result."""
    environment = {**os.environ, "PYTHONPATH": ROOT}
    command = [*MICROCODER, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environment, timeout=1200)


def write(path: Path, records: list[object]) -> Path:
    """Write records as JSON lines; a text is written as it is."""
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records), encoding="utf-8")
    return path
