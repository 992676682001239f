"""Tests of suitcase-tower: samples, edges, random small, large."""

import random
from collections.abc import Iterator


def suitcases(rng: random.Random, count: int, weight: int, strength: int) -> list[list[int]]:
    return [[rng.randint(1, weight), rng.randint(0, strength)] for _ in range(count)]


def tests() -> Iterator[list]:
    rng = random.Random(88)
    yield [[[4, 6], [5, 4], [2, 3]]]
    yield [[[10, 1], [3, 0], [1, 12], [2, 3]]]
    yield [[[5, 0], [5, 4], [6, 0]]]
    yield [[]]
    yield [[[1, 0]]]
    yield [[[1, 1], [1, 2], [1, 0], [1, 3]]]
    yield [[[9, 10], [1, 3], [1, 2], [2, 13], [7, 1]]]
    for _ in range(5):
        yield [suitcases(rng, 7, 9, 25)]
    yield [suitcases(rng, 20, 30, 150)]
    yield [suitcases(rng, 40, 30, 300)]
    yield [suitcases(rng, 1000, 10**9, 10**12)]
    yield [suitcases(rng, 1000, 10**9, 3 * 10**10)]
    yield [[[weight, max(0, 30000 - weight + rng.randint(-3000, 3000))] for weight in rng.sample(range(1, 400), 300)]]
