"""The bounds of a grammar's values: given the known values, and at the widest; and which of the values are counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from microcoder_data.make_tests.grammar.expression import Relation
from microcoder_data.make_tests.grammar.grammar import Grammar
from microcoder_data.make_tests.grammar.layout import Block, Layout, Line, Listed, Scalar

MOST_VALUES = 300_000
"""About the most values, or letters, of one made input."""


def bounds(
    grammar: Grammar, quantity: str, known: Mapping[str, Any], outer: Mapping[str, tuple[int, int]], depth: int = 2
) -> tuple[int, int]:
    """The bounds of a quantity by the relations; a name that is not known yet counts with its own bounds.

    quantity: a name, or `|name|` for the length of a word. outer: the widest bounds, by quantity.
    """
    low, high = outer[quantity]
    for relation in grammar.by_name[quantity.strip("|")]:
        if relation.op == "!=":
            continue
        strict = int(relation.op == "<")
        left, right = relation.left, relation.right
        if right.name == quantity and left.names <= known.keys():
            low = max(low, left.value(known) + strict)
        elif left.name == quantity and right.names <= known.keys():
            high = min(high, right.value(known) - strict)
        elif depth and right.name == quantity and left.name in outer and left.name.strip("|") in grammar.by_name:
            low = max(low, bounds(grammar, left.name, known, outer, depth - 1)[0] + strict)
        elif depth and left.name == quantity and right.name in outer and right.name.strip("|") in grammar.by_name:
            high = min(high, bounds(grammar, right.name, known, outer, depth - 1)[1] - strict)
    return low, high


@lru_cache(maxsize=64)
def _spans_of(
    relations: tuple[Relation, ...], start: tuple[tuple[str, int, int, bool, bool], ...]
) -> dict[str, tuple[int, int]]:
    wide = 1 << 62
    found = {
        name: (-wide if low else seen_low, wide if high else seen_high)
        for name, seen_low, seen_high, low, high in start
    }
    found["i"] = (1, MOST_VALUES)  # the place of an item in its list
    for _ in range(8):
        for relation in relations:
            if relation.op == "!=" or not relation.names <= found.keys():
                continue
            strict = int(relation.op == "<")
            lows = {name: span[0] for name, span in found.items()}
            highs = {name: span[1] for name, span in found.items()}
            try:
                if name := relation.right.name:
                    found[name] = (
                        max(found[name][0], min(relation.left.value(lows), relation.left.value(highs)) + strict),
                        found[name][1],
                    )
                if name := relation.left.name:
                    found[name] = (
                        found[name][0],
                        min(found[name][1], max(relation.right.value(lows), relation.right.value(highs)) - strict),
                    )
            except ValueError:
                continue
    return found


def spans(grammar: Grammar) -> dict[str, tuple[int, int]]:
    """The widest bounds of every value and of every word's length, from the relations alone."""
    start = []
    for name, domain in grammar.domains.items():
        quantity = name if domain.kind == "int" else f"|{name}|"
        start.append((quantity, *domain.seen, *grammar.bounded(name)))
    found = dict(_spans_of(grammar.relations, tuple(start)))
    for total in grammar.totals:
        if total.of.name in found:
            low, high = found[total.of.name]
            found[total.of.name] = low, min(high, total.most)
    return found


def counts_in(layout: Layout, grammar: Grammar) -> frozenset[str]:
    """The names of numbers that are a count of something, or a length."""
    found: set[str] = set()

    def search(nodes: Layout) -> None:
        for node in nodes:
            if isinstance(node, Block):
                found.update(node.count.names)
                search(node.body)
                continue
            for form in node.forms:
                for part in form:
                    if isinstance(part, Listed):
                        found.update(part.count.names)

    search(layout)
    for domain in grammar.domains.values():
        if domain.length is not None:
            found.update(domain.length.names)
    for fact in grammar.facts:
        if fact.nodes is not None and fact.kind != "first letters":
            found.update(fact.nodes.names)
    return frozenset(found | _graph_sizes(layout, grammar))


def _graph_sizes(layout: Layout, grammar: Grammar) -> set[str]:
    """The names of the numbers of nodes. They count as counts: a million nodes with three edges would test nothing."""
    found = set()
    for node in layout:
        if isinstance(node, Block):
            for one, _ in numbered_pairs(node, grammar):
                found |= {r.right.name for r in grammar.by_name[one] if r.left.name == one and r.right.name}
    return found


def numbered_pairs(block: Block, grammar: Grammar) -> set[tuple[str, str]]:
    """Pairs of numbers on one line that both go from 1 to the same count: the ends of edges."""
    found = set()
    for line in block.body:
        if not isinstance(line, Line) or len(line.forms) > 1:
            continue
        ends: dict[str, list[str]] = {}
        for part in line.forms[0]:
            if isinstance(part, Scalar) and part.name not in grammar.texts:
                tops = {
                    r.right.name for r in grammar.by_name[part.name] if r.left.name == part.name and r.op == "<="
                } - {""}
                ones = any(
                    r.right.name == part.name and not r.left.names and r.left.value({}) == 1
                    for r in grammar.by_name[part.name]
                )
                if len(tops) == 1 and ones:
                    ends.setdefault(next(iter(tops)), []).append(part.name)
        for names in ends.values():
            related = [
                r for r in grammar.relations if r.op in ("<", "<=") and {r.left.name, r.right.name} == set(names[:2])
            ]
            if len(names) == 2 and not related:
                found.add((names[0], names[1]))
    return found
