"""Test programs on linked lists and binary trees: read as plain calls, and made cases written back into them."""

# ruff: noqa: E501 - a sentence of a statement is one line

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.make_tests.node_programs import read_program
from microcoder_data.make_tests.rule import MakeTestsRule
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.rules import apply_rules
from microcoder_data.schema import new_row, new_test, to_problem
from microcoder_data.shards import TestStore
from microcoder_data.sources.columns import encode_arguments, encode_value
from microcoder_data.sources.leetcode_prelude import test_prelude as program_prelude
from microcoder_eval import Grader
from tests.data.make_tests.test_nodes import TREE


def asserts_row(
    signature: str, constraints: str, body: str, solutions: list[tuple[str, bool]], returns: str
) -> dict[str, Any]:
    starter = f"class Solution:\n    def solve(self, {signature}) -> {returns}:\n        "
    checks = "\n".join(f"    {line}" for line in body.split("\n"))
    return new_row(
        problem_id="a:3", source="a", kind="asserts", statement="Do it.", constraints=constraints, entry_point="Solution.solve", starter_code=starter,
        test_code=f"{program_prelude({'ListNode', 'TreeNode'})}\n\ndef check(candidate):\n{checks}\n", time_limit_ms=4000, memory_limit_mb=256,
        solutions=[{"language": "python", "code": f"{program_prelude({'ListNode', 'TreeNode'})}\n\n{starter}{code}", "correct": correct, "origin": "official"} for code, correct in solutions],
    )  # fmt: skip


RIGHT = "k = n\n        left, right = head, head\n        for _ in range(k):\n            right = right.next\n        while right:\n            left, right = left.next, right.next\n        return left"
ALSO = "values = []\n        while head:\n            values.append(head)\n            head = head.next\n        return values[-n]"
WRONG = "for _ in range(n - 1):\n            head = head.next\n        return head"
ENDS = "The number of nodes in the list is sz.\n1 <= sz <= 9\n0 <= Node.val <= 5\n1 <= n <= sz"


@pytest.mark.parametrize(
    "body",
    [
        "head = list_node([1, 2, 3])\nn = 2\nassert list_values(candidate(head, n)) == [2, 3]",
        "assert list_values(candidate(head = list_node([1, 2, 3]), n = 2)) == [2, 3]",
    ],
)
def test_made_cases_are_written_into_the_test_program(body: str, tmp_path: Path) -> None:
    given_row = asserts_row(
        "head: Optional[ListNode], n: int",
        ENDS,
        body,
        [(RIGHT, True), (ALSO, True), (WRONG, False)],
        "Optional[ListNode]",
    )
    with Grader(workers=2) as grader:
        rule = MakeTestsRule(MakeTests(ways=("rules",), mutants=0, small=10, limits=1), grader, TestStore(tmp_path))
        assert apply_rules(given_row, [rule], "verify") is None
    assert "reject 1 of 1" in given_row["provenance"][-1]["detail"]
    program = read_program(given_row)
    assert program is not None and len(program.cases) > 5 and given_row["tests"] == []
    assert all(wanted == case["head"][-case["n"] :] for case, wanted in program.cases)


def test_a_case_is_indented_as_the_test_program_is() -> None:
    row = asserts_row(
        "head: Optional[ListNode]", "", "assert list_values(candidate(list_node([1]))) == [1]", [], "Optional[ListNode]"
    )
    row["test_code"] = row["test_code"].replace("    assert list_values", "\tassert list_values")
    program = read_program(row)
    assert program is not None
    more = read_program({**row, "test_code": program.with_tests([new_test("[2, 3]", "[3]")])})
    assert more is not None and more.cases[-1] == ({"head": [2, 3]}, [3])


def test_a_solution_keeps_its_own_functions() -> None:
    body = "root = tree_node([4, 2])\nassert candidate(root, tree_find(root, 4)).val == 2"
    row = asserts_row("root: TreeNode, p: TreeNode", "", body, [("return find_node(p)", True)], "TreeNode")
    row["solutions"][0]["code"] += "\n\ndef find_node(node):\n    return node.left\n"
    program = read_program(row)
    assert program is not None
    plain = program.as_calls(row)
    problem = to_problem({**plain, "problem_id": "x"})
    with Grader(workers=1) as grader:
        assert grader.grade(problem, plain["solutions"][0]["code"]).passed


@pytest.mark.parametrize(
    "body",
    [
        "root = tree_node([1])\ncandidate(root, 2)\nroot = tree_node([5])\nassert is_same_tree(root, tree_node([2]))",
        "tree_node = reversed_tree\nassert is_same_tree(candidate(tree_node([1]), 2), tree_node([2]))",
        "root = tree_node([3])\nother = tree_node([1])\ncandidate(other, 2)\nassert is_same_tree(root, tree_node([2]))",
        "root = tree_node([1])\nx = tree_node([3])\nassert candidate(root, tree_find(x, 3)).val == 3",
        "x = tree_node([1])\nassert is_same_tree(candidate(x, x), tree_node([2]))",
    ],
)
def test_a_variable_that_is_another_thing_than_the_argument_is_not_read(body: str) -> None:
    assert read_program(asserts_row("root: TreeNode, p: TreeNode", "", body, [], "TreeNode")) is None


def test_single_nodes_and_changes_in_place(tmp_path: Path) -> None:
    below = "return p.left or p"
    found = asserts_row(
        "root: TreeNode, p: TreeNode", TREE.format(1, 9, "1 <= Node.val <= 99\nAll Node.val are unique.\np exists in the tree."),
        "root = tree_node([4, 2])\np = tree_find(root, 4)\nassert candidate(root, p).val == 2", [(below, True), ("if p.left:\n            return p.left\n        return p", True), ("return p", False)], "TreeNode",
    )  # fmt: skip
    emptied = asserts_row(
        "head: Optional[ListNode]", "The number of nodes in the list is in the range [1, 6].\n1 <= Node.val <= 9", "head = list_node([4, 2])\ncandidate(head)\nassert list_values(head) == [4]",
        [("head.next = None", True), ("while head.next:\n            head.next = head.next.next", True), ("head.val = 4; head.next = None", False)], "None",
    )  # fmt: skip
    with Grader(workers=2) as grader:
        for given_row in (found, emptied):
            rule = MakeTestsRule(MakeTests(ways=("rules",), mutants=0, small=10, limits=1), grader, TestStore(tmp_path))
            assert apply_rules(given_row, [rule], "verify") is None
            assert "reject 1 of 1" in given_row["provenance"][-1]["detail"]


TREES = st.recursive(st.none(), lambda below: st.tuples(st.integers(-9, 9), below, below), max_leaves=12)


def by_levels(tree: Any) -> list[int | None]:
    """The tree level by level, without the missing children at the end."""
    found: list[int | None] = []
    waiting = [tree]
    for one in waiting:
        found.append(one and one[0])
        waiting += one[1:] if one else ()
    while found and found[-1] is None:
        found.pop()
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TREES, st.integers(-9, 9), TREES), min_size=1, max_size=4), st.booleans())
def test_written_cases_are_read_again(cases: list[tuple[Any, int, Any]], changed: bool) -> None:
    compared = "assert is_same_tree(candidate(root = tree_node([1, None, 2]), k = 3), tree_node([]))"
    in_place = "root = tree_node([1, None, 2])\nk = 3\ncandidate(root, k)\nassert tree_values(root) == []"
    body = in_place if changed else compared
    program = read_program(asserts_row("root: Optional[TreeNode], k: int", "", body, [], "Optional[TreeNode]"))
    assert program is not None
    wanted = [({"root": by_levels(tree), "k": k}, by_levels(answer)) for tree, k, answer in cases]
    tests = [new_test(encode_arguments(given), encode_value(answer)) for given, answer in wanted]
    longer = asserts_row("root: Optional[TreeNode], k: int", "", body, [], "Optional[TreeNode]")
    longer["test_code"] = program.with_tests(tests)
    again = read_program(longer)
    assert again is not None and list(again.cases) == [({"root": [1, None, 2], "k": 3}, []), *wanted]


@pytest.mark.parametrize(
    "body",
    [
        "assert candidate([1, 2]) == 2",
        "for values in [[1], [2]]:\n    assert list_values(candidate(list_node(values), 1)) == values",
        "head = list_node([1])\nassert list_values(candidate(head, 1)) == [1]\nassert list_values(candidate(list_node([1]), n = 1)) == [1]",
        "assert candidate(list_node([1]), 1) is not None",
    ],
)
def test_a_test_program_of_another_form_is_left_alone(body: str) -> None:
    assert read_program(asserts_row("head: Optional[ListNode], n: int", ENDS, body, [], "Optional[ListNode]")) is None
