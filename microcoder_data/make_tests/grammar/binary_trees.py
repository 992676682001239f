"""The forms of binary trees: level by level, 1 for a node and 0 for a missing child. Checks them and draws them.

random_form(3, "left", rng)        # "1101000": each node has only a left child
in_order("1101000")                # [2, 1, 0]: the numbers of the nodes, level by level, in the order of a search tree
"""

from __future__ import annotations

import random
from collections import deque

FORM_STYLES = ("any", "any", "even", "complete", "left", "right", "zigzag", "caterpillar")


def is_form(form: str) -> bool:
    """Whether every node has two places for children, and nothing stands behind the last one."""
    waiting = 1
    for sign in form:
        if not waiting:
            return False
        waiting += 1 if sign == "1" else -1
    return not waiting


def is_complete(form: str) -> bool:
    return "01" not in form


def is_full(form: str) -> bool:
    """Whether every node has no child or two."""
    return all(first == second for first, second in zip(form[1::2], form[2::2], strict=False))


def depth(form: str) -> int:
    """The number of levels."""
    levels, start, width = 0, 0, 1
    while "1" in (level := form[start : start + width]):
        levels, start, width = levels + 1, start + width, 2 * level.count("1")
    return levels


def in_order(form: str) -> list[int]:
    """The numbers of the nodes, counted level by level from 0, from the leftmost to the rightmost."""
    numbers = [number if sign == "1" else -1 for number, sign in zip(_counted(form), form, strict=True)]
    found: list[int] = []
    above: list[int] = []
    node = numbers[0]
    while above or node >= 0:
        while node >= 0:
            above.append(node)
            node = numbers[2 * node + 1]
        node = above.pop()
        found.append(node)
        node = numbers[2 * node + 2]
    return found


def _counted(form: str) -> list[int]:
    """For each sign, how many nodes stand before it."""
    found, nodes = [], 0
    for sign in form:
        found.append(nodes)
        nodes += sign == "1"
    return found


def random_form(nodes: int, style: str, rng: random.Random, *, full: bool = False) -> str:
    """The form of a tree with so many nodes; full: with an odd number of nodes, each with no child or two."""
    if style == "complete":
        return "1" * nodes + "0" * (nodes + 1)
    form: list[str] = []
    waiting = deque([(nodes, 0)])
    while waiting:
        size, level = waiting.popleft()
        form.append("1" if size else "0")
        if size:
            left = _left_part(size - 1, level, style, rng, full)
            waiting += [(left, level + 1), (size - 1 - left, level + 1)]
    return "".join(form)


def _left_part(rest: int, level: int, style: str, rng: random.Random, full: bool) -> int:
    """How many of the nodes below a node are on its left."""
    least = 1 if full and rest else 0
    most = rest - least
    match style:
        case "left":
            return most
        case "right":
            return least
        case "zigzag":
            return most if level % 2 else least
        case "caterpillar":
            return min(1, rest) if level % 2 else rest - min(1, rest)
        case "even":
            found = rest // 2
        case _:
            found = rng.randint(least, most) if least <= most else rest
    return found + (1 if found < most else -1) if full and rest and found % 2 == 0 else found
