"""Fit the groups of lines that a statement describes to the known inputs; gives the layout and describes each value.

    fitting = Fitting(statement)
    layout = fitting.fit(groups, [Cursor(lines) for lines in known])

All known inputs are read together, line by line; `Unclear` is raised if one does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from microcoder_data.make_tests.grammar.contents import Described, Unclear, line_of
from microcoder_data.make_tests.grammar.expression import Expression, expression
from microcoder_data.make_tests.grammar.items import singular
from microcoder_data.make_tests.grammar.layout import Block, Layout, Line, Misfit, Node, read_line
from microcoder_data.make_tests.grammar.sentences import Group


@dataclass
class Cursor:
    """A known input, how far it was read, and the values read so far."""

    lines: list[str]
    at: int = 0
    values: dict[str, Any] = field(default_factory=dict)

    def take(self) -> str:
        """The next line; raises `Unclear` after the last one."""
        if self.at >= len(self.lines):
            raise Unclear("a known input has fewer lines than the statement describes")
        self.at += 1
        return self.lines[self.at - 1]


class Fitting:
    """Fits groups of lines to the known inputs, and collects the descriptions of the values."""

    def __init__(self, statement: str) -> None:
        self.statement = statement
        self.described: dict[str, Described] = {}
        self.announced: dict[str, str] = {}
        """For each noun, the name of the number that counts what it means."""

    def fit(self, groups: Sequence[Group], cursors: Sequence[Cursor]) -> Layout:
        """The layout of these groups; moves the cursors behind their lines."""
        nodes: list[Node] = []
        for group in groups:
            if group.body:
                nodes.append(self._block(group, cursors))
            elif group.count is None and not group.noun:
                nodes.append(self._line(group.content, [(cursor.take(), cursor.values) for cursor in cursors]))
            else:
                count = self._count(group)
                lines = [(c.take(), c.values) for c in cursors for _ in range(self._times(count, c))]
                values_before = [dict(c.values) for c in cursors]
                nodes.append(Block(count, (self._line(group.content, [(t, dict(v)) for t, v in lines]),)))
                for cursor, before in zip(cursors, values_before, strict=True):
                    cursor.values = before
        return tuple(nodes)

    def _block(self, group: Group, cursors: Sequence[Cursor]) -> Block:
        count = self._count(group)
        firsts = [c for c in cursors if self._times(count, c)]
        if not firsts:
            raise Unclear(f"no known input shows {group.noun or 'what is repeated'}")
        starts = [(c.at, dict(c.values)) for c in cursors]
        body = self.fit(group.body, firsts)
        for cursor, (at, values) in zip(cursors, starts, strict=True):
            cursor.at, cursor.values = at, values
            for _ in range(self._times(count, cursor)):
                self._skip(body, cursor, dict(values))
        return Block(count, body)

    def _skip(self, body: Layout, cursor: Cursor, values: dict[str, Any]) -> None:
        """Move the cursor behind the lines of a body whose layout is known."""
        for node in body:
            if isinstance(node, Line):
                try:
                    found = read_line(cursor.take(), node, values, frozenset())
                except Misfit as fault:
                    raise Unclear(f"a known input does not fit: {fault}") from None
                values.update(found)
                continue
            try:
                repeated = node.count.value(values)
            except (KeyError, ValueError):
                raise Unclear(f"{node.count} is not known where it is needed") from None
            for _ in range(repeated):
                self._skip(node.body, cursor, dict(values))

    def _count(self, group: Group) -> Expression:
        if group.count is not None:
            return self._as_described(group.count)
        noun = singular(group.noun.split()[-1]) if group.noun else ""
        wanted = [self.announced[word] for word in (noun, "case", "test") if word in self.announced]
        single = list(self.described)
        if not wanted and len(single) == 1 and noun[:1] == single[0][:1].lower():
            wanted = single  # "The first line holds `e`. Each event is given as ..."
        if wanted and (found := expression(wanted[0])) is not None:
            return found
        raise Unclear(f"it is not said how many there are of: {group.noun}")

    def _as_described(self, count: Expression) -> Expression:
        """The count over names of values: some statements write `N` and then `the next n lines`."""
        for name in count.names - self.described.keys():
            alike = [one for one in self.described if one.lower() == name.lower()]
            if len(alike) == 1:
                count = count.renamed(name, alike[0])
        return count

    def _times(self, count: Expression, cursor: Cursor) -> int:
        try:
            return max(0, count.value(cursor.values))
        except (KeyError, ValueError):
            raise Unclear(f"{count} is not known where it is needed") from None

    def _line(self, content: str, lines: Sequence[tuple[str, dict[str, Any]]]) -> Line:
        contexts = [(line.split(), values) for line, values in lines]
        line, new = line_of(content, contexts, self.statement, self.described)
        self.described.update(new)
        for name, value in new.items():
            for noun in value.counts:
                self.announced.setdefault(noun, name)
        for text, values in lines:
            try:
                found = read_line(text, line, values, frozenset())
            except Misfit as fault:
                raise Unclear(f"a known line does not fit {content!r}: {fault}") from None
            values.update({name: value for name, value in found.items() if not isinstance(value, list)})
        return line
