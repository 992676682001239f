"""Pooling: what a row takes from its twins, what it keeps, and what it says about it."""

from __future__ import annotations

import datetime
import time
from typing import Any

import pytest

from microcoder_data.compare.pool import pool
from microcoder_data.filter.cap_tests import TestCap
from microcoder_data.rules import Outcome, step
from microcoder_data.schema import Row, new_checker, new_row, new_test

pytestmark = pytest.mark.fast

STARTER = "class Solution:\n    def most(self, nums: List[int]) -> int:"


def twin(name: str, **fields: Any) -> Row:
    plain = {
        "problem_id": f"{name}:most",
        "source": name,
        "statement": "Given an array `nums`, return the element that appears most often.",
        "constraints": "- `1 <= n <= 10^5`",
        "samples": [{"input": "nums = [3,2,3]", "output": "3", "explanation": None}],
        "kind": "call",
        "language": "en",
        "entry_point": "Solution.most",
        "starter_code": STARTER,
        "tests": [new_test("[3, 2, 3]", "3")],
    }
    return new_row(**{**plain, **fields})


def test_the_intact_statement_wins_whatever_the_order() -> None:
    bent = {
        "statement": "Given an array nums, return the element that appears most often.",
        "constraints": "1 <= n <= 105",
    }
    row, other = twin("one", **bent), twin("two")
    found = pool(row, [other])
    assert found is not None and found.detail == "from two:most: statement"
    assert row["constraints"] == "- `1 <= n <= 10^5`" and row["problem_id"] == "one:most"
    whole, worse = twin("one"), twin("two", **bent)
    assert pool(whole, [worse]) is None and whole["constraints"] == "- `1 <= n <= 10^5`"


@pytest.mark.parametrize(("other", "stays"), [("C. Most Often", True), ("Most Often", False), ("The Majority", False)])
def test_a_title_without_a_number_stays(other: str, stays: bool) -> None:
    row = twin("one", title="Most often", constraints="1 <= n <= 105")
    pool(row, [twin("two", title=other)])
    assert row["constraints"] == "- `1 <= n <= 10^5`" and row["title"] == ("Most often" if stays else other)


def test_a_statement_that_holds_the_answer_loses_to_one_that_asks_for_it() -> None:
    tests = {"kind": "asserts", "entry_point": "least", "test_code": "assert least([2, 1]) == 1", "tests": []}
    written = (
        'def least(hats):\n    """The least of all numbers of `hats`, which may have many."""\n    return min(hats)'
    )
    asked = "Write a function that finds the least number."
    for first, second in ((written, asked), (asked, written)):
        row = twin("a:1", statement=first, **tests)
        pool(row, [twin("b:1", statement=second, **tests)])
        assert row["statement"] == asked


def test_lost_subscripts_are_no_other_words() -> None:
    said = "Each hats[i] = [a{0}i, b{0}i, c{0}i] : shops a{0}i to b{0}i sell c{0}i hats. Return the sum of all c{0}i."
    bounds = "1 <= a{0}i <= b{0}i <= n"
    row = twin("one", statement=said.format(""), constraints=bounds.format(""))
    other = twin("two", statement=said.format("_"), constraints=f"`{bounds.format('_')}`")
    found = pool(row, [other])
    assert found is not None and found.detail == "from two:most: statement" and "c_i" in row["statement"]


def test_marks_and_samples_count_and_their_provenance_comes_along() -> None:
    marked = step("process", "exponents_v1", Outcome("marked", detail="105 may be 10^5"))
    row = twin("one", constraints="1 <= n <= 105", provenance=[marked, step("process", "checker_v1", Outcome("kept"))])
    told = step("process", "sections_v2", Outcome("changed"))
    other = twin("two", constraints="n is small", provenance=[told])
    assert pool(row, [other]) is not None
    assert [one["rule"] for one in row["provenance"]] == ["sections_v2", "checker_v1"]
    shown = [{"input": "nums = [3,2,3]", "output": "", "explanation": None}]
    empty = twin("one", samples=shown, tests=[])
    assert pool(empty, [twin("two", samples=[])]) is not None
    assert [one["output"] for one in empty["samples"]] == ["3"]


def test_thousands_of_twins_cost_time_in_proportion_to_their_number() -> None:
    taken = []
    for count in (150, 1500):
        twins = [twin(f"s{n}", statement=f"Return the element that is there {n} times.") for n in range(count)]
        began = time.process_time()
        pool(twins[0], twins[1:])
        taken.append(time.process_time() - began)
    assert taken[1] < 40 * taken[0]


def test_another_language_does_not_win() -> None:
    row = twin("one", constraints=None)
    assert pool(row, [twin("two", language="zh")], ["en"]) is None and row["language"] == "en"


def test_tests_are_united_each_input_once_and_most_rows_decide() -> None:
    row = twin("one", tests=[new_test("[3, 2, 3]", "3", origin="sample"), new_test("[1]", "7")])
    second = twin(
        "two", tests=[new_test("nums = [3, 2, 3]", "3", public=True), new_test("[1]", "1"), new_test("[5, 5]", "5")]
    )
    third = twin("three", tests=[new_test("[1]", "1")])
    found = pool(row, [second, third])
    assert found is not None and found.detail is not None
    assert {test["input"]: test["output"] for test in row["tests"]} == {"[3, 2, 3]": "3", "[1]": "1", "[5, 5]": "5"}
    assert row["tests"][0]["public"] and row["tests_total"] == 3
    assert "1 tests that a twin answers differently" in found.detail and "from two:most: 1 tests" in found.detail


def test_inputs_of_one_row_that_differ_in_letters_or_signs_stay_apart() -> None:
    shown = [
        new_test("AtCoder Land", "Yes"),
        new_test("aTcodeR lANd", "No"),
        new_test("x = 1", "1"),
        new_test("y = 1", "2"),
    ]
    fields = {"kind": "stdin", "entry_point": None, "starter_code": None, "samples": []}
    row = twin("lcd", **fields, tests=shown)
    pool(row, [twin("doocs", **fields, tests=[dict(one) for one in shown])])
    assert [(test["input"], test["output"]) for test in row["tests"]] == [
        (test["input"], test["output"]) for test in shown
    ]


def test_the_cap_of_the_recipe_holds() -> None:
    row = twin("one")
    pool(row, [twin("two", tests=[new_test(f"[{n}, {n}]", str(n)) for n in range(9)])], caps=[TestCap(limit=4)])
    assert len(row["tests"]) == 4 and row["tests_total"] == 10


def test_solutions_checker_limits_dates_difficulty_and_tags() -> None:
    right = {
        "language": "python",
        "code": "a",
        "correct": True,
        "origin": None,
        "name": None,
        "verdicts": [],
        "files": [],
    }
    wrong = {**right, "code": "b", "correct": False}
    row = twin("one", solutions=[right], tags=["Array"], contest_date=datetime.date(2022, 1, 1), license="mit")
    other = twin(
        "two",
        solutions=[{**right, "code": " a\n"}, wrong],
        tags=["array", "hash"],
        contest_date=datetime.date(2021, 1, 1),
        checker=new_checker("float", abs=1e-6),
        time_limit_ms=2000,
        url="https://leetcode.com/problems/most",
        difficulty={"native": "Hard", "rating": None, "level": "hard", "predicted": None},
        license="cc-by-sa-4.0",
    )
    assert pool(row, [other]) is not None
    assert [one["code"] for one in row["solutions"]] == ["a", "b"]
    assert row["checker"]["kind"] == "float" and row["time_limit_ms"] == 2000 and row["tags"] == ["Array", "hash"]
    assert row["contest_date"] == datetime.date(2021, 1, 1) and row["difficulty"]["native"] == "Hard"
    assert row["url"] == "https://leetcode.com/problems/most" and row["license"] == "mit AND cc-by-sa-4.0"


@pytest.mark.parametrize(
    ("own", "other", "both"),
    [
        ({"native": "Hard", "level": "hard"}, {"native": "3", "level": "easy", "rating": 2100}, ("Hard", "hard", 2100)),
        ({"rating": 900}, {"native": "Easy", "level": "easy", "rating": 2100}, ("Easy", "easy", 900)),
        ({"native": "Hard", "level": "hard", "rating": 900}, {"native": "3", "rating": 2100}, ("Hard", "hard", 900)),
        (None, {"native": "Easy", "level": "easy"}, ("Easy", "easy", None)),
    ],
)
def test_a_difficulty_is_completed_part_by_part(own: Any, other: dict[str, Any], both: tuple[Any, ...]) -> None:
    empty = dict.fromkeys(("native", "level", "rating", "predicted"))
    row = twin("one", difficulty=own and empty | own)
    pool(row, [twin("two", difficulty=empty | other)])
    assert tuple(row["difficulty"][name] for name in ("native", "level", "rating")) == both


@pytest.mark.parametrize(
    ("address", "stays"), [("file://a.png", False), ("a.png", False), ("https://a.org/b.png", True)]
)
def test_a_statement_with_a_figure_that_can_be_seen_is_the_better_one(address: str, stays: bool) -> None:
    said = "Return the element that appears most often in `nums`. See ![a tree]({}) there."
    row = twin("one", statement=said.format(address))
    pool(row, [twin("two", statement=said.format("https://b.org/tree.png"))])
    assert (address in row["statement"]) is stays


def test_a_twin_of_another_form_gives_no_tests_and_no_statement() -> None:
    row = twin("one", constraints=None)
    renamed = twin(
        "two", starter_code=STARTER.replace("nums", "values"), tests=[new_test("values = [1]", "1")], tags=["x"]
    )
    program = twin("three", kind="stdin", entry_point=None, starter_code=None, tests=[new_test("1", "1")])
    found = pool(row, [renamed, program])
    assert found is not None and found.detail == "from two:most: tags"
    assert len(row["tests"]) == 1 and row["constraints"] is None
