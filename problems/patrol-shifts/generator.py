"""Tests of patrol-shifts: samples, edges, random small, large."""

import random
from collections.abc import Iterator


def case(length: int, offers: list[tuple[int, int, int]]) -> str:
    return f"{length} {len(offers)}\n" + "".join(f"{s} {e} {c}\n" for s, e, c in offers)


def random_case(rng: random.Random, length: int, count: int, longest: int, dearest: int) -> str:
    offers = []
    for _ in range(count):
        start = rng.randint(-longest // 2, length - 1)
        end = min(length, max(1, start + rng.randint(1, longest)))
        start = max(0, min(start, end - 1))
        offers.append((start, end, rng.randint(0, dearest)))
    return case(length, offers)


def tests() -> Iterator[str]:
    rng = random.Random(112)
    yield case(10, [(0, 4, 3), (3, 8, 5), (4, 6, 1), (6, 10, 4), (0, 10, 9)])
    yield case(10, [(0, 4, 1), (5, 10, 1)])
    yield case(6, [(2, 6, 2), (0, 3, 2), (0, 2, 3)])
    yield case(1, [(0, 1, 0)])
    yield case(1000000000, [(0, 999999999, 5)])
    yield case(8, [(0, 8, 30), (1, 8, 1), (0, 1, 20), (0, 3, 25)])
    yield case(9, [(0, 5, 4), (4, 9, 4), (0, 1, 1), (1, 5, 2), (3, 4, 0), (5, 9, 6)])
    for count in (8, 9, 10, 11):
        yield random_case(rng, 10, count, 6, 12)
    yield random_case(rng, 10**7, 7000, 30000, 10**6)
    yield random_case(rng, 10**9, 2500, 5 * 10**8, 10**6)
    yield case(1500, [(k, k + 1, rng.randint(0, 10**6)) for k in range(1500)][::-1])
