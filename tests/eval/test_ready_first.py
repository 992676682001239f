"""Results of a stream come as they are ready, and no more than so many items are open at a time."""

from __future__ import annotations

import itertools
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from microcoder_eval.ready_first import ready_first

pytestmark = pytest.mark.fast


@pytest.mark.parametrize("most_open", [1, 2, 3, 8, 100])
@pytest.mark.parametrize("items", [0, 1, 7, 40])
def test_every_item_is_started_once_and_few_are_open(items: int, most_open: int) -> None:
    started: list[int] = []
    found: list[int] = []
    with ThreadPoolExecutor(3) as pool:

        def start(item: int) -> Future[int]:
            started.append(item)
            assert len(started) - len(found) <= most_open
            return pool.submit(abs, item)

        for result in ready_first(start, iter(range(items)), most_open):
            found.append(result)  # noqa: PERF402 - `start` looks at it
    assert started == [*range(items)]
    assert sorted(found) == started


def test_an_endless_stream_is_read_only_as_fast_as_its_results_are_taken() -> None:
    stream = itertools.count()
    with ThreadPoolExecutor(1) as pool:
        results = ready_first(lambda item: pool.submit(abs, item), stream, 4)
        for _ in range(50):
            next(results)
    assert 50 <= next(stream) <= 54
