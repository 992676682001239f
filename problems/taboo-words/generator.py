"""Tests of taboo-words: samples, edges, words within words, random small, enormous lengths."""

import random
from collections.abc import Iterator


def case(letters: int, length: int, words: list[str]) -> str:
    return f"{letters} {len(words)} {length}\n" + "".join(word + "\n" for word in words)


def words(rng: random.Random, letters: int, lengths: list[int]) -> list[str]:
    return ["".join(rng.choice("abcdefghijklmnopqrstuvwxyz"[:letters]) for _ in range(length)) for length in lengths]


def tests() -> Iterator[str]:
    rng = random.Random(451)
    yield case(2, 3, ["aa"])
    yield case(3, 4, ["abca", "bc"])
    yield case(26, 1000000000000000000, [])
    yield case(1, 0, ["a"])
    yield case(1, 5, ["aaaaaa"])
    yield case(1, 6, ["aaaaaa"])
    yield case(4, 10, ["a", "a", "cd"])
    yield case(2, 12, ["abbabb", "bba", "bbabb"])
    for n in (5, 6, 7, 8):
        yield case(3, n, words(rng, 3, [2, 3, 4]))
    yield case(3, 10**18, ["abacabab", "baca", "bbbbbbbb", "cab"])
    yield case(26, 10**18 - 1, words(rng, 26, [24]))
    yield case(2, 10**18, ["a" * 12, "b" * 12])
    yield case(4, 987654321987654321, words(rng, 4, [3, 4, 5, 6, 6]))
    yield case(5, 10**7, words(rng, 5, [2, 2, 3, 5]))
