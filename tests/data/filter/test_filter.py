"""The rules of Filter: each decides on a statistic that it stores, and names its reason."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.filter.cap_tests import TestCap, diverse, longest
from microcoder_data.filter.quality import Quality
from microcoder_data.filter.relevance import Relevance
from microcoder_data.filter.window import Window
from microcoder_data.schema import new_checker, new_row, new_test

pytestmark = pytest.mark.fast

GOOD = "You are given two numbers in one line. Read them from the input, add them and print the sum of both of them."


def row(statement: str = GOOD, **columns: Any) -> dict[str, Any]:
    given = {"kind": "stdin", "tests": [new_test("3 4\n", "7\n"), new_test("1 1\n", "2\n")], **columns}
    return new_row(problem_id="a:1", source="a", statement=statement, **given)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Add them.", "too_few_words"),
        (GOOD * 300, "too_long"),
        ("12 34 = 56 ** 78 " * 20 + GOOD, "too_few_letters"),
        (GOOD + "\n" + f"{GOOD}\n" * 4, "repetitive"),
        (GOOD + "<td>" * 30, "markup_left"),
    ],
)
def test_bad_text_is_dropped_with_its_statistic(statement: str, reason: str) -> None:
    outcome = Quality()(row(statement))
    assert outcome is not None and outcome.reason == reason
    assert outcome.statistic is not None and outcome.threshold is not None


def test_values_of_doctests_are_no_prose() -> None:
    examples = "".join(f">>> turned([[1, {n}], [3, 4]])\n[[3, 1],\n [4, {n}]]\n" for n in range(9))
    assert Quality()(row(f"{GOOD}\n\n{examples}")).outcome == "kept"  # type: ignore[union-attr]
    assert Quality()(row(f"{GOOD}\n\n{'12 34 = 56 ** 78 ' * 20}")).outcome == "dropped"  # type: ignore[union-attr]


def test_good_text_is_kept_with_its_statistic() -> None:
    outcome = Quality()(row())
    assert outcome is not None and (outcome.outcome, outcome.statistic) == ("kept", len(GOOD.split()))


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("This is an interactive problem. Ask the judge.", "interactive"),
        ("After each query flush the output.", "interactive"),
        ("Pay attention: this problem is interactive.", "interactive"),
        ("Write the function `hats`.\n\n{{libinteractive:download}}", "interactive"),
        ("This is an output-only task.", "output_only"),
        ("This problem is output only.", "output_only"),
        ("Read n from input.txt and write to output.txt.", "file"),
        ("Input file: cows.in\nOutput file: cows.out", "file"),
        ("Write a SQL query to find the second highest salary.", "not_a_programming_problem"),
        ("Write a bash script that counts words.", "not_a_programming_problem"),
        ("Which of the following is true?", "not_a_programming_problem"),
        ("Enter only the number of the filter (1-6) in the text box.", "not_a_programming_problem"),
        ("This is a regex only challenge. Match the hats.", "not_a_programming_problem"),
        ("Your task is to write a RegEx that matches hats only.", "not_a_programming_problem"),
        ("Write a query to list the hats by their colour.", "not_a_programming_problem"),
        ("Write the XPath selector of all hats.", "not_a_programming_problem"),
        ("The task is to debug the existing code.", "not_a_programming_problem"),
        ("Your code is run alternately with the opponent bot.", "interactive"),
        ("The first line is the player id, 1 or 2. Print the next move.", "interactive"),
        ("The file hats.json is in the current directory in which your code is executed.", "file"),
        ("If there are multiple answers, print any of them.", "needs_a_checker"),
        ("Complete the function by returning a *RegExp* object that matches all hats.", "not_a_programming_problem"),
    ],
)
def test_what_no_program_could_answer_is_dropped(statement: str, reason: str) -> None:
    outcome = Relevance()(row(statement))
    assert outcome is not None and outcome.reason == reason


@pytest.mark.parametrize(
    "statement",
    [
        GOOD,
        "Handle q queries and print the answer to each.",
        "Read from standard input (not from input.txt).",
        "His brain is tired after solving an output only problem. Add the numbers.",
        "The players establish which of the following is true: a < b or a > b. Print the winner.",
        "Write a function to sort the given array by using shell sort.",
        "You write a query (l, r). Answer it.",
        "Each line has a function name and a type it returns: a regular name has one word.",
        "Write a regular expression matcher that reads a pattern and a text.",
        "The editor has a text box of n columns. Enter the word and count the lines.",
        "The bot and its opponent take turns. Print the winner.",
    ],
)
def test_ordinary_problems_are_relevant(statement: str) -> None:
    assert Relevance()(row(statement)) is None


def test_what_is_kept_is_the_recipes_choice() -> None:
    statement = "This is an interactive problem."
    assert Relevance(io=("stdio", "interactive"))(row(statement)) is None
    several = row("Print any valid order.", checker=new_checker("python", code="def check(i, e, a): return True"))
    assert Relevance()(several) is None


tests = st.lists(st.tuples(st.text("ab", max_size=9), st.sampled_from("xyz")), min_size=1, max_size=40)


@settings(deadline=None)
@given(tests, st.integers(1, 20))
def test_the_longest_tests_are_the_longest(pairs: list[tuple[str, str]], limit: int) -> None:
    made = [new_test(given, wanted) for given, wanted in pairs]
    chosen = longest(made, limit)
    assert len(chosen) == len(set(chosen)) == min(limit, len(made))
    left = [len(pairs[index][0]) for index in range(len(made)) if index not in chosen]
    assert not left or max(left) <= min(len(pairs[index][0]) for index in chosen)


@settings(deadline=None)
@given(tests, st.integers(1, 20))
def test_diverse_tests_show_every_answer(pairs: list[tuple[str, str]], limit: int) -> None:
    made = [new_test(given, wanted) for given, wanted in pairs]
    chosen = diverse(made, limit)
    assert len(chosen) == len(set(chosen)) == min(limit, len(made))
    answers = {wanted for _, wanted in pairs}
    assert len({pairs[index][1] for index in chosen}) == min(len(answers), limit)


def test_caps_and_weak_tests() -> None:
    many = row(tests=[new_test("1" * size, "x") for size in range(30)])
    assert TestCap()(many).outcome == "changed" and len(many["tests"]) == 15  # type: ignore[union-attr]
    assert TestCap(min_distinct_outputs=2)(many).reason == "one_answer_fits_all"  # type: ignore[union-attr]
    assert TestCap(min_tests=3)(row()).reason == "too_few_tests"  # type: ignore[union-attr]


def test_windows() -> None:
    old = row(contest_date=datetime.date(2020, 1, 1), difficulty={"level": "easy", "rating": 900})
    cases = [
        (Window(since=datetime.date(2021, 1, 1)), "too_old"),
        (Window(before=datetime.date(2020, 1, 1)), "too_new"),
        (Window(levels=("hard",)), "level"),
        (Window(min_rating=1000), "too_easy"),
        (Window(max_rating=800), "too_hard"),
        (Window(licenses=("MIT",)), "license"),
    ]
    for window, reason in cases:
        outcome = window(old)
        assert outcome is not None and outcome.reason == reason
    assert Window(since=datetime.date(2020, 1, 1))(old) is None
    assert Window(dated_only=True)(row()).reason == "no_date"  # type: ignore[union-attr]
