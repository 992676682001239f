"""Tests of token-tracks: samples, edges, random small, a long line, large."""

import random
from collections.abc import Iterator


def case(n: int, tracks: list[tuple[int, int]], tokens: list[int]) -> str:
    head = f"{n} {len(tracks)} {len(tokens)}\n" + "".join(f"{a} {b}\n" for a, b in tracks)
    return head + " ".join(map(str, tokens)) + "\n"


def board(rng: random.Random, n: int, m: int, t: int, reach: int) -> str:
    name = list(range(1, n + 1))
    rng.shuffle(name)
    tracks = set()
    for _ in range(m if n > 1 else 0):
        a = rng.randrange(n - 1)
        tracks.add((name[a], name[rng.randint(a + 1, min(n - 1, a + reach))]))
    ordered = sorted(tracks)
    rng.shuffle(ordered)
    return case(n, ordered, [rng.randint(1, n) for _ in range(t)])


def tests() -> Iterator[str]:
    rng = random.Random(17)
    yield case(4, [(1, 2), (2, 3), (1, 3), (3, 4)], [1, 3])
    yield case(3, [(1, 2)], [1, 1])
    yield case(4, [(1, 2), (1, 3), (3, 4)], [1, 1, 1])
    yield case(1, [], [1])
    yield case(2, [(2, 1)], [2])
    yield case(5, [(5, 4), (4, 3), (3, 2), (2, 1)], [5, 4, 3])
    for _ in range(6):
        yield board(rng, rng.randint(4, 6), 8, rng.randint(1, 3), 5)
    yield case(5000, [(k, k + 1) for k in range(1, 5000)], [1])
    yield board(rng, 5000, 8000, 5000, 40)
    yield board(rng, 300, 8000, 5000, 60)
    yield board(rng, 1000, 8000, 31, 12)
