"""Sample inputs from a grammar: at the edges, at random, at the limits. The grammar has checked every input.

    for plan in plans(grammar, small=40, limits=6):
        text = sample(grammar, plan, seed="a problem")        # None where no allowed input was found

A plan says how large counts are and which shapes values have. Values are drawn in reading order, each within the
bounds that follow from the values before it. The file is long because one class draws them: each value needs the ones
before it and what is left of the input's size.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_data.make_tests.grammar import shapes
from microcoder_data.make_tests.grammar.binary_trees import in_order
from microcoder_data.make_tests.grammar.facts import OF_WORDS
from microcoder_data.make_tests.grammar.grammar import Grammar
from microcoder_data.make_tests.grammar.layout import (
    FORM,
    Block,
    Layout,
    Line,
    Listed,
    Misfit,
    Scalar,
    Tree,
    Word,
    Words,
    lines_of,
    times,
)
from microcoder_data.make_tests.grammar.shapes_with_facts import Stuck, edges_with, form_with, word_with
from microcoder_data.make_tests.grammar.spans import MOST_VALUES, bounds, counts_in, equal_names, numbered_pairs, spans

TRIES = 12
"""Attempts at one plan before it is given up."""
_STRICTLY = {"rises strictly", "falls strictly"}
_FALLING = {"falls", "falls strictly"}
_ORDERED = {"rises", *_STRICTLY, *_FALLING}


@dataclass(frozen=True)
class Plan:
    """How one input is made. Its repr is part of the seed: renaming a field changes every sample."""

    size: str
    """least, small, medium, limit: how large counts are."""
    style: str = ""
    """The shape of all values; empty: a random one for each value."""
    number: int = 0
    pinned: str = ""
    """A value at the top that is set to its bound, whatever `size` says: `n=low`, `n=high`."""

    @property
    def name(self) -> str:
        return " ".join(filter(None, [self.size, self.style, self.pinned]))


def plans(grammar: Grammar, small: int, limits: int) -> Iterator[Plan]:
    """The least input, every number at the top at each of its bounds, small inputs, some medium ones, the limits."""
    yield Plan("least")
    for node in grammar.layout:
        if isinstance(node, Line):
            for name in node.names:
                yield from (Plan("small", number=3, pinned=f"{name}={end}") for end in ("low", "high"))
    for number in range(small):
        yield Plan("small", ("", "small", "ends", "any", "small", "")[number % 6], number)
    for number in range(max(2, small // 8)):
        yield Plan("medium", ("", "any", "small")[number % 3], number)
    for number in range(limits):
        yield Plan("limit", ("any", "high", "", "rises", "low", "few", "falls", "ends", "")[number % 9], number)


def sample(grammar: Grammar, plan: Plan, seed: str) -> str | None:
    """An input of this plan; None where none is found within `TRIES`."""
    for attempt in range(TRIES):
        rng = random.Random(f"{seed} {plan} {attempt}")
        try:
            tree = _Sampler(grammar, plan, rng, MOST_VALUES // (1 + attempt)).tree()
        except (Stuck, Misfit, ValueError, KeyError):
            continue
        if not grammar.fault_of(tree):
            return grammar.write(tree)
    return None


class _Sampler:
    """One attempt at one input. `tree` may raise `Stuck`, and the grammar may refuse its result."""

    def __init__(self, grammar: Grammar, plan: Plan, rng: random.Random, most: int) -> None:
        """most: the largest count. A later attempt has a smaller one, in case the values do not fit otherwise."""
        self.grammar, self.plan, self.rng = grammar, plan, rng
        self.spans = spans(grammar)
        self.left = MOST_VALUES
        self.most = most
        self.totals = [total.most for total in grammar.totals]
        self.blocks_left = 0
        self.pools: dict[str, tuple[int, list[str]]] = {}
        counted = counts_in(grammar.layout, grammar)
        self.same = {name: same for name, same in equal_names(grammar).items() if same & counted}
        """The numbers that equal a count, and the names of these counts."""
        self.counts = counted | self.same.keys()
        self.lists: dict[str, list[Any]] = {}
        """The lists so far, for numbers that must be one of their values."""

    @property
    def _limit(self) -> int | None:
        """The plan's number, if it is one of inputs at the limits."""
        return self.plan.number if self.plan.size == "limit" else None

    def tree(self) -> Tree:
        return self._nodes(self.grammar.layout, {}, 1)

    def _nodes(self, layout: Layout, known: dict[str, Any], weight: int) -> Tree:
        tree: Tree = []
        for node in layout:
            if isinstance(node, Line):
                values = self._line(node, known, weight, self._styles(node))
                tree.append(values)
                continue
            count = times(node.count, known)
            tree.append(self._block(node, count, known, weight * max(1, count)))
        return tree

    def _styles(self, line: Line) -> dict[str, str]:
        """The style of each value of a line, the same for all lines of a block."""
        return {
            name: self.plan.style or self.rng.choice(shapes.NUMBER_STYLES)
            if name not in self.grammar.texts else self.rng.choice(shapes.WORD_STYLES)
            for name in line.names
        }  # fmt: skip

    def _block(self, block: Block, count: int, known: dict[str, Any], weight: int) -> list[Tree]:
        lines = [node for node in block.body if isinstance(node, Line)]
        styles = [self._styles(line) for line in lines]
        given = self._columns(block, count, known)
        favourite = self.rng.choice((None, None, 0, 1, 2))
        bodies = []
        for index in range(count):
            inside = {**known, "i": index + 1} if "i" not in self.grammar.domains else dict(known)
            self.blocks_left = count - index - 1
            body: Tree = []
            number = 0
            for node in block.body:
                if isinstance(node, Block):
                    repeated = times(node.count, inside)
                    body.append(self._block(node, repeated, inside, weight * max(1, repeated)))
                    continue
                fixed = {name: values[index] for name, values in given.items() if index < len(values)}
                if number == 0 and len(fixed) < len(given):
                    raise Stuck("too few values with such a fact")
                body.append(self._line(node, inside, weight, styles[number], fixed, favourite))
                number += 1
            bodies.append(body)
            for place, total in enumerate(self.grammar.totals):
                if total.of.names <= inside.keys() and not total.of.names <= known.keys():
                    self.totals[place] -= total.of.value(inside)
        return self._planted(block, bodies)

    def _columns(self, block: Block, count: int, known: Mapping[str, Any]) -> dict[str, list[Any]]:
        """The columns of a block that must be drawn as a whole: edges of graphs, different values, sorted values."""
        own = {name for line in block.body if isinstance(line, Line) for name in line.names}
        given: dict[str, list[Any]] = {}
        pairs = {fact.names for fact in self.grammar.facts if len(fact.names) == 2 and set(fact.names) <= own}
        pairs |= numbered_pairs(block, self.grammar)
        for pair in sorted(pairs):
            if edges := self._edges(pair, count, known):
                given[pair[0]], given[pair[1]] = [a for a, _ in edges], [b for _, b in edges]
        for name in sorted(own - given.keys() - self.grammar.texts):
            kinds = {fact.kind for fact in self.grammar.facts if fact.names == (name,)}
            if kinds and all(isinstance(part, Scalar) for line in lines_of((block,)) for f in line.forms for part in f):
                low, high = self._range(name, dict(known))
                given[name] = self._numbers(name, count, low, high, known)
        return given

    def _edges(self, pair: tuple[str, str], count: int, known: Mapping[str, Any]) -> list[tuple[int, int]]:
        """Edges between numbered nodes with all the facts of this pair; empty if the pair is no edge."""
        kinds = {fact.kind for fact in self.grammar.facts if fact.names == pair}
        low, high = self._range(pair[0], dict(known))
        other = self._range(pair[1], dict(known))
        if low not in (0, 1) or other != (low, high) or count == 0 or high > MOST_VALUES:  # points, not nodes
            return []
        loops = not any(r.op == "!=" and r.names == set(pair) for r in self.grammar.relations)
        edges = edges_with(kinds, count, high + 1 - low, self._limit, loops, self.rng)
        return [(one - 1 + low, other - 1 + low) for one, other in edges]

    def _planted(self, block: Block, bodies: list[Tree]) -> list[Tree]:
        """The bodies with each letter that must occur exactly once (fact `one`) put in."""
        for fact in self.grammar.facts:
            if fact.kind != "one":
                continue
            words = [line for body in bodies for line in body if isinstance(line, dict) and fact.names[0] in line]
            own = {f.text for f in self.grammar.facts if f.kind == "one"}
            others = [letter for letter in self.grammar.domains[fact.names[0]].letters if letter not in own]
            free = [(line, at) for line in words for at, letter in enumerate(line[fact.names[0]]) if letter in others]
            if not free:
                if words:
                    raise Stuck("no room for a letter")
                continue
            line, at = self.rng.choice(free)
            text = line[fact.names[0]]
            line[fact.names[0]] = f"{text[:at]}{fact.text}{text[at + 1 :]}"
        return bodies

    def _line(
        self, line: Line, known: dict[str, Any], weight: int, styles: Mapping[str, str],
        given: Mapping[str, Any] | None = None, favourite: int | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        number = self.rng.randrange(len(line.forms))
        if favourite is not None and self.rng.random() < 0.7:
            number = favourite % len(line.forms)
        form = line.forms[number]
        values: dict[str, Any] = {FORM: number} if len(line.forms) > 1 else {}
        for part in form:
            if isinstance(part, Word):
                continue
            if isinstance(part, Scalar):
                value = (
                    given[part.name] if given and part.name in given else self._scalar(part.name, known, weight, styles)
                )
                values[part.name] = known[part.name] = value
                if isinstance(value, str):
                    known[f"|{part.name}|"] = len(value)
                    self.left -= len(value)
                self.left -= 1
            else:
                values[part.name] = self.lists[part.name] = self._list(part, known, styles)
                self.left -= len(values[part.name])
            if self.left < 0:
                raise Stuck("the input would be too large")
        return values

    def _list(self, part: Listed | Words, known: dict[str, Any], styles: Mapping[str, str]) -> list[Any]:
        count = times(part.count, known) if isinstance(part, Listed) else self.rng.choice((1, 2, 3, 5, 8, 20))
        if count > self.left:
            raise Stuck("the input would be too large")
        if part.name in self.grammar.texts:
            return self._words_of(part.name, count, known, styles[part.name])
        low, high = self._range(part.name, dict(known))
        for fact in self.grammar.facts:
            if fact.kind == "search tree" and fact.names[1] == part.name:
                rising = sorted(self._distinct(part.name, count, low, high))
                found = [0] * count
                for value, at in zip(rising, in_order(known[fact.names[0]]), strict=True):
                    found[at] = value
                return found
        if any("i" in relation.names for relation in self.grammar.by_name[part.name]):
            found = []
            for index in range(1, count + 1):
                low, high = self._range(part.name, {**known, "i": index})
                found.append(shapes.number(low, high, styles[part.name], self.rng))
            return list(map(self.grammar.domains[part.name].unscaled, found))
        return self._numbers(part.name, count, low, high, known, styles[part.name])

    def _words_of(self, name: str, count: int, known: dict[str, Any], style: str) -> list[str]:
        """The words of a list, with all the facts of its name."""
        kinds = {fact.kind for fact in self.grammar.facts if fact.names == (name,)}
        different = "distinct" in kinds or bool(kinds & _STRICTLY)
        room = max(1, self.left // max(1, count))
        found: dict[str, None] | list[str] = {} if different else []
        for _ in range(8 * count + 40 if different else count):
            if len(found) == count:
                break
            word = self._word(name, dict(known), style, room, fresh=different)
            if isinstance(found, dict):
                found[word] = None
            else:
                found.append(word)
        if len(found) < count:
            raise Stuck(f"too few different values of {name}")
        self.left -= sum(map(len, found))
        return sorted(found, reverse=bool(kinds & _FALLING)) if kinds & _ORDERED else list(found)

    def _numbers(
        self, name: str, count: int, low: int, high: int, known: Mapping[str, Any], style: str = "any"
    ) -> list[Any]:
        """The numbers of a list or column, with all the facts of its name."""
        return list(map(self.grammar.domains[name].unscaled, self._counts(name, count, low, high, known, style)))

    def _counts(self, name: str, count: int, low: int, high: int, known: Mapping[str, Any], style: str) -> list[int]:
        """The numbers of a list or column, each counted in its last place."""
        kinds = {fact.kind for fact in self.grammar.facts if fact.names == (name,)}
        if low > high and count:
            raise Stuck(f"no value is left for {name}")
        if "permutation" in kinds or "permutation from 0" in kinds:
            first = 1 if "permutation" in kinds else 0
            return shapes.permutation(count, first, self.rng.choice(shapes.ORDER_STYLES), self.rng)
        if "parents" in kinds:
            above = {
                child: parent
                for parent, child in shapes.tree(count + 1, self.rng.choice(shapes.GRAPH_STYLES), self.rng)
            }
            return [above[child] for child in range(2, count + 2)]
        if choices := self.grammar.domains[name].choices:
            found = [int(self.rng.choice(choices)) for _ in range(count)]
        elif "distinct" in kinds or kinds & _STRICTLY:
            found = self._distinct(name, count, low, high)
        else:
            found = shapes.numbers(count, low, high, style, self.rng)
        if kinds & _ORDERED:
            found.sort(reverse=bool(kinds & _FALLING))
        return found

    def _distinct(self, name: str, count: int, low: int, high: int) -> list[int]:
        if high - low + 1 < count:
            raise Stuck(f"there are not so many different values of {name}")
        return shapes.distinct(count, low, high, self.rng)

    def _scalar(self, name: str, known: dict[str, Any], weight: int, styles: Mapping[str, str]) -> Any:
        if name in self.grammar.texts:
            return self._word(name, known, styles[name])
        for fact in self.grammar.facts:
            if fact.kind == "inside" and fact.names[0] == name:
                return self._inside(name, self.lists.get(fact.names[1], []), known)
        low, high = self._range(name, known)
        if low > high:
            raise Stuck(f"no value is left for {name}")
        if choices := self.grammar.domains[name].choices:
            return self._allowed(name, int(self.rng.choice(choices)), low, high, known)
        if name in self.counts:
            value = self._count(low, self._room(name, low, high, known, weight))
            for place, total in enumerate(self.grammar.totals):
                if total.of.name == name:
                    value = max(low, min(value, self._share(self.totals[place] - low * self.blocks_left, low)))
        else:
            value = shapes.number(low, high, styles[name], self.rng)
        pinned, _, end = self.plan.pinned.partition("=")
        if pinned == name and weight == 1:
            value = low if end == "low" else high
            value = min(value, self._room(name, low, high, known, weight)) if name in self.counts else value
        return self._allowed(name, value, low, high, known)

    def _inside(self, name: str, values: list[Any], known: dict[str, Any]) -> Any:
        """One of the values of a list."""
        relations = self.grammar.by_name[name]
        good = [value for value in values if all(
            r.holds({**known, name: value}) for r in relations if r.names <= {*known, name})]  # fmt: skip
        if not good:
            raise Stuck(f"no value is left for {name}")
        return self.rng.choice(good)

    def _room(self, name: str, low: int, high: int, known: dict[str, Any], weight: int) -> int:
        """The largest value of a count for which the input does not become too large."""
        names = {name, *self.same.get(name, ())}
        room = min(self.grammar.arguments.room(one, known) for one in names) if self.grammar.arguments else high
        return max(low, min(high, self.most // weight, room))

    def _share(self, left: int, low: int) -> int:
        """How much of a total one block may take."""
        return left if self.rng.random() < 0.3 else max(low, left // self.rng.choice((2, 3, 10, 100)))

    def _allowed(self, name: str, value: int, low: int, high: int, known: dict[str, Any]) -> Any:
        """The value, or another one, for which all relations between known values hold."""
        inside = dict(known)
        domain = self.grammar.domains[name]
        relations = self.grammar.by_name[name]

        def good(candidate: int) -> bool:
            inside[name] = domain.unscaled(candidate)
            return all(r.holds(inside) for r in relations if r.names <= inside.keys())

        for near in (value, value + 1, value - 1, value + 2, value - 2):  # a small count stays small
            if low <= near <= high and good(near):
                return domain.unscaled(near)
        for _ in range(20):
            value = self.rng.randint(low, high)
            if good(value):
                return domain.unscaled(value)
        while value > low:
            value = low + (value - low) // 2
            if good(value):
                return domain.unscaled(value)
        raise Stuck(f"no value is left for {name}")

    def _count(self, low: int, high: int) -> int:
        match self.plan.size:
            case "least":
                return low
            case "small":
                return min(high, low + self.rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6)))
            case "medium":
                return min(high, max(low, self.rng.randint(8, 60)))
        return high

    def _word(
        self, name: str, known: dict[str, Any], style: str, room: int = MOST_VALUES, *, fresh: bool = False
    ) -> str:
        """A word of at most `room` letters where its bounds allow; `fresh`: never one of the words before."""
        domain = self.grammar.domains[name]
        kinds = {fact.kind for fact in self.grammar.facts if fact.names == (name,)}
        if "binary tree" in kinds and domain.length is not None:
            return form_with(kinds, domain.length.value(known) // 2, self._limit, self.rng)
        if domain.choices:
            return self.rng.choice(domain.choices)
        letters = list(domain.letters)
        for fact in self.grammar.facts:
            if fact.kind == "one" and name in fact.names:
                letters = [letter for letter in letters if letter != fact.text]
            if fact.kind == "first letters" and name in fact.names and fact.nodes is not None:
                letters = [x for x in letters if x.lower() < chr(ord("a") + fact.nodes.value(known))]
        if domain.length is not None:
            length = domain.length.value(known)
        else:
            low, high = self._range(f"|{name}|", known)
            low = max(low, int(self.grammar.arguments is None))  # a line cannot hold an empty word
            for place, total in enumerate(self.grammar.totals):
                if total.of.name == f"|{name}|":
                    high = min(high, max(low, self.totals[place] // 3))
            high = min(high, max(low, room))
            if "distinct letters" in kinds:
                high = min(high, len(letters))
            if high <= 12 and self.plan.size != "least":
                length = self.rng.randint(low, high)
            else:
                length = self._count(low, max(low, min(high, self.left, self.most)))
            length = self._allowed_length(name, length, low, high, known)
        if self.grammar.arguments is None and not length:
            raise Stuck("a line cannot hold an empty word")
        if length > self.left or (length and not letters):
            raise Stuck("no room for a word")
        if domain.length is not None:
            return shapes.word(length, letters, style, self.rng)
        if kinds & OF_WORDS.keys():
            return word_with(kinds, length, letters, style, self.rng)
        if fresh:
            return shapes.word(length, letters, style, self.rng)
        most, pool = self.pools.setdefault(name, (self.rng.choice((1, 2, 3, 6, 1 << 30)), []))
        if len(pool) < most:
            pool.append(shapes.word(length, letters, style, self.rng))
            return pool[-1]
        return self.rng.choice(pool)

    def _allowed_length(self, name: str, length: int, low: int, high: int, known: dict[str, Any]) -> int:
        """The length, or one near it, for which all relations between known values hold."""
        relations = [r for r in self.grammar.by_name[name] if r.op == "%"]
        for near in (
            length,
            *range(length - 1, max(low, length - 200) - 1, -1),
            *range(length + 1, min(high, length + 200) + 1),
        ):
            inside = {**known, f"|{name}|": near}
            if all(r.holds(inside) for r in relations if r.names <= inside.keys()):
                return near
        raise Stuck(f"no length is left for {name}")

    def _range(self, quantity: str, known: Mapping[str, Any]) -> tuple[int, int]:
        """The bounds of a value or length by the relations, given the known values, counted in its last place."""
        low, high = bounds(self.grammar, quantity, known, self.spans)
        domain = self.grammar.domains.get(quantity)
        unit = 10**domain.places if domain else 1
        return int(low * unit), int(high * unit)
