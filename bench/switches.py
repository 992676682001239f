"""What each optimisation of the grader saves: this checkout beside copies of it in which one is switched off.

    python bench/switches.py [--rounds 20] [--only NAME ...] [--json FILE]

In each copy one line of `microcoder_eval` is changed. Every side is one process with a warm `Grader` of one worker; the
sides grade the same small programs in turn, each a few at a time, so that a busy machine slows all alike. A figure is
the median, over the rounds, of a copy's time by this checkout's: above 1, the optimisation saves time. CPU time is of
the whole tree of processes. All of them share one CPU, because two CPUs of a busy machine
are not equally fast. `same` is an unchanged copy: how far its figures are from 1 is the error.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parent.parent / "microcoder_eval"
PROGRAMS = 16
LONG = "7 " * (4 << 20)
ECHO = "import sys\nsys.stdout.write(sys.stdin.read())"
NAP = "import time\ntime.sleep(float(input()))\nprint('ok')"
COMPUTES = "import time\nwhile time.process_time() < 1.5:\n    pass\nprint('ok')"
NEVER_ENDS, ENDS = "x = 1\nwhile x < 2:\n    x = 1", "x = 0\nwhile x < 9000000:\n    x += 1\nprint('ok')"
NUMBERS = 300_000
READ = "import sys\nvalues = list(map(int, sys.stdin.read().split()))\n"
OBJECTS = (
    "print(sum(values))",
    "print(*sorted(values))",
    "seen = {}\nfor value in values:\n    seen[value] = seen.get(value, 0) + 1\nprint(len(seen))",
    "graph = [[] for _ in values]\nfor a, b in zip(values, values[1:]):\n    graph[b % len(graph)].append(a)\n"
    "print(max(map(len, graph)))",
)
"""Programs that read many numbers."""
NAPS = {"long program": [["0.3"], ["0.05"] * 40], "long test": [["1"], ["0.1"], ["1.1"]]}
"""Programs for two workers, as the seconds of their tests. They only wait, so their wall time is what counts."""


class Switch(NamedTuple):
    """The line that is replaced, and the work that shows the difference: "small" tests, small ones of a "session", a
    "long" one, some with many "objects", one that "computes", one that "never ends", one that "ends" after about a
    second, or `NAPS`."""

    file: str
    line: str
    without: str
    work: str = "small"


SWITCHES = {
    "same": Switch("sandbox/hot_pages.py", "PAGE = ", "PAGE = "),
    "same, in a session": Switch("sandbox/hot_pages.py", "PAGE = ", "PAGE = ", "session"),
    "pages copied at the fork": Switch("sandbox/zygote.py", "    hot_pages.copy_at_fork(written)", "    pass"),
    "data on huge pages": Switch("sandbox/zygote.py", "    huge_data.move_data(present, small=written)", "    pass"),
    "code on huge pages": Switch("sandbox/zygote.py", "    huge_pages.move_code()", "    pass"),
    "a typical run before the first fork": Switch("sandbox/zygote.py", "    warm_up()", "    pass"),
    "the smallest interpreter for a program": Switch(
        "supervisor/boxes.py",
        "return self._get(name, PRELOADED[name])",
        'return self._get("usual", PRELOADED["usual"])',
    ),
    "destructors only where they may print": Switch(
        "supervisor/box.py", "lengthened(source), may_print_at_its_end(source)", "lengthened(source), True"
    ),
    "same, many objects": Switch("sandbox/hot_pages.py", "PAGE = ", "PAGE = ", "objects"),
    "objects in huge pages": Switch("sandbox/zygote.py", "    arenas.reserve()", "    pass", "objects"),
    "the same, small tests": Switch("sandbox/zygote.py", "    arenas.reserve()", "    pass"),
    "long texts in sealed files": Switch(
        "protocol/sealed_text.py", "SEALED_FROM = 1 << 18", "SEALED_FROM = 1 << 40", "long"
    ),
    "long outputs in huge pages": Switch("boundary/huge_file.py", 'WHEN = b"within_size"', 'WHEN = b"never"', "long"),
    "short outputs left in their page": Switch(
        "supervisor/memory_file.py", "MOST_SKIPPED = 1 << 11", "MOST_SKIPPED = -1", "session"
    ),
    "short inputs given together": Switch(
        "supervisor/trial.py", "MOST_IN_GROUP, GROUP_MS = 16, 10", "MOST_IN_GROUP, GROUP_MS = 1, 10", "session"
    ),
    "few looks at a program that computes": Switch(
        "supervisor/watch.py", "LONGEST_PAUSE_S = 0.1", "LONGEST_PAUSE_S = 0.0", "computes"
    ),
    "endless programs ended early": Switch("supervisor/box.py", "kind in ASKED and", "False and", "never ends"),
    "the same, a program that ends": Switch("supervisor/box.py", "kind in ASKED and", "False and", "ends"),
    "a long program's tests divided": Switch(
        "scheduling/pool.py", "            self._share(supervisor, message)", "            pass", "long program"
    ),
    "nothing waits behind a long test": Switch(
        "scheduling/pool.py", "            self._move_queued()", "            pass", "long test"
    ),
}


def copy_without(switch: Switch, folder: Path) -> None:
    """Copy the package into `folder` with the line replaced."""
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    changed = folder / PACKAGE.name / switch.file
    text = changed.read_text()
    if text.count(switch.line) != 1:
        sys.exit(f"{switch.file} has not exactly one {switch.line!r}")
    without = text.replace(switch.line, switch.without)
    if switch.line != switch.without and ast.dump(ast.parse(without)) == ast.dump(ast.parse(text)):
        sys.exit(f"{switch.file}: {switch.without!r} changes nothing")
    changed.write_text(without)


def many_numbers(code: str) -> tuple[tuple[str, str], ...]:
    """A test with a long input, and what the program `code` prints for it."""
    values = [number * 48_271 % 2_147_483_647 for number in range(NUMBERS)]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {"values": values})
    return ((" ".join(map(str, values)), printed.getvalue()),)


def serve(work: str, checkout: str) -> None:
    """Grade the work once for each line of stdin; print its wall time and its CPU time."""
    import workload
    from service_process import cpu_s, tree

    import microcoder_eval
    from microcoder_eval import Grader, Problem, Submission

    if not Path(microcoder_eval.__file__).is_relative_to(checkout):
        sys.exit(f"this Python imports {microcoder_eval.__file__}, whatever PYTHONPATH says")
    isolation = "submission" if work == "session" else "test"
    if work in ("small", "session"):  # in a session a program takes a fifth of the time
        count = PROGRAMS if work == "small" else 5 * PROGRAMS
        programs = [(program.code, program.tests) for program in workload.right(count)]
    elif work in NAPS:
        programs = [(NAP, tuple((seconds, "ok") for seconds in tests)) for tests in NAPS[work]]
    elif work == "objects":
        programs = [(READ + code, many_numbers(code)) for code in OBJECTS]
    elif work == "computes":
        programs = [(f"{COMPUTES} # {number}", (("", "ok"),)) for number in range(2)]
    elif work in ("ends", "never ends"):
        programs = [(ENDS if work == "ends" else NEVER_ENDS, (("", "ok"),))]
    else:
        programs = [(f"{ECHO} # {number}", ((LONG, LONG),)) for number in range(PROGRAMS)]
    pairs = [
        (
            Problem.from_dict({"id": work, "tests": [{"input": given, "output": wanted} for given, wanted in tests]}),
            code,
        )
        for code, tests in programs
    ]
    with Grader(workers=2 if work in NAPS else 1, isolation=isolation) as grader:
        for line in sys.stdin:
            before, began = cpu_s(tree(os.getpid())), time.monotonic()
            grades = [
                grader.submit(problem, Submission("", "", code=f"{code}\n#{line}"), urgency=-number)
                for number, (problem, code) in enumerate(pairs)
            ]
            if not all(grade.result().accepted is (work != "never ends") for grade in grades):
                sys.exit("a program got a wrong verdict")
            times = time.monotonic() - began, cpu_s(tree(os.getpid())) - before
            print(json.dumps(times), flush=True)


class Side:
    """A process that grades with one checkout."""

    def __init__(self, checkout: Path, work: str) -> None:
        path = os.pathsep.join(map(str, (checkout, Path(__file__).resolve().parent)))
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--serve", work, str(checkout)],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
        )

    def times(self, number: int) -> tuple[float, float]:
        """The wall time and the CPU time of the work."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()
        wall_s, cpu_s = json.loads(self._process.stdout.readline())
        return wall_s, cpu_s

    def close(self) -> None:
        self._process.communicate()


def compared(switch: Switch, rounds: int) -> dict[str, list[float]]:
    """The ratios of all rounds: without the optimisation, by with it."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        copy_without(switch, Path(folder))
        with_it, without = (Side(path, switch.work) for path in (PACKAGE.parent, Path(folder)))
        stack.callback(with_it.close)
        stack.callback(without.close)
        ratios: dict[str, list[float]] = {"wall": [], "cpu": []}
        for number in range(rounds + 1):
            order = (with_it, without) if number % 2 else (without, with_it)
            found = {side: side.times(number) for side in order}
            if number:  # the first round warms up
                for name, on, off in zip(ratios, found[with_it], found[without], strict=True):
                    ratios[name].append(off / max(on, 0.001))
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", nargs="+", choices=SWITCHES, default=list(SWITCHES), metavar="NAME")
    parser.add_argument("--json", type=Path, help="write all measurements to this file")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(*options.serve)
        return
    from measure import machine

    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = {}
    print(f"{'without':<40} {'CPU':>5}  quartiles    {'wall':>5}    median of {options.rounds} rounds")
    for name in options.only:
        found[name] = compared(SWITCHES[name], options.rounds)
        cpu = found[name]["cpu"]
        low, _, high = statistics.quantiles(cpu, n=4) if len(cpu) > 1 else cpu * 3
        wall = statistics.median(found[name]["wall"])
        print(f"{name:<40} {statistics.median(cpu):>5.2f}  {low:.2f}-{high:.2f}    {wall:>5.2f}", flush=True)
    print(json.dumps(machine()))
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "ratios": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
