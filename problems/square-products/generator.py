"""Tests of square-products: samples, edges, large prime factors, random small, large."""

import random
from collections.abc import Iterator


def tests() -> Iterator[list]:
    rng = random.Random(36)
    yield [[2, 3, 8, 12, 27]]
    yield [[5, 5, 5]]
    yield [[6, 10, 15]]
    yield [[1]]
    yield [[1, 4, 9, 1000000]]
    yield [[999983, 999983, 999979, 1]]
    yield [[101 * 101, 103 * 103, 997 * 997, 101 * 103, 2 * 499979, 8 * 101 * 101, 2]]
    yield [[k * k * 7 for k in range(1, 300)]]
    for size in range(8, 12):
        yield [[rng.randint(1, 40) for _ in range(size)]]
    yield [[rng.randint(1, 10**6) for _ in range(10000)]]
    yield [[rng.randint(1, 5000) for _ in range(10000)]]
    yield [[rng.randint(1, 180) ** 2 * rng.choice([1, 2, 3, 5, 6, 29]) for _ in range(10000)]]
