"""Tests of rendezvous-line: samples, edges, random small, large."""

import random
from collections.abc import Iterator


def case(people: list[tuple[int, int]]) -> str:
    return f"{len(people)}\n" + "".join(f"{x} {v}\n" for x, v in people)


def random_case(rng: random.Random, count: int, far: int, fast: int) -> str:
    return case([(rng.randint(-far, far), rng.randint(1, fast)) for _ in range(count)])


def tests() -> Iterator[str]:
    rng = random.Random(1.5)
    yield case([(0, 1), (10, 4)])
    yield case([(-5, 3), (7, 3), (1, 3)])
    yield case([(0, 10), (4, 1), (10, 10)])
    yield case([(123456789, 1)])
    yield case([(5, 1), (5, 1000000), (5, 3)])
    yield case([(-1000000000, 1), (1000000000, 1)])
    yield case([(0, 1000000), (1, 999999)])
    yield case([(-(10**9), 10**6), (10**9, 1), (10**9 - 1, 2)])
    yield case([(0, 1), (3, 1), (100, 60), (-100, 60)])
    for _ in range(5):
        yield random_case(rng, rng.randint(3, 6), 20, 5)
    yield random_case(rng, 5000, 10**9, 10**6)
    yield random_case(rng, 5000, 10**9, 3)
    yield random_case(rng, 3000, 1000, 10**6)
