"""The grader as a library: verdicts, concurrency, what survives a kill, what is left behind. Real processes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from microcoder_eval import Grade, Grader, GraderError, InputError, Problem, Submission, grade

SUM = Problem.from_dict(
    {
        "id": "sum",
        "tests": [{"input": f"{n} {n + 1}\n", "output": f"{2 * n + 1}\n"} for n in range(6)],
        "time_limit_s": 1,
        "memory_limit_mb": 128,
    }
)
RIGHT = "a, b = map(int, input().split())\nprint(a + b)"
VERDICTS = {
    RIGHT: "ACCEPTED",
    "print(1)": "WRONG_ANSWER",
    "print(": "COMPILE_ERROR",
    "1 / 0": "RUNTIME_ERROR",
    "while True: pass": "TIME_LIMIT",
    "import time\ntime.sleep(600)": "TIME_LIMIT",
    "x = []\nwhile True: x.append(bytearray(1 << 20))": "MEMORY_LIMIT",
    "while True: print('x' * 100000)": "OUTPUT_LIMIT",
    "import socket\nsocket.socket()": "FORBIDDEN",
    "import ctypes\nctypes.string_at(0)": "RUNTIME_ERROR",
}


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=2) as made:
        yield made


def submission(code: str, name: str = "s") -> Submission:
    return Submission(name, "sum", code=code)


def children(of: int) -> list[psutil.Process]:
    try:
        return psutil.Process(of).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


@pytest.mark.parametrize("code", VERDICTS)
def test_each_way_to_end_has_its_verdict(grader: Grader, code: str) -> None:
    started = time.monotonic()
    result = grader.grade(SUM, submission(code))
    assert result.verdict == VERDICTS[code], result.detail
    assert time.monotonic() - started < 200  # not the ten minutes that one of them sleeps


def test_a_reply_without_code_is_no_code_and_a_cut_one_incomplete(grader: Grader) -> None:
    nothing = grader.grade(SUM, "I am sorry, I cannot do this.")
    assert (nothing.verdict, nothing.reward, nothing.total) == ("NO_CODE", 0.0, 6)
    assert not grader.grade(SUM, "```python\na, b = map(int, input().spl").complete
    assert grader.grade(SUM, f"Here:\n```python\n{RIGHT}\n```\n").accepted


def test_all_tests_are_run_when_asked_for() -> None:
    with Grader(workers=2, all_tests=True) as grader:
        result = grader.grade(SUM, submission("a, b = map(int, input().split())\nprint(a + b if a % 2 else 0)"))
    assert (result.verdict, result.passed, result.total, len(result.tests)) == ("WRONG_ANSWER", 3, 6, 6)


@pytest.mark.parametrize("isolation", ["test", "submission"])
def test_grades_do_not_depend_on_the_number_of_workers(isolation: str) -> None:
    codes = [
        RIGHT,
        "a, b = map(int, input().split())\nif a == 3: 1 / 0\nprint(a + b)",
        "a, b = map(int, input().split())\nprint(a + b + (a == 5))",
        "a, b = map(int, input().split())\nif a == 4:\n    while True: pass\nprint(a + b + (a == 5))",
    ]
    work = [submission(f"{codes[3 if n == 17 else n % 3]}\n# {n}", str(n)) for n in range(40)]

    def run(workers: int) -> dict[str, tuple[object, ...]]:
        with Grader(workers=workers, isolation=isolation) as grader:
            grades = list(grader.grade_many((SUM, item) for item in work))
        return {g.submission_id: (g.verdict, g.passed, [(t.index, t.verdict) for t in g.tests]) for g in grades}

    one = run(1)
    assert len(one) == 40
    assert run(2) == one
    assert run(5) == one


def test_items_are_taken_only_as_they_are_graded(grader: Grader) -> None:
    taken = 0

    def endless() -> Iterator[tuple[Problem, Submission]]:
        nonlocal taken
        while True:
            taken += 1
            yield SUM, submission(f"{RIGHT}\n# {taken}")

    grades = grader.grade_many(endless())
    for _ in range(5):
        assert next(grades).accepted
    assert taken < 5 + 100


def test_threads_and_event_loops_share_a_grader(grader: Grader) -> None:
    verdicts: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: verdicts.append(grader.grade(SUM, submission(f"{RIGHT}#{n}")).verdict))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()

    async def gather() -> list[Grade]:
        return list(await asyncio.gather(*(grader.agrade(SUM, submission(f"print({n})")) for n in range(4))))

    assert [g.verdict for g in asyncio.run(gather())] == ["WRONG_ANSWER"] * 4
    for thread in threads:
        thread.join(60)
    assert verdicts == ["ACCEPTED"] * 8


def test_a_forked_child_is_told_to_make_its_own(grader: Grader) -> None:
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            grader.grade(SUM, submission(RIGHT))
        except GraderError as error:
            os.write(write, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert b"make one in this process" in os.read(read, 1000)


def test_a_script_without_a_main_guard_can_grade(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from microcoder_eval import Grader, Problem\n"
        "p = Problem.from_dict({'id': 'p', 'tests': [{'input': '', 'output': '7'}]})\n"
        "g = Grader(workers=2)\n"
        "print(g.grade(p, 'print(7)').verdict)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=200, check=True)
    assert (done.stdout, done.stderr) == ("ACCEPTED\n", "")


def test_one_call_grades_one_reply() -> None:
    assert grade(SUM, RIGHT).accepted


def test_killed_processes_are_replaced_and_every_verdict_is_right() -> None:
    work = [submission(f"{RIGHT if n % 2 else 'print(0)'}\n# {n}", str(n)) for n in range(60)]
    with Grader(workers=2) as grader:
        seen = {}
        for count, result in enumerate(grader.grade_many((SUM, item) for item in work)):
            seen[result.submission_id] = result.verdict
            if count % 20 == 10:
                victims = children(os.getpid())
                victims[count % len(victims)].send_signal(signal.SIGKILL)
    wrong = {
        name: v for name, v in seen.items() if v not in ("ACCEPTED" if int(name) % 2 else "WRONG_ANSWER", "JUDGE_ERROR")
    }
    assert len(seen) == 60
    assert not wrong
    assert sum(v == "JUDGE_ERROR" for v in seen.values()) <= 2


@pytest.mark.parametrize("how", ["close", "kill -9", "Ctrl-C"])
def test_nothing_is_left_behind(how: str, tmp_path: Path) -> None:
    program = (
        "import sys\nfrom microcoder_eval import *\n"
        "p = Problem.from_dict({'id': 'p', 'tests': [{'input': '', 'output': '7'}], 'time_limit_s': 3})\n"
        "with Grader(workers=2) as g:\n"
        "    f = [g.submit(p, f'while True: pass # {n}') for n in range(4)]\n"
        "    print(g.grade(p, 'print(7)').verdict if False else 'ready', flush=True)\n"
        "    if sys.argv[1] != 'close': f[0].result()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, how],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.5)
    started = children(process.pid)
    if how != "close":
        process.send_signal(signal.SIGKILL if how == "kill -9" else signal.SIGINT)
    process.wait(200)
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and (any(p.is_running() for p in started) or list(tmp_path.iterdir())):
        time.sleep(0.1)
    assert [p for p in started if p.is_running()] == []
    assert list(tmp_path.rglob("*")) == []


def test_missing_layers_are_refused() -> None:
    with Grader(workers=1, layers=["seccomp"], require_sandbox=["landlock"]) as grader, pytest.raises(GraderError):
        grader.grade(SUM, submission(RIGHT))


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"id": "p", "tests": []}, "no tests"),
        ({"tests": [{"input": "", "output": ""}]}, 'no "id"'),
        ({"id": "p", "tests": [{"input": ""}]}, "test 0"),
        ({"id": "p", "kind": "dance", "tests": [{"input": "", "output": ""}]}, "unknown kind"),
        ({"id": "p", "checker": {"kind": "magic"}, "tests": [{"input": "", "output": ""}]}, "unknown checker"),
        ({"id": "p", "kind": "call", "tests": [{"input": [1], "output": 1}]}, "entry_point"),
        ({"id": "p", "time_limit_s": -1, "tests": [{"input": "", "output": ""}]}, "positive"),
    ],
)
def test_a_problem_that_cannot_be_graded_says_why(record: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Problem.from_dict(record)


def test_unknown_languages_and_settings_are_refused(grader: Grader) -> None:
    with pytest.raises(InputError, match="unknown language"):
        grader.grade(SUM, Submission("s", "sum", code="IDENTIFICATION DIVISION.", language="cobol"))
    with pytest.raises(InputError, match="unknown policy"):
        Grader(policy="kind")


def test_descriptors_do_not_leak() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with Grader(workers=2) as grader:
            assert grader.grade(SUM, submission(RIGHT)).accepted
    assert len(os.listdir("/proc/self/fd")) <= before
    assert not [name for name in os.listdir(tempfile.gettempdir()) if name.startswith(f"microcoder-{os.getpid()}")]


def test_a_program_s_signals_do_not_depend_on_who_started_the_grader() -> None:
    program = (
        "from microcoder_eval import *\n"
        "p = Problem.from_dict({'id': 'p', 'tests': [{'input': '', 'output': ''}]})\n"
        "with Grader(workers=1) as g: print(g.grade(p, Submission('s', 'p', code="
        "'import os, signal\\nos.kill(os.getpid(), signal.SIGQUIT)')).detail)\n"
    )
    ignoring = ["bash", "-c", "trap '' QUIT INT HUP; exec \"$@\"", "bash", sys.executable, "-c", program]
    done = subprocess.run(ignoring, capture_output=True, text=True, timeout=200, check=True)
    assert "killed by SIGQUIT" in done.stdout
