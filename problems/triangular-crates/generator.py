"""Tests of triangular-crates: samples, all small numbers, numbers that resist greedy packing, large."""

import random
from collections.abc import Iterator


def case(deliveries: list[int]) -> str:
    return f"{len(deliveries)}\n" + "".join(f"{oranges}\n" for oranges in deliveries)


def tests() -> Iterator[str]:
    rng = random.Random(1796)
    yield case([5, 8, 20])
    yield case([0, 1, 2])
    for start in (0, 50, 100, 150):
        yield case(list(range(start, start + 50)))
    yield case([rng.randint(0, 10**6) for _ in range(50)])
    yield case([side * (side + 1) // 2 - 1 for side in range(44000, 44050)])
    yield case([10**9 - k for k in range(50)])
    yield case([rng.randint(9 * 10**8, 10**9) for _ in range(50)])
