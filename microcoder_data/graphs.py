"""Graphs given by edges between numbered nodes."""

from __future__ import annotations

from collections.abc import Iterable


def connected_parts(nodes: int, edges: Iterable[tuple[int, int]]) -> int:
    """How many connected parts a graph with this many nodes has.

    >>> connected_parts(4, [(1, 2), (2, 3)])
    2
    """
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        while (above := parent.get(node, node)) != node:
            parent[node] = parent.get(above, above)
            node = above
        return node

    joined = 0
    for one, other in edges:
        one, other = root(one), root(other)
        if one != other:
            parent[one] = other
            joined += 1
    return nodes - joined
