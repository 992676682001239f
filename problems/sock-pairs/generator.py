"""Tests of sock-pairs: samples, edges, random small, large."""

import random
from collections.abc import Iterator


def drawer(rng: random.Random, count: int, colours: list[str], sides: str) -> list[str]:
    return [f"{rng.choice(sides)}-{rng.choice(colours)}" for _ in range(count)]


def word(rng: random.Random) -> str:
    return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(1, 10)))


def tests() -> Iterator[list]:
    rng = random.Random(404)
    yield [["L-red", "R-blue", "L-blue", "E-red", "L-red"]]
    yield [["L-green", "L-green", "E-green"]]
    yield [["E-grey", "E-grey", "E-grey", "E-grey", "E-grey"]]
    yield [[]]
    yield [["R-e"]]
    yield [["R-pink", "R-pink", "R-pink", "R-pink"]]
    yield [["L-l", "R-r", "E-e", "E-l"]]
    yield [["R-x"] * 7 + ["L-x"] * 2 + ["E-x"] * 3]
    yield [["R-x"] * 3 + ["L-x"] * 2 + ["E-x"] * 6]
    yield [drawer(rng, 30, ["red", "blue"], "LRE")]
    for _ in range(5):
        yield [drawer(rng, rng.randint(6, 12), ["red", "blue", "l"], "LRE")]
    yield [drawer(rng, 5000, [word(rng) for _ in range(700)], "LLREE")]
    yield [drawer(rng, 7000, ["white", "black"], "LLLLLLRE")]
