"""The measures that make forks cheap change nothing that a program can see."""

from __future__ import annotations

import subprocess
import sys

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict

PROBLEM = Problem.from_dict({"id": "p", "tests": [{"input": "9\n", "output": "3\n"}], "time_limit_s": 4})


@pytest.fixture(scope="module")
def grader():
    with Grader(workers=1) as grader:
        yield grader


@pytest.mark.parametrize(
    "code",
    [
        "print(int(int(input()) ** 0.5))",
        "import sys\nprint(int(int(sys.stdin.readline()) ** 0.5))",
        "from sys import stdin\nprint(int(int(stdin.read()) ** 0.5))",
        "import math\nprint(math.isqrt(int(input())))",
        "from math import *\nprint(isqrt(int(input())))",
        "import sys, math as m\nprint(m.isqrt(int(input())))",
        "def f(n):\n    from math import isqrt; return isqrt(n)\nprint(f(int(input())))",
        "exec('im' + 'port math')\nprint(math.isqrt(int(input())))",
        "print(__import__('math').isqrt(int(input())))",
        "# from " + 300_000 * "a" + "\n# from " + 100_000 * "a." + "\n# import " + 300_000 * " " + "\nprint(3)",
        "from __future__ import annotations\nimport typing, re, heapq, enum, signal, contextlib, traceback\nprint(3)",
    ],
)
def test_a_program_may_import_in_any_way(grader, code):
    grade = grader.grade(PROBLEM, Submission("s", "p", code=code))
    assert grade.verdict is Verdict.ACCEPTED, grade.detail


def test_a_program_finds_nothing_of_the_warm_up(grader):
    code = (
        "import sys\n"
        "assert not {'area', 'Node', 'n', 'numbers', 'warm_up'} & set(globals()), sorted(globals())\n"
        "assert sys.stdin.fileno() == 0 and sys.stdout.fileno() == 1 and sys.stdin.readline() == '9\\n'\n"
        "assert sys.stdin.read() == ''\n"
        "print(3)"
    )
    grade = grader.grade(PROBLEM, Submission("s", "p", code=code))
    assert grade.verdict is Verdict.ACCEPTED, grade.detail


def test_the_interpreter_runs_on_when_its_code_has_moved():
    program = (
        "from microcoder_eval.sandbox import huge_pages\n"
        "moved = huge_pages.move_code()\n"
        "assert moved % huge_pages.HUGE == 0, moved\n"
        "import json, re, decimal\n"
        "assert json.loads('[1]') == [1] and re.match('a+', 'aab').end() == 2\n"
        "print(decimal.Decimal(1) / 3)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "0.3333333333333333333333333333"), done.stderr


def test_a_system_that_refuses_to_move_code_loses_nothing():
    program = (
        "from microcoder_eval.boundary import libc\nfrom microcoder_eval.sandbox import huge_pages\n"
        "def refused(name, *arguments):\n"
        "    raise OSError(13, name)\n"
        "libc.call = refused\n"
        "print(huge_pages.move_code())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr


def test_a_program_finds_nothing_of_the_one_before_it():
    called = Problem.from_dict({"id": "c", "kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": 1}]})
    asked = Problem.from_dict({"id": "q", "tests": [{"input": "", "output": "1000"}]})
    with Grader(workers=1) as grader:
        # both need an interpreter with numpy, which is the same one
        first = grader.grade(called, Submission("a", "c", code="import numpy\ndef f(x): return x"))
        then = grader.grade(asked, Submission("b", "q", code="import numpy, sys\nprint(sys.getrecursionlimit())"))
    assert (first.verdict, then.verdict) == (Verdict.ACCEPTED, Verdict.ACCEPTED), (first.detail, then.detail)


AFTER_THE_WARM_UP = """
import atexit, threading  # loaded before, as some Pythons do by themselves
atexit.register(print, "at the end")
from microcoder_eval.sandbox import warm_up
warm_up.warm_up()
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(1) as threads:
    print(threads.submit(int, "6").result())
threading.Timer(0.01, print, ["from a timer"]).start()
"""


def test_after_the_warm_up_threads_can_be_started_and_the_end_has_not_come():
    done = subprocess.run([sys.executable, "-c", AFTER_THE_WARM_UP], capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines() == ["6", "from a timer", "at the end"], done.stderr
