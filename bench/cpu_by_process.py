"""Where the CPU time of grading goes: by kind of process, with page faults and context switches, a program.

    python bench/cpu_by_process.py [--programs 200] [--rounds 5] [--isolation test submission] [--json FILE]

One warm `Grader` with one worker grades the same small programs, all right, 15 tests each, once a round; the median of
the rounds is printed. CPU time is the kernel's own count (schedstat). `submits` and `schedules` are two threads of the
process that holds the `Grader`. `programs` are the processes that run them, by the CPU time in their grades; forking
them counts for the interpreters. `start`: from making the `Grader` to its first grade.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import workload
from measure import machine
from service_process import tree

from microcoder_eval import Grader, Problem, Submission

Figures = Counter[str]


def used() -> Figures:
    """CPU time in ns, page faults and context switches so far, by kind of process."""
    found: Figures = Counter()
    for pid in tree(os.getpid()):
        kind = _kind(pid)
        for task in Path(f"/proc/{pid}/task").iterdir():
            name = (
                kind if kind != "grader" else "submits" if int(task.name) == threading.get_native_id() else "schedules"
            )
            found[f"{name} cpu"] += int((task / "schedstat").read_text().split()[0])
            status = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
            found[f"{name} switches"] += int(status["voluntary_ctxt_switches"])
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            found[f"{name} faults"] += int(fields[7])
        whole = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found["programs faults"] += int(whole[8]) if kind == "interpreters" else 0
    return found


def _kind(pid: int) -> str:
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    kinds = {b"supervisor.process": "supervisor", b"sandbox.zygote": "interpreters"}
    return next((kind for part, kind in kinds.items() if part in command), "grader")


def round_of(grader: Grader, programs: list[workload.Program], number: int) -> Figures:
    """What one round takes; every program differs from those of other rounds."""
    before, own = used(), 0.0
    for index, program in enumerate(programs):
        tests = [{"input": given, "output": wanted} for given, wanted in program.tests]
        problem = Problem.from_dict({"id": str(index), "tests": tests})
        grade = grader.grade(problem, Submission("", "", code=f"{program.code}\n#{number}"))
        if not grade.accepted:
            sys.exit(f"a right program was rejected: {grade.detail}")
        own += sum(test.cpu_ms for test in grade.tests)
    found = used()
    found.subtract(before)
    found["programs cpu"] = int(own * 1e6)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--isolation", nargs="+", default=["test", "submission"])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    programs = workload.right(options.programs)
    result: dict[str, Any] = {"machine": machine(), "programs": options.programs}
    for isolation in options.isolation:
        before = used()
        with Grader(workers=1, isolation=isolation) as grader:
            round_of(grader, programs[:1], -1)
            started = used()
            started.subtract(before)
            rounds = [round_of(grader, programs, number) for number in range(options.rounds + 1)][1:]
        result[isolation] = {"start": started, "rounds": rounds}
        print(
            f"{isolation:<14} {'CPU ms':>8} {'page faults':>12} {'switches':>9}   a program of {workload.TESTS} tests"
        )
        for kind in ("submits", "schedules", "supervisor", "interpreters", "programs"):
            shown = [
                statistics.median(found[f"{kind} {what}"] for found in rounds) / options.programs
                for what in ("cpu", "faults", "switches")
            ]
            print(f"  {kind:<12} {shown[0] / 1e6:>8.3f} {shown[1]:>12.0f} {shown[2]:>9.0f}")
        start_ms = sum(value for name, value in started.items() if name.endswith(" cpu")) / 1e6
        print(f"  start        {start_ms:>8.1f}   in all, once for each worker")
    print(json.dumps(machine()))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
