"""The library's `Grader`: results, limits, streams, threads, several at once, and what it refuses.

Longer than most files: the tests share one grader, which takes a while to start.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from glob import glob
from pathlib import Path

import pytest

import microcoder_eval
from microcoder_eval import (
    Grade,
    Grader,
    GraderError,
    InputError,
    Policy,
    Problem,
    Submission,
    TestCase,
    Verdict,
    grade,
)
from microcoder_eval.scheduling import pool
from tests.eval.family import Family, wait_until_gone

ROOT = Path(microcoder_eval.__file__).parent.parent
ANSWER = "print(sum(map(int, input().split())))"
ADD = Problem.from_dict(
    {
        "id": "add",
        "time_limit_s": 1,
        "memory_limit_mb": 128,
        "tests": [{"input": f"{a} {2 * a}", "output": str(3 * a)} for a in range(10)],
    }
)


def _numbered(count: int, code: str = ANSWER) -> Iterator[tuple[Problem, Submission]]:
    for number in range(count):
        yield ADD, Submission(str(number), ADD.id, f"{code}  # {number}")


# --- one submission ---


def test_an_accepted_program(grader: Grader) -> None:
    result = grader.grade(ADD, Submission("mine", ADD.id, ANSWER))
    assert (result.submission_id, result.problem_id, result.verdict) == ("mine", "add", Verdict.ACCEPTED)
    assert (result.passed, result.total, result.score, result.reward) == (10, 10, 1.0, 1.0)
    assert [test.index for test in result.tests] == list(range(10))
    assert all(test.rung and test.memory_kb > 1000 and test.cpu_ms > 0 and test.wall_ms > 0 for test in result.tests)
    assert result.code == ANSWER


def test_the_first_difference_is_told(grader: Grader) -> None:
    result = grader.grade(ADD, Submission("s", ADD.id, "a, b = map(int, input().split())\nprint(a + b + (a > 3))"))
    assert (result.verdict, result.passed, result.reward) == (Verdict.WRONG_ANSWER, 4, 0.0)
    assert result.detail == "test 4: line 1, token 1: expected '12', got '13'"


def test_early_stop_runs_no_more_than_needed(grader: Grader) -> None:
    result = grader.grade(ADD, Submission("s", ADD.id, "print(0)"))
    assert (result.passed, result.total) == (1, 10)
    assert [test.index for test in result.tests] == [0, 1]


def test_all_tests_on_request() -> None:
    with Grader(workers=2, all_tests=True) as grader:
        result = grader.grade(ADD, Submission("s", ADD.id, "a, b = map(int, input().split())\nprint(a + b + a % 2)"))
    assert (result.verdict, result.passed, result.score) == (Verdict.WRONG_ANSWER, 5, 0.5)
    assert [test.verdict is Verdict.ACCEPTED for test in result.tests] == [True, False] * 5


def test_a_reply_is_searched_for_its_program(grader: Grader) -> None:
    result = grader.grade(ADD, f"<think>hm</think>Here:\n```python\n{ANSWER}\n```\nDone.")
    assert result.accepted
    assert result.code is not None and result.code.strip() == ANSWER
    assert result.complete


def test_a_function_explained_behind_a_script_is_not_the_program(grader: Grader) -> None:
    part = "def total(line):\n    return sum(map(int, line.split()))"
    reply = f"```python\n{part}\n\nprint(total(input()))\n```\nThe main function is\n```python\n{part}\n```"
    assert grader.grade(ADD, reply).accepted
    called = Problem.from_dict(
        {"id": "f", "kind": "call", "entry_point": "total", "tests": [{"input": ["1 2"], "output": 3}]}
    )
    assert grader.grade(called, reply).code == part


def test_a_reply_without_a_program(grader: Grader) -> None:
    result = grader.grade(ADD, "I cannot solve this.")
    assert (result.verdict, result.total, result.tests, result.code) == (Verdict.NO_CODE, 10, (), None)


def test_a_reply_that_is_cut_off_is_told_apart(grader: Grader) -> None:
    assert not grader.grade(ADD, "```python\nfor i in range(10):\n    print(i").complete


@pytest.mark.parametrize(
    ("code", "verdict", "detail"),
    [
        ("print(", Verdict.COMPILE_ERROR, "line 1"),
        ("1 / 0", Verdict.RUNTIME_ERROR, "ZeroDivisionError"),
        ("import sys; sys.exit('bad input')", Verdict.RUNTIME_ERROR, "bad input"),
        ("import sys; sys.exit(7)", Verdict.RUNTIME_ERROR, "exit status 7"),
        ("import os; os.abort()", Verdict.RUNTIME_ERROR, "SIGABRT"),
        ("import ctypes; ctypes.string_at(0)", Verdict.RUNTIME_ERROR, "SIGSEGV"),
        ("while True: pass", Verdict.TIME_LIMIT, "1 s of CPU time"),
        ("import time; time.sleep(99)", Verdict.TIME_LIMIT, "without using the CPU"),
        ("x = bytearray(1 << 33)", Verdict.MEMORY_LIMIT, "MemoryError"),
        ("x = []\nwhile True: x.append('x' * 99999)", Verdict.MEMORY_LIMIT, "128 MiB"),
        ("while True: print('x' * 99999)", Verdict.OUTPUT_LIMIT, "64 MiB"),
        ("import socket; socket.socket()", Verdict.FORBIDDEN, "refused"),
        ("import os; os.fork()", Verdict.FORBIDDEN, "refused"),
        ("class Mine(MemoryError): pass\nraise Mine('too much')", Verdict.MEMORY_LIMIT, "Mine: too much"),
        ("import sys; sys.exit('MemoryError')", Verdict.RUNTIME_ERROR, "MemoryError"),
        ("raise ValueError('PermissionError: [Errno 1]')", Verdict.RUNTIME_ERROR, "ValueError"),
        ("import os; os.close(6); raise MemoryError", Verdict.RUNTIME_ERROR, "MemoryError"),
        ("import os; os.write(6, b'x' * 9999); raise MemoryError", Verdict.RUNTIME_ERROR, "MemoryError"),
        ("pass", Verdict.WRONG_ANSWER, "the output ends"),
    ],
)
def test_each_verdict_and_what_it_says(grader: Grader, code: str, verdict: Verdict, detail: str) -> None:
    result = grader.grade(ADD, Submission("s", ADD.id, code))
    assert result.verdict is verdict, result.detail
    assert detail in result.detail
    assert result.reward == 0.0


def test_a_test_may_have_limits_of_its_own(grader: Grader) -> None:
    slow = "import time\nwhile time.process_time() < 0.6: pass\nprint(1)"
    tests = (TestCase("", "1"), TestCase("", "1", time_limit_s=0.2))
    result = grader.grade(Problem("p", tests=tests, time_limit_s=3), Submission("s", "p", slow))
    assert [test.verdict for test in result.tests] == [Verdict.ACCEPTED, Verdict.TIME_LIMIT]


def test_one_shot() -> None:
    assert grade(ADD, f"```python\n{ANSWER}\n```").accepted
    assert not grade(ADD, "```python\nprint(1)\n```").accepted


@pytest.mark.parametrize(
    ("problem", "submission", "message"),
    [
        (ADD, Submission("s", "add", "x", language="cobol"), "unknown language 'cobol'"),
        (Problem("p"), Submission("s", "p", "x"), "no tests"),
    ],
)
def test_what_cannot_be_graded_is_refused(
    grader: Grader, problem: Problem, submission: Submission, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        grader.grade(problem, submission)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "kind"}, "unknown policy 'kind'; known: strict, contest, lenient"),
        ({"isolation": "none"}, "unknown isolation"),
        ({"require_sandbox": ["magic"]}, "unknown sandbox layer 'magic'"),
    ],
)
def test_unknown_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Grader(workers=1, **options)  # type: ignore[arg-type]


def test_missing_layers_are_refused() -> None:
    with Grader(workers=1, layers=["seccomp"], require_sandbox=["landlock"]) as grader, pytest.raises(GraderError):
        grader.grade(ADD, Submission("s", ADD.id, ANSWER))


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"id": "p", "tests": []}, "no tests"),
        ({"tests": [{"input": "", "output": ""}]}, 'no "id"'),
        ({"id": "p", "tests": [{"input": ""}]}, r"problem 'p': tests\[0\].output: is missing"),
        ({"id": "p", "kind": "dance", "tests": [{"input": "", "output": ""}]}, "unknown kind"),
        ({"id": "p", "checker": {"kind": "magic"}, "tests": [{"input": "", "output": ""}]}, "unknown checker"),
        ({"id": "p", "kind": "call", "tests": [{"input": [1], "output": 1}]}, "entry_point"),
        ({"id": "p", "time_limit_s": -1, "tests": [{"input": "", "output": ""}]}, "positive"),
    ],
)
def test_a_problem_that_cannot_be_graded_says_why(record: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Problem.from_dict(record)


# --- many submissions ---


@pytest.mark.parametrize("isolation", ["test", "submission"])
def test_results_do_not_depend_on_the_number_of_workers(isolation: str) -> None:
    programs = []
    for number in range(120):
        kind = number % 6
        programs.append(
            [
                f"{ANSWER}  # {number}",
                f"a, b = map(int, input().split())\nprint(a + b + (a == {number % 10}))  # {number}",
                f"a, b = map(int, input().split())\nprint(a + b if a != {number % 7} else 1 / 0)  # {number}",
                f"print({number % 30})",
                f"x = {number} +",
                ANSWER,
            ][kind]
        )
    pairs = [(ADD, Submission(str(number), ADD.id, code)) for number, code in enumerate(programs)]
    outcomes = []
    for workers in (1, 2, 5):
        with Grader(workers=workers, isolation=isolation) as grader:
            grades = {result.submission_id: result for result in grader.grade_many(pairs)}
        outcomes.append(
            [
                (g.verdict, g.passed, g.detail, [(t.index, t.verdict) for t in g.tests])
                for _, g in sorted(grades.items())
            ]
        )
    assert len(outcomes[0]) == 120
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_an_identical_program_is_run_once(grader: Grader) -> None:
    code = "import time\nprint(time.time_ns() * 0 + sum(map(int, input().split())))"
    first = grader.grade(ADD, Submission("first", ADD.id, code))
    second = grader.grade(ADD, Submission("second", ADD.id, code))
    assert (first.submission_id, second.submission_id) == ("first", "second")
    assert [test.wall_ms for test in first.tests] == [test.wall_ms for test in second.tests]
    other = Problem.from_dict({**ADD.to_dict(), "tests": ADD.to_dict()["tests"][:3]})
    assert grader.grade(other, Submission("third", ADD.id, code)).total == 3


def test_a_stream_is_read_only_as_fast_as_it_is_graded() -> None:
    taken = graded = furthest_ahead = 0

    def pairs() -> Iterator[tuple[Problem, Submission]]:
        nonlocal taken, furthest_ahead
        for number in range(100_000):
            taken += 1
            furthest_ahead = max(furthest_ahead, taken - graded)
            yield ADD, Submission(str(number), ADD.id, f"{ANSWER}  # {number}")

    with Grader(workers=2) as grader:
        for graded, _ in enumerate(grader.grade_many(pairs()), start=1):
            if graded == 150:
                break
    assert 150 <= taken < 400
    assert furthest_ahead <= 2 * 16 + 1


def test_nothing_to_grade(grader: Grader) -> None:
    assert list(grader.grade_many([])) == []


def test_a_bad_pair_in_a_stream_raises_and_the_grader_goes_on(grader: Grader) -> None:
    with pytest.raises(InputError):
        list(grader.grade_many([(ADD, Submission("s", "add", "x", language="cobol"))]))
    assert grader.grade(ADD, Submission("s", ADD.id, ANSWER)).accepted


def test_futures(grader: Grader) -> None:
    futures: list[Future[Grade]] = [grader.submit(problem, submission) for problem, submission in _numbered(20)]
    assert [future.result().submission_id for future in futures] == [str(number) for number in range(20)]


def test_many_threads(grader: Grader) -> None:
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda pair: grader.grade(*pair), _numbered(60, "print(0)")))
    assert [result.verdict for result in results] == [Verdict.WRONG_ANSWER] * 60


def test_asyncio(grader: Grader) -> None:
    async def several() -> list[Grade]:
        return await asyncio.gather(*(grader.agrade(*pair) for pair in _numbered(20)))

    assert [result.submission_id for result in asyncio.run(several())] == [str(number) for number in range(20)]
    assert [result.submission_id for result in asyncio.run(several())] == [str(number) for number in range(20)]


def test_cancelling_a_task_leaves_the_grader_working(grader: Grader) -> None:
    async def give_up() -> None:
        slow = Submission("slow", ADD.id, "import time; time.sleep(1.2)")
        task = asyncio.create_task(grader.agrade(ADD, slow))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(give_up())
    assert grader.grade(ADD, Submission("s", ADD.id, ANSWER + "  # after")).accepted


def test_the_other_workers_start_when_there_is_work_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with Grader(workers=3) as grader:
        while grader.state.ready < 3:  # it stays open
            time.sleep(0.01)
    monkeypatch.setattr(pool, "OTHERS_AFTER_S", 600.0)
    with Grader(workers=3) as grader:
        while grader.state.ready < pool.FIRST:
            time.sleep(0.01)
        assert grader.run("print(1)").ended_well
        assert grader.state.ready == pool.FIRST
        assert all(grade.accepted for grade in grader.grade_many(_numbered(6)))
        while grader.state.ready < 3:
            time.sleep(0.01)
        assert grader.state.restarts == 0


def test_several_graders_at_once() -> None:
    with Grader(workers=1) as one, Grader(workers=2, policy=Policy.STRICT, isolation="submission") as two:
        results = [
            future.result() for grader in (one, two) for future in [grader.submit(*pair) for pair in _numbered(10)]
        ]
    assert all(result.accepted for result in results)


# --- life and death ---


def test_closing_ends_everything_also_with_work_pending() -> None:
    descriptors = set(os.listdir("/proc/self/fd"))
    with Family() as family:
        grader = Grader(workers=2)
        futures = [
            grader.submit(ADD, Submission(str(n), ADD.id, f"import time; time.sleep(99)  # {n}")) for n in range(9)
        ]
        grader.close()
        survivors = wait_until_gone(family.seen)
    assert not survivors
    for future in futures:
        with pytest.raises(GraderError, match="closed"):
            future.result(timeout=1200)
    assert not glob(f"{grader._pool._directory}*")
    assert set(os.listdir("/proc/self/fd")) == descriptors
    with pytest.raises(GraderError, match="closed"):
        grader.grade(ADD, Submission("s", ADD.id, ANSWER))
    grader.close()


def test_a_grader_that_is_forgotten_ends() -> None:
    with Family() as family:
        grader = Grader(workers=1)
        grader.grade(ADD, Submission("s", ADD.id, ANSWER))
        del grader
        gc.collect()
        assert not wait_until_gone(family.seen)


def test_opening_and_closing_leaves_nothing() -> None:
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with Grader(workers=1) as grader:
            grader.grade(ADD, Submission("s", ADD.id, ANSWER))
            directories = f"{grader._pool._directory}*"
            assert glob(directories)
        assert not glob(directories)
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_in_a_forked_child_it_says_so_instead_of_hanging(grader: Grader) -> None:
    grader.grade(ADD, Submission("s", ADD.id, ANSWER))
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            grader.grade(ADD, Submission("t", ADD.id, ANSWER))
            os.write(write, b"graded")
        except GraderError as error:
            os.write(write, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    os.close(write)
    said = os.read(read, 1000)
    os.close(read)
    assert b"before a fork" in said
    assert grader.grade(ADD, Submission("u", ADD.id, ANSWER + "  # still")).accepted


def test_a_forked_child_may_make_its_own() -> None:
    pid = os.fork()
    if pid == 0:
        with Grader(workers=1) as own:
            os._exit(0 if own.grade(ADD, Submission("s", ADD.id, ANSWER)).accepted else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_a_programs_signals_do_not_depend_on_who_started_the_grader() -> None:
    program = (
        "from microcoder_eval import *\n"
        "p = Problem.from_dict({'id': 'p', 'tests': [{'input': '', 'output': ''}]})\n"
        "with Grader(workers=1) as g: print(g.grade(p, Submission('s', 'p', code="
        "'import os, signal\\nos.kill(os.getpid(), signal.SIGQUIT)')).detail)\n"
    )
    ignoring = ["bash", "-c", "trap '' QUIT INT HUP; exec \"$@\"", "bash", sys.executable, "-c", program]
    done = subprocess.run(ignoring, capture_output=True, text=True, timeout=1200, check=True)
    assert "killed by SIGQUIT" in done.stdout


SCRIPT = """
from microcoder_eval import Grader, Problem, Submission
problem = Problem.from_dict({"id": "p", "tests": [{"input": "1 2", "output": "3"}]})
grader = Grader(workers=2)
pairs = [(problem, Submission(str(n), "p", f"print(sum(map(int, input().split())))  # {n}")) for n in range(5)]
print(sorted(grade.submission_id for grade in grader.grade_many(pairs) if grade.accepted))
"""


@pytest.mark.parametrize("by", ["a file without a main guard", "standard input", "-c"])
def test_scripts(tmp_path: Path, by: str) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    command = {"a file without a main guard": ["script.py"], "standard input": ["-"], "-c": ["-c", SCRIPT]}[by]
    ended = subprocess.run(
        [sys.executable, *command],
        input=SCRIPT,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=1200,
    )
    assert ended.stdout == "['0', '1', '2', '3', '4']\n"
    assert ended.stderr == ""
    assert ended.returncode == 0


def test_a_grader_that_requires_fences_takes_no_bare_code() -> None:
    fenced = f"```python\n{ANSWER}\n```"
    with Grader(workers=1, require_fence=True) as grader:
        bare = grader.grade(ADD, ANSWER)
        assert (bare.verdict, bare.detail) == (Verdict.NO_CODE, "no block in fences holds a python program")
        assert grader.grade(ADD, fenced).accepted
        assert grader.grade(ADD, Submission("s", ADD.id, code=ANSWER)).accepted
