"""Learn what holds in every input of a problem: ranges, sizes, orders, and relations between its numbers.

    invariants = learn([read_text(test.input) for test in tests])
    invariants.hold(read_text("3\n1 2 3\n"))

The problem very likely allows an input that keeps all invariants, even though no statement is read here. Inputs are
trees: the arguments of a call by name, or the lines of a text as lists of numbers and words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

Tree = dict[str, Any]
FIRST_LINES = ("line 1", "line 2", "line 3")
"""The first lines of a text are places of their own; the other lines share one place, `more`."""
FEW = 4
"""If a list has the same number of items in every input, and at most this many, each item is a place of its own."""
Where = str | tuple[str, str]
"""A place, or two places that are compared with each other."""
_INTEGER = re.compile(r"-?(?:0|[1-9]\d*)")


def read_text(text: str) -> Tree | None:
    """The tree of an input text; None for a line whose words are not separated by single spaces.

    >>> read_text("2\\n7 x\\n")
    {'line 1': [2], 'line 2': [7, 'x'], 'more': []}
    """
    listed = [line.rstrip(" ") for line in text.rstrip().split("\n")]
    if any(line != " ".join(line.split()) for line in listed):
        return None
    lines: list[list[Any]] = [
        [int(token) if _INTEGER.fullmatch(token) else token for token in line.split()] for line in listed
    ]
    tree: Tree = dict(zip(FIRST_LINES, lines, strict=False))
    tree["more"] = lines[len(FIRST_LINES) :]
    return tree


def write_text(tree: Tree) -> str:
    """The text of a tree."""
    lines = [line for name, line in tree.items() if name != "more"] + tree["more"]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


@dataclass
class Invariants:
    """What was learnt from inputs."""

    facts: set[tuple[Where, str]] = field(default_factory=set)
    """(where, what): `what` holds in every input that has this place, or both of these places."""
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The least and the largest number by place; `size of ...` is the place of a size."""
    letters: dict[str, frozenset[str]] = field(default_factory=dict)
    """The letters of the words at a place."""
    fixed: frozenset[str] = frozenset()
    """The places whose lists always have the same few items."""
    blocks: bool = False
    """Whether the later lines of some input differ in length: then it is not known which number gives which size."""

    def place(self, place: str, index: int) -> str:
        """The name of an item's place: `a.0` in a list of fixed length, else `a/*` for all items."""
        return f"{place}.{index}" if place in self.fixed else f"{place}/*"

    def equal(self) -> list[tuple[str, str]]:
        """The pairs of places whose numbers are always equal, in a fixed order."""
        pairs = [where for where, what in self.facts if isinstance(where, tuple) and what == "="]
        return sorted(pairs, key=" ~ ".join)

    def hold(self, tree: Tree) -> bool:
        """Whether another input keeps everything that was learnt."""
        view = _View(tree, self)
        for place, value in view.numbers():
            low, high = self.ranges.get(place, (1, 0))
            if not low <= value <= high:
                return False
        if any(not set(word) <= self.letters.get(place, frozenset()) for place, word in view.words()):
            return False
        places, found = view.facts()
        return all(where not in places or (where, what) in found for where, what in self.facts)


def learn(trees: Sequence[Tree]) -> Invariants:
    """The invariants of all these inputs.

    >>> learn([{"a": [1, 2]}, {"a": [3, 5, 9]}]).hold({"a": [1, 4, 4]}), learn([{"a": [1, 5]}]).hold({"a": [5, 1]})
    (False, False)
    """
    invariants = Invariants(
        fixed=_fixed_size_places(trees),
        blocks=any(len({len(line) for line in tree.get("more", [])}) > 1 for tree in trees),
    )
    present: dict[Where, int] = defaultdict(int)
    counts: dict[tuple[Where, str], int] = defaultdict(int)
    for tree in trees:
        view = _View(tree, invariants)
        for place, value in view.numbers():
            low, high = invariants.ranges.get(place, (value, value))
            invariants.ranges[place] = min(low, value), max(high, value)
        for place, word in view.words():
            invariants.letters[place] = invariants.letters.get(place, frozenset()) | set(word)
        places, found = view.facts()
        for name in places:
            present[name] += 1
        for fact in found:
            counts[fact] += 1
    invariants.facts = {fact for fact, count in counts.items() if count == present[fact[0]]}
    return invariants


def _fixed_size_places(trees: Sequence[Tree]) -> frozenset[str]:
    sizes: dict[str, set[int]] = defaultdict(set)
    for tree in trees:
        for place, values in _View(tree, Invariants()).values.items():
            sizes[place] |= {len(value) for value in values if isinstance(value, list)}
    return frozenset(
        place for place, found in sizes.items() if len(found) == 1 and max(found) <= FEW and place != "more"
    )


_NUMBER_LIST_FACTS: dict[str, Callable[[list[int]], bool]] = {
    "rises": lambda v: all(a <= b for a, b in pairwise(v)),
    "falls": lambda v: all(a >= b for a, b in pairwise(v)),
    "rises strictly": lambda v: all(a < b for a, b in pairwise(v)),
    "differ": lambda v: len(set(v)) == len(v),
    "neighbours differ": lambda v: all(a != b for a, b in pairwise(v)),
    "1 to size": lambda v: sorted(v) == list(range(1, len(v) + 1)),
    "0 to size": lambda v: sorted(v) == list(range(len(v))),
    "up to size": lambda v: max(v, default=0) <= len(v),
    "below size": lambda v: max(v, default=-1) < len(v),
    "has 0": lambda v: 0 in v,
    "starts with 1": lambda v: v[:1] == [1],
    "sum is even": lambda v: sum(v) % 2 == 0,
    "sum is 0": lambda v: sum(v) == 0,
}
_LIST_FACTS: dict[str, Callable[[list[Any]], bool]] = {
    "not empty": bool,
    "even size": lambda v: len(v) % 2 == 0,
    "odd size": lambda v: len(v) % 2 == 1,
    "differ": lambda v: len({repr(item) for item in v}) == len(v),
    "sizes equal": lambda v: len({len(item) for item in v if isinstance(item, (list, str))}) <= 1,
    "square": lambda v: all(isinstance(item, (list, str)) and len(item) == len(v) for item in v),
    "items rise": lambda v: all(repr(a) <= repr(b) for a, b in pairwise(v)),
}
_WORD_FACTS: dict[str, Callable[[str], bool]] = {
    "not empty": bool,
    "letters differ": lambda w: len(set(w)) == len(w),
    "even size": lambda w: len(w) % 2 == 0,
    "palindrome": lambda w: w == w[::-1],
    "capital first": lambda w: w[:1].isupper(),
    "no 0 first": lambda w: not w.startswith("0"),
}


class _View:
    """The values of a tree by place."""

    def __init__(self, tree: Tree, invariants: Invariants) -> None:
        self.values: dict[str, list[Any]] = defaultdict(list)
        self._invariants = invariants
        for name, value in tree.items():
            self._add(name, value)
        lines = len(tree) - 1 + len(tree["more"]) if "more" in tree else 0
        first_lines = [name for name in FIRST_LINES if name in tree]
        self._lines_after = {f"lines after {name}": lines - number for number, name in enumerate(first_lines, 1)}

    def _add(self, place: str, value: Any) -> None:
        self.values[place].append(value)
        if isinstance(value, list):
            for index, item in enumerate(value):
                self._add(self._invariants.place(place, index), item)

    def sizes(self) -> dict[str, int]:
        """The sizes of the lists and words that occur once."""
        single = {
            f"size of {place}": len(values[0])
            for place, values in self.values.items()
            if len(values) == 1 and isinstance(values[0], (list, str)) and "*" not in place
        }
        return {**single, **self._lines_after}

    def numbers(self) -> Iterator[tuple[str, int]]:
        """Numbers, and sizes, with their places."""
        for place, values in self.values.items():
            for value in values:
                if type(value) is int:
                    yield place, value
                elif isinstance(value, (list, str)):
                    yield f"size of {place}", len(value)

    def words(self) -> Iterator[tuple[str, str]]:
        for place, values in self.values.items():
            yield from ((place, value) for value in values if isinstance(value, str))

    def facts(self) -> tuple[set[Where], set[tuple[Where, str]]]:
        """The places that the tree has, and what is true at them."""
        found: set[tuple[Where, str]] = set()
        places: set[Where] = set(self.values)
        for place, values in self.values.items():
            found |= {(place, f"is {kind}") for kind in {type(value).__name__ for value in values}}
            for names, kind in ((_LIST_FACTS, list), (_WORD_FACTS, str)):
                if all(isinstance(value, kind) for value in values):
                    found |= {(place, name) for name, check in names.items() if all(map(check, values))}
            if all(isinstance(v, list) and all(type(item) is int for item in v) for v in values):
                found |= {(place, name) for name, check in _NUMBER_LIST_FACTS.items() if all(map(check, values))}
        relations = dict(self._relations())
        places |= relations.keys()
        return places, found | {(where, what) for where, whats in relations.items() for what in whats}

    def _relations(self) -> Iterator[tuple[tuple[str, str], list[str]]]:
        """How single numbers compare with each other, with sizes, and with the numbers of lists."""
        single = {
            place: values[0]
            for place, values in self.values.items()
            if len(values) == 1 and type(values[0]) is int and "*" not in place
        }
        sizes = self.sizes()
        for one, value in list(single.items())[:8]:
            for other, compared in list({**single, **sizes}.items())[:24]:
                if one != other:
                    yield (one, other), _compared(value, compared)
            for place, values in self.values.items():
                many = [item for item in values if type(item) is int]
                if "*" in place and many:
                    most = max(many)
                    whats = {"max <=": most <= value, "max <": most < value, "among": value in many}
                    yield (place, one), [what for what, true in whats.items() if true]
        for one, size in list(sizes.items())[:8]:
            for other, compared in list(sizes.items())[:8]:
                if one != other:
                    yield (one, other), _compared(size, compared)


def sizes(tree: Tree, invariants: Invariants) -> dict[str, int]:
    """The sizes in a tree, by the names of their places."""
    return _View(tree, invariants).sizes()


def _compared(a: int, b: int) -> list[str]:
    whats = {"=": a == b, "<=": a <= b, "<": a < b, "!=": a != b, "= 1 +": a == b + 1, "2 x =": 2 * a == b}
    return [what for what, true in whats.items() if true]
