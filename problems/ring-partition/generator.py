"""Tests of ring-partition: samples, edges, random small, large with few, many and middling arcs."""

import random
from collections.abc import Iterator


def case(k: int, weights: list[int]) -> str:
    return f"{len(weights)} {k}\n{' '.join(map(str, weights))}\n"


def random_case(rng: random.Random, n: int, k: int, heaviest: int) -> str:
    return case(k, [rng.randint(1, heaviest) for _ in range(n)])


def tests() -> Iterator[str]:
    rng = random.Random(360)
    yield case(2, [3, 1, 1, 3, 4])
    yield case(3, [5, 5, 5, 5])
    yield case(3, [4, 1, 7, 2, 6, 3, 4])
    yield case(1, [8])
    yield case(1, [1000000000] * 20)
    yield case(4, [9, 2, 9, 2])
    yield case(3, [2, 3, 1, 2, 3, 1, 2, 3, 1])
    for n in (7, 8, 9, 10, 11):
        yield random_case(rng, n, n // 2 - 1, 12)
    yield random_case(rng, 2500, 1250, 10**9)
    yield random_case(rng, 2500, 3, 10**9)
    yield random_case(rng, 2499, 60, 10**9)
    yield random_case(rng, 2500, 2400, 10)
