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
"""Inputs with more numbers and words than this are not varied: small ones show mistakes as well and run faster."""
MOST_ITEMS = 200
"""In a longer list, only this many first items are changed one by one."""
TRIES_EACH = 30
"""At most this many attempts are made for each input that is wanted."""


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
    rng = random.Random(seed)
    known = {repr(tree) for tree in trees}
    found: list[Tree] = []
    for attempt in range(most * TRIES_EACH if small else 0):
        if len(found) == most:
            break
        tree = copy.deepcopy(small[attempt % len(small)])
        for _ in range(rng.choice((1, 1, 2, 3))):
            _vary(tree, invariants, rng)
        if _repair(tree, invariants) and repr(tree) not in known and invariants.hold(tree) and allowed(tree):
            known.add(repr(tree))
            found.append(tree)
    return found


def widen(invariants: Invariants, bounds: Sequence[Bound]) -> None:
    """Let numbers reach the stated bounds.

    The numbers of a text have no names, so any bound may be theirs that their known values keep and that is not far
    larger. Such a number may reach what all of these bounds allow.
    """
    named = {_canonical_name(bound.name): (bound.low, bound.high) for bound in bounds}
    for place, (low, high) in invariants.ranges.items():
        own = named.get(_canonical_name(place))
        if own is None and place.startswith(("line", "more")):
            possible = [(b.low, b.high) for b in bounds if b.low <= low and high <= b.high <= max(high, 1) ** 2]
            own = (max(b[0] for b in possible), min(b[1] for b in possible)) if possible else None
        if own is not None:
            invariants.ranges[place] = min(low, own[0]), max(high, own[1])


def _canonical_name(name: str) -> str:
    """One spelling for `nums[i]` and `nums/*`, `nums.length` and `size of nums`.

    >>> _canonical_name("nums[i]") == _canonical_name("nums/*")
    True
    >>> _canonical_name("s.length") == _canonical_name("size of s")
    True
    """
    name = re.sub(r"^size of (\S+)$", r"\1.length", name)
    name = re.sub(r"^\|(\w+)\|$|^len\((\w+)\)$", lambda m: f"{m[1] or m[2]}.length", name)
    name = name.replace("/*", "[i]")
    return re.sub(r"\[\w+\]|_[a-z]$", "[i]", name).removesuffix("()")


def _vary(tree: Tree, invariants: Invariants, rng: random.Random) -> None:
    """Make one change at a random place."""
    spots = list(_spots(tree, invariants))
    if not spots:
        return
    holder, key, place = rng.choice(spots)
    value = holder[key]
    if type(value) is int:
        holder[key] = _another_number(value, invariants.ranges.get(place, (value, value)), rng)
    elif isinstance(value, str):
        holder[key] = _another_word(value, sorted(invariants.letters.get(place, frozenset(value))), rng)
    else:
        changed = _another_list(value, invariants.ranges.get(f"{place}/*"), rng)
        if not invariants.blocks or len(changed) == len(value):
            holder[key] = changed


def _spots(tree: Tree, invariants: Invariants) -> Iterator[tuple[Any, Any, str]]:
    """Everything that can be changed: (its container, its key in there, the place's name in `Invariants`)."""
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


def _another_number(value: int, allowed: tuple[int, int], rng: random.Random) -> int:
    low, high = allowed
    near = [value - 1, value + 1, low, low + 1, high, high - 1, rng.randint(low, high), rng.randint(low, high)]
    return rng.choice([number for number in near if low <= number <= high] or [value])


def _another_word(word: str, letters: list[str], rng: random.Random) -> str:
    at = rng.randrange(len(word))
    return rng.choice(
        [
            word[::-1],
            "".join(sorted(word)),
            "".join(rng.sample(word, len(word))),
            word[0] * len(word),
            word[:at] + rng.choice(letters) + word[at + 1 :],
            "".join(rng.choice(letters) for _ in word),
            word[: max(1, at)],
            word[:1],
        ]
    )


def _another_list(items: list[Any], allowed: tuple[int, int] | None, rng: random.Random) -> list[Any]:
    if not items:
        return items
    at = rng.randrange(len(items))
    numbers = all(type(item) is int for item in items)
    changed = [
        items[::-1],
        rng.sample(items, len(items)),
        [copy.deepcopy(items[at]) for _ in items],
        items[: max(1, at)],
        items[:1],
        items[:at] + items[at + 1 :],
    ]
    if numbers:
        changed.append(sorted(items))
        changed.append(sorted(items, reverse=True))
        low, high = allowed or (min(items), max(items))
        changed.append([rng.randint(low, high) for _ in items])
        changed.append([rng.choice((low, high)) for _ in items])
        changed.append([high] * len(items))
    return rng.choice(changed)


def _repair(tree: Tree, invariants: Invariants) -> bool:
    """Repair a tree after a change of size: cut lists of equal size to the shortest, set the numbers that give a size.

    False if the tree lacks a line whose size has to equal another one: such an input is not used.
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
    """Where a place is in a tree, at the top or in a list at the top: (its container, its key in there)."""
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
