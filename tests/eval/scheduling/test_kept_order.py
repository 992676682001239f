"""The order of tests kept between runs: wrong programs end sooner, and the same programs are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval import Grade, Grader, InputError, Problem, Submission
from microcoder_eval.scheduling.job import ProgramGrade
from microcoder_eval.scheduling.test_order import Experience
from microcoder_eval.scheduling.verdict_cache import VerdictCache

SQUARES = Problem.from_dict({"id": "squares", "tests": [{"input": str(n), "output": str(n * n)} for n in range(12)]})


def wrong_from(number: int, name: str) -> str:
    return f"n = int(input())  # {name}\nprint(n * n if n < {number} else 0)"


def graded(cache: Path | None, order: str, *codes: str) -> list[Grade]:
    with Grader(workers=1, cache=cache, tests_order=order) as grader:
        return [grader.grade(SQUARES, Submission("", "", code=code)) for code in codes]


def test_the_next_run_begins_with_the_test_that_rejected_most(tmp_path: Path) -> None:
    codes = [wrong_from(9, "a"), wrong_from(9, "b"), wrong_from(5, "c"), "print(int(input()) ** 2)"]
    first = graded(tmp_path / "v", "kept", *codes)
    assert [len(grade.tests) for grade in first] == [10, 10, 6, 12]
    second = graded(tmp_path / "v", "kept", wrong_from(9, "d"), wrong_from(5, "e"), "print(int(input()) ** 2)  # f")
    assert [len(grade.tests) for grade in second] == [1, 1, 12]
    assert [grade.accepted for grade in second] == [False, False, True]


@pytest.mark.parametrize("order", ["given", "learnt"])
def test_without_it_earlier_runs_do_not_count(tmp_path: Path, order: str) -> None:
    graded(tmp_path / "v", "kept", wrong_from(9, "a"))
    (grade,) = graded(tmp_path / "v", order, wrong_from(9, "a"))
    assert len(grade.tests) == 10
    assert grade.detail.startswith("test 9:")


def test_verdicts_from_the_cache_are_not_counted_again(tmp_path: Path) -> None:
    for _ in range(3):
        graded(tmp_path / "v", "kept", wrong_from(2, "a"))
    cache = VerdictCache(tmp_path / "v")
    with Grader(workers=1, cache=tmp_path / "v", tests_order="kept") as grader:
        key = grader._known(SQUARES).key
    seen = cache.experience(key)
    cache.close()
    assert {test: (one.failures, one.runs) for test, one in seen.items()} == {0: (0, 1), 1: (0, 1), 2: (1, 1)}


def test_several_processes_add_to_one_file(tmp_path: Path) -> None:
    one, other = VerdictCache(tmp_path / "v"), VerdictCache(tmp_path / "v")
    (grade,) = graded(None, "given", wrong_from(1, "a"))
    program = ProgramGrade(grade.verdict, grade.tests, grade.passed, grade.total, failed_test=1)
    for cache in (one, other, one):
        cache.learn("key", program)
    one.close()
    other.close()
    again = VerdictCache(tmp_path / "v")
    assert again.experience("key")[1][:2] == Experience(3, 3)[:2]
    again.close()


def test_a_cache_that_cannot_be_used_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "v").write_bytes(b"no database" * 1000)
    (grade,) = graded(tmp_path / "v", "kept", wrong_from(3, "a"))
    assert grade.detail.startswith("test 3:")


def test_it_needs_a_cache() -> None:
    with pytest.raises(InputError, match="needs a cache"):
        Grader(tests_order="kept")
    with pytest.raises(InputError, match="unknown tests_order"):
        Grader(tests_order="best")
