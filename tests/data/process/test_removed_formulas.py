"""Gaps where a dump has removed a formula are found; habits of typing and characters that a text is about are none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.process.completeness import Completeness
from microcoder_data.process.figures import missing_figure
from microcoder_data.process.removed_formulas import removed_formula
from microcoder_data.rules import apply_rules
from microcoder_data.schema import new_row, new_test

pytestmark = pytest.mark.fast

GAPS = [
    "Choose indices in such a way that the value of  is maximized.",
    "Print the maximum possible value of .\nThe input has one line.",
    "Replace pair number i by pair  or by pair . Notation: x is rounded down.",
    "Okabe draws a line with equation . He selects a rectangle.",
    "Let's define  for a positive integer x as a product.",
    "The operator is one of the symbols < , > , or ; each stands alone.",
    "It is an integer from 1 to , more formally, the size.",
    "See cookies of both sizes on the figure:    To stack them, a walrus uses an algorithm.",
    "The pseudocode of the algorithm is as follows:  Note that the array is indexed from zero.",
    "These values define four moves:         Map shows the position of the treasure.",
]
WHOLE = [
    "The grid consists of . and #. Each cell should be . or #, and the first one must be ..",
    "Each of them  has a rating , and the segment  are two points . What is the  expected number?",
    "The moves are:   choose a pair;   replace it. Print v.  Traverse the list.",
    "The steps are as follows:  Take a hat.  Put it on. Note that hats differ.",
    "The table:\n\nSTDIN       Function\n-----       --------\n5           n = 5",
    "A sum of `a  is` and `b .` is printed.",
    "Output:        Print the answer.\nSample input:       Two lines hold it.\nEingabe:       Die erste Zeile.",
    "Where do you come from? Print what it is equal to.",
]


@pytest.mark.parametrize("text", GAPS)
def test_a_row_with_a_gap_is_dropped_as_one_with_a_missing_picture(text: str) -> None:
    row = new_row(
        problem_id="a:1", source="a", statement=f"{text} Read n and print it.", kind="stdin", tests=[new_test("1", "1")]
    )
    dropped = apply_rules(row, [Completeness(sections=False, samples=False)], "process")
    assert dropped is not None and dropped["reason"] == "missing_image"


@pytest.mark.parametrize("text", WHOLE)
def test_typing_habits_are_no_gap(text: str) -> None:
    assert removed_formula(text) is None


@pytest.mark.parametrize("mark", [".", ";"])
def test_a_character_that_programs_read_is_no_gap(mark: str) -> None:
    text = f"Free cells are denoted by {mark}\nWalls are not. A wall is marked by {mark} Print the number of walls."
    grid = new_row(statement=text, kind="stdin", tests=[new_test(f"2\n{mark}#\n#{mark}", "2")])
    assert missing_figure(grid) is None
    numbers = new_row(statement=text, kind="stdin", tests=[new_test("1.5 2.25", "2.0")])
    assert missing_figure(numbers) == f"are denoted by {mark}"


@given(st.lists(st.from_regex(r"[A-Za-z0-9_()]{1,8}[.,;:]?", fullmatch=True), max_size=30))
def test_words_with_one_space_between_them_have_no_gap(words: list[str]) -> None:
    assert removed_formula(" ".join(words)) is None


@given(st.text(alphabet="ab ,.\n", max_size=40), st.sampled_from(GAPS))
def test_a_gap_is_found_wherever_it_stands(around: str, gap: str) -> None:
    found = removed_formula(f"{around}\n\n{gap}")
    assert found is not None and re.search(r"\w", found)


def test_code_between_three_backticks_in_a_sentence_leaves_no_gap() -> None:
    art = "```\n$$$$$$\n$ $$$$ $\n```"
    shown = new_row(statement="The answer will be ```13824``` . Draw it.", notes=art, kind="stdin")
    assert missing_figure(shown) is None
    cut = new_row(statement="Print the maximum possible value of .\nThe input has ```one``` line.", kind="stdin")
    assert missing_figure(cut) is not None
