"""Starts work from a stream of any length and yields results as they are ready, in bounded memory."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def ready_first(start: Callable[[Item], Future[Result]], items: Iterable[Item], most_open: int) -> Iterator[Result]:
    """The results of `start` for all items, in the order in which they finish; at most `most_open` at a time.

    Several items are started together, because every start may wake another thread.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(1) as pool:
    ...     list(ready_first(lambda number: pool.submit(abs, number), [-1, -2], most_open=1))
    [1, 2]
    """
    ready: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
    waiting = iter(items)
    at_once = max(1, most_open // 4)
    open_count = 0
    while True:
        if open_count <= most_open - at_once:
            for item in islice(waiting, most_open - open_count):
                start(item).add_done_callback(ready.put)
                open_count += 1
        if not open_count:
            return
        yield ready.get().result()
        open_count -= 1
