"""Starts work from a stream of any length and yields results as they are ready, in bounded memory."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def ready_first(start: Callable[[Item], Future[Result]], items: Iterable[Item], most_open: int) -> Iterator[Result]:
    """The results of `start` for all items, in the order in which they finish; at most `most_open` at a time.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(1) as pool:
    ...     list(ready_first(lambda number: pool.submit(abs, number), [-1, -2], most_open=1))
    [1, 2]
    """
    ready: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
    open_count = 0
    for item in items:
        start(item).add_done_callback(ready.put)
        open_count += 1
        if open_count == most_open:
            yield ready.get().result()
            open_count -= 1
    for _ in range(open_count):
        yield ready.get().result()
