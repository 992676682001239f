"""What a run's scores are made of: which grades are samples, the table, the slowest tests."""

from __future__ import annotations

import random

import pytest

from microcoder_eval import Grade, TestResult, Verdict
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.runs.tally import Tally
from tests.eval.made_up_runs import graded

pytestmark = pytest.mark.fast


def tally_of(verdicts: dict[str, str]) -> Tally:
    """A tally of problems with samples: A accepted, W wrong, J judge error."""
    tally = Tally()
    names = {"A": "ACCEPTED", "W": "WRONG_ANSWER", "J": "JUDGE_ERROR"}
    for problem, letters in verdicts.items():
        for number, letter in enumerate(letters):
            tally.add(graded(f"{problem}-{number}", problem, names[letter]))
    return tally


def test_submissions_of_one_problem_are_its_samples() -> None:
    scores = tally_of({"p": "AWWW", "q": "AAAA", "r": "WWWW"}).scores({})
    assert scores is not None
    assert scores.samples == 4
    assert scores.mean.value == pytest.approx((0.25 + 1 + 0) / 3)
    assert {k: estimate.value for k, estimate in scores.pass_at_k.items()} == pytest.approx(
        {1: 1.25 / 3, 2: 1.5 / 3, 4: 2 / 3}
    )


def test_a_judge_error_is_neither_right_nor_wrong() -> None:
    scores = tally_of({"p": "AJ", "q": "WA", "r": "JJ"}).scores({})
    assert scores is not None
    assert scores.mean.value == pytest.approx((1 + 0.5) / 2)
    assert scores.mean.problems == 2
    assert tally_of({"p": "JJ"}).scores({}) is None


def test_pass_at_k_says_how_many_problems_had_enough_samples() -> None:
    scores = tally_of({"p": "AAWW", "q": "AWWW", "r": "AJJW"}).scores({})
    assert scores is not None
    assert [scores.pass_at_k[k].problems for k in (1, 2, 4)] == [3, 3, 2]


def test_the_table_has_the_papers_shape() -> None:
    attributes = {
        "a": ProblemAttributes("atcoder", "easy"),
        "b": ProblemAttributes("atcoder", "hard"),
        "c": ProblemAttributes("leetcode", "hard"),
        "d": ProblemAttributes("leetcode", "medium"),
    }
    scores = tally_of({"a": "AA", "b": "AW", "c": "WW", "d": "AA"}).scores(attributes)
    assert scores is not None
    shape = {platform: {name: cell.value for name, cell in row.items()} for platform, row in scores.table.items()}
    assert shape == {
        "atcoder": {"easy": 1.0, "hard": 0.5, "all": 0.75},
        "leetcode": {"medium": 1.0, "hard": 0.0, "all": 0.5},
        "all": {"easy": 1.0, "medium": 1.0, "hard": 0.25, "all": 0.625},
    }
    assert list(scores.table) == ["atcoder", "leetcode", "all"]
    assert list(scores.table["all"]) == ["easy", "medium", "hard", "all"]


def test_without_platforms_the_table_is_the_mean_alone() -> None:
    scores = tally_of({"p": "A", "q": "W"}).scores({})
    assert scores is not None
    assert {name: list(row) for name, row in scores.table.items()} == {"all": ["all"]}


def test_problems_without_facts_are_a_row_of_their_own_among_others() -> None:
    scores = tally_of({"p": "A", "q": "W"}).scores({"p": ProblemAttributes("atcoder", "")})
    assert scores is not None
    assert {name: row["all"].value for name, row in scores.table.items()} == {
        "atcoder": 1.0,
        "unknown": 0.0,
        "all": 0.5,
    }


def test_a_platform_that_is_called_all_is_counted_once() -> None:
    scores = tally_of({"p": "A", "q": "W"}).scores(
        {"p": ProblemAttributes("all", "all"), "q": ProblemAttributes("atcoder", "easy")}
    )
    assert scores is not None
    assert scores.table["all"]["all"].problems == 2


@pytest.mark.parametrize(
    ("record", "attributes"),
    [
        ({"platform": "LeetCode", "difficulty": "Easy"}, ProblemAttributes("leetcode", "easy")),
        ({"platform": None, "difficulty": {"native": "A", "level": None}}, ProblemAttributes("", "a")),
        ({"difficulty": 1800}, ProblemAttributes("", "1800")),
        ({"platform": ["x"], "difficulty": []}, ProblemAttributes()),
        ({}, ProblemAttributes()),
    ],
)
def test_facts_are_read_from_plain_records_and_dataset_rows(
    record: dict[str, object], attributes: ProblemAttributes
) -> None:
    assert ProblemAttributes.from_record(record) == attributes


def test_the_slowest_tests_are_one_for_each_submission_in_any_order() -> None:
    grades = [graded(f"s{i}", f"p{i % 7}", cpu_ms=float(i % 1500)) for i in range(3000)]
    shuffled = grades.copy()
    random.Random(1).shuffle(shuffled)
    found = []
    for order in (grades, shuffled):
        tally = Tally()
        for grade in order:
            tally.add(grade)
        found.append(tally.slowest())
    assert found[0] == found[1]
    assert len(found[0]) == 20
    assert [slow.cpu_ms for slow in found[0][:4]] == [1499.0, 1499.0, 1498.0, 1498.0]


def test_judges_that_failed_on_an_output_are_counted() -> None:
    tally = tally_of({"p": "AWJ"})
    assert (tally.judge_failed, tally.judge_errors) == (0, 1)
    failed = TestResult(0, Verdict.WRONG_ANSWER, judge_failed=True)
    grade = Grade("s", "p", Verdict.WRONG_ANSWER, tests=(failed,))
    tally.add(Grade.from_dict(grade.to_dict()))
    assert (tally.judge_failed, tally.judge_errors) == (1, 1)
