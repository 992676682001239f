"""Tests of night-shifts: samples, edges, random small, large."""

import random
from collections.abc import Iterator


def tests() -> Iterator[list]:
    rng = random.Random(23)
    yield [[5, 1, 7, 7, 2, 6], 2]
    yield [[3, 3, 3], 3]
    yield [[4, 9, 4, 1, 8], 1]
    yield [[1000000], 0]
    yield [[7], 1]
    yield [[1, 2, 3, 4], 16000]
    yield [[9, 9, 0, 9, 9, 9, 0, 9], 3]
    yield [[2, 8, 8, 2, 8, 8, 2], 2]
    for _ in range(4):
        yield [[rng.randint(0, 20) for _ in range(rng.randint(8, 15))], rng.randint(1, 4)]
    yield [[rng.randint(0, 10**6) for _ in range(16000)], 8000]
    yield [[rng.randint(0, 10**6) for _ in range(5000)], 12]
    yield [sorted(rng.randint(0, 99999) for _ in range(5000)), 1500]
