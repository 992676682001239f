"""A test of a compiled program in the grader, compared with a plain posix_spawn of the same source's binary.

    python bench/eval_compiled.py [--tests 3000] [--rounds 5] [--json FILE]

Contenders: the grader with one worker, full sandbox, a fresh process for every test; and posix_spawn, wait, and a look
at the output, with no limits, no sandbox and no clock, of the binary that `g++ -O2` makes, and of the statically linked
one that the grader runs. Both read stdin from, and write stdout to, files in memory. Compiling is not counted. Prints
CPU and wall time a test, and the ratios (bar: at most 1.5 times the binary of `g++ -O2`).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import machine, measured

BAR = 1.5
SOURCE = "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }\n"
BINARIES = {"dynamic": (), "static": ("-static", "-s")}
CLOCKS = ("cpu_s", "wall_s")


def cases(count: int) -> list[tuple[str, str]]:
    return [(f"{n} {7 * n}\n", f"{8 * n}\n") for n in range(count)]


def spawn(binary: str, count: int) -> float:
    """Seconds that the tests take with the bare binary."""
    stdin, stdout = os.memfd_create("stdin"), os.memfd_create("stdout")
    actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), (os.POSIX_SPAWN_DUP2, stdout, 1)]
    start = time.perf_counter()
    for given, wanted in cases(count):
        os.ftruncate(stdin, 0)
        os.pwrite(stdin, given.encode(), 0)
        os.lseek(stdin, 0, os.SEEK_SET)
        os.ftruncate(stdout, 0)
        os.lseek(stdout, 0, os.SEEK_SET)
        os.wait4(os.posix_spawn(binary, [binary], {}, file_actions=actions), 0)
        if os.pread(stdout, 1 << 16, 0) != wanted.encode():
            sys.exit("the binary got a test wrong")
    return time.perf_counter() - start


def grade(programs: str, count: int) -> float:
    """Seconds that the grader takes, without the start of its processes and without compiling."""
    from microcoder_eval import Grader, Problem, Submission

    def problem(size: int) -> Problem:
        tests = [{"input": given, "output": wanted} for given, wanted in cases(size)]
        return Problem.from_dict({"id": "p", "tests": tests})

    submission = Submission("s", "p", code=SOURCE, language="cpp")
    with Grader(workers=1, programs=programs) as grader:
        grader.grade(problem(1), submission)
        start = time.perf_counter()
        if not grader.grade(problem(count), submission).accepted:
            sys.exit("the grader got a test wrong")
        return time.perf_counter() - start


def contend(how: str, place: str, count: int, report: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF)
    wall = grade(place, count) if how == "grader" else spawn(place, count)
    times = {"wall_s": wall, "cpu_before_s": before.ru_utime + before.ru_stime}
    Path(report).write_text(json.dumps(times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tests", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write all measurements to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "solution.cpp"
        source.write_text(SOURCE)
        places = {"grader": str(Path(folder) / "programs")}
        for name, flags in BINARIES.items():
            places[name] = str(Path(folder) / name)
            subprocess.run(["g++", "-O2", *flags, "-o", places[name], str(source)], check=True)
        grade(places["grader"], 1)
        rounds = [
            {
                name: measured([sys.executable, __file__, "--contend", name, place, str(options.tests)])
                for name, place in places.items()
            }
            for _ in range(options.rounds)
        ]
    ratios = {}
    for name in places:
        figures = {clock: statistics.median(run[name][clock] for run in rounds) for clock in CLOCKS}
        ratios[name] = {
            clock: statistics.median(run["grader"][clock] / run[name][clock] for run in rounds) for clock in CLOCKS
        }
        cpu, wall = (figures[clock] / options.tests * 1000 for clock in CLOCKS)
        against = (
            f"the grader takes {ratios[name]['cpu_s']:.2f} of its CPU, {ratios[name]['wall_s']:.2f} of its wall time"
        )
        print(f"{name:8} {cpu:5.2f} CPU ms  {wall:5.2f} wall ms a test" + ("" if name == "grader" else f"   {against}"))
    print(f"bar: at most {BAR} times `dynamic`")
    print(json.dumps(machine()))
    if options.json:
        result = {"machine": machine(), "ratios": ratios, "rounds": rounds}
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--contend"]:
        contend(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])
    else:
        main()
