"""Tests of worn-pattern: samples, edges, random small, long ribbons with a hidden pattern."""

import random
from collections.abc import Iterator


def ribbon(rng: random.Random, length: int, period: int, worn: int, letters: str) -> list:
    pattern = [rng.choice(letters) for _ in range(period)]
    text = [pattern[i % period] for i in range(length)]
    for i in rng.sample(range(length), worn):
        text[i] = rng.choice(letters)
    return ["".join(text), worn]


def tests() -> Iterator[list]:
    rng = random.Random(51)
    yield ["abcabdabcab", 1]
    yield ["xbabaab", 2]
    yield ["abcde", 0]
    yield ["z", 0]
    yield ["qwerty", 600]
    yield ["aaaaaaab", 0]
    yield ["abababab", 0]
    yield ["bacacacac", 1]
    yield ["aabbaabbaab", 2]
    for size in range(9, 13):
        yield ["".join(rng.choice("ab") for _ in range(size)), 2]
    yield ribbon(rng, 600, 47, 30, "abcdefgh")
    yield ribbon(rng, 599, 250, 60, "ab")
    yield ribbon(rng, 600, 301, 0, "abc")
    yield ribbon(rng, 600, 8, 100, "xyz")
