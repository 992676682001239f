"""Long inputs and outputs reach programs and comparisons whole, in files or, where these are refused, in messages."""

from __future__ import annotations

import os
import signal

import pytest

from microcoder_eval import Checker, Grader, Problem, Submission, Verdict
from microcoder_eval.protocol import sealed_text
from microcoder_eval.protocol.sealed_text import SEALED_FROM, SealedText, pieces
from microcoder_eval.scheduling import known_problem, pool
from microcoder_eval.scheduling.known_problem import KEPT_FILES, MOST_SEALED, KnownProblem
from tests.eval.attacks.grading import own_children
from tests.eval.toolchains import is_here

LONG = "äöü\udc80 12 " * (SEALED_FROM // 8)


def echoes(tests: int, name: str = "echo") -> Problem:
    texts = [f"{number} {LONG}" for number in range(tests)]
    return Problem.from_dict({"id": name, "tests": [{"input": text, "output": text} for text in texts]})


def echo(number: int = 0) -> Submission:
    code = "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())"
    return Submission("", "", code=f"{code}\n# {number}")


@pytest.mark.parametrize("isolation", ["test", "submission"])
def test_long_and_short_tests_in_turn(isolation: str) -> None:
    short = [{"input": str(number), "output": str(number)} for number in range(4)]
    long = echoes(2).to_dict()["tests"]
    problem = Problem.from_dict({"id": "mixed", "tests": [*short[:2], *long, *short[2:], long[0]]})
    with Grader(workers=1, isolation=isolation, all_tests=True) as grader:
        grade = grader.grade(problem, echo())
        assert [test.verdict for test in grade.tests] == [Verdict.ACCEPTED] * 7
        first_word = Submission("", "", code="print(input().split()[0])")
        wrong = grader.grade(problem, first_word)
    assert [test.verdict is Verdict.ACCEPTED for test in wrong.tests] == [True, True, False, False, True, True, False]
    assert "expected" in wrong.tests[2].detail


def test_without_files_texts_travel_in_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(1, "refused")

    with_files = KnownProblem(echoes(2))
    monkeypatch.setattr(sealed_text.os, "memfd_create", refused)
    monkeypatch.setattr(known_problem, "huge_file", refused)
    without = KnownProblem(echoes(2))
    assert (len(with_files.packed.files), len(without.packed.files)) == (4, 0)
    assert with_files.key == without.key
    with Grader(workers=1) as grader:
        assert grader.grade(echoes(2), echo()).accepted


def test_supervisors_that_have_files_on_the_way_get_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MOST_FILES_ON_THE_WAY", 5)
    with Grader(workers=2) as grader:
        futures = [grader.submit(echoes(2, f"p{number}"), echo()) for number in range(6)]
        assert all(future.result().accepted for future in futures)


def test_more_long_texts_than_files() -> None:
    problem = echoes(MOST_SEALED // 2 + 5)
    assert len(KnownProblem(problem).packed.files) == MOST_SEALED
    with Grader(workers=1) as grader:
        assert grader.grade(problem, echo()).accepted


def test_files_of_old_problems_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_problem, "KEPT_FILES", 8)
    with Grader(workers=1) as grader:
        for number in range(3):
            assert grader.grade(echoes(2, f"first {number}"), echo()).accepted
        opened = len(os.listdir("/proc/self/fd"))
        for number in range(6):
            assert grader.grade(echoes(2, f"p{number}"), echo()).accepted
        assert len(os.listdir("/proc/self/fd")) <= opened + 4
    assert KEPT_FILES < 1024 // 3


def test_a_new_supervisor_gets_the_files_again() -> None:
    problem, before = echoes(2), own_children()
    with Grader(workers=1) as grader:
        assert grader.grade(problem, echo()).accepted
        for pid, _ in own_children() - before:
            os.kill(pid, signal.SIGKILL)
        assert grader.grade(problem, echo(1)).accepted


def test_a_checker_in_python_gets_long_texts() -> None:
    check = "def check(input, expected, actual): return input == expected and len(actual) > len(input)"
    problem = Problem.from_dict({**echoes(1).to_dict(), "checker": Checker(kind="python", code=check).to_dict()})
    assert not KnownProblem(problem).packed.files
    with Grader(workers=1) as grader:
        assert grader.grade(problem, echo()).accepted


def test_a_sealed_text_cannot_be_changed_by_whoever_opens_it() -> None:
    text = SealedText.holding(pieces(LONG))
    assert bytes(text) == LONG.encode("utf-8", "surrogatepass")
    again = os.open(f"/proc/self/fd/{text.descriptor}", os.O_RDWR)
    with pytest.raises(PermissionError):
        os.pwrite(again, b"x", 0)
    with pytest.raises(PermissionError):
        os.ftruncate(again, 0)
    os.close(again)


def test_a_compiled_program_and_one_that_maps_its_input() -> None:
    count = (
        "#include <iostream>\nint main() { long n = 0; while (std::cin.get() != EOF) n++; std::cout << n << '\\n'; }"
    )
    mapped = "import mmap\nprint(len(mmap.mmap(0, 0, mmap.MAP_SHARED, mmap.PROT_READ)[:]))"
    texts = ["short", "7" * SEALED_FROM, "7" * (SEALED_FROM + 1), "short again"]
    tests = [{"input": text, "output": str(len(text))} for text in texts]
    problem = Problem.from_dict({"id": "count", "tests": tests, "time_limit_s": 5})
    with Grader(workers=1) as grader:
        assert grader.grade(problem, Submission("", "", code=mapped)).accepted
        if is_here("cpp"):
            assert grader.grade(problem, Submission("", "", code=count, language="cpp")).accepted


def test_outputs_of_programs_on_long_inputs() -> None:
    problem = echoes(2)
    with Grader(workers=1) as grader:
        found = grader.outputs(problem, echo()).result()
    assert [str(output.value).split()[0] for output in found] == ["0", "1"]
