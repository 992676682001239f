"""Tests of trade-windows: samples, edges, random small, large."""

import random
from collections.abc import Iterator


def random_case(rng: random.Random, n: int, q: int, dearest: int, corrections: float, widest: int) -> str:
    lines = [f"{n} {q}", " ".join(str(rng.randint(0, dearest)) for _ in range(n))]
    for k in range(q):
        if k < q - 1 and rng.random() < corrections:
            lines.append(f"set {rng.randint(1, n)} {rng.randint(0, dearest)}")
        else:
            low = rng.randint(1, n)
            lines.append(f"best {low} {min(n, low + rng.randrange(widest))}")
    return "\n".join(lines) + "\n"


def falling(rng: random.Random, n: int, q: int) -> str:
    """Prices that fall nearly all the time, asked for in wide windows."""
    lines = [f"{n} {q}", " ".join(str(10**6 - 100 * i + rng.randint(0, 150)) for i in range(n))]
    for k in range(q):
        if k % 3 == 0:
            day = rng.randint(1, n)
            lines.append(f"set {day} {10**6 - 100 * day + rng.randint(0, 250)}")
        else:
            lines.append(f"best {rng.randint(1, n // 8)} {rng.randint(7 * n // 8, n)}")
    return "\n".join(lines) + "\n"


def tests() -> Iterator[str]:
    rng = random.Random(1929)
    yield "5 4\n7 1 5 3 6\nbest 1 5\nbest 3 4\nset 2 4\nbest 1 5\n"
    yield "3 3\n9 6 2\nbest 1 3\nset 1 0\nbest 1 2\n"
    yield "1 1\n4\nbest 1 1\n"
    yield "2 3\n0 1000000000\nbest 1 2\nset 1 1000000000\nbest 1 2\n"
    yield "4 4\n5 1 9 3\nbest 1 2\nbest 2 2\nbest 3 4\nbest 2 4\n"
    for n in (7, 8, 9, 10, 11):
        yield random_case(rng, n, 9, 20, 0.4, n)
    yield falling(rng, 7000, 7000)
    yield random_case(rng, 7000, 3000, 10**9, 0.5, 7000)
    yield random_case(rng, 3, 1000, 10, 0.7, 3)
