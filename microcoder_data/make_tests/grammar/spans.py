"""The bounds of a grammar's values: given the known values, and at the widest; and which of the values are counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from microcoder_data.make_tests.grammar.expression import Expression, Relation
from microcoder_data.make_tests.grammar.grammar import Grammar
from microcoder_data.make_tests.grammar.layout import Block, Layout, Line, Listed, Scalar

MOST_VALUES = 300_000
"""About the most values, or letters, of one made input."""


Number = int | Fraction


def _least(value: Number, strict: int, places: int = 0) -> Number:
    """The least number with so many digits after the point that is at least the value, or above it."""
    scaled = value * 10**places
    count = math.floor(scaled) + 1 if strict else math.ceil(scaled)
    return Fraction(count, 10**places) if places else count


def _most(value: Number, strict: int, places: int = 0) -> Number:
    """The largest number with so many digits after the point that is at most the value, or below it."""
    return -_least(-value, strict, places)


def bounds(
    grammar: Grammar,
    quantity: str,
    known: Mapping[str, Any],
    outer: Mapping[str, tuple[Number, Number]],
    depth: int = 2,
) -> tuple[Number, Number]:
    """The bounds of a quantity by the relations; a name that is not known yet counts with its own bounds.

    quantity: a name, or `|name|` for the length of a word. outer: the widest bounds, by quantity.
    """
    low, high = outer[quantity]
    domain = grammar.domains.get(quantity)
    places = domain.places if domain else 0
    for relation in grammar.by_name[quantity.strip("|")]:
        if not relation.bounds:
            continue
        strict = int(relation.op == "<")
        left, right = relation.left, relation.right
        if right.name == quantity and left.names <= known.keys():
            low = max(low, _least(left.number(known), strict, places))
        elif left.name == quantity and right.names <= known.keys():
            high = min(high, _most(right.number(known), strict, places))
        elif depth and right.name == quantity and left.name in outer and left.name.strip("|") in grammar.by_name:
            low = max(low, _least(bounds(grammar, left.name, known, outer, depth - 1)[0], strict, places))
        elif depth and left.name == quantity and right.name in outer and right.name.strip("|") in grammar.by_name:
            high = min(high, _most(bounds(grammar, right.name, known, outer, depth - 1)[1], strict, places))
    return low, high


MOST_CORNERS = 4
"""An expression of more names gives no bound before their values are known."""


def _extremes(expression: Expression, found: Mapping[str, tuple[Number, Number]]) -> tuple[Number, Number]:
    """The least and the largest value of an expression over spans of its names; `ValueError` if that is not known."""
    names = sorted(expression.names)
    if len(names) > MOST_CORNERS or any(found[name][0] <= 0 <= found[name][1] for name in expression.divisors):
        raise ValueError("no bound")
    values = [expression.number(dict(zip(names, corner, strict=True)))
              for corner in itertools.product(*(found[name] for name in names))]  # fmt: skip
    return min(values), max(values)


@lru_cache(maxsize=64)
def _spans_of(
    relations: tuple[Relation, ...], start: tuple[tuple[str, Number, Number, bool, bool, int], ...]
) -> dict[str, tuple[Number, Number]]:
    wide = 1 << 62
    found: dict[str, tuple[Number, Number]] = {
        name: (-wide if low else seen_low, wide if high else seen_high)
        for name, seen_low, seen_high, low, high, _ in start
    }
    places = {name: many for name, *_, many in start}
    found["i"] = (1, MOST_VALUES)  # the place of an item in its list
    for _ in range(8):
        for relation in relations:
            if not relation.bounds or not relation.names <= found.keys():
                continue
            strict = int(relation.op == "<")
            try:
                if name := relation.right.name:
                    least, _ = _extremes(relation.left, found)
                    low, high = found[name]
                    found[name] = max(low, _least(least, strict, places.get(name, 0))), high
                if name := relation.left.name:
                    _, most = _extremes(relation.right, found)
                    low, high = found[name]
                    found[name] = low, min(high, _most(most, strict, places.get(name, 0)))
            except ValueError:
                continue
    return found


def spans(grammar: Grammar) -> dict[str, tuple[Number, Number]]:
    """The widest bounds of every value and of every word's length, from the relations alone."""
    start: list[tuple[str, Number, Number, bool, bool, int]] = []
    for name, domain in grammar.domains.items():
        quantity = f"|{name}|" if domain.kind == "word" else name
        low, high = (Fraction(seen, 10**domain.places) if domain.places else seen for seen in domain.seen)
        start.append((quantity, low, high, *grammar.bounded(name), domain.places))
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
    found: set[str] = set()
    for node in layout:
        if isinstance(node, Block):
            for one, _ in numbered_pairs(node, grammar):
                nodes = node_count(one, grammar.by_name[one])
                found |= set() if nodes is None else nodes.names
    return found


def numbered_pairs(block: Block, grammar: Grammar) -> set[tuple[str, str]]:
    """Pairs of numbers on one line that number the same nodes: the ends of edges."""
    found = set()
    for line in block.body:
        if not isinstance(line, Line) or len(line.forms) > 1:
            continue
        ends: dict[Expression, list[str]] = {}
        for part in line.forms[0]:
            if isinstance(part, Scalar) and part.name not in grammar.texts:
                nodes = node_count(part.name, grammar.by_name[part.name])
                if nodes is not None:
                    ends.setdefault(nodes, []).append(part.name)
        for names in ends.values():
            related = [
                r for r in grammar.relations if r.op in ("<", "<=") and {r.left.name, r.right.name} == set(names[:2])
            ]
            if len(names) == 2 and not related:
                found.add((names[0], names[1]))
    return found


def equal_names(grammar: Grammar) -> dict[str, set[str]]:
    """For each name, the names that equal it: `n` for the length of a list where `nums.length == n`."""
    stated = {(one.left.name, one.right.name) for one in grammar.relations if one.op == "<="} - {("", "")}
    found: dict[str, set[str]] = {}
    for one, other in stated:
        if one and other and (other, one) in stated:
            found.setdefault(one, set()).add(other)
    return found


def node_count(name: str, relations: Iterable[Relation]) -> Expression | None:
    """The number of nodes, if the bounds of a value are 1 and this number, or 0 and the number before it."""
    lows, highs = set(), set()
    for relation in relations:
        if relation.bounds and relation.right.name == name and not relation.left.names:
            lows.add(relation.left.number({}) + (relation.op == "<"))
        if relation.bounds and relation.left.name == name:
            highs.add(relation)
    if len(highs) != 1 or not lows:
        return None
    (high,) = highs
    tree = high.right.tree
    counted = bool(high.right.name) or _is_one_more(high.right)
    if max(lows) == 1 and high.op == "<=" and counted:
        return high.right
    if max(lows) != 0:
        return None
    if high.op == "<":
        return high.right if counted else None
    if not (isinstance(tree, tuple) and tree[0] == "-" and tree[2] == 1):
        return None
    before = Expression(tree[1])
    return before if before.name or _is_one_more(before) else None


def _is_one_more(expression: Expression) -> bool:
    """Whether it is a name and 1: the nodes of a tree with so many edges."""
    tree = expression.tree
    return isinstance(tree, tuple) and tree[0] == "+" and isinstance(tree[1], str) and tree[2] == 1
