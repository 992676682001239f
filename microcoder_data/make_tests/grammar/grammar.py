"""The grammar of a problem's inputs: their layout, and what each value may be. Checks inputs; `sample.py` makes them.

    grammar.fault("3\n1 2\n")        # "line 2: a has 2 items instead of 3"; empty for an allowed input

Values are checked in reading order: a relation is checked as soon as its last name is known. Facts (a list is a
permutation, edges form a tree, ...) are checked last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from microcoder_data.make_tests.grammar.arguments import Arguments
from microcoder_data.make_tests.grammar.expression import Expression, Relation
from microcoder_data.make_tests.grammar.facts import Fact, holds
from microcoder_data.make_tests.grammar.layout import FORM, Block, Layout, Misfit, Tree, names_of, read, write

LONGEST_SHOWN = 20


@dataclass(frozen=True)
class Domain:
    """What one value may be, apart from the relations that name it."""

    kind: str
    """int, decimal or word."""
    choices: tuple[str, ...] = ()
    """The only words that it may be; empty for any word of its letters."""
    letters: str = ""
    length: Expression | None = None
    """The length of a word, if the statement gives it exactly."""
    seen: tuple[int, int] = (0, 0)
    """The least and the largest value (or length of a word) in the known inputs: the bounds if none are stated. Those
    of decimal numbers are counted in their last place."""
    places: int = 0
    """The most digits after the point of a decimal number."""
    exact: bool = False
    """Whether a decimal number always has so many digits after the point."""

    def scaled(self, value: int | Decimal) -> int:
        """A number counted in the last place of this domain."""
        return int(Decimal(value).scaleb(self.places))

    def unscaled(self, count: int) -> int | Decimal:
        """The number of so many units of the last place."""
        return Decimal(count).scaleb(-self.places) if self.kind == "decimal" else count


@dataclass(frozen=True)
class Total:
    """A bound on the sum of an expression over all blocks."""

    of: Expression
    most: int


@dataclass(frozen=True)
class Grammar:
    """Everything that is known about the inputs of a problem."""

    layout: Layout
    domains: dict[str, Domain]
    relations: tuple[Relation, ...] = ()
    facts: tuple[Fact, ...] = ()
    totals: tuple[Total, ...] = ()
    learnt: frozenset[Relation] = frozenset()
    """The relations that only the known inputs show. They do not count as bounds in `bounded`."""
    arguments: Arguments | None = None
    """For the arguments of a function; None for a text."""
    answer_bits: int = 0
    """Every whole number of an answer fits in a signed number of so many bits; 0 if nothing is promised."""
    assumed: tuple[str, ...] = field(default=(), compare=False)
    """The bounds that come from the known inputs, because the statement gives none, in words."""

    @cached_property
    def names(self) -> list[str]:
        return names_of(self.layout)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The names of values that are words, even if they look like numbers."""
        return frozenset(name for name, domain in self.domains.items() if domain.kind == "word")

    @cached_property
    def by_name(self) -> dict[str, tuple[Relation, ...]]:
        """The relations that name a value, or its length as `|s|`."""
        found: dict[str, list[Relation]] = {name: [] for name in self.names}
        for relation in self.relations:
            for name in {name.strip("|") for name in relation.names} & found.keys():
                found[name].append(relation)
        return {name: tuple(listed) for name, listed in found.items()}

    def read(self, text: str) -> Tree:
        """The tree of an input; raises `Misfit`."""
        return self.arguments.read(text) if self.arguments else read(text, self.layout, self.texts)

    def write(self, tree: Tree) -> str:
        """The input as a row's test holds it."""
        return self.arguments.write(tree) if self.arguments else write(tree, self.layout)

    def canonical(self, text: str) -> str:
        """An input as `write` gives it; a text that does not fit, as it is."""
        try:
            return self.write(self.read(text))
        except Misfit:
            return text

    def fault(self, text: str) -> str:
        """Why a text is not allowed as an input; empty when it is."""
        try:
            tree = self.read(text)
        except Misfit as fault:
            return str(fault)
        return self.fault_of(tree)

    def fault_of(self, tree: Tree) -> str:
        """Why a tree is not allowed as an input; empty when it is."""
        totals = [0] * len(self.totals)
        fault = self._values(tree, self.layout, {}, totals)
        if fault:
            return fault
        for total, found in zip(self.totals, totals, strict=True):
            if found > total.most:
                return f"the sum of {total.of} is {found}, above {total.most}"
        for fact in self.facts:
            if not holds(fact, tree, self.layout):
                return f"not true: {fact}"
        return ""

    def _values(self, tree: Tree, layout: Layout, known: dict[str, Any], totals: list[int]) -> str:
        """The first fault of the values, in reading order; else empty. Adds to the totals at the end of each block."""
        for node, values in zip(layout, tree, strict=True):
            if isinstance(node, Block):
                for index, body in enumerate(values, 1):
                    inside = {**known, "i": index} if "i" not in self.domains else dict(known)
                    if fault := self._values(body, node.body, inside, totals):
                        return fault
                    for place, total in enumerate(self.totals):
                        if total.of.names <= inside.keys() and not total.of.names <= known.keys():
                            totals[place] += total.of.value(inside)
                continue
            for name, value in values.items():
                if name == FORM:
                    continue
                if not isinstance(value, list):
                    if fault := self.value_fault(name, value, known):
                        return fault
                    continue
                inside = dict(known)
                for index, item in enumerate(value, 1):
                    if "i" not in self.domains:
                        inside["i"] = index
                    if fault := self.value_fault(name, item, inside):
                        return fault
        return ""

    def value_fault(self, name: str, value: Any, known: dict[str, Any]) -> str:
        """What is wrong with a value, given the known ones; empty when nothing is. Adds the value to `known`."""
        domain = self.domains[name]
        known[name] = value
        if domain.kind == "decimal":
            if fault := self._decimal_fault(name, value, domain):
                return fault
        elif domain.kind == "int":
            if type(value) is not int:
                return f"{name} is {_shown(value)}, not a whole number"
            if domain.choices and str(value) not in domain.choices:
                return f"{name} is {value}, not one of {' '.join(domain.choices)}"
            if not self.bounded(name)[0] and value < domain.seen[0]:
                return f"{name} is {value}, and nothing below {domain.seen[0]} is known to be allowed"
            if not self.bounded(name)[1] and value > domain.seen[1]:
                return f"{name} is {value}, and nothing above {domain.seen[1]} is known to be allowed"
        else:
            known[f"|{name}|"] = len(value)
            if domain.choices:
                if value not in domain.choices:
                    return f"{name} is {_shown(value)}, not one of {' '.join(domain.choices)}"
            elif not set(value) <= set(domain.letters):
                return f"{name} is {_shown(value)}, with letters other than {domain.letters}"
            elif domain.length is not None:
                if len(value) != domain.length.value(known):
                    return f"{name} has {len(value)} letters, not {domain.length}"
            else:
                low, high = self.bounded(name)
                if (not low and len(value) < domain.seen[0]) or (not high and len(value) > domain.seen[1]):
                    return f"{name} has {len(value)} letters, and only {domain.seen} are known to be allowed"
        for relation in self.by_name[name]:
            if relation.names <= known.keys() and not relation.holds(known):
                return f"not true: {relation}, where {name} is {_shown(value)}"
        return ""

    def _decimal_fault(self, name: str, value: Any, domain: Domain) -> str:
        if type(value) not in (int, Decimal):
            return f"{name} is {_shown(value)}, not a number"
        digits = len(f"{value:f}".partition(".")[2]) if isinstance(value, Decimal) else 0
        if digits > domain.places or (domain.exact and digits < domain.places):
            return f"{name} has {digits} digits after the point"
        low, high = self.bounded(name)
        count = domain.scaled(value)
        if (not low and count < domain.seen[0]) or (not high and count > domain.seen[1]):
            return f"{name} is {value}, and nothing outside of the known inputs is known to be allowed"
        return ""

    def bounded(self, name: str) -> tuple[bool, bool]:
        """Whether a relation bounds a value (or the length of a word) from below, and from above."""
        return self._bounded[name]

    @cached_property
    def _bounded(self) -> dict[str, tuple[bool, bool]]:
        found = {}
        for name in self.names:
            own = f"|{name}|" if self.domains[name].kind == "word" else name
            stated = [one for one in self.by_name[name] if one.bounds and one not in self.learnt]
            low = any(relation.right.name == own for relation in stated)
            high = any(own in relation.left.names for relation in stated)
            high = high or any(total.of.name == own for total in self.totals)
            found[name] = low, high
        return found


def instances(tree: Tree, layout: Layout) -> Iterator[dict[str, Any]]:
    """Every line of a tree, in reading order."""
    for node, values in zip(layout, tree, strict=True):
        if isinstance(node, Block):
            for body in values:
                yield from instances(body, node.body)
        else:
            yield values


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
