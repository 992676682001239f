"""Streams and random generators that tests hand to the program: each side has one, and both have the same state.

    held = Held()              # on each side
    held.hold(number, stream)  # in the tests' process: what tells the program of it
    held.take(*told)           # in the program's process
    held.changes()             # there, after each request
    held.hear(changes)         # in the tests' process

A state is data. What the tests read of it are their own object's answers.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any, NamedTuple


class Kind(NamedTuple):
    make: Callable[[], Any]
    state: Callable[[Any], Any]
    restore: Callable[[Any, Any], None]


def _content(stream: Any) -> Any:
    return None if stream.closed else [stream.getvalue(), stream.tell()]


def _set_content(stream: Any, state: Any) -> None:
    if state is None:
        stream.close()
        return
    content, place = state
    stream.seek(0)
    stream.truncate()
    stream.write(content)
    stream.seek(min(int(place), len(content)))


KINDS = {
    "StringIO": Kind(io.StringIO, _content, _set_content),
    "BytesIO": Kind(io.BytesIO, _content, _set_content),
    "Random": Kind(random.Random, random.Random.getstate, random.Random.setstate),
}


def kind_of(value: Any) -> str | None:
    """The name of the kind of stateful object that a value is; None for any other value."""
    return next((name for name, kind in KINDS.items() if type(value) is kind.make), None)


def _state(value: Any) -> Any:
    return KINDS[str(kind_of(value))].state(value)


class Held:
    """One side's objects, by number, each with the state that the other side knows."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[Any, Any]] = {}

    def hold(self, number: int, value: Any) -> list[Any]:
        """What is told the other side of an object: its number, its kind and its state."""
        self._held[number] = value, _state(value)
        return [number, kind_of(value), _state(value)]

    def take(self, number: int, name: str, state: Any) -> Any:
        """The object that the other side tells of, in the state that it has there."""
        value = self._held[number][0] if number in self._held else KINDS[name].make()
        self._set(number, value, state)
        return value

    def hear(self, changed: Any) -> None:
        """Take over the states of objects that have changed on the other side."""
        for number, state in changed:
            self._set(number, self._held[number][0], state)

    def changed(self) -> list[Any]:
        """The objects that have changed since the other side was told."""
        return [value for value, known in self._held.values() if _state(value) != known]

    def changes(self) -> list[list[Any]]:
        """The number and the state of each object that has changed since the other side was told."""
        found = [[number, _state(value)] for number, (value, known) in self._held.items() if _state(value) != known]
        self._held.update({number: (self._held[number][0], state) for number, state in found})
        return found

    def __bool__(self) -> bool:
        return bool(self._held)

    def _set(self, number: int, value: Any, state: Any) -> None:
        if number not in self._held or self._held[number][1] != state:
            KINDS[str(kind_of(value))].restore(value, state)
        self._held[number] = value, state
