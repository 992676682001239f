"""Change an allowed input a little, or make it smaller, by its grammar. The results are allowed inputs too.

    for text in changed(grammar, text, rng, 20): ...
    for text in smaller(grammar, text): ...             # the largest steps first

Counts are corrected: a count that is a single name is set to the length of its list or block.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from microcoder_data.make_tests.grammar.grammar import Grammar
from microcoder_data.make_tests.grammar.layout import FORM, Block, Layout, Line, Listed, Tree
from microcoder_data.make_tests.grammar.spans import Number, spans

Spot = tuple[Any, Any, str]
"""The container of a value, its key in there, and the value's name (empty for the bodies of a block)."""


def changed(grammar: Grammar, text: str, rng: random.Random, most: int) -> Iterator[str]:
    """At most `most` different inputs near this one."""
    tree = grammar.read(text)
    widest = spans(grammar)
    seen = {text}
    for _ in range(4 * most):
        new = copy.deepcopy(tree)
        for _ in range(rng.choice((1, 1, 2, 3))):
            spots = list(_spots(new, grammar.layout))
            if spots:
                _change(rng.choice(spots), grammar, widest, rng)
        found = _allowed(grammar, new)
        if found and found not in seen:
            seen.add(found)
            yield found
            if len(seen) > most:
                return


def smaller(grammar: Grammar, text: str) -> Iterator[str]:
    """Inputs that are a step smaller: without half of a list or block, then without an item, then smaller numbers."""
    tree = grammar.read(text)
    widest = spans(grammar)
    seen = {text}
    steps = sorted(_steps(tree, grammar, widest), key=lambda step: -step[0])
    for _, path, value in steps:
        new = copy.deepcopy(tree)
        holder = new
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value
        found = _allowed(grammar, new)
        if found and found not in seen and _order(found) < _order(text):
            seen.add(found)
            yield found


def _order(text: str) -> tuple[int, int, str]:
    """The sort key of texts: by length, then by number of tokens, then by the text."""
    return len(text), len(text.split()), text


def _allowed(grammar: Grammar, tree: Tree) -> str:
    """The text of a tree with corrected counts, if the grammar allows it; else empty."""
    try:
        _recount(tree, grammar.layout, [tree], grammar)
        text = grammar.write(tree)
    except (IndexError, KeyError, ValueError):
        return ""
    return text if not grammar.fault(text) else ""


def _recount(tree: Tree, layout: Layout, scopes: list[Tree], grammar: Grammar) -> None:
    for node, values in zip(layout, tree, strict=True):
        if isinstance(node, Block):
            for body in values:
                _recount(body, node.body, [body, *scopes], grammar)
            _set_count(node.count.name, len(values), scopes)
            continue
        for part in node.forms[values.get(FORM, 0)]:
            if isinstance(part, Listed):
                _set_count(part.count.name, len(values[part.name]), scopes)


def _set_count(name: str, count: int, scopes: list[Tree]) -> None:
    """Put a count into the innermost line that has its name."""
    for scope in scopes:
        for line in scope:
            if isinstance(line, dict) and name in line:
                line[name] = count
                return


def _spots(tree: Tree, layout: Layout) -> Iterator[Spot]:
    for index, (node, values) in enumerate(zip(layout, tree, strict=True)):
        if isinstance(node, Line):
            for name in values:
                if name != FORM:
                    yield values, name, name
        else:
            yield tree, index, ""
            for body in values[:50]:
                yield from _spots(body, node.body)


def _change(spot: Spot, grammar: Grammar, widest: dict[str, tuple[Number, Number]], rng: random.Random) -> None:
    holder, key, name = spot
    value = holder[key]
    if not isinstance(value, list):
        holder[key] = _another_value(value, name, grammar, widest, rng)
        return
    if not value:
        return
    at, other = rng.randrange(len(value)), rng.randrange(len(value))
    match rng.randrange(6):
        case 0:
            del value[at]
        case 1:
            value.insert(at, copy.deepcopy(value[other]))
        case 2:
            value[at], value[other] = value[other], value[at]
        case 3:
            value[at] = copy.deepcopy(value[other])
        case 4:
            value.reverse()
        case _ if name:
            value[at] = _another_value(value[at], name, grammar, widest, rng)


def _another_value(
    value: Any, name: str, grammar: Grammar, widest: dict[str, tuple[Number, Number]], rng: random.Random
) -> Any:
    if isinstance(value, (int, Decimal)):
        domain = grammar.domains[name]
        value, unit = domain.scaled(value) if domain.places else int(value), 10**domain.places
        low, high = (int(end * unit) for end in widest[name])
        near = [value - 1, value + 1, value * 2, value // 2, low, low + 1, high, rng.randint(low, high)]
        return domain.unscaled(rng.choice([number for number in near if low <= number <= high] or [value]))
    domain = grammar.domains[name]
    if domain.choices:
        return rng.choice(domain.choices)
    letters = domain.letters
    if not value or not letters:
        return value
    at = rng.randrange(len(value))
    match rng.randrange(4):
        case 0:
            return value[:at] + rng.choice(letters) + value[at + 1 :]
        case 1:
            return value[::-1]
        case 2 if domain.length is None:
            return value[:at] + value[at + 1 :]
        case 3 if domain.length is None:
            return value[:at] + rng.choice(value) + value[at:]
    return value[:at] + rng.choice(value) + value[at + 1 :]


Path = tuple[Any, ...]


def _steps(tree: Tree, grammar: Grammar, widest: dict[str, tuple[Number, Number]]) -> Iterator[tuple[int, Path, Any]]:
    """Every single step: how much it removes, where, and the new value."""
    yield from _steps_below(tree, grammar.layout, (), grammar, widest)


def _steps_below(
    tree: Tree, layout: Layout, path: Path, grammar: Grammar, widest: dict[str, tuple[Number, Number]]
) -> Iterator[tuple[int, Path, Any]]:
    for index, (node, values) in enumerate(zip(layout, tree, strict=True)):
        here = (*path, index)
        if isinstance(node, Block):
            yield from _cuts(values, here)
            for number, body in enumerate(values[:30]):
                yield from _steps_below(body, node.body, (*here, number), grammar, widest)
            continue
        for name, value in values.items():
            if name == FORM:
                continue
            if isinstance(value, list):
                yield from _cuts(value, (*here, name))
                for number, item in enumerate(value[:30]):
                    for less in _smaller_values(item, name, grammar, widest):
                        yield 0, (*here, name, number), less
            else:
                for less in _smaller_values(value, name, grammar, widest):
                    taken = len(value) - len(less) if isinstance(value, str) else 0
                    yield taken, (*here, name), less


def _cuts(values: list[Any], path: Path) -> Iterator[tuple[int, Path, Any]]:
    size = len(values) // 2
    while size:
        for start in range(0, len(values), size):
            yield size, path, values[:start] + values[start + size :]
        size = size // 2 if len(values) <= 64 or size > 8 else 0
    if len(values) == 1:
        yield 1, path, []


def _smaller_values(value: Any, name: str, grammar: Grammar, widest: dict[str, tuple[Number, Number]]) -> Iterator[Any]:
    if isinstance(value, Decimal):
        yield from dict.fromkeys(
            less for less in (Decimal(int(value)), value.quantize(Decimal("0.1"))) if abs(less) < abs(value)
        )
    elif isinstance(value, int):
        low, high = map(int, widest[name])
        rest = 0 if low <= 0 <= high else low
        yield from dict.fromkeys(
            number for number in (rest, rest + 1, rest + (value - rest) // 2, value - 1) if abs(number) < abs(value)
        )
    elif grammar.domains[name].length is None and not grammar.domains[name].choices:
        size = len(value) // 2
        while size:
            for start in range(0, min(len(value), 16 * size), size):
                yield value[:start] + value[start + size :]
            size //= 2
