"""Grammars of functions on linked lists and binary trees, and hostile constraints. Starts no grader."""

# ruff: noqa: E501 - a sentence of a statement is one line

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.make_tests.grammar import Unclear, infer, plans, sample
from microcoder_data.make_tests.grammar.arguments import form_of_tree, tree_of_form
from microcoder_data.make_tests.grammar.binary_trees import depth, in_order, is_form, is_full, random_form
from tests.data.make_tests.test_functions import made, row

pytestmark = pytest.mark.fast

TREE = "The number of nodes in the tree is in the range [{}, {}].\n{}"


class Node:
    """A tree read without the code under test."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.left: Node | None = None
        self.right: Node | None = None


def built(levels: list[int | None]) -> Node | None:
    nodes = [None if value is None else Node(value) for value in levels]
    waiting = [node for node in nodes[:1] if node]
    rest = iter(nodes[1:])
    for parent in waiting:
        parent.left, parent.right = next(rest, None), next(rest, None)
        waiting += [child for child in (parent.left, parent.right) if child]
    assert next(rest, "no more") == "no more"
    return waiting[0] if waiting else None


def values(node: Node | None) -> list[int]:
    return [*values(node.left), node.value, *values(node.right)] if node else []


def levels(node: Node | None) -> int:
    return 1 + max(levels(node.left), levels(node.right)) if node else 0


def no_only_child(node: Node | None) -> bool:
    return node is None or (
        (node.left is None) == (node.right is None) and no_only_child(node.left) and no_only_child(node.right)
    )


CASES: list[tuple[str, str, str, str, Callable[[dict[str, Any]], bool]]] = [
    ("root: Optional[TreeNode]", TREE.format(0, 9, "-3 <= Node.val <= 5"), "root = [1, null, 2]", "Return it.",
     lambda c: len(values(built(c["root"]))) <= 9 and set(values(built(c["root"]))) <= set(range(-3, 6))),
    ("root: Optional[TreeNode], k: int", "The number of nodes in the tree is n.\n1 <= k <= n <= 12\n0 <= Node.val <= 99", "root = [2, 1]\nk = 2", "Given the root of a binary search tree, and k, return a value.",
     lambda c: 1 <= c["k"] <= len(values(built(c["root"]))) <= 12 and values(built(c["root"])) == sorted(set(values(built(c["root"]))))),
    ("root: TreeNode, p: TreeNode, q: TreeNode", TREE.format(2, 9, "1 <= Node.val <= 50\nAll Node.val are unique.\np != q\np and q will exist in the tree."), "root = [2, 1]\np = 2\nq = 1", "Return it.",
     lambda c: {c["p"], c["q"]} <= set(values(built(c["root"]))) and c["p"] != c["q"]),
    ("root: Optional[TreeNode]", TREE.format(1, 11, "0 <= Node.val <= 9\nThe depth of the tree will not exceed 4."), "root = [1]", "Return it.",
     lambda c: 1 <= levels(built(c["root"])) <= 4),
    ("root: Optional[TreeNode]", TREE.format(1, 11, "0 <= Node.val <= 9\nThe tree is guaranteed to be complete."), "root = [1]", "Return it.",
     lambda c: None not in c["root"] and len(c["root"]) <= 11),
    ("root: Optional[TreeNode]", TREE.format(1, 11, "Node.val is either 0 or 1\nEvery node has either 0 or 2 children."), "root = [1]", "Return it.",
     lambda c: no_only_child(built(c["root"])) and set(values(built(c["root"]))) <= {0, 1}),
    ("root1: Optional[TreeNode], root2: Optional[TreeNode]", "The number of nodes in both trees is in the range [0, 6].\n1 <= Node.val <= 3", "root1 = []\nroot2 = [1]", "Return it.",
     lambda c: all(len(values(built(tree))) <= 6 and set(values(built(tree))) <= {1, 2, 3} for tree in c.values())),
    ("head: Optional[ListNode], n: int", "The number of nodes in the list is sz.\n1 <= sz <= 7\n0 <= Node.val <= 100\n1 <= n <= sz", "head = [1, 2]\nn = 2", "Return it.",
     lambda c: 1 <= c["n"] <= len(c["head"]) <= 7 and all(0 <= x <= 100 for x in c["head"])),
    ("list1: Optional[ListNode], list2: Optional[ListNode]", "The number of nodes in both lists is in the range [0, 8].\n-9 <= Node.val <= 9\nBoth list1 and list2 are sorted in non-decreasing order.", "list1 = [1, 2]\nlist2 = []", "Return it.",
     lambda c: all(len(one) <= 8 and one == sorted(one) and set(one) <= set(range(-9, 10)) for one in c.values())),
    ("lists: List[Optional[ListNode]]", "k == lists.length\n0 <= k <= 6\n0 <= lists[i].length <= 5\n-9 <= lists[i][j] <= 9\nlists[i] is sorted in ascending order.\nThe sum of lists[i].length will not exceed 10.", "lists = [[1, 2], []]", "Return it.",
     lambda c: len(c["lists"]) <= 6 and sum(map(len, c["lists"])) <= 10 and all(len(one) <= 5 and one == sorted(one) for one in c["lists"])),
    ("head: Optional[ListNode]", "The number of nodes in the list is an even integer in the range [2, 8].\n1 <= Node.val <= 9", "head = [1, 2]", "Return it.",
     lambda c: len(c["head"]) in (2, 4, 6, 8)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("signature", "constraints", "known", "statement", "allowed"), CASES, ids=[c[1][:60] for c in CASES]
)
def test_made_nodes_keep_the_constraints(
    signature: str, constraints: str, known: str, statement: str, allowed: Callable[[dict[str, Any]], bool]
) -> None:
    calls = made(row(signature, constraints, known, statement=statement))
    assert all(map(allowed, calls))
    assert len({json.dumps(call) for call in calls}) >= 8


@pytest.mark.parametrize(
    ("statement", "clause", "quoted"),
    [
        ("Given the root of a perfect binary tree, return it.", "", "perfect"),
        ("You are given the root of a BST whose nodes were swapped.", "", "BST"),
        ("Return it.", "Every right node in the tree has a sibling.", "sibling"),
        ("Return it.", "head is sorted by the absolute value of its nodes.", "absolute"),
        ("Return it.", "x exists in the tree.", "x exists"),
    ],
)
def test_a_form_that_no_reader_knows_ends_the_attempt(statement: str, clause: str, quoted: str) -> None:
    constraints = TREE.format(1, 9, f"0 <= Node.val <= 9\n{clause}")
    with pytest.raises(Unclear, match=quoted):
        infer(row("root: Optional[TreeNode]", constraints, "root = [1, 2, 3]", statement=statement))


@settings(max_examples=80, deadline=None)
@given(
    st.integers(0, 40),
    st.sampled_from(["any", "even", "complete", "left", "right", "zigzag", "caterpillar"]),
    st.booleans(),
    st.randoms(),
)
def test_forms_are_trees(nodes: int, style: str, full: bool, rng: Any) -> None:
    nodes = nodes + 1 - nodes % 2 if full and style != "complete" else nodes
    form = random_form(nodes, style, rng, full=full)
    tree = built(tree_of_form(form, list(range(nodes))))
    assert is_form(form) and form.count("1") == nodes and depth(form) == levels(tree)
    assert in_order(form) == values(tree)
    assert is_full(form) == no_only_child(tree)
    assert form_of_tree(tree_of_form(form, list(range(nodes)))) == (form, list(range(nodes)))
    assert not is_form(form + "0") and not is_form(form[:-1])


HOSTILE = st.sampled_from([
    "The number of nodes in the tree is in the range [1000000000, 2000000000].", "The number of nodes in the tree is in the range [-5, -1].",
    "The number of nodes in the tree is in the range [9, 1].", "1 <= nums.length <= 0", "nums.length == -1", "10^9 <= nums.length <= 10^18",
    "k % 0 == 0", "k <= nums.length / 0", "2 <= k^k^k", "1 <= k <= 2^100000", "k is between [,]", "The depth of the tree will not exceed -3.",
    "nums[i] is either", "nums.length == k == 1000000000", "1 <= k <= 10^9^9^9", "k <= " + "9" * 4400, "Node.val is sorted", "root is a binary search tree.",
    "min(" * 40, "is sorted in " * 30, "nums, " * 200 + "are unique", "nums and " * 200 + "root are unique", "1 <= " * 300 + "k", "(" * 900, "`" * 900, "a_" * 900,
    "the values of " * 100 + "nums are unique", "x" * 10_000, "nums " * 2500, "- " * 5000,
])  # fmt: skip
BOUNDS = st.sampled_from(["The number of nodes in the tree is in the range [0, 1000000000].", "1 <= Node.val <= 9", "1 <= nums.length <= 10^9", "0 <= nums[i] <= 10^30", "1 <= k <= 10^9", "1 <= k <= nums.length"])  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(HOSTILE, BOUNDS), max_size=8), st.booleans())
def test_hostile_constraints_end_in_a_refusal_or_in_allowed_inputs(clauses: list[str], shuffled: bool) -> None:
    constraints = "\n".join(clauses[::-1] if shuffled else clauses)
    given_row = row(
        "root: Optional[TreeNode], nums: List[int], k: int", constraints, "root = [2, 1]\nnums = [1, 2]\nk = 1"
    )
    try:
        grammar = infer(given_row)
    except Unclear as why:
        assert str(why)
        return
    for plan in plans(grammar, small=2, limits=2):
        text = sample(grammar, plan, "seed")
        assert text is None or (not grammar.fault(text) and len(text) < 1_000_000)
