"""The layout of an input text: what each line holds, and how often it repeats. Reads a text into a tree and writes it.

    Line((Scalar("n"), Scalar("m"))), Block(expression("m"), (Line((Scalar("a"), Scalar("b"))),))

A tree is a list with an entry for each node: a dictionary for a line, a list of trees for a block. `grammar.py` knows
which values are allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from microcoder_data.make_tests.grammar.expression import Expression

FORM = ""
"""In a line that may have several forms, the key of the number of its form."""
MOST_LINES = 2_000_000
LONGEST_NUMBER = 60
"""A number with so many characters is read as a word."""
_INTEGER = re.compile(r"-?(?:0|[1-9]\d*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)\.\d+")
Tree = list[Any]


class Misfit(Exception):
    """A text does not fit its layout; the message says where and why."""


@dataclass(frozen=True)
class Scalar:
    """One token."""

    name: str


@dataclass(frozen=True)
class Listed:
    """`count` tokens."""

    name: str
    count: Expression


@dataclass(frozen=True)
class Word:
    """A token that is always the same."""

    text: str


@dataclass(frozen=True)
class Words:
    """All remaining words of a line, at least one."""

    name: str


Part = Scalar | Listed | Word | Words


@dataclass(frozen=True)
class Line:
    """One line. With several forms, its first word says which one it has."""

    forms: tuple[tuple[Part, ...], ...]

    @property
    def names(self) -> list[str]:
        return [part.name for form in self.forms for part in form if not isinstance(part, Word)]


@dataclass(frozen=True)
class Block:
    """Nodes that are repeated `count` times."""

    count: Expression
    body: tuple[Node, ...]


Node = Line | Block
Layout = tuple[Node, ...]


def lines_of(layout: Layout) -> Iterator[Line]:
    """All lines, in reading order."""
    for node in layout:
        if isinstance(node, Line):
            yield node
        else:
            yield from lines_of(node.body)


def names_of(layout: Layout) -> list[str]:
    """The names of all values, in reading order."""
    return list(dict.fromkeys(name for line in lines_of(layout) for name in line.names))


def read(text: str, layout: Layout, texts: frozenset[str] = frozenset()) -> Tree:
    """The tree of a text; raises `Misfit`. Integers become numbers, except for the names in `texts`.

    >>> from microcoder_data.make_tests.grammar.expression import expression
    >>> layout = (Line(((Scalar("n"),),)), Block(expression("n"), (Line(((Scalar("a"), Scalar("b")),)),)))
    >>> read("2\\n1 x\\n2 y\\n", layout)
    [{'n': 2}, [[{'a': 1, 'b': 'x'}], [{'a': 2, 'b': 'y'}]]]
    """
    lines = text.removesuffix("\n").split("\n")
    tree, at = _read(lines, 0, layout, {}, texts)
    if at != len(lines):
        raise Misfit(f"line {at + 1}: the input should have ended")
    return tree


def _read(
    lines: Sequence[str], at: int, layout: Layout, known: dict[str, Any], texts: frozenset[str]
) -> tuple[Tree, int]:
    tree: Tree = []
    for node in layout:
        if isinstance(node, Line):
            if at >= len(lines):
                raise Misfit(f"line {at + 1}: the input ends too early")
            try:
                values = read_line(lines[at], node, known, texts)
            except Misfit as fault:
                raise Misfit(f"line {at + 1}: {fault}") from None
            known.update({name: value for name, value in values.items() if not isinstance(value, list)})
            tree.append(values)
            at += 1
            continue
        bodies = []
        for _ in range(times(node.count, known)):
            body, at = _read(lines, at, node.body, dict(known), texts)
            bodies.append(body)
        tree.append(bodies)
    return tree, at


def times(count: Expression, known: dict[str, Any]) -> int:
    """How often a block is repeated, or how many items a list has."""
    try:
        found = count.value(known)
    except (KeyError, ValueError) as error:
        raise Misfit(f"{count} is no number here: {error}") from None
    if not 0 <= found <= MOST_LINES:
        raise Misfit(f"{count} = {found} is no count")
    return found


def read_line(line: str, node: Line, known: dict[str, Any], texts: frozenset[str]) -> dict[str, Any]:
    """The values of a line; raises `Misfit`."""
    tokens = line.split(" ") if line else []
    if "" in tokens or any(not token.isprintable() for token in tokens):
        raise Misfit("words are not separated by single spaces")
    faults = []
    for number, form in enumerate(node.forms):
        try:
            values = _read_form(tokens, form, known, texts)
        except Misfit as fault:
            faults.append(str(fault))
            continue
        return {FORM: number, **values} if len(node.forms) > 1 else values
    raise Misfit(faults[0] if len(faults) == 1 else "it has none of the known forms")


def _read_form(
    tokens: Sequence[str], form: tuple[Part, ...], known: dict[str, Any], texts: frozenset[str]
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    at = 0
    for part in form:
        if isinstance(part, (Listed, Words)):
            inside = {**known, **{name: value for name, value in values.items() if not isinstance(value, list)}}
            many = times(part.count, inside) if isinstance(part, Listed) else max(1, len(tokens) - at)
            taken = tokens[at : at + many]
            if len(taken) < many:
                raise Misfit(f"{part.name} has {len(taken)} items instead of {many}")
            values[part.name] = [_value(token, part.name in texts) for token in taken]
            at += many
            continue
        if at >= len(tokens):
            raise Misfit("it has too few words")
        if isinstance(part, Word):
            if tokens[at] != part.text:
                raise Misfit(f"{part.text} expected")
        else:
            values[part.name] = _value(tokens[at], part.name in texts)
        at += 1
    if at != len(tokens):
        raise Misfit("it has too many words")
    return values


def _value(token: str, as_text: bool) -> int | Decimal | str:
    if as_text or len(token) >= LONGEST_NUMBER:
        return token
    return int(token) if _INTEGER.fullmatch(token) else Decimal(token) if _DECIMAL.fullmatch(token) else token


def write(tree: Tree, layout: Layout) -> str:
    """The text of a tree."""
    return "".join(f"{line}\n" for line in _lines(tree, layout))


def _lines(tree: Tree, layout: Layout) -> Iterator[str]:
    for node, values in zip(layout, tree, strict=True):
        if isinstance(node, Block):
            for body in values:
                yield from _lines(body, node.body)
            continue
        words: list[Any] = []
        for part in node.forms[values.get(FORM, 0)]:
            if isinstance(part, Word):
                words.append(part.text)
            elif isinstance(part, Scalar):
                words.append(values[part.name])
            else:
                words += values[part.name]
        yield " ".join(f"{word:f}" if isinstance(word, Decimal) else str(word) for word in words)
