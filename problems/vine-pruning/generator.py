"""Tests of vine-pruning: samples, edges, random small, deep, bushy and star-like large vines."""

import random
from collections.abc import Iterator


def case(k: int, values: list[int], parents: list[int]) -> str:
    return f"{len(values)} {k}\n{' '.join(map(str, values))}\n{' '.join(map(str, parents))}\n"


def vine(rng: random.Random, n: int, k: int, reach: int, worth: int) -> str:
    """A vine in which each shoot grows out of one of the `reach` before it, with shuffled numbers below the stem."""
    name = [1, *rng.sample(range(2, n + 1), n - 1)]
    parents = [0] * (n + 1)
    for i in range(1, n):
        parents[name[i]] = name[rng.randint(max(0, i - reach), i - 1)]
    return case(k, [rng.randint(-worth, worth) for _ in range(n)], parents[2:])


def tests() -> Iterator[str]:
    rng = random.Random(1866)
    yield case(3, [1, -5, 4, 20, 3], [1, 1, 2, 3])
    yield case(2, [-3, -8, -2], [1, 1])
    yield case(4, [0, -1, 9, 1, 1, 1], [1, 2, 1, 4, 5])
    yield case(1, [-7], [])
    yield case(1, [5, 100], [1])
    yield case(5, [10**9] * 5, [3, 4, 5, 1])
    yield case(6, [1, -9, -9, 30, 5, 5, 5, 5], [1, 2, 3, 1, 5, 6, 7])
    for n in (7, 8, 9, 10):
        yield vine(rng, n, n // 2, n, 20)
    yield vine(rng, 1000, 500, 1, 10**9)
    yield vine(rng, 1000, 400, 1000, 10**9)
    yield vine(rng, 1000, 700, 4, 10**9)
    yield case(600, [rng.randint(-100, 100) for _ in range(1000)], [1] * 999)
