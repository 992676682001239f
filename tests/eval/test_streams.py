"""Programs that replace, change or close their output streams: each run of a shared process finds them as if fresh."""

from __future__ import annotations

import pytest

from microcoder_eval import Grader, Problem, Submission

ECHO = Problem.from_dict({"id": "echo", "tests": [{"input": f"{n}\n", "output": f"first\n{n}\n"} for n in range(6)]})
PROGRAMS = {
    "replaces stdout after it has printed": (
        "import sys\nprint('first')\nwrite = sys.stdout.write\nclass Out:\n    def write(self, text): write(text)\n"
        "    def flush(self): pass\nsys.stdout = Out()\nprint(input())"
    ),
    "replaces both names of stdout": (
        "import sys\nprint('first', flush=True)\nout = sys.stdout\n"
        "class Out:\n    def write(self, text): out.write(text)\n"
        "    def flush(self): out.flush()\nsys.stdout = sys.__stdout__ = Out()\nprint(input())"
    ),
    "closes stdout": "import sys\nprint('first')\nprint(input())\nsys.stdout.close()",
    "takes the buffer away": (
        "import sys\nprint('first')\nout = sys.stdout.detach()\nout.write(input().encode())\nout.flush()"
    ),
    "patches stdout's method": (
        "import sys\nwrite = sys.stdout.write\nsys.stdout.write = lambda text: write(text.lower())\n"
        "print('FIRST')\nprint(input())"
    ),
    "closes stderr": "import sys\nsys.stderr.close()\nprint('first')\nprint(input())",
    "leaves nothing of stdout": (
        "import sys\nprint('first')\nprint(input(), flush=True)\nsys.stdout = sys.__stdout__ = None"
    ),
    "reads less than there is": "import sys\nprint('first')\nprint(sys.stdin.read(1))",
}


@pytest.mark.parametrize("isolation", ["test", "submission"])
def test_a_program_may_do_with_its_streams_what_it_likes(isolation: str) -> None:
    with Grader(workers=1, isolation=isolation) as grader:
        grades = {name: grader.grade(ECHO, Submission(name, "", code=code)) for name, code in PROGRAMS.items()}
    assert {name: grade.detail for name, grade in grades.items() if not grade.accepted} == {}


@pytest.mark.parametrize("isolation", ["test", "submission"])
def test_what_a_program_prints_through_an_earlier_runs_stream_is_not_its_answer(isolation: str) -> None:
    """It prints the right answer once only: later through a stream that it has closed."""
    code = (
        "import sys, builtins\nif not hasattr(builtins, 'out'): builtins.out = sys.stdout\n"
        "out.write(f'first\\n{input()}\\n')\nout.close()\nif out is not sys.stdout: print('second')"
    )
    honest = "print('first')\nprint(input())"
    with Grader(workers=1, isolation=isolation) as grader:
        grade = grader.grade(ECHO, Submission("cheat", "", code=code))
        after = grader.grade(ECHO, Submission("honest", "", code=honest))
    assert grade.accepted and after.accepted  # each test that fails in the shared process runs again in a fresh one


@pytest.mark.parametrize(
    "code", ["print(open(0).read()[0], end=runs)", "read = open(0).readline\nopen(1, 'w').write(read()[0] + runs)"]
)
def test_a_shared_process_goes_on_after_a_run_that_closed_a_descriptor(code: str) -> None:
    count = (
        "import builtins\nbuiltins.count = getattr(builtins, 'count', 0) + 1\nruns = f' in run {builtins.count}\\n'\n"
    )
    tests = [{"input": f"{n}\n", "output": f"{n} in run {n + 1}\n"} for n in range(6)]
    with Grader(workers=1, isolation="submission") as grader:
        grade = grader.grade(Problem.from_dict({"id": "runs", "tests": tests}), Submission("s", "", code=count + code))
    assert grade.accepted, grade.detail


def test_a_shared_process_may_print_texts_of_any_length() -> None:
    lengths = (1, 1500, 1500, 0, 300_000, 7, 2048, 2)
    code = (
        "import builtins\nbuiltins.count = getattr(builtins, 'count', 0) + 1\nprint('x' * int(input()), builtins.count)"
    )
    tests = [{"input": f"{n}\n", "output": f"{'x' * n} {run}\n"} for run, n in enumerate(lengths, 1)]
    with Grader(workers=1, isolation="submission", policy="strict", tests_order="given") as grader:
        grade = grader.grade(Problem.from_dict({"id": "lengths", "tests": tests}), Submission("s", "", code=code))
    assert grade.accepted, grade.detail


def test_every_run_of_a_shared_process_has_its_own_cpu_time() -> None:
    with Grader(workers=1, isolation="submission") as grader:
        grade = grader.grade(ECHO, Submission("s", "", code="print('first')\nprint(input())"))
    assert grade.accepted and all(test.cpu_ms > 0 for test in grade.tests)
