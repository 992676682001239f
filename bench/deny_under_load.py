"""Programs that wait, hide that they wait, or use up resources: how soon each is ended on a busy machine.

    python bench/deny_under_load.py [--load 20] [--json FILE]

Every attack of `tests/eval/attacks/test_deny.py` is graded while `--load` processes spin. A program may use its limit
of CPU time and a second, and one that only waits may live for its limit and a second. Waiting for a CPU does not count,
so a program that computes may live longer. The exit status is 1 when one was accepted or exceeded this.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure import machine

from microcoder_eval import Grade, Grader, Problem, Submission

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.eval.attacks.test_deny import PROBLEM, TAKES, WAITS

ALLOWANCE_S = 1.0
ONLY_WAITS = ("sleeps", "pauses", "stops", "waits-for-own-pipe", "waits-for-own-lock", "waits-for-own-socket",
              "waits-for-event-loop", "waits-at-exit", "waits-in-finaliser")  # fmt: skip


def graded() -> list[Grade]:
    with Grader(workers=2) as grader:
        grader.grade(WARM_UP, Submission("warm up", WARM_UP.id, code="print(1)"))
        futures = [
            grader.submit(PROBLEM, Submission(name, PROBLEM.id, code=f"{code}\n# {name}"))
            for name, code in {**WAITS, **TAKES}.items()
        ]
        return [future.result() for future in futures]


WARM_UP = Problem.from_dict({"id": "warm up", "tests": [{"input": "", "output": "1"}]})


def beyond(grade: Grade) -> str:
    """What is wrong with how an attack ended, or ""."""
    used_s = max((test.cpu_ms for test in grade.tests), default=0.0) / 1000
    lived_s = max((test.wall_ms for test in grade.tests), default=0.0) / 1000
    limit_s = PROBLEM.time_limit_s + ALLOWANCE_S
    if grade.accepted:
        return "accepted"
    if used_s > limit_s:
        return f"used {used_s:.2f} s of CPU"
    if grade.submission_id in ONLY_WAITS and lived_s > limit_s:
        return f"waited for {lived_s:.2f} s"
    return ""


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--load", type=int, default=20, help="processes that spin meanwhile")
    arguments.add_argument("--json", type=Path)
    options = arguments.parse_args()
    spinning = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(options.load)]
    try:
        grades = graded()
    finally:
        for process in spinning:
            process.kill()
            process.wait()
    attacks: dict[str, Any] = {
        grade.submission_id: {
            "verdict": grade.verdict.value,
            "cpu_s": round(max((test.cpu_ms for test in grade.tests), default=0.0) / 1000, 2),
            "wall_s": round(max((test.wall_ms for test in grade.tests), default=0.0) / 1000, 2),
        }
        for grade in grades
    }
    wrong = {grade.submission_id: beyond(grade) for grade in grades if beyond(grade)}
    for name, why in wrong.items():
        print(f"{name}: {why}")
    most = max(attack["cpu_s"] for attack in attacks.values())
    print(f"{len(attacks)} attacks with {options.load} spinning processes: {len(wrong)} beyond; most CPU {most} s")
    if options.json:
        record = {"machine": machine(), "load": options.load, "beyond": wrong, "attacks": attacks}
        options.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
