"""Large tests and many tests, in checkouts of this project side by side: time, CPU time and memory as ratios.

    python bench/big_tests.py [CHECKOUT ...] [--mb 50] [--tests 10000] [--rounds 3] [--only CASE ...] [--floor]
        [--json FILE]

Without a CHECKOUT: this one alone. With several, each round runs every case in each of them, one after the other, so
that a busy machine slows all alike; the ratios are of the first one's median to the others'. With `--floor` the
programs also run without any grader: a bare warm fork for each test, with its input and output in memory files, and a
comparison of bytes (`eval_floor.py`). A case is a problem and programs that solve it, graded in a fresh process by one
worker:

    input        an input of that many MB, counted by the program; three programs, as siblings of a group
    output       an output of that many MB; three programs
    echo         both; three programs
    tests        so many small tests, a process for each (isolation `test`)
    submission   the same tests in one process (isolation `submission`)

Time is from the first submission to the last verdict; CPU time and memory are of the whole tree of processes (memory:
the highest sum of what its processes hold for themselves, shared pages divided among them). The grader is warm: it has
graded a small program. What the programs themselves use is in there too, and the same on all sides; `own s` is CPU time
without it.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

MEGA = 1 << 20
SIBLINGS = 3
CASES = ("input", "output", "echo", "tests", "submission")
COUNT = "import sys\nn = 0\nwhile part := sys.stdin.buffer.read(1 << 20):\n    n += part.count(b' ')\nprint(n)"
WRITE = "import sys\nfor _ in range({mb}):\n    sys.stdout.buffer.write(b'7 ' * (1 << 19))\nprint()"
ECHO = "import sys\nwhile part := sys.stdin.buffer.read(1 << 20):\n    sys.stdout.buffer.write(part)"
ADD = "print(sum(map(int, input().split())))"


def case(name: str, mb: int, tests: int) -> tuple[dict[str, Any], str, int]:
    """A problem's record, a program that solves it, and how many that differ a little are graded."""
    text = "7 " * (mb * MEGA // 2) + "\n"
    if name == "input":
        return {"tests": [{"input": text, "output": f"{mb * MEGA // 2}\n"}]}, COUNT, SIBLINGS
    if name == "output":
        return {"tests": [{"input": "", "output": text}]}, WRITE.format(mb=mb), SIBLINGS
    if name == "echo":
        return {"tests": [{"input": text, "output": text}]}, ECHO, SIBLINGS
    small = [{"input": f"{number} 1\n", "output": f"{number + 1}\n"} for number in range(tests)]
    return {"tests": small}, ADD, 1


def graded(name: str, mb: int, tests: int, memory: Memory | None) -> dict[str, float]:
    """Grade a case here, with whichever checkout PYTHONPATH names."""
    from service_process import cpu_s, tree

    from microcoder_eval import Grader, Problem, Submission

    record, code, programs = case(name, mb, tests)
    problem = Problem.from_dict({"id": name, "time_limit_s": 60, "memory_limit_mb": 1024, **record})
    warm = Problem.from_dict({"id": "warm", "tests": [{"input": "1 1", "output": "2"}]})
    isolation = "submission" if name == "submission" else "test"
    with Grader(workers=1, isolation=isolation) as grader, memory or nullcontext():
        assert grader.grade(warm, Submission("", "", code=ADD)).accepted
        cpu, began = cpu_s(tree(os.getpid())), time.monotonic()
        futures = [grader.submit(problem, Submission("", "", code=f"{code}\n# {n}")) for n in range(programs)]
        grades = [future.result() for future in futures]
        wall_s, cpu = time.monotonic() - began, cpu_s(tree(os.getpid())) - cpu
    for grade in grades:
        if not grade.accepted:
            sys.exit(f"{name}: a right program was rejected: {grade.detail}")
    if memory is not None:
        return {"memory_mb": memory.peak_mb}
    return {
        "wall_s": wall_s,
        "cpu_s": cpu,
        "own_s": cpu - sum(t.cpu_ms for grade in grades for t in grade.tests) / 1000,
    }


def bare(name: str, mb: int, tests: int, memory: Memory | None) -> dict[str, float]:
    """Run a case's programs without a grader: no sandbox, no limits, no clock."""
    from eval_floor import passes

    record, code, programs = case(name, mb, tests)
    pairs = tuple((test["input"], test["output"]) for test in record["tests"])
    gc.collect()
    gc.freeze()
    with memory or nullcontext():
        used, began = os.times(), time.monotonic()
        if not all(passes(f"{code}\n# {n}", pairs) for n in range(programs)):
            sys.exit(f"{name}: a right program was rejected")
        wall_s, now = time.monotonic() - began, os.times()
    if memory is not None:
        return {"memory_mb": memory.peak_mb}
    own_s = now.user + now.system - used.user - used.system
    children_s = now.children_user + now.children_system - used.children_user - used.children_system
    return {"wall_s": wall_s, "cpu_s": own_s + children_s, "own_s": own_s}


class Memory:
    """The highest memory of this process and its descendants, looked at ten times a second."""

    def __init__(self) -> None:
        self.peak_mb = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        from service_process import tree

        while not self._ended.wait(0.1):
            self.peak_mb = max(self.peak_mb, sum(map(_share_mb, tree(os.getpid()))))


def _share_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0  # it has ended, or may not be looked at
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def in_checkout(checkout: Path | None, name: str, options: argparse.Namespace) -> dict[str, float]:
    """Grade a case with the modules of a checkout, None: without a grader. Twice: looking at memory costs CPU time."""
    return {
        **_in_process(checkout, name, options),
        **_in_process(checkout, name, options, "--memory"),
    }


def _in_process(checkout: Path | None, name: str, options: argparse.Namespace, *more: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        words = ["--mb", str(options.mb), "--tests", str(options.tests), "--only", name, "--report", str(report), *more]
        words += [] if checkout else ["--bare"]
        path = os.pathsep.join(str(one.resolve()) for one in (checkout, Path(__file__).parent) if one)
        environment = {**os.environ, "PYTHONPATH": path}
        subprocess.run([sys.executable, __file__, *words], env=environment, cwd=folder, check=True)
        found: dict[str, float] = json.loads(report.read_text())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="*", default=[Path(__file__).parent.parent], metavar="CHECKOUT")
    parser.add_argument("--mb", type=int, default=50, help="how long an input or an output is")
    parser.add_argument("--tests", type=int, default=10_000, help="how many small tests")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=CASES, default=CASES, metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--floor", action="store_true", help="run the programs without a grader, too")
    parser.add_argument("--json", type=Path, help="write all measurements to this file")
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--report", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.report:
        run = bare if options.bare else graded
        found_here = run(options.only[0], options.mb, options.tests, Memory() if options.memory else None)
        options.report.write_text(json.dumps(found_here))
        return
    from measure import machine

    sides: list[Path | None] = [*options.checkouts, *([None] if options.floor else [])]
    names = [side.resolve().name if side else "without a grader" for side in sides]
    found: dict[str, list[list[dict[str, float]]]] = {name: [[] for _ in sides] for name in options.only}
    for _ in range(options.rounds):
        for name in options.only:
            for place, checkout in enumerate(sides):
                found[name][place].append(in_checkout(checkout, name, options))
    print(f"{options.mb} MB, {options.tests} small tests, median of {options.rounds}")
    print(
        f"{'case':<11} {'checkout':<24} {'wall s':>8} {'CPU s':>8} {'own s':>8} {'peak MB':>8}   times as fast: "
        "wall, CPU, own"
    )
    for name, by_side in found.items():
        medians = [{key: statistics.median(run[key] for run in runs) for key in runs[0]} for runs in by_side]
        for side, now in zip(names, medians, strict=True):
            ratios = [f"{medians[0][key] / max(0.01, now[key]):.2f}" for key in ("wall_s", "cpu_s", "own_s")]
            shown = ", ".join(ratios) if now is not medians[0] else ""
            figures = f"{now['wall_s']:>8.2f} {now['cpu_s']:>8.2f} {now['own_s']:>8.2f} {now['memory_mb']:>8.0f}"
            print(f"{name:<11} {side:<24} {figures}   {shown}")
    print(json.dumps(machine()))
    if options.json:
        asked = {
            "mb": options.mb,
            "tests": options.tests,
            "checkouts": names,
        }
        options.json.write_text(json.dumps({"machine": machine(), **asked, "cases": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
