"""Tests beyond the bounds of their statement are taken out, and only those."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_data.filter.test_bounds import TestBounds
from microcoder_data.process.bounds import stated_bounds
from microcoder_data.schema import new_row, new_test

pytestmark = pytest.mark.fast


def hats(
    *inputs: str, statement: str = "Sort them. 1 <= hats.length <= 3, 0 <= hats[i] <= 9, k <= 4.", **fields: Any
) -> Any:
    row = new_row(
        problem_id="1",
        source="s",
        statement=statement,
        kind="call",
        entry_point="Solution.sort",
        starter_code="class Solution:\n    def sort(self, hats: List[int], k: Dict[str, List[int]] = None) -> int:",
        tests=[new_test(text, "1") for text in inputs],
    )
    row.update(fields)
    return row


def left(row: Any) -> list[str]:
    TestBounds()(row)
    return [test["input"] for test in row["tests"]]


@pytest.mark.parametrize("beyond", ["[1, 2, 3, 4]\n1", "[]\n1", "[10]\n1", "hats = [-1], k = 1"])
def test_a_test_beyond_a_bound_is_taken_out(beyond: str) -> None:
    assert left(hats("[1, 9]\n1", beyond)) == ["[1, 9]\n1"]


@pytest.mark.parametrize("within", ["[0, 9, 5]\n9", "hats = [1], k = 1000", "[true]\n1", "[2.5]\n1"])
def test_what_no_bound_speaks_of_stays(within: str) -> None:
    assert left(hats("[1]\n1", within)) == ["[1]\n1", within]


def test_inner_lists_and_columns() -> None:
    row = hats(
        "[[1, 5]]\n1",
        "[[6, 5]]\n1",
        "[[1, 5], [2, 5, 5]]\n1",
        statement="1 <= hats[i][0] <= 5, 2 <= hats[i].length <= 2",
    )
    assert left(row) == ["[[1, 5]]\n1"]


def test_a_sample_beyond_a_bound_says_that_the_bound_is_wrong() -> None:
    row = hats("[1]\n1", "[10]\n1", "[11]\n1")
    row["tests"][1]["public"] = True
    assert len(left(row)) == 3


def test_where_every_test_is_beyond_the_row_says_so_and_keeps_them() -> None:
    row = hats("[10]\n1")
    outcome = TestBounds()(row)
    assert outcome is not None and outcome.outcome == "marked" and len(row["tests"]) == 1


def test_doubtful_bounds_and_programs_are_left_alone() -> None:
    assert len(left(hats("[1]\n1", "[10]\n1", kind="stdin"))) == 2
    row = hats("[1]\n1", "[200]\n1", statement="0 <= hats[i] <= 105")
    row["provenance"] = [
        {"stage": "process", "rule": "exponents_v3", "outcome": "marked", "statistic": None, "threshold": None,
         "detail": "exponents may be lost, bounds are not read: 105"}
    ]  # fmt: skip
    assert len(left(row)) == 2


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("1 <= a.length <= 3 * 10^4\n-3 * 10^4 <= a[i] <= 3 * 10^4", [("a.length", 1, 30000), ("a[i]", -30000, 30000)]),
        ("- `1 <= n <= 20`\n- `-5 <= x <= 7`", [("n", 1, 20), ("x", -5, 7)]),
        ("1 <= pairs.length <= 2 * n, 1 <= m <= 4*n, 1 <= q <= 10 - k, 1 <= s <= 1.5 * 10^5, 0.5 <= t <= 3", []),
        ("1 <= n <= 10^9 + 7 and -2^31 <= m <= 2^31 - 1.", [("n", 1, 10**9 + 7), ("m", -(2**31), 2**31 - 1)]),
    ],
)
def test_a_bound_is_a_number_alone_on_its_line(text: str, bounds: list[tuple[str, int, int]]) -> None:
    assert [tuple(bound) for bound in stated_bounds(text)] == bounds
