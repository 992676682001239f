"""Process the items of one task in threads, for work that mostly waits for other processes. Results come in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """The function's results in the order of the items; few items are held at a time.

    >>> list(in_order(abs, [-3, 2, -1], threads=2))
    [3, 2, 1]
    """
    if threads == 1:
        yield from map(function, items)
        return
    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after a failure, do not wait for what still runs
