"""The checker `lines`, against another implementation of DMOJ's rule, and the checker `unordered` on nested values."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_eval import InputError
from microcoder_eval.compare import compare_output, compare_value
from microcoder_eval.problem import Checker, Policy

pytestmark = pytest.mark.fast


def _lines(expected: bytes, actual: bytes) -> bool:
    return compare_output(expected, actual, Checker("lines"), Policy.CONTEST).accepted


@pytest.mark.parametrize(
    ("expected", "actual", "right"),
    [
        (b"1 2\n3\n", b"1 2\n3", True),
        (b"1 2\n3\n", b" 1\t 2  \r\n\r\n\n3  \n\n", True),
        (b"\n\n1 2\n3\n", b"1 2\n3", True),
        (b"1 2\r3", b"1 2\n3", True),
        (b"1 2\n3\n", b"1\n2\n3\n", False),
        (b"1 2\n3\n", b"1 2 3\n", False),
        (b"1 2\n3\n", b"1 2\n", False),
        (b"1 2\n", b"1 2\n3\n", False),
        (b"12", b"1 2", False),
        (b"0.5", b"0.50", False),
        (b"YES", b"Yes", False),
        (b"", b" \n", True),
        (b"", b"1", False),
    ],
)
def test_lines_are_compared_token_by_token(expected: bytes, actual: bytes, right: bool) -> None:
    assert _lines(expected, actual) is right


def _standard(judge: bytes, process: bytes) -> bool:
    """DMOJ's rule in other words: tokens are equal, and between two tokens both outputs have a line end or none."""
    pairs = [re.findall(rb"([^ \t\v\f\r\n]+)([ \t\v\f\r\n]*)", text) for text in (judge, process)]
    marks = [[(token, b"\n" in gap or b"\r" in gap) for token, gap in found] for found in pairs]
    return [token for token, _ in marks[0]] == [token for token, _ in marks[1]] and [
        ends for _, ends in marks[0][:-1]
    ] == [ends for _, ends in marks[1][:-1]]


@settings(max_examples=500, deadline=None)
@given(st.text("ab \n\r\t", max_size=8), st.text("ab \n\r\t", max_size=8))
def test_lines_are_what_dmojs_standard_accepts(expected: str, actual: str) -> None:
    assert _lines(expected.encode(), actual.encode()) is _standard(expected.encode(), actual.encode())


def test_a_line_that_differs_is_shown() -> None:
    said = compare_output(b"1\n\n2 3\n", b"1\n2\n3\n", Checker("lines"), Policy.CONTEST)
    assert said.detail == "line 3: expected '2 3', got '2'"


NESTED = Checker("unordered", of="elements", nested=True)


@pytest.mark.parametrize(
    ("expected", "got", "right"),
    [
        ([[1, 2], [3, 4]], [[4, 3], [2, 1]], True),
        ([[1, 2], [3, 4]], [(4, 3), {1, 2}], True),
        ([[1, 2], [1, 2]], [[2, 1], [1, 2]], True),
        ([[1, 2], [1, 2]], [[1, 2], [1, 3]], False),
        ([[1, 1, 2]], [[1, 2, 2]], False),
        ([[1, 2], [3]], [[1], [2, 3]], False),
        ([[[1], [2, 3]]], [[[3, 2], [1]]], True),
        ([1, [2]], [[2], 1], True),
        ([["a", "b"], ["c"]], [["c"], ["b", "a"]], True),
        ([{"a": [1, 2]}], [{"a": [2, 1]}], True),
        ([{"a": [1, 2]}], [{"b": [2, 1]}], False),
        ([[0.1 + 0.2, 1]], [[1, 0.3]], True),
        ([[0.1, 1]], [[1, 0.3]], False),
        ([[1]], [[True]], False),
        ([[None, 1, "x"]], [["x", None, 1]], True),
        ([[5.0]], [[5]], True),
        ([], [], True),
        ([[]], [], False),
        (3, 3, True),
        ([1], 1, False),
    ],
)
def test_nested_values_in_any_order(expected: object, got: object, right: bool) -> None:
    assert compare_value(expected, got, NESTED, Policy.CONTEST).accepted is right
    if "{1, 2}" not in repr(got):
        wanted, printed = (repr(value).encode() for value in (expected, got))
        assert compare_output(wanted, printed, NESTED, Policy.CONTEST).accepted is right


@settings(max_examples=200, deadline=None)
@given(st.recursive(st.integers(0, 3), lambda inner: st.lists(inner, max_size=3), max_leaves=8), st.randoms())
def test_any_shuffle_of_a_nested_value_is_accepted(value: object, random: Random) -> None:
    def shuffled(item: object) -> object:
        return random.sample(list(map(shuffled, item)), len(item)) if isinstance(item, list) else item

    assert compare_value(value, shuffled(value), NESTED, Policy.CONTEST).accepted


def test_lines_in_any_order_with_tokens_in_any_order() -> None:
    checker = Checker("unordered", nested=True)
    assert compare_output(b"1 2\n3 4\n", b"4 3\n2 1", checker, Policy.CONTEST).accepted
    assert not compare_output(b"1 2\n3 4\n", b"4 1\n2 3", checker, Policy.CONTEST).accepted
    assert not compare_output(b"1 2\n1 2\n", b"1 2", checker, Policy.CONTEST).accepted


def test_a_returned_value_is_read_as_far_as_the_expected_one_is_long() -> None:
    said = compare_value([[1, 2]], [list(range(10**6))], NESTED, Policy.CONTEST)
    assert not said.accepted
    assert said.detail.startswith("in any order, expected [[1, 2]], got [[0, 1")


def test_nested_belongs_to_unordered_lines_and_elements() -> None:
    for fields in ({"kind": "tokens"}, {"kind": "unordered", "of": "tokens"}):
        with pytest.raises(InputError, match="nested: belongs to unordered"):
            Checker.from_dict({**fields, "nested": True})
    assert Checker.from_dict(NESTED.to_dict()) == NESTED
