"""Grammars of functions' arguments: inferred from signatures and constraints, sampled, checked, refused."""

# ruff: noqa: E501 - a sentence of a statement is one line

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.graphs import connected_parts
from microcoder_data.make_tests.grammar import Grammar, Unclear, infer, plans, sample
from microcoder_data.make_tests.grammar.alphabet import alphabet
from microcoder_data.make_tests.grammar.arguments import Arguments, Parameter
from microcoder_data.make_tests.grammar.naming import plain_clause
from microcoder_data.schema import new_row, new_test
from microcoder_eval.arguments import parse_arguments

pytestmark = pytest.mark.fast


def row(signature: str, constraints: str, *inputs: str, statement: str = "Return a number.") -> dict[str, Any]:
    return new_row(
        problem_id="a:1", source="a", statement=statement, kind="call", constraints=constraints,
        entry_point="Solution.solve", starter_code=f"class Solution:\n    def solve(self, {signature}) -> int:\n        ",
        tests=[new_test(text, "0") for text in inputs],
    )  # fmt: skip


def made(given_row: dict[str, Any], count: int = 40, limits: int = 2) -> list[dict[str, Any]]:
    grammar = infer(given_row)
    texts = [text for plan in plans(grammar, count, limits) if (text := sample(grammar, plan, "seed")) is not None]
    assert texts and not any(map(grammar.fault, texts))
    found = [parse_arguments(text) for text in texts]
    assert all(isinstance(call, dict) for call in found)
    return found  # type: ignore[return-value]


def is_tree(nodes: int, edges: list[list[int]], first: int = 0) -> bool:
    inside = all(first <= end < nodes + first for edge in edges for end in edge)
    return inside and len(edges) == nodes - 1 and connected_parts(nodes, [(a, b) for a, b in edges]) == 1


CASES: list[tuple[str, str, list[str], Callable[[dict[str, Any]], bool]]] = [
    (
        "nums: List[int], k: int", "1 <= k <= nums.length <= 50\n-5 <= nums[i] <= 10^9", ["nums = [1, -2]\nk = 2"],
        lambda c: 1 <= c["k"] <= len(c["nums"]) <= 50 and all(-5 <= x <= 10**9 for x in c["nums"]),
    ),
    (
        "k: int, nums: List[int]", "- `1 <= n == nums.length <= 30`\n- `1 <= nums[i] <= k`\n- `1 <= k <= n`\n- All the values of `nums` are **unique**.",
        ["k = 2\nnums = [1, 2]"],
        lambda c: max(c["nums"]) <= c["k"] <= len(c["nums"]) == len(set(c["nums"])),
    ),
    (
        "grid: List[List[int]]", "m == grid.length\nn == grid[i].length\n1 <= m, n <= 9\ngrid[i][j] is either 0, 1 or 2.", ["grid = [[0, 1, 2]]"],
        lambda c: {len(r) for r in c["grid"]} <= set(range(1, 10)) and len({len(r) for r in c["grid"]}) == 1 and {x for r in c["grid"] for x in r} <= {0, 1, 2},
    ),
    (
        "n: int, edges: List[List[int]]", "2 <= n <= 30\nedges.length == n - 1\nedges[i] == [ai, bi]\n0 <= ai, bi < n\nai != bi\nThe input is generated such that edges represents a valid tree.",
        ["n = 3\nedges = [[0, 1], [2, 1]]"], lambda c: is_tree(c["n"], c["edges"]),
    ),
    (
        "n: int, edges: List[List[int]]", "2 <= n <= 9\n0 <= edges.length <= 20\nedges[i] == [u_i, v_i, w_i]\n1 <= u_i, v_i <= n\n1 <= w_i <= 5\nu_i != v_i\nThere are no repeated edges.",
        ["n = 3\nedges = [[1, 2, 5], [3, 1, 1]]"],
        lambda c: len({tuple(sorted(e[:2])) for e in c["edges"]}) == len(c["edges"]) and all(1 <= a <= c["n"] and a != b and 1 <= w <= 5 for a, b, w in c["edges"]),
    ),
    (
        "s: str, queries: List[List[int]]", "1 <= s.length <= 20\ns consists of lowercase English letters and '?'.\n1 <= queries.length <= 10\nqueries[i] = [l_i, r_i]\n0 <= l_i <= r_i < s.length",
        ['s = "ab?"\nqueries = [[0, 2], [1, 1]]'],
        lambda c: set(c["s"]) <= set("abcdefghijklmnopqrstuvwxyz?") and all(0 <= a <= b < len(c["s"]) for a, b in c["queries"]),
    ),
    (
        "words: List[str], t: str", "1 <= words.length <= 8\n1 <= words[i].length <= 5\nt.length == words.length\nwords[i] and t consist of only digits.\nAll the strings of words are unique.\nwords[i] does not have leading zeros.",
        ['words = ["1", "20"]\nt = "00"'],
        lambda c: len(c["words"]) == len(set(c["words"])) == len(c["t"]) and all(1 <= len(w) <= 5 and w.isdigit() and (w[0] != "0" or len(w) == 1) for w in c["words"]),
    ),
    (
        "nums: List[int], flags: List[bool]", "1 <= nums.length <= 12\nflags.length == nums.length\n0 <= nums[i] <= 100\nnums is sorted in strictly increasing order.",
        ["nums = [1, 5]\nflags = [true, false]"],
        lambda c: c["nums"] == sorted(set(c["nums"])) and len(c["nums"]) == len(c["flags"]) and all(type(x) is bool for x in c["flags"]),
    ),
    (
        "s: str, k: int", "1 <= k <= 6\nk <= s.length <= 60\ns.length is divisible by k.\ns contains only uppercase English letters.", ['s = "AB"\nk = 2'],
        lambda c: len(c["s"]) % c["k"] == 0 and c["k"] <= len(c["s"]) <= 60 and c["s"].isupper(),
    ),
    (
        "nums: List[List[int]]", "1 <= nums.length <= 6\n1 <= nums[i].length <= 4\n1 <= nums[i][j] <= 9\nnums[i] is sorted in non-decreasing order.", ["nums = [[1, 2], [3]]"],
        lambda c: all(1 <= len(r) <= 4 and r == sorted(r) and r[0] >= 1 and r[-1] <= 9 for r in c["nums"]),
    ),
    (
        "s: str", "1 <= s.length <= 40\ns consists of lowercase English letters and spaces.\nThe words in s are separated by a single space.\ns does not contain any leading or trailing spaces.", ['s = "a bc"'],
        lambda c: c["s"] == " ".join(c["s"].split()) != "" and c["s"].replace(" ", "").islower(),
    ),
    (
        "a: List[int], b: List[int], k: int", "n == a.length == b.length\n1 <= n <= min(7, k)\n1 <= a[i], b[i] <= k / 2\n4 <= k <= 20", ["a = [1]\nb = [2]\nk = 5"],
        lambda c: len(c["a"]) == len(c["b"]) <= min(7, c["k"]) and all(1 <= x <= c["k"] / 2 for x in c["a"] + c["b"]) and 4 <= c["k"] <= 20,
    ),
    (
        "points: List[List[int]]", "1 <= points.length <= 30\npoints[i] = [x_i, y_i]\n0 <= x_i, y_i <= 10^9\nAll the points are unique.",
        ["points = [[1, 2], [2, 1]]"],
        lambda c: len({tuple(p) for p in c["points"]}) == len(c["points"]) and all(0 <= x <= 10**9 for p in c["points"] for x in p),
    ),
    (
        "x: float, y: List[float]", "0.5 <= x <= 9.25\n1 <= y.length <= 4\n-1 <= y[i] < 1", ["x = 1.5\ny = [0.25]"],
        lambda c: 0.5 <= c["x"] <= 9.25 and all(-1 <= y < 1 and round(y, 2) == y for y in c["y"]),
    ),
    (
        "nums: List[int], k: int, m: int", "1 <= nums.length <= 20\n0 <= nums[i] <= 9\n1 <= k <= floor(nums.length / m)\n1 <= m <= 3", ["nums = [1, 2]\nk = 1\nm = 2"],
        lambda c: 1 <= c["k"] <= len(c["nums"]) // c["m"] and 1 <= c["m"] <= 3,
    ),
    (
        "edges: List[List[int]]", "2 <= n <= 20\nedges.length == n - 1\nedges[i].length == 2\n0 <= edges[i][0], edges[i][1] <= n - 1\nThe input is generated such that edges represents a valid tree.",
        ["edges = [[0, 1], [1, 2]]"], lambda c: is_tree(len(c["edges"]) + 1, c["edges"]) and 1 <= len(c["edges"]) <= 19,
    ),
    (
        "nums: List[int], s: str", "1 <= nums.length <= 9\nn == nums.length\nn is odd.\n1 <= nums[i] <= 5\n1 <= s.length <= 9\ns consists of digits '2' to '5' only.", ['nums = [1]\ns = "2"'],
        lambda c: len(c["nums"]) % 2 == 1 and set(c["s"]) <= set("2345") and c["s"],
    ),
    (
        "n: int, cost: List[List[int]]", "2 <= n <= 10^5\nn is even.\ncost.length == n\ncost[i].length == 3\n0 <= cost[i][j] <= 10^5", ["n = 2\ncost = [[1, 2, 3], [4, 5, 6]]"],
        lambda c: c["n"] == len(c["cost"]) <= 6_700 and c["n"] % 2 == 0,
    ),
    (
        "n: int, queries: List[List[int]]", "3 <= n <= 9\n1 <= queries.length <= 8\nqueries[i] = [u_i, v_i]\n0 <= u_i < v_i < n\nThere are no repeated roads among the queries.", ["n = 4\nqueries = [[0, 2], [1, 3]]"],
        lambda c: len({tuple(q) for q in c["queries"]}) == len(c["queries"]) and all(0 <= a < b < c["n"] for a, b in c["queries"]),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("signature", "constraints", "inputs", "allowed"), CASES, ids=[case[0] for case in CASES])
def test_made_calls_keep_the_constraints(
    signature: str, constraints: str, inputs: list[str], allowed: Callable[[dict[str, Any]], bool]
) -> None:
    calls = made(row(signature, constraints, *inputs))
    assert all(map(allowed, calls))
    assert len({json.dumps(call) for call in calls}) >= 10


def test_the_bounds_are_reached() -> None:
    calls = made(row("nums: List[int]", "2 <= nums.length <= 7\n-3 <= nums[i] <= 8", "nums = [1, 2]"))
    assert {min(map(len, [call["nums"] for call in calls])), max(map(len, [call["nums"] for call in calls]))} == {2, 7}
    values = {value for call in calls for value in call["nums"]}
    assert {min(values), max(values)} == {-3, 8}


def test_positional_arguments_stay_positional() -> None:
    grammar = infer(row("a: int, b: List[int]", "1 <= a <= 5\n1 <= b.length <= 3\n1 <= b[i] <= 2", "3\n[1, 2]"))
    text = sample(grammar, next(iter(plans(grammar, 1, 0))), "seed")
    assert text is not None and isinstance(parse_arguments(text), list)


@pytest.mark.parametrize(
    ("clause", "quoted"),
    [
        ("s is a beautiful string.", "beautiful"),
        ("It is guaranteed that an answer exists.", "an answer exists"),
        ("s[0] is not a space.", "s[0]"),
        ("The sum of nums is even.", "sum of nums"),
        ("nums[i] is a prime number.", "prime"),
        ("All the integers in nums and others are unique.", "others"),
        ("sum(nums) <= 10", "sum"),
        ("0 <= q <= 10", "q"),
    ],
)
def test_a_clause_that_no_reader_knows_ends_the_attempt(clause: str, quoted: str) -> None:
    constraints = f"1 <= nums.length <= 9\n1 <= nums[i] <= 9\n1 <= s.length <= 9\n{clause}"
    with pytest.raises(Unclear) as raised:
        infer(row("nums: List[int], s: str", constraints, 'nums = [2]\ns = "a"'))
    assert quoted in str(raised.value)


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("You are given a sorted array nums of distinct integers. Return its median.", "do not show"),
        ("Given a valid sequence nums, return its length.", "valid"),
        ("You are given nums. It is guaranteed that some value occurs twice.", "occurs twice"),
    ],
)
def test_a_story_that_restricts_the_input_is_not_ignored(statement: str, shown: str) -> None:
    given_row = row(
        "nums: List[int]", "1 <= nums.length <= 9\n1 <= nums[i] <= 9", "nums = [3, 1, 3]", statement=statement
    )
    with pytest.raises(Unclear, match=shown):
        infer(given_row)


def test_a_sorted_array_of_the_story_is_made_sorted() -> None:
    statement = "You are given a sorted array nums. Return its median."
    calls = made(
        row("nums: List[int]", "1 <= nums.length <= 9\n1 <= nums[i] <= 9", "nums = [1, 3, 3]", statement=statement)
    )
    assert all(call["nums"] == sorted(call["nums"]) for call in calls)


def test_an_answer_that_must_fit_is_read_and_other_generated_inputs_are_not() -> None:
    bounds = "1 <= nums.length <= 9\n1 <= nums[i] <= 9"
    said = "Return the sum. The test cases are generated so that the answer fits in a **32-bit** integer."
    assert infer(row("nums: List[int]", bounds, "nums = [2]", statement=said)).answer_bits == 32
    said = "Return the sum. The test cases are generated so that there is one peak."
    with pytest.raises(Unclear, match="one peak"):
        infer(row("nums: List[int]", bounds, "nums = [2]", statement=said))


def test_two_sorted_samples_make_no_order() -> None:
    given_row = row(
        "nums: List[int]", "1 <= nums.length <= 9\n1 <= nums[i] <= 9", "nums = [1, 2, 3, 4]", "nums = [1, 2, 3, 4, 5]"
    )
    assert any(call["nums"] != sorted(call["nums"]) for call in made(given_row))


def test_fields_that_the_story_names() -> None:
    statement = "You are given `boxes`, where `boxes[i]` is in the form `[low_i, high_i]`. Return a number."
    constraints = "1 <= boxes.length <= 4\n0 <= boxes[i][0] < boxes[i][1] <= 9"
    calls = made(row("boxes: List[List[int]]", constraints, "boxes = [[1, 2]]", statement=statement))
    assert all(0 <= low < high <= 9 for call in calls for low, high in call["boxes"])


def test_no_constraints_no_grammar() -> None:
    with pytest.raises(Unclear, match="no part of the statement bounds"):
        infer(row("nums: List[int]", "", "nums = [1]"))


def test_what_is_not_bounded_stays_within_the_known_calls() -> None:
    grammar = infer(
        row("nums: List[int], k: int", "1 <= nums.length <= 9", "nums = [3, 7]\nk = 2", "nums = [4]\nk = 5")
    )
    assert set(grammar.assumed) == {"nums from 3 to 7", "k from 2 to 5"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("nums = [1, 2]\nk = 1", ""),
        ("nums = []\nk = 1", "not true"),
        ("nums = [1, 2]\nk = 3", "not true"),
        ("nums = [1, 10]\nk = 1", "not true"),
        ("nums = [1, true]\nk = 1", "no int"),
        ("nums = [1, 1.5]\nk = 1", "no int"),
        ('nums = [1, "2"]\nk = 1', "no int"),
        ("nums = [[1], [2]]\nk = 1", "no int"),
        ("nums = 1\nk = 1", "no list"),
        ("nums = [1, 2]", "other arguments"),
        ("nums = [1, 2]\nm = 1", "other arguments"),
        ("nums = [1, null]\nk = 1", "no int"),
    ],
)
def test_calls_that_are_not_allowed_are_refused(text: str, fault: str) -> None:
    grammar = infer(
        row("nums: List[int], k: int", "1 <= k <= nums.length <= 5\n1 <= nums[i] <= 9", "nums = [3]\nk = 1")
    )
    found = grammar.fault(text)
    assert fault in found if fault else not found


SHAPES = {
    "one": st.integers(-9, 9), "list": st.lists(st.integers(-9, 9), max_size=5),
    "ragged": st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=4),
    "records": st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), max_size=4),
    "rows": st.integers(1, 3).flatmap(lambda width: st.lists(st.lists(st.integers(-9, 9), min_size=width, max_size=width), min_size=1, max_size=4)),
}  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.data(), st.booleans())
def test_arguments_survive_their_tree(data: st.DataObject, by_keyword: bool) -> None:
    shapes = data.draw(st.lists(st.sampled_from(sorted(SHAPES)), min_size=1, max_size=4))
    parameters = tuple(
        Parameter(f"p{at}", "int", shape, (f"x{at}", f"y{at}") if shape == "records" else ())
        for at, shape in enumerate(shapes)
    )
    sizes = [size for one in parameters for size in one.sizes]
    arguments = Arguments(parameters, by_keyword, (*sizes, *(one.name for one in parameters)))
    call = {one.name: data.draw(SHAPES[one.shape]) for one in parameters}
    text = arguments.write(arguments.tree_of(call))
    assert parse_arguments(text) == (call if by_keyword else list(call.values()))
    assert arguments.write(arguments.read(text)) == text


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 6), st.integers(0, 30), st.integers(-(10**9), 10**9), st.integers(0, 10**9))
def test_any_stated_bounds_hold(least: int, more: int, low: int, width: int) -> None:
    constraints = f"{least} <= nums.length <= {least + more}\n{low} <= nums[i] <= {low + width}"
    known = json.dumps([low] * least)
    for call in made(row("nums: List[int]", constraints, f"nums = {known}"), count=6, limits=1):
        assert least <= len(call["nums"]) <= least + more
        assert all(low <= value <= low + width for value in call["nums"])


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        (" of lowercase English letters", "abcdefghijklmnopqrstuvwxyz"),
        (" only of digits and '.'", "0123456789."),
        (" either '(' or ')'", "()"),
        (" 0 or 1", "01"),
        (" of digits from '1' to '9'", "123456789"),
        (" a valid expression", ""),
        (" of lowercase English letters in sorted order", ""),
        (" a palindrome of digits", ""),
        (" at most 3 different digits", ""),
    ],
)
def test_letters_are_read_only_where_every_word_is_understood(text: str, letters: str) -> None:
    assert set(alphabet(text)) == set(letters)


@settings(max_examples=60)
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30))
def test_a_clause_without_marks_does_not_change_twice(text: str) -> None:
    assert plain_clause(plain_clause(text)) == plain_clause(text) or any(sign in text for sign in "*_`x\\|{}$-")


def test_changed_calls_are_allowed_calls() -> None:
    import random

    from microcoder_data.make_tests.mutate import changed, smaller

    grammar: Grammar = infer(
        row("nums: List[int], k: int", "1 <= k <= nums.length <= 9\n1 <= nums[i] <= 9", "nums = [3, 5, 9, 9]\nk = 4")
    )
    near = list(changed(grammar, "nums = [3, 5, 9, 9]\nk = 4", random.Random(1), 30))
    assert len(near) > 5 and not any(map(grammar.fault, near))
    less = list(smaller(grammar, "nums = [3, 5, 9, 9]\nk = 1"))
    assert "nums = [1, 5, 9, 9]\nk = 1" in less and "nums = [9, 9]\nk = 1" in less


@pytest.mark.parametrize(
    ("signature", "constraints", "call"),
    [
        ("x: float", "0.5 ^ x <= 9.25\n1 <= x <= 2", "x = 1.5"),
        ("k: int", f"1 <= k <= {'9' * 400} * k", "k = 5"),
        ("k: int, n: int", "0 <= k <= 5\n1 <= n <= 9 / k", "k = 0\nn = 1"),
    ],
)
def test_constraints_without_a_value_are_refused(signature: str, constraints: str, call: str) -> None:
    with pytest.raises(Unclear):
        infer(row(signature, constraints, call))
