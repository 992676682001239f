"""Tests of sack-share: samples, edges, random small, large with long and with no runs."""

import random
from collections.abc import Iterator


def case(m: int, sacks: list[int]) -> str:
    return f"{len(sacks)} {m}\n{' '.join(map(str, sacks))}\n"


def random_case(rng: random.Random, n: int, m: int, richest: int) -> str:
    return case(m, [rng.randint(0, richest) for _ in range(n)])


def tests() -> Iterator[str]:
    rng = random.Random(40)
    yield case(7, [5, 9, 4, 8, 2, 3])
    yield case(6, [1, 1, 1])
    yield case(5, [3, 2, 0, 10, 1])
    yield case(1, [1000000000])
    yield case(1000000000, [999999999])
    yield case(1000000000, [500000000, 1, 499999999, 500000000, 500000000])
    yield case(9, [0])
    yield case(10, [2, 3, 5, 5, 5, 1])
    for n in (6, 7, 8, 9):
        yield random_case(rng, n, n, 30)
    yield case(12000, [1] * 11999)
    yield case(6000, [1] * 12000)
    yield random_case(rng, 6000, 10**9, 10**9)
    yield random_case(rng, 7000, 700001, 10**9)
    yield case(10**9, [rng.randint(1, 80000) for _ in range(12000)])
