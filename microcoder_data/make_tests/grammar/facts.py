"""Facts about many values of an input together: a list is a permutation, edges form a tree, one cell holds an `S`.

    Fact("distinct", ("a",))                       # of a list, or of a column of lines
    Fact("tree", ("a", "b"), nodes=expression("n"))

Each kind of fact has a check here; `shapes.py` makes values for which it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from microcoder_data.graphs import connected_parts
from microcoder_data.make_tests.grammar.binary_trees import depth, in_order, is_complete, is_form, is_full
from microcoder_data.make_tests.grammar.expression import Expression
from microcoder_data.make_tests.grammar.layout import FORM, Block, Layout, Line, Scalar, Tree, Word


@dataclass(frozen=True)
class Fact:
    """One fact of a list, of a column of a block, or of two columns (edges)."""

    kind: str
    """distinct, rises, rises strictly, falls, falls strictly, permutation, permutation from 0, tree, connected, simple,
    acyclic, parents, first letters, one, has; of every word, also of one: distinct letters, no leading zeros,
    single spaces; of the form of a binary tree: binary tree, complete, full, depth; of a form and the values of its
    nodes: search tree; of a number and a list: inside."""
    names: tuple[str, ...] = ()
    nodes: Expression | None = None
    """How many nodes the graph has; for `depth`, the most levels; for `first letters`, how many letters of the alphabet
    are used."""
    text: str = ""
    """For `one`, the letter that occurs exactly once; for `has`, the first word of at least one line."""

    def __str__(self) -> str:
        of = " and ".join(self.names)
        return " ".join(filter(None, [of, self.kind, self.text, f"over {self.nodes}" if self.nodes else ""]))


OF_WORDS: dict[str, Callable[[str], bool]] = {
    "distinct letters": lambda word: len(set(word)) == len(word),
    "single spaces": lambda word: word == " ".join(word.split()),
    "no leading zeros": lambda word: len(word) < 2 or word[0] != "0",
    "binary tree": is_form,
    "complete": is_complete,
    "full": is_full,
}
"""The facts of single words, and their checks."""


def _words(tree: Tree, layout: Layout, name: str) -> Iterator[str]:
    """All words of a name."""
    for node, values in zip(layout, tree, strict=True):
        if isinstance(node, Block):
            for body in values:
                yield from _words(body, node.body, name)
        elif name in values:
            yield from values[name] if isinstance(values[name], list) else [values[name]]


def columns(tree: Tree, layout: Layout, names: tuple[str, ...]) -> Iterator[tuple[dict[str, Any], list[list[Any]]]]:
    """For each place where these names are lists or columns of a block: the values known there, and theirs."""
    yield from _columns(tree, layout, names, {})


def _columns(
    tree: Tree, layout: Layout, names: tuple[str, ...], known: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], list[list[Any]]]]:
    for node, values in zip(layout, tree, strict=True):
        if isinstance(node, Line):
            if all(isinstance(values.get(name), list) for name in names):
                yield known, [values[name] for name in names]
            known.update({name: value for name, value in values.items() if not isinstance(value, list)})
        elif _has_scalars(node, names):
            lines = [line for body in values for line in body if isinstance(line, dict) and set(names) <= line.keys()]
            yield known, [[line[name] for line in lines] for name in names]
        else:
            for body in values:
                yield from _columns(body, node.body, names, dict(known))


def _has_scalars(block: Block, names: tuple[str, ...]) -> bool:
    listed = {part.name for line in block.body if isinstance(line, Line) for form in line.forms
              for part in form if isinstance(part, Scalar)}  # fmt: skip
    return set(names) <= listed


def holds(fact: Fact, tree: Tree, layout: Layout) -> bool:
    """Whether a fact is true of a tree."""
    if fact.kind in OF_WORDS:
        return all(OF_WORDS[fact.kind](word) for word in _words(tree, layout, fact.names[0]))
    if fact.kind == "has":
        return any(fact.text in values for values in _first_words(tree, layout))
    if fact.kind == "depth":
        most = fact.nodes.value({}) if fact.nodes is not None else 0
        return all(depth(form) <= most for form in _words(tree, layout, fact.names[0]))
    if fact.kind in ("search tree", "inside"):
        return _holds_of_nodes(fact, tree)
    return all(_holds_at(fact, known, lists) for known, lists in columns(tree, layout, fact.names))


def _holds_of_nodes(fact: Fact, tree: Tree) -> bool:
    """A fact of the nodes of a linked list or a binary tree; all of them stand at the top of the layout."""
    given = {name: value for line in tree if isinstance(line, dict) for name, value in line.items()}
    one, values = (given[name] for name in fact.names)
    if fact.kind == "inside":
        return one in values
    return len(values) == one.count("1") and all(a < b for a, b in pairwise(values[at] for at in in_order(one)))


def _holds_at(fact: Fact, known: dict[str, Any], lists: list[list[Any]]) -> bool:
    values = lists[0]
    match fact.kind:
        case "distinct":
            rows = list(zip(*lists, strict=True))
            return len(set(rows)) == len(rows)
        case "rises":
            return all(a <= b for a, b in pairwise(values))
        case "rises strictly":
            return all(a < b for a, b in pairwise(values))
        case "falls":
            return all(a >= b for a, b in pairwise(values))
        case "falls strictly":
            return all(a > b for a, b in pairwise(values))
        case "permutation":
            return sorted(values) == list(range(1, len(values) + 1))
        case "permutation from 0":
            return sorted(values) == list(range(len(values)))
        case "one":
            return sum(word.count(fact.text) for word in values) == 1
    nodes = fact.nodes.value(known) if fact.nodes is not None else 0
    if fact.kind == "first letters":
        return all("a" <= letter.lower() < chr(ord("a") + nodes) for word in values for letter in word)
    if fact.kind == "parents":
        return _is_tree(nodes, [(number, parent) for number, parent in enumerate(values, 2)])
    edges = list(zip(*lists, strict=True))
    match fact.kind:
        case "tree":
            return _is_tree(nodes, edges)
        case "connected":
            return connected_parts(nodes, edges) == 1
        case "simple":
            return len({(min(edge), max(edge)) for edge in edges}) == len(edges)
        case "acyclic":
            return _is_acyclic(edges)
    raise KeyError(f"no such fact: {fact.kind}")


def _first_words(tree: Tree, layout: Layout) -> Iterator[list[str]]:
    for node, values in zip(layout, tree, strict=True):
        if isinstance(node, Block):
            for body in values:
                yield from _first_words(body, node.body)
        else:
            form = node.forms[values.get(FORM, 0)]
            yield [part.text for part in form if isinstance(part, Word)]


def _is_tree(nodes: int, edges: list[tuple[int, int]]) -> bool:
    return len(edges) == nodes - 1 and connected_parts(nodes, edges) == 1


def _is_acyclic(edges: list[tuple[int, int]]) -> bool:
    following: dict[int, list[int]] = {}
    entering: dict[int, int] = {}
    for one, other in edges:
        following.setdefault(one, []).append(other)
        entering[other] = entering.get(other, 0) + 1
    ready = [node for node in following if not entering.get(node)]
    left = len(edges)
    while ready:
        for other in following.get(ready.pop(), ()):
            left -= 1
            entering[other] -= 1
            if not entering[other]:
                ready.append(other)
    return left == 0
