"""Tests of runoff-votes: samples, ties, random small, large."""

import random
from collections.abc import Iterator


def case(ballots: list[list[int]]) -> str:
    return f"{len(ballots[0])} {len(ballots)}\n" + "".join(" ".join(map(str, ballot)) + "\n" for ballot in ballots)


def random_case(rng: random.Random, candidates: int, count: int) -> str:
    return case([rng.sample(range(1, candidates + 1), candidates) for _ in range(count)])


def tests() -> Iterator[str]:
    rng = random.Random(5050)
    yield case([[1, 2, 3], [1, 3, 2], [2, 3, 1], [3, 2, 1], [2, 1, 3]])
    yield case([[1, 2], [2, 1]])
    yield case([[3, 1, 2], [3, 2, 1], [1, 2, 3]])
    yield case([[1]])
    yield case([[4, 3, 2, 1]])
    yield case([[1, 2, 3, 4], [2, 3, 4, 1], [3, 4, 1, 2], [4, 1, 2, 3]])
    yield case([[4, 3, 2, 1], [3, 4, 1, 2], [4, 3, 1, 2], [3, 4, 2, 1]])
    yield case([[5, 4, 1, 2, 3], [4, 5, 2, 1, 3], [1, 5, 4, 2, 3], [2, 4, 5, 1, 3], [1, 4, 5, 3, 2], [2, 5, 4, 3, 1]])
    for _ in range(6):
        yield random_case(rng, rng.randint(3, 6), rng.randint(5, 11))
    yield random_case(rng, 50, 300)
    yield random_case(rng, 6, 3001)
    yield random_case(rng, 20, 600)
