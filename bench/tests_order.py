"""The CPU time that an order of a program's tests saves: the same wrong and right programs with each order.

    python bench/tests_order.py [--problems 16] [--rounds 3] [--json FILE]

Each problem has 24 tests; its 16 programs are right (4) or fail from some late test on (12), as replies of a policy
that solves the easy cases. `kept` is a second run with other programs, after a first one has filled the cache. CPU
time is of the whole tree of processes. Every order must accept the same programs, which is checked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path

from measure import machine
from service_process import cpu_s, tree

from microcoder_eval import Grader, Problem, Submission

TESTS, PROGRAMS, RIGHT = 24, 16, 4
Work = list[tuple[Problem, Submission]]


def step(problems: int, seed: int) -> Work:
    """Problems and programs; those of another seed are other programs for the same problems."""
    work = []
    for number in range(problems):
        tests = [{"input": str(n), "output": str(n * n + number)} for n in range(TESTS)]
        problem = Problem.from_dict({"id": f"p{number}", "tests": tests})
        hard = random.Random(number).sample(range(TESTS // 2, TESTS), 3)
        draw = random.Random(f"{seed} {number}")
        for program in range(PROGRAMS):
            fails = draw.choice(hard) if program >= RIGHT else -1
            code = f"n = int(input())\nprint(0 if n == {fails} else n * n + {number})  # {seed} {program}"
            work.append((problem, Submission(f"{number}-{program}", problem.id, code=code)))
    return work


def graded(work: Work, order: str, cache: Path) -> tuple[float, int, set[str]]:
    """CPU seconds, tests run, and which programs were accepted."""
    with Grader(workers=1, tests_order=order, cache=cache if order == "kept" else None) as grader:
        grader.grade(work[0][0], Submission("", "", code="print(1)"))
        before = cpu_s(tree(os.getpid()))
        grades = list(grader.grade_many(work))
        used = cpu_s(tree(os.getpid())) - before
    return used, sum(len(g.tests) for g in grades), {g.submission_id for g in grades if g.accepted}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write all measurements to this file")
    options = parser.parse_args()
    found: dict[str, list[tuple[float, int]]] = {"given": [], "learnt": [], "kept": []}
    for number in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "verdicts.sqlite"
            graded(step(options.problems, 1000 + number), "kept", cache)
            accepted = []
            for order in found:
                used, tests, right = graded(step(options.problems, number), order, cache)
                found[order].append((used, tests))
                accepted.append(right)
            if accepted != [accepted[0]] * 3 or len(accepted[0]) != RIGHT * options.problems:
                sys.exit("the orders do not accept the same programs")
    given = statistics.median(used for used, _ in found["given"])
    print(f"{options.problems} problems x {PROGRAMS} programs, {TESTS} tests, median of {options.rounds}")
    for order, runs in found.items():
        used, tests = (statistics.median(column) for column in zip(*runs, strict=True))
        print(f"{order:<7} {used:6.2f} CPU s, {used / given:.2f} of given; {tests:.0f} tests run")
    print(json.dumps(machine()))
    if options.json:
        options.json.write_text(
            json.dumps({"machine": machine(), "problems": options.problems, **found}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
