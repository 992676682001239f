"""Tests of strip-folding: samples, one direction only, random short, long."""

import random
from collections.abc import Iterator


def tests() -> Iterator[str]:
    rng = random.Random(8192)
    yield from ("R\n", "RL\n", "LLR\n", "L\n", "LR\n", "RRRR\n", "LLLLL\n", "RLRLRL\n")
    for length in (3, 4, 5, 7, 9, 12, 13, 13):
        yield "".join(rng.choice("LR") for _ in range(length)) + "\n"
    yield "R" * 13 + "\n"
