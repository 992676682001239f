"""Verdicts kept on disk: found again when nothing has changed, never otherwise. Without a cache, grading goes on."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Checker, Grade, Grader, Problem, Submission, TestCase, Verdict
from microcoder_eval.scheduling.job import ProgramGrade
from microcoder_eval.scheduling.verdict_cache import VerdictCache
from microcoder_eval.verdict import TestResult
from tests.eval.command import GRADE, PROBLEM, RIGHT, microcoder, write

SUM = Problem.from_dict(PROBLEM)
ROOT = str(Path(__file__).parents[3])


def graded(cache: Path, problem: Problem, code: str, language: str = "python", **settings: Any) -> tuple[Grade, int]:
    """The grade of a program, and how many verdicts came from the cache."""
    with Grader(workers=1, cache=cache, **settings) as grader:
        grade = grader.grade(problem, Submission("s", problem.id, code=code, language=language))
        return grade, grader.from_cache


def test_a_second_grader_does_not_run_the_program_again(tmp_path: Path) -> None:
    wrong = "print(3)"
    first = [graded(tmp_path / "v", SUM, code) for code in (RIGHT, wrong, "print(")]
    second = [graded(tmp_path / "v", SUM, code) for code in (RIGHT, wrong, "print(")]
    assert [grade.verdict for grade, _ in first] == ["ACCEPTED", "WRONG_ANSWER", "COMPILE_ERROR"]
    assert [hits for _, hits in first] == [0, 0, 0]
    assert [hits for _, hits in second] == [1, 1, 1]
    assert [grade.to_dict() for grade, _ in first] == [grade.to_dict() for grade, _ in second]


CHANGES: dict[str, Callable[[Problem], Problem]] = {
    "an input": lambda p: replace(p, tests=(TestCase("2 1", "3"), *p.tests[1:])),
    "an output": lambda p: replace(p, tests=(TestCase("1 2", "3\n4"), *p.tests[1:])),
    "the number of tests": lambda p: replace(p, tests=p.tests[:1]),
    "a test's limit": lambda p: replace(p, tests=(replace(p.tests[0], time_limit_s=1.5), *p.tests[1:])),
    "the checker": lambda p: replace(p, checker=Checker("exact")),
    "the tolerance": lambda p: replace(p, checker=Checker("float", abs=1e-3)),
    "the time limit": lambda p: replace(p, time_limit_s=1.25),
    "the memory limit": lambda p: replace(p, memory_limit_mb=300),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_the_problem_is_graded_anew(tmp_path: Path, what: str) -> None:
    graded(tmp_path / "v", SUM, RIGHT)
    assert graded(tmp_path / "v", CHANGES[what](SUM), RIGHT)[1] == 0
    assert graded(tmp_path / "v", SUM, RIGHT)[1] == 1


@pytest.mark.parametrize(
    "settings", [{"policy": "strict"}, {"isolation": "submission"}, {"all_tests": True}, {"layers": ("limits",)}]
)
def test_a_change_of_the_settings_is_graded_anew(tmp_path: Path, settings: dict[str, Any]) -> None:
    graded(tmp_path / "v", SUM, RIGHT)
    assert graded(tmp_path / "v", SUM, RIGHT, **settings)[1] == 0


def test_values_that_are_equal_but_not_the_same_are_different_problems(tmp_path: Path) -> None:
    def returns(value: Any) -> Problem:
        return Problem("p", "call", (TestCase([], value),), entry_point="f")

    code = "def f():\n    return True"
    values = (1, True, 1.0, [1], (1,))
    assert [graded(tmp_path / "v", returns(value), code, policy="strict")[1] for value in values] == [0] * len(values)


def test_the_statement_does_not_matter_and_the_same_test_written_twice_is_the_same(tmp_path: Path) -> None:
    text = "1 2"
    shared = replace(SUM, tests=(TestCase(text, "3"), TestCase(text, "3")))
    apart = replace(shared, tests=tuple(TestCase("".join(["1", " 2"]), "".join(["", "3"])) for _ in range(2)))
    graded(tmp_path / "v", shared, RIGHT)
    assert graded(tmp_path / "v", replace(apart, statement="Add."), RIGHT)[1] == 1


@pytest.mark.parametrize(
    ("code", "hits"), [("while True: pass", [0, 1, 1]), ("import time\ntime.sleep(60)", [0, 0, 1])]
)
def test_a_timeout_is_believed_when_its_cpu_time_is_used_up_or_the_second_time(
    tmp_path: Path, code: str, hits: list[int]
) -> None:
    quick = replace(SUM, time_limit_s=0.1)
    found = [graded(tmp_path / "v", quick, code) for _ in range(3)]
    assert [grade.verdict for grade, _ in found] == [Verdict.TIME_LIMIT] * 3
    assert [known for _, known in found] == hits


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has other instructions")
def test_a_timeout_of_a_program_that_cannot_end_is_believed_at_once(tmp_path: Path) -> None:
    patient = replace(SUM, time_limit_s=10.0)
    found = [graded(tmp_path / "v", patient, "while True: pass") for _ in range(2)]
    assert [grade.tests[0].endless for grade, _ in found] == [True, True]
    assert [known for _, known in found] == [0, 1]


def test_a_failure_of_the_grader_is_not_kept(tmp_path: Path) -> None:
    broken = replace(SUM, checker=Checker("python", code="def chek(*_): return True"))
    for _ in range(2):
        grade, hits = graded(tmp_path / "v", broken, RIGHT)
        assert (grade.verdict, hits) == (Verdict.JUDGE_ERROR, 0)


def test_the_order_of_tests_is_learnt_from_known_verdicts_too(tmp_path: Path) -> None:
    problem = replace(SUM, tests=tuple(TestCase(f"{n} 1", str(n + 1)) for n in range(6)))
    programs = [f"a, b = map(int, input().split())\nprint(a + b if a < {2 + n % 4} else 0)  # {n}" for n in range(40)]

    def run() -> list[dict[str, Any]]:
        with Grader(workers=2, cache=tmp_path / "v") as grader:
            pairs = ((problem, Submission(f"{n:02}", problem.id, code)) for n, code in enumerate(programs))
            found = [(grade.submission_id, [test.index for test in grade.tests]) for grade in grader.grade_many(pairs)]
            return sorted(found)

    first = run()
    assert first == run()
    programs[20:] = [code + " and new" for code in programs[20:]]
    assert first == run()


UNUSABLE: dict[str, Callable[[Path], Path]] = {
    "not a database": lambda folder: _file(folder / "v", b"precious notes\n" * 1000),
    "a directory": lambda folder: folder,
    "below a file": lambda folder: _file(folder / "v", b"") / "deeper" / "v",
    "another database": lambda folder: _database(folder / "v"),
}


@pytest.mark.parametrize("what", UNUSABLE)
def test_a_file_that_cannot_be_used_costs_one_line_and_nothing_else(
    tmp_path: Path, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = UNUSABLE[what](tmp_path)
    before = path.read_bytes() if path.is_file() else b""
    with caplog.at_level(logging.WARNING), Grader(workers=1, cache=path) as grader:
        found = [grader.grade(SUM, Submission("s", "sum", f"{RIGHT} # {n}")).verdict for n in range(3)]
    assert found == [Verdict.ACCEPTED] * 3
    assert len(caplog.messages) == 1
    assert str(path) in caplog.messages[0]
    if what == "not a database":
        assert path.read_bytes() == before


def test_a_file_damaged_in_the_middle_costs_one_line_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "v"
    fill(path, range(2000))
    with open(path, "r+b") as file:
        file.seek(8192)
        file.write(os.urandom(path.stat().st_size - 16384))
    with caplog.at_level(logging.WARNING):
        cache = VerdictCache(path)
        for n in range(3000):
            cache.find(key(n))
            cache.keep(key(-n), outcome(n))
        cache.close()
    assert len(caplog.messages) == 1


def test_a_full_file_is_named_as_the_cause(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = VerdictCache(tmp_path / "v")
    assert cache._file is not None
    cache._file.execute("PRAGMA max_page_count = 20")
    with caplog.at_level(logging.WARNING):
        fill_cache(cache, range(2000))
        cache.close()
    assert len(caplog.messages) == 1
    assert "disk is full" in caplog.messages[0]


def test_processes_that_create_the_file_at_once_all_use_it(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from microcoder_eval.scheduling.verdict_cache import VerdictCache\n"
        "for path in sys.stdin: VerdictCache(path.rstrip()).close(); print(flush=True)"
    )
    environment = {**os.environ, "PYTHONPATH": ROOT}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        for _ in range(3)
    ]
    for n in range(200):
        for process in running:
            assert process.stdin is not None
            process.stdin.write(f"{tmp_path / str(n)}\n".encode())
            process.stdin.flush()
        for process in running:
            assert process.stdout is not None
            process.stdout.readline()
    assert [process.communicate()[1] for process in running] == [b""] * len(running)


def test_an_unwritable_file_can_still_be_told_about_in_one_line(tmp_path: Path) -> None:
    if os.getuid() == 0:
        pytest.skip("root may write everywhere")
    fill(tmp_path / "v", range(3))
    (tmp_path / "v").chmod(0o400)
    tmp_path.chmod(0o500)
    assert graded(tmp_path / "v", SUM, RIGHT)[0].accepted


def test_many_processes_share_a_file(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.eval.scheduling.test_verdict_cache import fill\n"
        "start = int(sys.argv[2]); fill(Path(sys.argv[1]), range(start, start + 300))"
    )
    starts = range(0, 1200, 100)
    environment = {**os.environ, "PYTHONPATH": ROOT}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "v"), str(start)], stderr=subprocess.PIPE, env=environment
        )
        for start in starts
    ]
    assert [process.communicate()[1] for process in running] == [b""] * len(running)
    cache = VerdictCache(tmp_path / "v")
    assert [cache.find(key(n)) for n in range(1400)] == [outcome(n) for n in range(1400)]
    cache.close()


def test_a_writer_that_is_killed_leaves_a_sound_file(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.eval.scheduling.test_verdict_cache import fill\n"
        "fill(Path(sys.argv[1]), range(10**9), say=1000)"
    )
    environment = {**os.environ, "PYTHONPATH": ROOT}
    for _ in range(3):
        command = [sys.executable, "-c", program, str(tmp_path / "v")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        cache = VerdictCache(tmp_path / "v")
        assert [cache.find(key(n)) for n in range(900)] == [outcome(n) for n in range(900)]
        cache.close()


def test_the_file_stays_within_its_limit_and_forgets_what_was_used_longest_ago(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path / "v", limit_mb=1)
    fill_cache(cache, range(500))
    for start in range(500, 12_000, 500):
        fill_cache(cache, range(start, start + 500))
        assert all(cache.find(key(n)) for n in range(100)), "what is looked up again and again stays"
    assert cache.find(key(300)) is None
    assert cache.find(key(11_999)) == outcome(11_999)
    cache.close()
    assert (tmp_path / "v").stat().st_size < 2 << 20


def test_the_command_says_what_it_knew(tmp_path: Path) -> None:
    files = tmp_path
    write(files / "p.jsonl", [PROBLEM])
    write(files / "s.jsonl", [{"id": f"s{n}", "problem_id": "sum", "code": f"{RIGHT} # {n}"} for n in range(6)])
    first = microcoder(*GRADE, "--cache", "kept/v", cwd=files)
    assert "from earlier runs" not in first.stdout
    second = microcoder(*GRADE[:-1], "out2", "--cache", "kept/v", cwd=files)
    assert "6 programs were known from earlier runs" in second.stdout
    lines = [sorted((files / out / "grades.jsonl").read_text().splitlines()) for out in ("out", "out2")]
    assert lines[0] == lines[1]
    third = microcoder(*GRADE[:-1], "out3", "--no-cache", cwd=files)
    assert third.returncode == 0
    assert "from earlier runs" not in third.stdout
    wrong = microcoder(*GRADE[:-1], "out4", "--no-cache", "--cache", "x", cwd=files)
    assert wrong.returncode == 2
    assert "contradict" in wrong.stderr
    spoilt = microcoder(*GRADE[:-1], "out5", "--cache", "p.jsonl", cwd=files)
    assert spoilt.returncode == 0
    assert spoilt.stderr.count("\n") == 1
    assert "p.jsonl" in spoilt.stderr


def key(n: int) -> bytes:
    return n.to_bytes(32, "big", signed=True)


def outcome(n: int) -> ProgramGrade:
    tests = (
        TestResult(0, Verdict.ACCEPTED, 1.5, 2.5, 9000, "exact"),
        TestResult(n, Verdict.WRONG_ANSWER, detail="\ud800"),
    )
    return ProgramGrade(Verdict.WRONG_ANSWER, tests, 1, n + 1, f"test {n}: it is wrong", n)


def fill_cache(cache: VerdictCache, numbers: range, say: int = 0) -> None:
    for n in numbers:
        cache.keep(key(n), outcome(n))
        if say and n == say:
            print(n, flush=True)


def fill(path: Path, numbers: range, say: int = 0) -> None:
    cache = VerdictCache(path)
    fill_cache(cache, numbers, say)
    cache.close()


def _file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _database(path: Path) -> Path:
    import sqlite3

    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE verdicts (name TEXT)")
    other.close()
    return path
