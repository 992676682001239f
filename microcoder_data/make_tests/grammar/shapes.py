"""Draw values in shapes that break programs: all equal, at the bounds, sorted, few different ones; words; graphs.

Every function draws from the given generator `rng`, so the same seed gives the same values.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

NUMBER_STYLES = ("any", "any", "small", "small", "ends", "low", "high", "few", "rises", "falls", "near", "logarithmic")
WORD_STYLES = ("any", "any", "two", "one", "period", "almost", "palindrome", "runs", "sorted", "rare")
GRAPH_STYLES = ("any", "any", "path", "star", "tree", "caterpillar", "cycle", "dense", "parts")
ORDER_STYLES = ("any", "any", "rises", "falls", "swaps", "rotated")


def number(low: int, high: int, style: str, rng: random.Random) -> int:
    """One number between two bounds."""
    if low >= high:
        return low
    if style == "small" and low < 0 < high:
        return max(low, min(high, rng.choice((0, 0, 1, 1, -1, 2, -2, 3, -4, 5))))
    if style in ("small", "few", "near"):
        return low + min(rng.choice((0, 0, 1, 1, 2, 3, 5)), high - low)
    if style == "ends":
        return rng.choice((low, high))
    if style == "low":
        return low
    if style == "high":
        return high
    if style == "logarithmic":
        return low + min(high - low, rng.randrange(1 << rng.randint(0, max(1, (high - low).bit_length()))))
    return rng.randint(low, high)


def numbers(count: int, low: int, high: int, style: str, rng: random.Random) -> list[int]:
    """A list of numbers between two bounds."""
    if style == "few":
        some = [rng.randint(low, high) for _ in range(rng.choice((1, 2, 3)))]
        return [rng.choice(some) for _ in range(count)]
    if style == "near":
        middle, width = rng.randint(low, high), rng.choice((1, 2, 5))
        return [min(high, max(low, middle + rng.randint(-width, width))) for _ in range(count)]
    if style in ("rises", "falls"):
        top = high if rng.random() < 0.5 else min(high, low + 2 * count)
        return sorted((rng.randint(low, top) for _ in range(count)), reverse=style == "falls")
    return [number(low, high, style, rng) for _ in range(count)]


def distinct(count: int, low: int, high: int, rng: random.Random) -> list[int]:
    """`count` different numbers: close together, at an end, or anywhere; fewer if there are no more."""
    count = min(count, high - low + 1)
    span = high - low + 1
    match rng.randrange(3):
        case 0:
            first = low + rng.randint(0, span - count)
            found = list(range(first, first + count))
        case 1:
            first = low + min(span - count, rng.randint(0, count))
            width = min(high - first + 1, 2 * count)
            found = rng.sample(range(first, first + width), count) if width < 1 << 60 else []
        case _:
            picked: set[int] = set()
            while len(picked) < count:
                picked.add(rng.randint(low, high))
                if span < 3 * count:
                    picked = set(rng.sample(range(low, high + 1), count))
            found = sorted(picked)
    rng.shuffle(found)
    return found


def permutation(count: int, first: int, style: str, rng: random.Random) -> list[int]:
    """`count` numbers from `first` on, each once."""
    found = list(range(first, first + count))
    if style == "falls":
        found.reverse()
    elif style == "rotated" and count:
        at = rng.randrange(count)
        found = found[at:] + found[:at]
    elif style == "swaps":
        for _ in range(min(count, 3)):
            one, other = rng.randrange(count), rng.randrange(count)
            found[one], found[other] = found[other], found[one]
    elif style != "rises":
        rng.shuffle(found)
    return found


def word(length: int, letters: Sequence[str], style: str, rng: random.Random) -> str:
    """A word of some of the letters."""
    if length <= 0 or not letters:
        return ""
    if style == "two":
        letters = rng.sample(letters, min(2, len(letters)))
    if style in ("one", "almost", "rare"):
        found = [rng.choice(letters)] * length
        if style != "one":
            for _ in range(1 if style == "almost" else max(1, length // 10)):
                found[rng.choice((0, length - 1, rng.randrange(length)))] = rng.choice(letters)
        return "".join(found)
    if style == "period":
        part = [rng.choice(letters) for _ in range(rng.choice((2, 3, 5, max(1, length // 2))))]
        return "".join(part[index % len(part)] for index in range(length))
    found = [rng.choice(letters) for _ in range(length)]
    if style == "palindrome":
        found = found[: (length + 1) // 2]
        found += found[: length // 2][::-1]
    elif style == "sorted":
        found.sort()
    elif style == "runs":
        found = []
        while len(found) < length:
            found += [rng.choice(letters)] * rng.choice((1, 2, 3, 7, max(1, length // 3)))
    return "".join(found[:length])


def tree(nodes: int, style: str, rng: random.Random, in_order: bool = False) -> list[tuple[int, int]]:
    """The edges of a tree, parent first: its nodes are the numbers from 1, node 1 is the root.

    in_order: a parent has a smaller number than its children.
    """
    rest = list(range(2, nodes + 1))
    if not in_order and rng.random() < 0.6:
        rng.shuffle(rest)
    order = [1, *rest]
    edges = []
    for index in range(1, nodes):
        if style == "path":
            parent = index - 1
        elif style == "star":
            parent = 0
        elif style == "caterpillar":
            parent = (index - 1) // 2 * 2 if index % 2 else max(0, index - 2)
        else:
            parent = rng.randrange(max(0, index - 5) if style == "dense" else 0, index)
        edges.append((order[parent], order[index]))
    return edges


def graph(
    nodes: int, count: int, style: str, rng: random.Random, *, simple: bool, loops: bool, in_order: bool = False
) -> list[tuple[int, int]]:
    """`count` edges between the numbers from 1 to `nodes`; fewer if there are no more simple ones."""
    edges: list[tuple[int, int]] = []
    seen: set[tuple[int, int]] = set()
    wanted = min(count, nodes * (nodes - 1) // 2) if simple else count
    if nodes < 2 and not loops:
        return []

    def add(one: int, other: int) -> None:
        key = (min(one, other), max(one, other))
        if len(edges) < wanted and (loops or one != other) and not (simple and key in seen):
            seen.add(key)
            edges.append((one, other) if rng.random() < 0.5 else (other, one))

    if style in ("path", "star", "tree", "caterpillar", "cycle"):
        for one, other in tree(nodes, "path" if style == "cycle" else style, rng, in_order):
            add(one, other)
        if style == "cycle" and edges:
            add(edges[-1][1], 1)
    top = min(nodes, max(2, int((2 * wanted) ** 0.5) + 2)) if style == "dense" else nodes
    cut = nodes // 2 if style == "parts" and nodes >= 4 else 0
    for _ in range(20 * wanted + 50):
        if len(edges) >= wanted:
            break
        one, other = rng.randint(1, top), rng.randint(1, top)
        if not cut or (one <= cut) == (other <= cut):
            add(one, other)
    if simple and len(edges) < wanted:
        for one in range(1, nodes + 1):
            for other in range(one + 1, nodes + 1):
                add(one, other)
    rng.shuffle(edges)
    return edges
