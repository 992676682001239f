"""The CPU time of the scheduling process for each verdict, and two Graders at the same time on disjoint CPUs.

    python bench/scheduler_cost.py [--programs 2000] [--tests 1] [--rounds 3] [--json FILE]

The cost is CPU time of the process that holds the `Grader`, all its threads, without its supervisors, so the number of
cores does not change it. `verdicts a second` is how many one such process could give if supervisors took no time.
Programs are tiny and all differ. With two CPUs or more, the same work is then shared by two processes, each with a
Grader of its own on half of the CPUs: the sum of their CPU time, and whether every verdict is right.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import machine

from microcoder_eval import Grader, Problem, Submission

PROBLEMS = 64


def graded(programs: int, tests: int) -> dict[str, float]:
    """Grade programs with a `Grader` in this process: CPU microseconds for each verdict, in all and in this thread."""
    problems = [
        Problem.from_dict({"id": f"p{p}", "tests": [{"input": f"{n} {p}", "output": f"{n + p}"} for n in range(tests)]})
        for p in range(PROBLEMS)
    ]
    work = [
        (problems[n % PROBLEMS], Submission(str(n), "", code=f"print(sum(map(int, input().split()))) # {n}"))
        for n in range(programs)
    ]
    with Grader() as grader:
        grader.grade(problems[0], "```python\nprint(0)\n```")
        cpu, thread, began = time.process_time(), time.thread_time(), time.monotonic()
        right = sum(grade.accepted for grade in grader.grade_many(work))
        cpu, thread = time.process_time() - cpu, time.thread_time() - thread
        wall_s = time.monotonic() - began
    if right < programs:
        sys.exit(f"{programs - right} of {programs} verdicts are wrong")
    return {"cpu_us": 1e6 * cpu / programs, "caller_us": 1e6 * thread / programs, "wall_s": wall_s}


def two_graders(programs: int, tests: int) -> dict[str, float]:
    """The same work in two processes, each on half of the CPUs."""
    cpus = sorted(os.sched_getaffinity(0))
    halves = cpus[: len(cpus) // 2], cpus[len(cpus) // 2 :]
    with tempfile.TemporaryDirectory() as folder:
        reports = [Path(folder) / str(number) for number in range(2)]
        began = time.monotonic()
        running = [
            subprocess.Popen(
                [
                    sys.executable,
                    __file__,
                    "--programs",
                    str(programs // 2),
                    "--tests",
                    str(tests),
                    "--part",
                    str(report),
                ],
                preexec_fn=lambda half=half: os.sched_setaffinity(0, half),  # type: ignore[misc]
            )
            for half, report in zip(halves, reports, strict=True)
        ]
        statuses = [process.wait() for process in running]
        if any(statuses):
            sys.exit("a Grader on half of the CPUs failed")
        parts = [json.loads(report.read_text()) for report in reports]
    return {"cpu_us": statistics.mean(part["cpu_us"] for part in parts), "wall_s": time.monotonic() - began}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--tests", type=int, default=1, help="tests a program")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write all measurements to this file")
    parser.add_argument("--part", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        options.part.write_text(json.dumps(graded(options.programs, options.tests)))
        return
    rounds = [graded(options.programs, options.tests) for _ in range(options.rounds)]
    cost, caller = (statistics.median(run[key] for run in rounds) for key in ("cpu_us", "caller_us"))
    print(f"{options.programs} programs x {options.tests} tests, {PROBLEMS} problems, median of {options.rounds}")
    print(f"one Grader: {cost:.0f} CPU us a verdict ({caller:.0f} in the thread that submits)")
    most, share = 1e6 / cost, cost * 5000 / 1e4
    print(f"            so at most {most:,.0f} verdicts a second from one process, {share:.0f} % of a core at 5,000")
    pair: dict[str, Any] = {}
    if len(os.sched_getaffinity(0)) > 1:
        pair = two_graders(options.programs, options.tests)
        print(f"two Graders on disjoint CPUs: {pair['cpu_us']:.0f} CPU us a verdict, every verdict right")
    print(json.dumps(machine()))
    if options.json:
        asked = {"programs": options.programs, "tests": options.tests}
        options.json.write_text(
            json.dumps({"machine": machine(), **asked, "rounds": rounds, "two": pair}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
