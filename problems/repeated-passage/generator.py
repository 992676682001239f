"""Tests of repeated-passage: samples, edges, random small, large random, periodic and Fibonacci scrolls."""

import random
from collections.abc import Iterator


def text(rng: random.Random, length: int, letters: str) -> str:
    return "".join(rng.choice(letters) for _ in range(length))


def tests() -> Iterator[str]:
    rng = random.Random(440)
    yield "2\nabracadabra\n"
    yield "3\naaaaaa\n"
    yield "2\nqwerty\n"
    yield "1\nz\n"
    yield "2\nz\n"
    yield "2\nbbaabbaa\n"
    yield "2\ncdxcdyabzab\n"
    yield f"2\n{text(rng, 30, 'abcdef')}\n"
    yield "3\nzyzyzycacaca\n"
    yield "4\nababababab\n"
    yield "20000\n" + "a" * 20000 + "\n"
    for length in (12, 14, 16):
        yield f"3\n{text(rng, length, 'ab')}\n"
    yield f"2\n{'a' * 20000}\n"
    yield f"2\n{text(rng, 20000, 'ab')}\n"
    passage = text(rng, 3000, "abcdefg")
    yield f"4\n{passage}{text(rng, 700, 'abc')}{passage}{passage}{text(rng, 2000, 'xyz')}{passage}\n"
    older, newer = "b", "a"
    while len(newer) < 12000:
        older, newer = newer, newer + older
    yield f"5\n{newer}\n"
