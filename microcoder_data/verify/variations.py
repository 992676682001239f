"""Make new inputs from the inputs that a problem has: small random changes that keep every learnt invariant true.

The changes are drawn from a seed, so the same problem gets the same inputs. No program is run here.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from microcoder_data.process.bounds import Bound
from microcoder_data.verify.input_invariants import FEW, FIRST_LINES, Invariants, Tree, learn, sizes

LARGEST_ITEMS = 3000
"""Larger inputs, counted in numbers and words, are not varied: small ones show mistakes as well and run faster."""
MOST_ITEMS = 200
"""In a longer list, only this many first items are changed one by one."""
TRIES_EACH = 30


def variations(
    trees: Sequence[Tree],
    bounds: Sequence[Bound],
    seed: str,
    most: int,
    allowed: Callable[[Tree], bool] = lambda tree: True,
) -> list[Tree]:
    """At most `most` different new inputs that keep the trees' invariants and the stated bounds, and are `allowed`."""
    invariants = learn(trees)
    widen(invariants, bounds)
    small = [tree for tree in trees if _items(tree) <= LARGEST_ITEMS]
    chance = random.Random(seed)
    known = {repr(tree) for tree in trees}
    found: list[Tree] = []
    for attempt in range(most * TRIES_EACH if small else 0):
        if len(found) == most:
            break
        tree = copy.deepcopy(small[attempt % len(small)])
        for _ in range(chance.choice((1, 1, 2, 3))):
            _vary(tree, invariants, chance)
        if _repaired(tree, invariants) and repr(tree) not in known and invariants.hold(tree) and allowed(tree):
            known.add(repr(tree))
            found.append(tree)
    return found


def widen(invariants: Invariants, bounds: Sequence[Bound]) -> None:
    """Let numbers reach the stated bounds.

    The numbers of a text have no names. Such a number may reach what all bounds allow that could be its own: those
    that hold for its known values and are not far larger.
    """
    named = {_plain(bound.name): (bound.low, bound.high) for bound in bounds}
    for place, (low, high) in invariants.ranges.items():
        own = named.get(_plain(place))
        if own is None and place.startswith(("line", "more")):
            could = [(b.low, b.high) for b in bounds if b.low <= low and high <= b.high <= max(high, 1) ** 2]
            own = (max(b[0] for b in could), min(b[1] for b in could)) if could else None
        if own is not None:
            invariants.ranges[place] = min(low, own[0]), max(high, own[1])


def _plain(name: str) -> str:
    """One spelling for `nums[i]` and `nums/*`, `nums.length` and `size of nums`.

    >>> _plain("nums[i]") == _plain("nums/*"), _plain("s.length") == _plain("size of s")
    (True, True)
    """
    name = re.sub(r"^size of (\S+)$", r"\1.length", name)
    name = re.sub(r"^\|(\w+)\|$|^len\((\w+)\)$", lambda m: f"{m[1] or m[2]}.length", name)
    name = name.replace("/*", "[i]")
    return re.sub(r"\[\w+\]|_[a-z]$", "[i]", name).removesuffix("()")


def _vary(tree: Tree, invariants: Invariants, chance: random.Random) -> None:
    """Make one change at a random place."""
    spots = list(_spots(tree, invariants))
    if not spots:
        return
    holder, key, place = chance.choice(spots)
    value = holder[key]
    if type(value) is int:
        holder[key] = _another_number(value, invariants.ranges.get(place, (value, value)), chance)
    elif isinstance(value, str):
        holder[key] = _another_word(value, sorted(invariants.letters.get(place, frozenset(value))), chance)
    else:
        changed = _another_list(value, invariants.ranges.get(f"{place}/*"), chance)
        if not invariants.blocks or len(changed) == len(value):
            holder[key] = changed


def _spots(tree: Tree, invariants: Invariants) -> Iterator[tuple[Any, Any, str]]:
    """Everything that can be changed: (what holds it, under which key, the place's name in `Invariants`)."""
    for name, value in tree.items():
        if not invariants.blocks:
            yield from _inside(tree, name, name, invariants)
        elif name == "more":  # a short line may say how many lines follow, so only long lines are changed
            long_lines = [i for i, line in enumerate(value) if len(line) > FEW and line[0] != len(line) - 1]
            for index in long_lines:
                yield from _inside(value, index, "more/*", invariants)


def _inside(holder: Any, key: Any, place: str, invariants: Invariants) -> Iterator[tuple[Any, Any, str]]:
    value = holder[key]
    if isinstance(value, list):
        if place not in invariants.fixed and value:
            yield holder, key, place
        for index in range(min(len(value), MOST_ITEMS)):
            yield from _inside(value, index, invariants.place(place, index), invariants)
    elif type(value) is int or (isinstance(value, str) and value and not re.search(r"\d\.|\.\d", value)):
        yield holder, key, place


def _another_number(value: int, allowed: tuple[int, int], chance: random.Random) -> int:
    low, high = allowed
    near = [value - 1, value + 1, low, low + 1, high, high - 1, chance.randint(low, high), chance.randint(low, high)]
    return chance.choice([number for number in near if low <= number <= high] or [value])


def _another_word(word: str, letters: list[str], chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return chance.choice(
        [
            word[::-1],
            "".join(sorted(word)),
            "".join(chance.sample(word, len(word))),
            word[0] * len(word),
            word[:at] + chance.choice(letters) + word[at + 1 :],
            "".join(chance.choice(letters) for _ in word),
            word[: max(1, at)],
            word[:1],
        ]
    )


def _another_list(items: list[Any], allowed: tuple[int, int] | None, chance: random.Random) -> list[Any]:
    if not items:
        return items
    at = chance.randrange(len(items))
    numbers = all(type(item) is int for item in items)
    changed = [
        items[::-1],
        chance.sample(items, len(items)),
        [copy.deepcopy(items[at]) for _ in items],
        items[: max(1, at)],
        items[:1],
        items[:at] + items[at + 1 :],
    ]
    if numbers:
        changed.append(sorted(items))
        changed.append(sorted(items, reverse=True))
        low, high = allowed or (min(items), max(items))
        changed.append([chance.randint(low, high) for _ in items])
        changed.append([chance.choice((low, high)) for _ in items])
        changed.append([high] * len(items))
    return chance.choice(changed)


def _repaired(tree: Tree, invariants: Invariants) -> bool:
    """After a change of size: cut lists of equal size to the shortest, and set the numbers that give a size.

    False where the tree lacks a line whose size has to equal another one: such an input is not used.
    """
    equal = invariants.equal()
    for one, other in equal:
        now = sizes(tree, invariants)
        place = one.removeprefix("size of ")
        if place != one and now.get(one, 0) > now.get(other, 0) and other in now:
            for holder, key in _holders(tree, place, invariants):
                holder[key] = holder[key][: now[other]]
    now = sizes(tree, invariants)
    for one, other in equal:
        if other in now and one not in now:
            if one in _sizes_of_missing_lines(tree):
                return False
            for holder, key in _holders(tree, one, invariants):
                holder[key] = now[other]
    return True


def _sizes_of_missing_lines(tree: Tree) -> set[str]:
    missing = [line for line in FIRST_LINES if line not in tree]
    return {f"{what} {line}" for line in missing for what in ("size of", "lines after")}


def _holders(tree: Tree, place: str, invariants: Invariants) -> Iterator[tuple[Any, Any]]:
    """Where a place is in a tree, at the top or in a list at the top: (what holds it, under which key)."""
    for name, value in tree.items():
        if name == place:
            yield tree, name
        elif isinstance(value, list) and name in invariants.fixed:
            for index in range(len(value)):
                if invariants.place(name, index) == place:
                    yield value, index


def _items(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_items, value.values()))
    if isinstance(value, list):
        return sum(map(_items, value)) + 1
    return 1
