"""Tests of rival-teams: samples, edges, stars that mislead a greedy split, random small, large."""

import random
from collections.abc import Iterator


def case(n: int, rivals: list[tuple[int, int]]) -> str:
    return f"{n} {len(rivals)}\n" + "".join(f"{a} {b}\n" for a, b in rivals)


def stars(rng: random.Random, sizes: list[int], loners: int = 0) -> str:
    """Stars of one centre and `size` rays each, under shuffled names."""
    n = sum(sizes) + len(sizes) + loners
    name = rng.sample(range(1, n + 1), n)
    rivals, next_name = [], iter(name)
    for size in sizes:
        centre = next(next_name)
        rays = [next(next_name) for _ in range(size)]
        rivals += [(centre, ray) if rng.random() < 0.5 else (ray, centre) for ray in rays]
    rng.shuffle(rivals)
    return case(n, rivals)


def random_case(rng: random.Random, n: int, m: int, split: bool) -> str:
    """Random rivals; with `split`, only between players of two hidden teams."""
    team = [rng.random() < 0.35 for _ in range(n + 1)]
    rivals = []
    for _ in range(m if n > 1 else 0):
        a, b = rng.sample(range(1, n + 1), 2)
        if not split or team[a] != team[b]:
            rivals.append((a, b))
    return case(n, rivals)


def tests() -> Iterator[str]:
    rng = random.Random(1863)
    yield case(5, [(1, 2), (1, 3), (4, 5)])
    yield case(3, [(1, 2), (2, 3), (3, 1)])
    yield case(7, [(1, 2), (1, 3), (1, 4), (1, 5), (6, 7), (7, 6)])
    yield case(1, [])
    yield case(4, [])
    yield case(5, [(1, 2), (2, 3), (3, 4), (4, 5), (5, 1)])
    yield stars(rng, [4, 4, 3, 3, 3])
    yield stars(rng, [9, 8, 8, 6, 6, 5])
    yield stars(rng, [7, 7, 5, 5, 5])
    yield stars(rng, [5, 5, 4, 4, 4], 1)
    for m in (5, 7, 9):
        yield random_case(rng, 9, m, True)
    yield stars(rng, [31, 29, 28, 22, 22, 21, 17, 13, 12, 11, 9, 9, 7, 6], 3)
    yield stars(rng, [2] * 200)
    yield random_case(rng, 600, 700, True)
    yield random_case(rng, 600, 3000, True)
    yield random_case(rng, 599, 800, False)
    yield stars(rng, [41, 40, 40, 40, 30, 30, 30, 29, 29, 27, 26, 25, 24, 24, 24, 23, 23, 22], 50)
