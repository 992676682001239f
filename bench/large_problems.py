"""Large problems, ours alone: long outputs compared, the grader's steps with a long text, a long input, many tests.

    python bench/large_problems.py [--mb 50] [--tests 2000]

All figures are CPU time: of the `Grader` with all its processes where something is graded, otherwise of this process.
The long input is graded three times, because only the first grading sends it to a supervisor.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator

from measure import machine
from service_process import cpu_s, tree

from microcoder_eval import Checker, Grader, Policy, Problem, Submission
from microcoder_eval.boundary.huge_file import huge_file
from microcoder_eval.compare import compare_output
from microcoder_eval.protocol.sealed_text import SealedText, pieces
from microcoder_eval.supervisor.long_output import same_bytes

MEGA = 1 << 20


def outputs(mb: int) -> Iterator[tuple[str, bytes, bytes]]:
    """The pairs to compare: a name, the expected output, the printed output."""
    expected = b"7 " * (mb * MEGA // 2) + b"\n"
    yield f"{mb} MB, equal", expected, bytes(bytearray(expected))
    yield f"{mb} MB, lines instead of spaces", expected, expected.replace(b" ", b"\n")
    yield f"{mb} MB, the last token differs", expected, expected[:-3] + b"8 \n"
    draw = random.Random(0)
    numbers = [draw.uniform(-1e3, 1e3) for _ in range(mb * 40_000)]
    short, long = (" ".join(f"{number:.{digits}f}" for number in numbers).encode() for digits in (6, 9))
    yield f"{len(numbers):,} reals with more digits", short, long


def handled(mb: int) -> Iterator[tuple[str, float]]:
    """The steps that the grader itself takes with a long text, and their CPU seconds. Needs the right to mount."""
    text = "7 " * (mb * MEGA // 2)
    began = time.process_time()
    SealedText.holding(pieces(text))
    yield "an input hashed and written", time.process_time() - began
    began = time.process_time()
    expected = SealedText.in_file(huge_file(), pieces(text))
    yield "an output hashed and written", time.process_time() - began
    printed = SealedText.in_file(huge_file(), pieces(text))
    began = time.process_time()
    assert same_bytes(expected.descriptor, printed.descriptor, len(expected))
    yield "compared, for each program", time.process_time() - began


def graded(problem: Problem, code: str, isolation: str, times: int) -> list[float]:
    """CPU seconds of each grading of a program that differs a little each time."""
    took = []
    warm = Problem.from_dict({"id": "warm", "tests": [{"input": "", "output": "1"}]})
    with Grader(workers=1, isolation=isolation) as grader:
        assert grader.grade(warm, Submission("", "", code="print(1)")).accepted
        for number in range(times):
            before = cpu_s(tree(os.getpid()))
            grade = grader.grade(problem, Submission("", "", code=f"{code}\n# {number}"))
            took.append(cpu_s(tree(os.getpid())) - before)
            assert grade.accepted, grade.detail
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=50, help="how long an input or an output is")
    parser.add_argument("--tests", type=int, default=2000, help="how many small tests")
    options = parser.parse_args()
    for name, expected, actual in outputs(options.mb):
        began = time.process_time()
        compared = compare_output(expected, actual, Checker(), Policy.CONTEST)
        print(f"compared: {name:35} {time.process_time() - began:6.2f} s  {compared.rung or compared.detail}")
    for name, took_s in handled(options.mb):
        print(f"handled: {options.mb} MB {name:31} {1000 * took_s:5.0f} ms")
    length = options.mb * MEGA // 2
    long = Problem.from_dict(
        {"id": "long", "tests": [{"input": "1 " * length, "output": str(length)}], "time_limit_s": 10}
    )
    code = "import sys\nn = 0\nwhile part := sys.stdin.buffer.read(1 << 20):\n    n += part.count(b' ')\nprint(n)"
    first, *later = graded(long, code, "test", 3)
    print(f"graded: an input of {options.mb} MB, {first:.2f} s the first time, then {min(later):.2f} s")
    tests = [{"input": f"{number} 1\n", "output": f"{number + 1}\n"} for number in range(options.tests)]
    many = Problem.from_dict({"id": "many", "tests": tests})
    for isolation in ("test", "submission"):
        (took,) = graded(many, "print(sum(map(int, input().split())))", isolation, 1)
        print(
            f"graded: {options.tests} small tests, isolation {isolation}: {1000 * took / options.tests:.2f} ms a test"
        )
    print(json.dumps(machine()))


if __name__ == "__main__":
    main()
