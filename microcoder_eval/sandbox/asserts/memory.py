"""Remembers what the program's objects have answered, so that an object cannot answer the same question differently.

An answer is valid until a request that may change the object. A new iteration gives the same items again.
"""

from __future__ import annotations

from collections import deque
from typing import Any


class Memory:
    """The memory of one process of the tests."""

    def __init__(self) -> None:
        self.calls = 0
        """How many requests so far may have changed an object."""
        self.draws = 0
        """How many items were taken from iterators so far."""
        self._answers: dict[Any, tuple[tuple[int, int], Any]] = {}
        self._items: dict[int, Items] = {}
        self._ahead: dict[int, deque[Any]] = {}

    def answer(self, key: Any) -> Any:
        """The earlier answer as it was received; None when there is none that is still valid."""
        stamp, body = self._answers.get(key, (None, None))
        return body if stamp == (self.calls, self.draws) else None

    def keep(self, key: Any, body: Any) -> None:
        self._answers[key] = (self.calls, self.draws), body

    def items(self, number: int) -> Items | None:
        """The items of an iterable that are known; None when a later request may have changed it."""
        known = self._items.get(number)
        return known if known is not None and known.calls == self.calls else None

    def keep_items(self, number: int, source: Any, length: Any) -> Items:
        known = self._items[number] = Items(self.calls, source, length)
        return known

    def ahead(self, number: int) -> deque[Any]:
        """Items that `in` has taken from an iterator and that the tests have not received yet."""
        return self._ahead.setdefault(number, deque())


class Items:
    """The items of an iterable, as far as they were taken from it."""

    def __init__(self, calls: int, source: Any, length: Any) -> None:
        self.calls = calls
        self.source = source
        self.length = length
        """The object's answer to `len`; None if it was not asked."""
        self.seen: list[Any] = []
        self.ended = False
