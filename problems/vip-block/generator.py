"""Tests of vip-block: samples, edges, random small, large and lopsided rows."""

import random
from collections.abc import Iterator


def row(rng: random.Random, length: int, share: float) -> str:
    return "".join("V" if rng.random() < share else "." for _ in range(length))


def tests() -> Iterator[str]:
    rng = random.Random(606)
    yield "V..V.V\n"
    yield "..VV..\n"
    yield "V.V......V\n"
    yield "V\n"
    yield ".\n"
    yield "......\n"
    yield "V........V\n"
    yield "VVV.V.....V\n"
    for length in range(8, 13):
        yield row(rng, length, 0.4) + "\n"
    yield row(rng, 60000, 0.5) + "\n"
    yield "V" * 2000 + "." * 30000 + row(rng, 20000, 0.1) + "V" * 900 + "\n"
    yield row(rng, 50000, 0.001) + "\n"
