"""Tests of village-well: samples, edges, random small, deep, bushy and star-like large trees."""

import random
from collections.abc import Iterator


def case(people: list[int], paths: list[tuple[int, int, int]]) -> str:
    head = f"{len(people)}\n{' '.join(map(str, people))}\n"
    return head + "".join(f"{a} {b} {d}\n" for a, b, d in paths)


def tree(rng: random.Random, n: int, reach: int, people: int, longest: int) -> str:
    """A random tree in which each house hangs on one of the `reach` houses before it, with shuffled numbers."""
    name = list(range(1, n + 1))
    rng.shuffle(name)
    paths = [(name[i], name[rng.randint(max(0, i - reach), i - 1)], rng.randint(1, longest)) for i in range(1, n)]
    rng.shuffle(paths)
    return case([rng.randint(0, people) for _ in range(n)], paths)


def small_case(rng: random.Random) -> str:
    n = rng.randint(1, 8)
    return tree(rng, n, rng.randint(1, n), rng.choice([1, 3, 9]), rng.choice([1, 5]))


def tests() -> Iterator[str]:
    rng = random.Random(1207)
    yield case([2, 1, 0, 4, 1], [(1, 2, 3), (2, 3, 1), (3, 4, 2), (3, 5, 6)])
    yield case([1, 1, 0], [(3, 1, 5), (3, 2, 5)])
    yield case([5], [])
    yield case([0, 0, 0], [(2, 3, 1), (1, 3, 9)])
    yield case([1, 2], [(1, 2, 10000)])
    yield case([0, 0, 3, 3], [(1, 2, 1), (3, 1, 1), (2, 4, 1)])
    for _ in range(5):
        yield small_case(rng)
    yield tree(rng, 4000, 1, 10000, 10000)
    yield tree(rng, 7000, 7000, 10000, 10000)
    yield case([1] * 999 + [10000], [(1, b, 3) for b in range(2, 1001)])
