"""What a user's process hands down to the grader's processes: signals and limits."""

from __future__ import annotations

import subprocess
import sys

import pytest

GRADES = """
import resource, signal
from microcoder_eval import Grader, Problem

def limit(kind, value):
    resource.setrlimit(kind, (value, value))

{setting}
problem = Problem.from_dict({{"id": "p", "tests": [{{"input": "1", "output": "2"}}], "memory_limit_mb": 256}})
with Grader(workers=1) as grader:
    grade = grader.grade(problem, "```python\\nprint(int(input()) + 1)\\n```")
    print(grade.verdict.value, grade.reward, grade.detail)
"""
HARMLESS = {
    "children-ignored": "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "all-ignored": "for n in signal.valid_signals() - {9, 19}: signal.signal(n, signal.SIG_IGN)",
    "all-blocked": "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())",
    "open-files": "limit(resource.RLIMIT_NOFILE, 100)",
    "file-size": "limit(resource.RLIMIT_FSIZE, 1 << 30)",
    "cpu-time": "limit(resource.RLIMIT_CPU, 600)",
    "address-space": "limit(resource.RLIMIT_AS, 1 << 30)",
}
TOO_LOW = {
    "ulimit -f": "limit(resource.RLIMIT_FSIZE, 1 << 20)",
    "ulimit -v": "limit(resource.RLIMIT_AS, 255 << 20)",
}


def grade_after(setting: str) -> str:
    command = [sys.executable, "-c", GRADES.format(setting=setting)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_handed_down_does_not_matter(name: str) -> None:
    assert grade_after(HARMLESS[name]).startswith("ACCEPTED 1.0")


@pytest.mark.parametrize("name", TOO_LOW)
def test_a_limit_below_that_of_a_test_is_named_and_no_verdict(name: str) -> None:
    said = grade_after(TOO_LOW[name])
    assert said.startswith("JUDGE_ERROR None") and name in said
