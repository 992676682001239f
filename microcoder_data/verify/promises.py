"""Find what a statement promises about its inputs, and check generated inputs against each promise.

    proof = prove(promises(statement), trees, learn(trees))
    proof.refused or [tree for tree in new_trees if proof.holds(tree)]

Solutions may agree on an input that the problem does not allow, so agreement is no proof. A validator is used only if
every present input passes it. If a promise has no such validator, no inputs are made for that problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from microcoder_data.graphs import connected_parts
from microcoder_data.schema import Row
from microcoder_data.verify.input_invariants import FIRST_LINES, Invariants, Tree

Validator = Callable[[Tree], bool]

_SIGNALS = re.compile(
    r"\b(?:trees?|forest|connected|reachable|acyclic|dag|bipartite|planar|convex|polygon|parenthes[ei]s|brackets?|"
    r"well[- ]formed|valid (?:expression|\w+ sequence)|prefix[- ]free|encod(?:ed|ing)|roman numeral|permutations?|"
    r"sorted|(?:non-?)?(?:increasing|decreasing)|ascending|descending|distinct|unique|no duplicates?|"
    r"guarante\w+|(?:you|we) (?:may|can) assume|assured|promised?|generated (?:such|so) that|"
    r"there (?:is|are|exists?|will be|'s) (?:always|exactly|at least)|always (?:exists?|possible|has|have|be)|"
    r"(?:exactly|only) one (?:\w+ )?(?:solution|answer|valid|pair|way)|answer (?:always )?exists|must exist|"
    r"(?:contains?|has|have|with|where) exactly)\b"
)
_ABOUT_THE_OUTPUT = re.compile(
    r"^\W*(?:return|print|output|find|compute|calculate|determine|your task|the answer|sort|count)\b"
)
_STATES_A_BOUND = re.compile(
    r"(?:guarante\w+|assured|generated (?:such|so) that|assume)\b[^.]{0,80}?\b(?:fits?\b|(?:not|n't) exceed|at most|"
    r"less than|within|bounded|sum of|total)"
)
_ORDERED = re.compile(r"\b(?:sorted|(?:non-?)?(?:increasing|decreasing)|ascending|descending)\b")
_DISTINCT = re.compile(r"\b(?:distinct|unique|no duplicates?)\b(?! (?:solution|answer|pair|way))")
_ONE_ANSWER = re.compile(
    r"\b(?:exactly|only) one (?:\w+ )?(?:solution|answer|pair|way)\b|\bunique (?:solution|answer|pair)\b"
)
_QUOTED_NAME = re.compile(r"`(\w+)`")


@dataclass(frozen=True)
class Promise:
    """Something that a statement says of every input."""

    kind: str
    """ordered, distinct, permutation, tree, connected, one_pair, or other (which no validator checks)."""
    words: str
    sentence: str


@dataclass
class Proof:
    """The validators for generated inputs, or the promise that has none."""

    refused: str = ""
    """The words of a promise that nothing here can check; empty when all can be."""
    proven: list[str] = field(default_factory=list)
    """The words of the promises that every present input keeps."""
    validators: list[Validator] = field(default_factory=list)

    def holds(self, tree: Tree) -> bool:
        return all(validator(tree) for validator in self.validators)


def promises(statement: str) -> list[Promise]:
    """What a statement promises, in order.

    >>> [promise.kind for promise in promises("Given a sorted array. You may assume that exactly one solution exists.")]
    ['ordered', 'other']
    """
    text = statement.lower()
    found = []
    for sentence in re.split(r"(?<=[.;!?])\s|\n", text):
        match = _SIGNALS.search(sentence)
        if match is None or _STATES_A_BOUND.search(sentence):
            continue
        kind = _kind(sentence, text)
        if kind in ("ordered", "distinct", "permutation") and _ABOUT_THE_OUTPUT.search(sentence):
            continue  # the sentence describes the answer, not the input
        found.append(Promise(kind, match[0], sentence.strip()))
    return found


def _kind(sentence: str, text: str) -> str:
    if _ONE_ANSWER.search(sentence):
        return "one_pair" if re.search(r"\badds? up to\b|\bsum (?:is|equals?|to)\b", text) else "other"
    if re.search(r"\btrees?\b", sentence):
        return "other" if re.search(r"\b(?:binary|search|spanning|root of)\b", sentence) else "tree"
    if re.search(r"\bconnected\b", sentence):
        return "connected"
    if re.search(r"\bpermutations?\b", sentence):
        return "permutation"
    if _ORDERED.search(sentence):
        return "ordered"
    return "distinct" if _DISTINCT.search(sentence) else "other"


_FACTS = {
    "ordered": ("rises", "falls", "rises strictly", "items rise"),
    "distinct": ("differ", "letters differ"),
    "permutation": ("1 to size", "0 to size"),
}
"""The learnt facts that check a promise, by its kind."""


def unseen_validator(row: Row) -> str:
    """Why no inputs may be made for this row; empty when they may. Rows of packages lack their input validator."""
    checker = row["checker"] or {}
    of_a_package = checker.get("kind") == "kattis_default" or checker.get("style") == "kattis" or row["interactor"]
    return "input validators of the package, which the row does not bring" if of_a_package else ""


def prove(to_prove: Sequence[Promise], trees: Sequence[Tree], invariants: Invariants) -> Proof:
    """A validator for each promise that all the present inputs pass, or the first promise that has none."""
    proof = Proof()
    for promise in to_prove:
        if promise.kind in _FACTS:
            checked = _was_learnt(promise, trees, invariants)
        else:
            validator = _VALIDATORS.get(promise.kind)
            checked = validator is not None and all(map(validator, trees))
            if checked and validator is not None:
                proof.validators.append(validator)
        if not checked:
            return Proof(refused=promise.words)
        proof.proven.append(promise.words)
    return proof


def _was_learnt(promise: Promise, trees: Sequence[Tree], invariants: Invariants) -> bool:
    """Whether such a fact was learnt at each place that the promise names, or at any place if it names none."""
    facts = _FACTS[promise.kind]
    places = {where for where, what in invariants.facts if isinstance(where, str) and what in facts}
    names = {name for name in _QUOTED_NAME.findall(promise.sentence) if any(name in tree for tree in trees)}
    return all(any(place.split("/")[0].split(".")[0] == name for place in places) for name in names) and bool(places)


def _one_pair(tree: Tree) -> bool:
    """Exactly one pair of numbers of the only list has the only number as its sum."""
    lists = [value for value in tree.values() if isinstance(value, list) and all(type(item) is int for item in value)]
    single = [value for value in tree.values() if type(value) is int]
    if len(lists) != 1 or len(single) != 1:
        return False
    numbers, target = lists[0], single[0]
    return sum(a + b == target for i, a in enumerate(numbers) for b in numbers[:i]) == 1


def _is_tree(tree: Tree) -> bool:
    graph = _graph(tree)
    return graph is not None and len(graph[1]) == graph[0] - 1 and connected_parts(*graph) == 1


def _is_connected(tree: Tree) -> bool:
    graph = _graph(tree)
    return graph is not None and connected_parts(*graph) == 1


def _graph(tree: Tree) -> tuple[int, list[tuple[int, int]]] | None:
    """The number of nodes and the edges, as arguments or as the lines of a text give them; None if it is no graph."""
    if "more" in tree:
        lines = [tree[name] for name in FIRST_LINES if name in tree] + tree["more"]
        nodes, edges = (lines[0][0] if lines and lines[0] else None), lines[1:]
    else:
        listed = [value for value in tree.values() if isinstance(value, list)]
        edges = listed[0] if len(listed) == 1 else tree.get("edges", [None])
        single = [value for value in tree.values() if type(value) is int]
        nodes = tree.get("n", single[0] if len(single) == 1 else len(edges) + 1)
    if type(nodes) is not int or not all(isinstance(edge, list) and len(edge) in (2, 3) for edge in edges):
        return None
    ends = [end for edge in edges for end in edge[:2]]
    if not all(type(end) is int for end in ends):
        return None
    least = 0 if 0 in ends else 1
    pairs = [(edge[0], edge[1]) for edge in edges]
    return (nodes, pairs) if all(least <= end < nodes + least for end in ends) else None


_VALIDATORS: dict[str, Validator] = {"one_pair": _one_pair, "tree": _is_tree, "connected": _is_connected}
