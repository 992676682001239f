"""How much time the verdict cache costs a first run and saves a second one. Prints figures; nothing passes or fails.

    python bench/eval_cache.py [--programs 400] [--workers 2] [--rounds 3]

The same small programs, 15 tests each, are graded without a cache, with an empty one, and with one that knows them all.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from workload import Program, right

from microcoder_eval import Grader, Problem, Submission, TestCase


def grade_all(programs: list[Program], workers: int, cache: Path | None) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds of this process, and how many verdicts were known."""
    cpu, wall = time.process_time(), time.monotonic()
    with Grader(workers, cache=cache) as grader:
        pairs = (
            (
                Problem(f"p{number}", tests=tuple(TestCase(*pair) for pair in program.tests)),
                Submission(f"s{number}", f"p{number}", program.code),
            )
            for number, program in enumerate(programs)
        )
        assert all(grade.accepted for grade in grader.grade_many(pairs))
        known = grader.from_cache
    return time.monotonic() - wall, time.process_time() - cpu, known


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--programs", type=int, default=400)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    programs = right(chosen.programs)
    figures: dict[str, list[tuple[float, float, int]]] = {"no cache": [], "empty cache": [], "full cache": []}
    for _ in range(chosen.rounds):
        with tempfile.TemporaryDirectory() as directory:
            kept = Path(directory) / "verdicts"
            figures["no cache"].append(grade_all(programs, chosen.workers, None))
            for name in ("empty cache", "full cache"):
                figures[name].append(grade_all(programs, chosen.workers, kept))
            size = kept.stat().st_size
    for name, rounds in figures.items():
        wall, cpu, known = (statistics.median(figure) for figure in zip(*rounds, strict=True))
        own = 1000 * cpu / len(programs)
        print(f"{name:12} {wall:7.2f} s, {own:6.2f} CPU ms of this process a program, {known:.0f} known")
    print(f"{size / len(programs):.0f} bytes a verdict")


if __name__ == "__main__":
    main()
