"""Draw a whole value of which facts are true: edges of a tree, the form of a binary tree, a word without leading zeros.

edges_with({"tree"}, count=3, nodes=4, limit=None, loops=False, rng=rng)
word_with({"no leading zeros"}, 5, list("0123456789"), "any", rng)

limit: for an input at the limits its number, which chooses a shape that makes programs slow; else None.
"""

from __future__ import annotations

import random

from microcoder_data.make_tests.grammar import shapes
from microcoder_data.make_tests.grammar.binary_trees import FORM_STYLES, random_form

_SLOW_GRAPHS = ("path", "any", "star", "dense", "caterpillar", "cycle")
"""A long path exceeds recursion limits, a star makes loops over neighbours slow."""
_SLOW_TREES = ("left", "even", "right", "any", "zigzag", "complete")


class Stuck(Exception):
    """This attempt cannot be finished: no allowed value is left for a name."""


def edges_with(
    kinds: set[str], count: int, nodes: int, limit: int | None, loops: bool, rng: random.Random
) -> list[tuple[int, int]]:
    """Edges between the numbers from 1 to `nodes`."""
    style = rng.choice(shapes.GRAPH_STYLES)
    if limit is not None:
        style = _SLOW_GRAPHS[limit % len(_SLOW_GRAPHS)]
    if "tree" in kinds:
        edges = shapes.tree(nodes, style, rng)
        rng.shuffle(edges)
        return [edge if rng.random() < 0.5 else edge[::-1] for edge in edges]
    if "connected" in kinds and style in ("any", "dense", "parts"):
        style = "tree"
    simple = bool(kinds & {"simple", "distinct"})
    acyclic = "acyclic" in kinds
    edges = shapes.graph(nodes, count, style, rng, simple=simple, loops=loops and not acyclic, in_order=acyclic)
    if acyclic:
        names = shapes.permutation(nodes, 1, rng.choice(shapes.ORDER_STYLES), rng)
        edges = [(names[min(edge) - 1], names[max(edge) - 1]) for edge in edges]
    return edges


def form_with(kinds: set[str], nodes: int, limit: int | None, rng: random.Random) -> str:
    """The form of a binary tree."""
    style = rng.choice(FORM_STYLES)
    if limit is not None:
        style = _SLOW_TREES[limit % len(_SLOW_TREES)]
    return random_form(nodes, "complete" if "complete" in kinds else style, rng, full="full" in kinds)


def word_with(kinds: set[str], length: int, letters: list[str], style: str, rng: random.Random) -> str:
    """A word of some of the letters."""
    if "distinct letters" in kinds:
        if length > len(letters):
            raise Stuck("no room for a word")
        return "".join(rng.sample(letters, length))
    found = shapes.word(length, letters, style, rng)
    if "single spaces" in kinds:
        inner = [letter for letter in letters if letter != " "]
        for at, sign in enumerate(found):
            if sign == " " and (at in (0, length - 1) or found[at - 1] == " "):
                found = f"{found[:at]}{rng.choice(inner)}{found[at + 1 :]}"
    others = [letter for letter in letters if letter != "0"]
    return rng.choice(others) + found[1:] if found.startswith("0") and length > 1 and others else found
