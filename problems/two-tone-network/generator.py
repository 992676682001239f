"""Tests of two-tone-network: samples, edges, many equal prices, random small, large."""

import random
from collections.abc import Iterator


def case(n: int, k: int, offers: list[tuple[int, int, int, str]]) -> str:
    return f"{n} {len(offers)} {k}\n" + "".join(f"{a} {b} {c} {colour}\n" for a, b, c, colour in offers)


def random_case(rng: random.Random, n: int, m: int, k: int, dearest: int, red: float) -> str:
    offers = []
    for _ in range(m):
        a, b = rng.sample(range(1, n + 1), 2)
        offers.append((a, b, rng.randint(0, dearest), "R" if rng.random() < red else "B"))
    return case(n, k, offers)


def tests() -> Iterator[str]:
    rng = random.Random(1956)
    triangle = [(1, 2, 1, "R"), (2, 3, 2, "R"), (1, 3, 4, "B"), (3, 4, 1, "B"), (2, 4, 7, "R")]
    yield case(4, 1, triangle)
    yield case(4, 3, triangle)
    yield case(3, 0, [(1, 2, 5, "R"), (2, 3, 5, "B")])
    yield case(1, 0, [])
    yield case(2, 1, [(1, 2, 3, "B"), (2, 1, 9, "R")])
    yield case(3, 1, [(1, 2, 1, "R"), (1, 2, 1, "B")])
    yield case(5, 2, [(a, b, 7, "RB"[(a + b) % 2]) for a in range(1, 6) for b in range(1, a)])
    square = [(1, 2, 10, "R"), (2, 3, 1, "B"), (3, 4, 10, "R"), (4, 1, 2, "B"), (1, 3, 3, "R"), (2, 4, 3, "B")]
    yield case(4, 2, square)
    dear_reds = [(a, b, 9 if a % 2 else 7, "BR"[a % 2]) for a in range(1, 7) for b in range(1, 7) if a != b]
    yield case(6, 2, dear_reds)
    yield random_case(rng, 6, 12, 0, 9, 0.9)
    for n in (5, 6, 6):
        yield random_case(rng, n, 12, n // 2, 3, 0.6)
    yield random_case(rng, 100, 1200, 50, 10**6, 0.5)
    yield random_case(rng, 100, 1200, 97, 10**6, 0.6)
    yield random_case(rng, 100, 1200, 30, 3, 0.7)
    yield random_case(rng, 100, 1200, 10, 10**6, 0.8)
