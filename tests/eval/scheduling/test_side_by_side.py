"""Two processes, each with a Grader on CPUs of its own: right verdicts, and no process on the other's CPUs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

USER = """
import json, os, sys
from pathlib import Path

os.sched_setaffinity(0, {int(sys.argv[1])})
from microcoder_eval import Grader, Problem, Submission
from tests.eval.family import descendants

problem = Problem.from_dict({"id": "p", "tests": [{"input": str(n), "output": str(n + 1)} for n in range(3)]})
codes = [f"print(int(input()) + {n % 2})  # {n}" for n in range(12)]
with Grader() as grader:
    futures = [grader.submit(problem, Submission(str(n), "p", code=code)) for n, code in enumerate(codes)]
    accepted = [future.result().accepted for future in futures]
    cpus = set().union(*(os.sched_getaffinity(pid) for pid, _ in descendants(os.getpid())))
    print(json.dumps({"accepted": accepted, "workers": grader.state.workers, "cpus": sorted(cpus)}))
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs")
def test_graders_on_disjoint_cpus_do_not_disturb_each_other() -> None:
    cpus = sorted(os.sched_getaffinity(0))[:2]
    users = [
        subprocess.Popen([sys.executable, "-c", USER, str(cpu)], stdout=subprocess.PIPE, text=True) for cpu in cpus
    ]
    for cpu, user in zip(cpus, users, strict=True):
        found = json.loads(user.communicate(timeout=1200)[0])
        assert found == {"accepted": [False, True] * 6, "workers": 1, "cpus": [cpu]}
