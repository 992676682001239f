"""A long run of honest and hostile programs: do memory, descriptors and processes stay flat, and are kills harmless?

    python bench/eval_soak.py [--gradings 20000] [--mixed-gradings 20000] [--kill-gradings 2000] [--json FILE]

First part: gradings that cycle through honest programs and every cheat of the test suite, with samples of the whole
process tree's resident memory, descriptors and processes. Second part: the same with every kind of problem and checker
and every language of this machine (`soak_problems.py`). Third part: honest programs only, while random processes of
the grader are killed; every grading must still end with the right verdict or an honest JUDGE_ERROR.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from measure import machine
from soak_problems import mixed

from microcoder_eval import Grader, Problem, Submission

CHEATS = Path(__file__).parent.parent / "tests" / "eval" / "cases" / "cheats"
RIGHT = "a, b = map(int, input().split())\nprint(a + b)\n"
WRONG = "print(0)\n"
EACH_CHEAT = 20  # every so many programs one is a cheat: cheats that reach their limits take a second
SUM = Problem.from_dict(
    {
        "id": "sum",
        "tests": [{"input": f"{n} {n + 1}\n", "output": f"{2 * n + 1}\n"} for n in range(1, 4)],
        "time_limit_s": 0.5,
        "memory_limit_mb": 128,
    }
)


def programs(count: int) -> Iterator[tuple[Problem, Submission]]:
    """Honest programs, each different, with the cheats among them in turn."""
    cheats = [path.read_text(encoding="utf-8", errors="surrogateescape") for path in sorted(CHEATS.glob("*.py"))]
    for number in range(count):
        turn, place = divmod(number, EACH_CHEAT)
        code = cheats[turn % len(cheats)] if place == 0 else RIGHT if number % 2 else WRONG
        name = ("cheat" if place == 0 else "right" if number % 2 else "wrong") + f"-{number}"
        yield SUM, Submission(name, "sum", code=f"{code}\n# {number}")


def honest(count: int) -> Iterator[tuple[Problem, Submission]]:
    for number in range(count):
        code, name = (RIGHT, "right") if number % 2 else (WRONG, "wrong")
        yield SUM, Submission(f"{name}-{number}", "sum", code=f"{code}# {number}")


def sample() -> dict[str, int]:
    """Resident memory, descriptors and processes of this process and all below it."""
    me = psutil.Process()
    memory = descriptors = processes = 0
    for process in [me, *me.children(recursive=True)]:
        try:
            memory += process.memory_info().rss
            descriptors += process.num_fds()
            processes += 1
        except psutil.Error:
            continue  # a test's process that has just ended
    most = max((descriptors_of(child) for child in me.children()), default=0)
    used = {"memory_mb": memory >> 20, "descriptors": descriptors, "processes": processes}
    return {**used, "most_descriptors_of_a_supervisor": most}


def descriptors_of(process: psutil.Process) -> int:
    try:
        return process.num_fds()
    except psutil.Error:
        return 0


def wrong_verdicts(seen: Counter[tuple[str, str]]) -> dict[str, int]:
    """Honest programs with a wrong verdict, counted by kind and verdict. A JUDGE_ERROR is not a wrong verdict."""
    expected = {"right": "ACCEPTED", "wrong": "WRONG_ANSWER"}
    return {
        f"{kind}: {verdict}": count
        for (kind, verdict), count in seen.items()
        if kind in expected and verdict not in (expected[kind], "JUDGE_ERROR")
    }


def soak(count: int, given: Iterator[tuple[Problem, Submission]]) -> dict[str, Any]:
    seen: Counter[tuple[str, str]] = Counter()
    samples = []
    with Grader(workers=2) as grader:
        for number, grade in enumerate(grader.grade_many(given)):
            seen[grade.submission_id.split("-")[0], grade.verdict.value] += 1
            if number % max(1, count // 20) == 0:
                samples.append({"graded": number, **sample()})
                print(samples[-1], flush=True)
    judge_errors = sum(n for (_, verdict), n in seen.items() if verdict == "JUDGE_ERROR")
    return {"samples": samples, "wrong": wrong_verdicts(seen), "judge_errors": judge_errors, "after": sample()}


def soak_with_kills(count: int) -> dict[str, Any]:
    chance = random.Random(0)
    seen: Counter[tuple[str, str]] = Counter()
    kills = 0
    with Grader(workers=2) as grader:
        for number, grade in enumerate(grader.grade_many(honest(count))):
            seen[grade.submission_id.split("-")[0], grade.verdict.value] += 1
            victims = psutil.Process().children(recursive=True)
            if victims and number % 25 == 0:
                try:
                    os.kill(chance.choice(victims).pid, signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    continue
    judge_errors = sum(n for (_, verdict), n in seen.items() if verdict == "JUDGE_ERROR")
    return {"graded": sum(seen.values()), "kills": kills, "wrong": wrong_verdicts(seen), "judge_errors": judge_errors}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--gradings", type=int, default=20_000)
    arguments.add_argument("--mixed-gradings", type=int, default=20_000)
    arguments.add_argument("--kill-gradings", type=int, default=2_000)
    arguments.add_argument("--json", type=Path)
    options = arguments.parse_args()
    started = time.monotonic()
    parts: dict[str, Any] = {}
    if options.gradings:
        parts["soak"] = soak(options.gradings, programs(options.gradings))
    if options.mixed_gradings:
        parts["mixed"] = soak(options.mixed_gradings, mixed(options.mixed_gradings))
    if options.kill_gradings:
        parts["kills"] = soak_with_kills(options.kill_gradings)
    result = {"machine": machine(), **parts, "seconds": round(time.monotonic() - started, 1)}
    shown = {name: {**part, "samples": "above"} if "samples" in part else part for name, part in parts.items()}
    print(json.dumps(shown, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
