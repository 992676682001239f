"""Tests of wandering-leaper: samples, stuck leapers, few and very many moves, random small, large."""

import random
from collections.abc import Iterator


def random_case(rng: random.Random, rows: int, columns: int, blocked: float, jump: tuple[int, int], moves: int) -> list:
    start = [rng.randrange(rows), rng.randrange(columns)]
    board = [["#" if rng.random() < blocked else "." for _ in range(columns)] for _ in range(rows)]
    board[start[0]][start[1]] = "."
    return [["".join(row) for row in board], start, *jump, moves]


def tests() -> Iterator[list]:
    rng = random.Random(64)
    yield [["...", "...", "..."], [0, 0], 1, 2, 2]
    yield [["....", ".#..", "...."], [1, 0], 0, 1, 1]
    yield [["...", "...", "..."], [1, 1], 1, 2, 4]
    yield [["."], [0, 0], 0, 1, 0]
    yield [["."], [0, 0], 0, 1, 1000000000]
    yield [["....."], [0, 2], 0, 2, 999999999]
    yield [["#.#", "..#", "#.#"], [1, 1], 0, 1, 3]
    for _ in range(5):
        yield random_case(rng, 4, 5, 0.15, (1, 2), rng.randint(2, 5))
    yield random_case(rng, 40, 40, 0.2, (1, 2), 9)
    yield random_case(rng, 40, 40, 0.3, (0, 1), 10**9)
    yield random_case(rng, 40, 39, 0.25, (2, 3), 999999999)
    yield random_case(rng, 40, 40, 0.1, (1, 1), 10**9 - 1)
    walls = ["#" * 39 + ".", "." + "#" * 39]
    rows = ["." * 40 if i % 2 == 0 else walls[i // 2 % 2] for i in range(40)]
    yield [rows, [0, 0], 0, 1, 700]
