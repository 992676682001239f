"""A supervisor is pinned to a CPU of its own while that CPU is otherwise idle."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict

CPUS = sorted(os.sched_getaffinity(0))
pytestmark = pytest.mark.skipif(len(CPUS) < 2, reason="there is one CPU, and nothing to choose")
HEAD = """
import os, subprocess, sys, time
from microcoder_eval.supervisor import cpu_pinning
cpu_pinning.CLAIM = f"\\0test-{os.getpid()}-{{}}"
def where():
    return sorted(os.sched_getaffinity(0))
"""


def said(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", HEAD + program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_no_two_supervisors_share_a_cpu_and_the_last_one_is_not_pinned():
    program = f"""
pins, places = [], []
for _ in range({len(CPUS)} + 1):
    pins.append(cpu_pinning.CpuPin())
    places.append(where())
    cpu_pinning.unpin(0)
print(sorted(places) == sorted([[cpu] for cpu in {CPUS}] + [{CPUS}]))
"""
    assert said(program) == "True"


def test_a_cpu_that_others_use_is_given_up():
    program = f"""
def work():
    until = time.monotonic() + cpu_pinning.PERIOD_S + 0.1
    while time.monotonic() < until:
        pass
mine = cpu_pinning.CpuPin()
cpu, = where()
endless = f"import os; os.sched_setaffinity(0, {{{{{{cpu}}}}}})\\nwhile True: pass"
busy = subprocess.Popen([sys.executable, "-c", endless])
for _ in range(20):
    work()
    mine.review([])
    if where() == {CPUS}:
        break
busy.kill()
print(where() == {CPUS})
"""
    assert said(program) == "True"


def test_a_long_run_may_use_any_cpu():
    code = f"import os, time\nwhile len(os.sched_getaffinity(0)) < {len(CPUS)}: time.sleep(0.01)\nprint('any')"
    problem = Problem.from_dict({"id": "p", "tests": [{"input": "", "output": "any"}], "time_limit_s": 9})
    with Grader(workers=1) as grader:
        grade = grader.grade(problem, Submission("s", "p", code=code))
    assert grade.verdict is Verdict.ACCEPTED, grade.detail
