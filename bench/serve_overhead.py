"""What the service adds to a grading: CPU, throughput with 64 clients, and the time of a grading on an idle service.

    python bench/serve_overhead.py [--programs 200] [--rounds 3] [--out bench/results/serve_overhead.json]

The same programs (15 small tests each, all right, all different) are graded by a `Grader` in this process and through
a service with the same number of workers, in turn. CPU is that of the grader or service with all its processes; the CPU
of the clients is measured separately.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from measure import machine
from service_process import Service, cpu_s, service, tree
from workload import right

from microcoder_eval import Grader, Problem, Submission, connect

Pair = tuple[Problem, Submission]


def pairs(count: int, seed: int) -> list[Pair]:
    made = []
    for number, program in enumerate(right(count, seed)):
        tests = [{"input": given, "output": wanted} for given, wanted in program.tests]
        problem = Problem.from_dict({"id": f"p{seed}-{number}", "tests": tests})
        made.append((problem, Submission(str(number), problem.id, code=f"{program.code}\n# {seed}")))
    return made


def library(work: list[Pair], workers: int) -> dict[str, float]:
    with Grader(workers) as grader:
        grader.run("pass")
        others = set(tree(os.getpid()))
        before, started = cpu_s(sorted(others)), time.monotonic()
        assert all(grade.accepted for grade in grader.grade_many(work))
        wall = time.monotonic() - started
        return {"cpu_s": cpu_s(tree(os.getpid())) - before, "wall_s": wall}


def through(running: Service, work: list[Pair], clients: int) -> dict[str, float]:
    pids = tree(running.process.pid)
    before, own, started = cpu_s(pids), time.process_time(), time.monotonic()
    with connect(running.url, at_once=clients) as grader:
        assert all(grade.accepted for grade in grader.grade_many(work))
    wall = time.monotonic() - started
    after = cpu_s(tree(running.process.pid))
    return {"cpu_s": after - before, "wall_s": wall, "clients_cpu_s": time.process_time() - own}


def one_by_one(grader: Any, work: list[Pair]) -> list[float]:
    took = []
    for pair in work:
        started = time.perf_counter()
        assert grader.grade(*pair).accepted
        took.append((time.perf_counter() - started) * 1000)
    return took


def figures(took: list[float]) -> dict[str, float]:
    ordered = sorted(took)
    return {
        "median_ms": round(statistics.median(ordered), 2),
        "p99_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 2),
    }


def seeds() -> Iterator[int]:
    yield from range(10**6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--idle", type=int, default=200, help="gradings one after the other")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    seed, rounds = seeds(), []
    with service("--workers", arguments.workers) as running, ThreadPoolExecutor(1):
        through(running, pairs(10, 10**7), 4)  # both have warm workers
        for _ in range(arguments.rounds):
            rounds.append(
                {
                    "library": library(pairs(arguments.programs, next(seed)), arguments.workers),
                    "service": through(running, pairs(arguments.programs, next(seed)), arguments.clients),
                }
            )
            print(rounds[-1])
        with connect(running.url, at_once=1) as remote, Grader(arguments.workers) as local:
            work = [pairs(arguments.idle, next(seed)) for _ in range(2)]
            one_by_one(local, work[0][:5])
            idle = {
                "library": figures(one_by_one(local, work[0][5:])),
                "service": figures(one_by_one(remote, work[1][5:])),
            }
    ratio = {
        "cpu": statistics.median(one["service"]["cpu_s"] / one["library"]["cpu_s"] for one in rounds),
        "throughput": statistics.median(one["library"]["wall_s"] / one["service"]["wall_s"] for one in rounds),
        "p99": idle["service"]["p99_ms"] / idle["library"]["p99_ms"],
    }
    report = {
        "machine": machine(),
        "programs": arguments.programs,
        "clients": arguments.clients,
        "workers": arguments.workers,
        "rounds": rounds,
        "idle": idle,
        "service_to_library": {name: round(value, 3) for name, value in ratio.items()},
    }
    print(json.dumps(report["idle"]), json.dumps(report["service_to_library"]))
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
