"""Tests of wheel-locks: samples, edges, random small, large."""

import random
from collections.abc import Iterator


def case(m: int, present: list[int], secret: list[int]) -> str:
    return f"{len(present)} {m}\n{' '.join(map(str, present))}\n{' '.join(map(str, secret))}\n"


def random_case(rng: random.Random, n: int, m: int) -> str:
    return case(m, [rng.randrange(m) for _ in range(n)], [rng.randrange(m) for _ in range(n)])


def tests() -> Iterator[str]:
    rng = random.Random(0)
    yield case(10, [1, 1, 1], [9, 9, 0])
    yield case(10, [0, 0, 0, 0, 0], [2, 5, 8, 5, 2])
    yield case(4, [3, 0, 3], [3, 0, 3])
    yield case(2, [0], [1])
    yield case(1000000000, [0], [500000001])
    yield case(5, [0, 0, 0, 0], [1, 2, 3, 4])
    yield case(6, [0] * 12, [1, 3, 5] * 4)
    for n in (4, 5, 5, 6, 7):
        yield random_case(rng, n, 4)
    yield random_case(rng, 1000, 10)
    yield random_case(rng, 1000, 10**9)
    yield random_case(rng, 999, 2)
    yield case(10**6, [0] * 1000, [k * 7919 % 10**6 for k in range(1000)])
