"""The least cost of a grader that forks for every test: a warm fork that executes compiled code, and nothing more.

    python bench/eval_floor.py [--programs 200] [--rounds 5] [--json FILE]

Two processes; each compiles a program once and, for every test, forks, connects stdin and stdout to files in memory,
executes, waits and compares bytes. No limits, no sandbox, no clock: nothing here is safe. Prints this cost and the
grader's: CPU and wall time a test, and the ratio (bar: at most 1.6 in isolation `test`).
"""

import os
import sys
import time

# Every fork copies what is imported here, which would raise the floor. So `main` imports the rest.

WORKERS = 2
OVERHEAD_BAR = 1.6
CLOCKS = ("cpu_s", "wall_s")


def contend(work: str, report: str) -> None:
    """Grade the programs in the file `work` with two bare processes and write the time to `report`."""
    import bisect  # noqa: F401  the programs use it: a warm interpreter has it loaded
    import gc
    import json
    import marshal
    import resource

    with open(work, "rb") as file:
        programs = marshal.load(file)
    gc.collect()
    gc.freeze()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    children = []
    for worker in range(WORKERS):
        child = os.fork()
        if child == 0:
            os._exit(0 if all(passes(code, tests) for code, tests in programs[worker::WORKERS]) else 1)
        children.append(child)
    ended = [os.waitpid(child, 0)[1] for child in children]
    if any(ended):
        sys.exit("the floor got a program wrong")
    times = {"wall_s": time.perf_counter() - start, "cpu_before_s": usage.ru_utime + usage.ru_stime}
    with open(report, "w") as file:
        json.dump(times, file)


def passes(code: str, tests: tuple[tuple[str, str], ...]) -> bool:
    compiled = compile(code, "<program>", "exec")
    return all(_run(compiled, given.encode()) == wanted.encode() for given, wanted in tests)


def _run(code: object, given: bytes) -> bytes:
    stdin, stdout = os.memfd_create("stdin"), os.memfd_create("stdout")
    os.write(stdin, given)
    os.lseek(stdin, 0, os.SEEK_SET)
    child = os.fork()
    if child == 0:
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        exec(code, {"__name__": "__main__"})  # type: ignore[arg-type]
        sys.stdout.flush()
        os._exit(0)
    os.wait4(child, 0)
    written = os.pread(stdout, os.fstat(stdout).st_size, 0)
    os.close(stdin)
    os.close(stdout)
    return written


def main() -> None:
    import argparse
    import json
    import marshal
    import statistics
    import tempfile
    from pathlib import Path

    import workload
    from measure import machine, measured

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write all measurements to this file")
    options = parser.parse_args()
    tests = options.programs * workload.TESTS
    ours = [sys.executable, str(Path(__file__).with_name("eval_vs_peers.py")), "--programs", str(options.programs)]
    with tempfile.NamedTemporaryFile() as file:
        marshal.dump([(program.code, program.tests) for program in workload.right(options.programs)], file)
        file.flush()
        floor = [sys.executable, __file__, "--contend", file.name]
        rounds = [
            {"floor": measured(floor), "ours": measured([*ours, "--contend", "test"])} for _ in range(options.rounds)
        ]
    for name in ("floor", "ours"):
        cpu = statistics.median(run[name]["cpu_s"] for run in rounds) / tests * 1000
        wall = statistics.median(run[name]["wall_s"] for run in rounds) / tests * 1000 * WORKERS
        print(f"{name:6} {cpu:6.2f} CPU ms a test   {wall:6.2f} wall ms a test and worker")
    cpu, wall = (statistics.median(run["ours"][clock] / run["floor"][clock] for run in rounds) for clock in CLOCKS)
    print(f"ratio  {cpu:6.2f} of CPU          {wall:6.2f} of wall      (bar: at most {OVERHEAD_BAR})")
    print(json.dumps(machine()))
    if options.json:
        result = {"machine": machine(), "ratios": {"cpu": cpu, "wall": wall}, "rounds": rounds}
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--contend"]:
        contend(*sys.argv[2:])
    else:
        main()
