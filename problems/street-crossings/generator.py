"""Tests of street-crossings: samples, edges, random small, large with few crossings."""

import random
from collections.abc import Iterator


def case(streets: list[tuple[int, int, int, int]]) -> str:
    return f"{len(streets)}\n" + "".join(" ".join(map(str, street)) + "\n" for street in streets)


def street(rng: random.Random, size: int, longest: int, east: bool) -> tuple[int, int, int, int]:
    x, y = rng.randint(-size, size), rng.randint(-size, size)
    end = rng.randint(1, longest)
    ends = [(x, y), (min(10**9, x + end), y) if east else (x, min(10**9, y + end))]
    if ends[0] == ends[1]:
        ends[1] = (x - 1, y) if east else (x, y - 1)
    rng.shuffle(ends)
    return *ends[0], *ends[1]


def tests() -> Iterator[str]:
    rng = random.Random(90)
    yield case([(0, 0, 6, 0), (2, -1, 2, 3), (6, 4, 6, 0), (4, 1, 4, 5)])
    yield case([(0, 0, 4, 0), (2, 0, 8, 0), (3, 2, 3, -2), (3, -1, 3, 1)])
    yield case([(0, 0, 1, 0)])
    yield case([(0, 0, 0, 5), (0, 5, 0, 9), (0, 9, 7, 9)])
    yield case([(5, 5, -5, 5), (-5, 5, -5, -5), (-5, -5, 5, -5), (5, -5, 5, 5)])
    yield case([(-(10**9), 10**9, 10**9, 10**9), (10**9, 10**9, 10**9, -(10**9))])
    for size in range(5, 11):
        yield case([street(rng, 5, 8, rng.random() < 0.5) for _ in range(size)])
    yield case([street(rng, 10**6, 12000, k % 2 == 0) for k in range(5000)])
    long = [(-(10**9), 7 * k, 10**9, 7 * k) for k in range(1, 2)]
    yield case(long + [street(rng, 10**5, 10**5, False) for _ in range(2500)])
