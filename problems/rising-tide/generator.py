"""Tests of rising-tide: samples, edges, random small, large."""

import random
from collections.abc import Iterator


def case(heights: list[list[int]]) -> str:
    return f"{len(heights)} {len(heights[0])}\n" + "".join(" ".join(map(str, row)) + "\n" for row in heights)


def random_case(rng: random.Random, r: int, c: int, low: int, high: int) -> str:
    return case([[rng.randint(low, high) for _ in range(c)] for _ in range(r)])


def winding(size: int, ground: int) -> str:
    """A dam of great height winds through low ground, so that the shortest way drowns early."""
    heights = [[10**6 if i % 2 == 0 else ground for _ in range(size)] for i in range(size)]
    for i in range(1, size, 2):
        heights[i][size - 1 if i % 4 == 1 else 0] = 10**6
    return case(heights)


def tests() -> Iterator[str]:
    rng = random.Random(12)
    yield case([[9, 4, 9], [9, 9, 9], [3, 2, 8]])
    yield case([[9, 5, 6], [9, 1, 7], [9, 9, 8]])
    yield case([[2, 1], [1, 3]])
    yield case([[0]])
    yield case([[7]])
    yield case([[1, 3, 3]])
    yield case([[5, 10, 10], [10, 10, 10]])
    for size in range(4, 10):
        wet = [[rng.random() < 0.3 for _ in range(size)] for _ in range(5)]
        heights = [[rng.randint(1, 9) if cell else rng.randint(14, 60) for cell in row] for row in wet]
        heights[0][0] = heights[-1][-1] = 50
        yield case(heights)
    yield winding(61, 130)
    yield random_case(rng, 90, 90, 10**8, 10**9)
    yield random_case(rng, 90, 90, 150, 600)
    yield random_case(rng, 1, 90, 80, 1000)
