"""Grading on a Ray cluster of local nodes: one killed in the middle of 5,000 gradings, and what 1, 2 and 3 nodes cost.

    python bench/cluster_nodes.py [--gradings 5000] [--scale 600] [--json bench/results/cluster_nodes.json]

The nodes share this machine's cores, so scaling is read from CPU time and from shares, not from wall time: linear means
that a grading costs the same CPU on any number of nodes, and that each node does an equal part. CPU is that of all
nodes with their graders; the program that hands out the work (the driver) is measured separately.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from measure import machine
from service_process import cpu_s, memory_mb, tree
from workload import right

from microcoder_eval import Problem, Submission, connect

STORE_BYTES = 80 << 20
TRIES = 6
Pair = tuple[Problem, Submission]


class Nodes:
    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self.cluster = Cluster()
        self.add(num_cpus=0, include_dashboard=False)
        self.alive: list[Any] = []

    def have(self, count: int) -> None:
        while len(self.alive) < count:
            self.alive.append(self.add(num_cpus=1))
        while len(self.alive) > count:
            self.cluster.remove_node(self.alive.pop())

    def add(self, **options: Any) -> Any:
        for _ in range(TRIES):
            try:
                return self.cluster.add_node(**options, object_store_memory=STORE_BYTES)
            except Exception as error:  # Ray gives a node 30 s to start, which may pass on a busy machine
                failure = error
        raise failure

    def kill_one(self) -> None:
        self.cluster.remove_node(self.alive.pop(), allow_graceful=False)

    def cpu_s(self) -> list[float]:
        """CPU seconds of each node."""
        return [sum(cpu_s(tree(info.process.pid)) for info in processes(node)) for node in self.alive]


def processes(node: Any) -> list[Any]:
    return [info for kind in node.all_processes.values() for info in kind]


def work(count: int, seed: int, tests_each: int = 15) -> list[tuple[Pair, bool]]:
    """Programs with small tests, no two of them equal; every fourth is made wrong. With the right verdict."""
    programs, draw = right(50, seed), random.Random(seed)
    made = []
    for number in range(count):
        program = programs[number % len(programs)]
        tests = [{"input": given, "output": wanted} for given, wanted in program.tests[:tests_each]]
        problem = PROBLEMS.setdefault(
            (seed, number % len(programs)),
            Problem.from_dict({"id": f"p{seed}-{number % len(programs)}", "tests": tests}),
        )
        is_right = number % 4 > 0
        code = f"{program.code if is_right else 'print()'}\n# {seed} {number} {draw.random()}"
        made.append(((problem, Submission(str(number), problem.id, code=code)), is_right))
    return made


PROBLEMS: dict[tuple[int, int], Problem] = {}


def killed_in_the_middle(nodes: Nodes, count: int) -> dict[str, Any]:
    nodes.have(3)
    pairs = work(count, seed=1, tests_each=3)
    verdicts = {submission.id: is_right for (_, submission), is_right in pairs}
    seen: Counter[str] = Counter()
    wrong, started, memory = [], time.monotonic(), []
    with connect("ray://auto") as grader:
        for grade in grader.grade_many(pair for pair, _ in pairs):
            seen[grade.submission_id] += 1
            if grade.accepted != verdicts[grade.submission_id]:
                wrong.append(f"{grade.submission_id}: {grade.verdict}: {grade.detail}")
            if seen.total() % (count // 10) == 0:
                memory.append(round(memory_mb(os.getpid()), 1))
            if seen.total() == count // 2:
                nodes.kill_one()
    return {
        "gradings": count,
        "answered": len(seen),
        "answered_twice": sum(times > 1 for times in seen.values()),
        "wrong": wrong,
        "driver_mb": memory,
        "wall_s": round(time.monotonic() - started, 1),
    }


def scaled(nodes: Nodes, count: int, programs: int, seed: int) -> dict[str, Any]:
    nodes.have(count)
    warm, pairs = work(60 * count, seed=100 + seed), work(programs, seed)
    with connect("ray://auto") as grader:
        assert sum(1 for _ in grader.grade_many(pair for pair, _ in warm)) == len(warm)
        before, own, started = nodes.cpu_s(), time.process_time(), time.monotonic()
        assert sum(1 for _ in grader.grade_many(pair for pair, _ in pairs)) == len(pairs)
        wall_s, driver_s = time.monotonic() - started, time.process_time() - own
        used = [after - was for after, was in zip(nodes.cpu_s(), before, strict=True)]
    return {
        "nodes": count,
        "cpu_ms_per_grading": round(1000 * sum(used) / programs, 2),
        "driver_ms_per_grading": round(1000 * driver_s / programs, 2),
        "share_of_nodes": [round(one / sum(used), 3) for one in used],
        "wall_s": round(wall_s, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradings", type=int, default=5000)
    parser.add_argument("--scale", type=int, default=300, help="gradings for each number of nodes")
    parser.add_argument("--most-nodes", type=int, default=3)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    try:
        import ray
    except ImportError:
        sys.exit("needs ray")
    logging.basicConfig(level=logging.WARNING)
    folder = tempfile.mkdtemp(prefix="r", dir="/tmp")  # Ray's sockets need a short path
    (Path(folder) / "ray").mkdir()
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_TMPDIR": folder}
    nodes = Nodes()
    os.environ["RAY_ADDRESS"] = nodes.cluster.address
    try:
        scale = [scaled(nodes, count, arguments.scale, count) for count in range(1, arguments.most_nodes + 1)]
        for one in scale:
            print(one)
        killed = killed_in_the_middle(nodes, arguments.gradings)
    finally:
        ray.shutdown()
        nodes.cluster.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
    first = scale[0]["cpu_ms_per_grading"]
    report = {
        "machine": machine(),
        "killed": killed,
        "scale": scale,
        "cost_to_one_node": [round(one["cpu_ms_per_grading"] / first, 3) for one in scale],
    }
    print(json.dumps(report, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    good = killed["answered"] == arguments.gradings and not killed["answered_twice"] and not killed["wrong"]
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
