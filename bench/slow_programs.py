"""Does a second run ever change a timeout? Slow programs graded twice, on an idle or a busy machine.

    python bench/slow_programs.py [--programs 1000] [--limit 0.2] [--load 0] [--workers N] [--json FILE]

The verdict of each program is known, because its kind is: endless; CPU time of 1.5 or 1.15 times its limit; 0.85 or
0.5 of it; a fixed amount of work that takes half of its limit when it is calibrated, before the load begins; asleep
for ever; asleep for less than the allowance. `--load` is the number of CPU-bound processes that run at the same time.
Every program is graded twice (`fresh=True`). The table counts, for each kind, wrong verdicts of the first run, and
verdicts that the second run would have changed: separately for timeouts that are sure by the grader's rule (every late
test used up its CPU time, or cannot end) and for all others. The exit status is 1 if the second run changed a sure
timeout, or if any verdict was wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from measure import machine

from microcoder_eval import Grade, Grader, Problem, Submission

SPIN = "import time\nwhile time.process_time() < {seconds}: pass\nprint('done')"
WORK = "def work():\n    n = 0\n    for k in range({steps}): n += k\nwork()\nprint('done')"
SLEEP = "import time\ntime.sleep({seconds})\nprint('done')"
ALLOWED_IDLE_S = 0.3
"""Less than the grader allows a program to be idle."""


def programs(limit_s: float, steps: int) -> dict[str, tuple[str, bool]]:
    """By kind: the program, and whether it ends within its limit."""
    return {
        "endless": ("while True: pass", False),
        "1.5 x limit": (SPIN.format(seconds=1.5 * limit_s), False),
        "1.15 x limit": (SPIN.format(seconds=1.15 * limit_s), False),
        "0.85 x limit": (SPIN.format(seconds=0.85 * limit_s), True),
        "0.5 x limit": (SPIN.format(seconds=0.5 * limit_s), True),
        "work of 0.5 x limit": (WORK.format(steps=steps), True),
        "asleep for ever": (SLEEP.format(seconds=10_000), False),
        "asleep for a while": (SLEEP.format(seconds=ALLOWED_IDLE_S), True),
    }


def calibrated(seconds: float) -> int:
    """The number of steps of `WORK` that take `seconds` of CPU time on this machine now."""
    steps, took = 100_000, []
    for _ in range(9):
        began = time.process_time()
        exec(WORK.format(steps=steps).replace("print('done')", ""), {})
        took.append(time.process_time() - began)
    return int(steps * seconds / statistics.median(took))


def is_sure(grade: Grade, limit_s: float) -> bool:
    """The rule of `scheduling.job.timeouts_are_sure`, from the grade alone."""
    late = [test for test in grade.tests if test.verdict == "TIME_LIMIT"]
    return bool(late) and all(test.endless or test.cpu_ms >= 1000 * limit_s for test in late)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--limit", type=float, default=0.2, help="CPU seconds that a program may use")
    parser.add_argument("--load", type=int, default=0, help="CPU-bound processes at the same time")
    parser.add_argument("--workers", type=int, help="of the grader; by default one for each CPU")
    parser.add_argument("--json", type=Path, help="write all counts to this file")
    options = parser.parse_args()
    needs = programs(options.limit, calibrated(options.limit / 2))
    problem = Problem.from_dict(
        {"id": "slow", "tests": [{"input": "", "output": "done"}], "time_limit_s": options.limit}
    )
    work = [
        (need, f"{needs[need][0]}\n# {number}") for number in range(options.programs // len(needs)) for need in needs
    ]
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.load)]
    try:
        with Grader(workers=options.workers) as grader:
            both = [
                [
                    future.result()
                    for future in [grader.submit(problem, Submission("", "", code=c), fresh=True) for _, c in work]
                ]
                for _ in range(2)
            ]
        loaded_machine = machine()  # its load average includes the spinning processes
    finally:
        for process in spinning:
            process.kill()
            process.wait()
    found: dict[str, Counter[str]] = {need: Counter() for need in needs}
    for (need, _), first, second in zip(work, *both, strict=True):
        count, ends = found[need], needs[need][1]
        count["programs"] += 1
        count["wrong"] += first.verdict != ("ACCEPTED" if ends else "TIME_LIMIT")
        sure = is_sure(first, options.limit)
        count["sure"] += sure
        count["sure, changed"] += sure and second.verdict != first.verdict
        count["not sure, changed"] += not sure and second.verdict != first.verdict
        count["most % of limit"] = max(count["most % of limit"], round(first.tests[0].cpu_ms / options.limit / 10))
    columns = ("programs", "wrong", "sure", "sure, changed", "not sure, changed", "most % of limit")
    print(f"{'need':<20} {'  '.join(columns)}")
    for need, count in found.items():
        print(f"{need:<20} {'  '.join(f'{count[name]:>{len(name)}}' for name in columns)}")
    print(json.dumps(loaded_machine))
    if options.json:
        record: dict[str, Any] = {"machine": loaded_machine, "load": options.load, "limit_s": options.limit}
        record["workers"] = options.workers or len(os.sched_getaffinity(0))
        options.json.write_text(json.dumps({**record, "needs": found}, indent=1) + "\n")
    if any(count["wrong"] or count["sure, changed"] for count in found.values()):
        sys.exit("a verdict was wrong, or a second run changed a sure timeout")


if __name__ == "__main__":
    main()
