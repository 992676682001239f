"""Tests of stain-wipes: samples, edges, random small, large and sparse or dense walls."""

import random
from collections.abc import Iterator


def wall(rng: random.Random, rows: int, columns: int, stains: float, low: int, high: int) -> list:
    tiles = ["".join("#" if rng.random() < stains else "." for _ in range(columns)) for _ in range(rows)]
    return [tiles, [rng.randint(low, high) for _ in range(rows)], [rng.randint(low, high) for _ in range(columns)]]


def tests() -> Iterator[list]:
    rng = random.Random(409)
    yield [["#.#", "...", "#.."], [3, 1, 2], [4, 1, 1]]
    yield [["##", "##"], [5, 6], [4, 4]]
    yield [["#..", ".#.", "..#"], [2, 9, 2], [3, 3, 3]]
    yield [["."], [1], [1]]
    yield [["#"], [1000000], [999999]]
    yield [["####"], [5], [1, 1, 1, 1]]
    yield [["#...", "#...", "####"], [1, 1, 3], [3, 1, 1, 1]]
    for size in (4, 5, 6, 7, 8):
        yield wall(rng, size, size, 0.45, 1, 9)
    yield wall(rng, 60, 60, 0.05, 1, 10**6)
    yield wall(rng, 60, 60, 0.4, 1, 10**6)
    yield wall(rng, 60, 55, 0.95, 1000, 1100)
    yield wall(rng, 59, 60, 0.03, 1, 1)
