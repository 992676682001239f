"""Tests of zebra-stripes: samples, edges, random small, shifted patterns with noise, large."""

import random
from collections.abc import Iterator


def case(planks: str, width: int) -> str:
    return f"{len(planks)} {width}\n{planks}\n"


def noisy(rng: random.Random, length: int, width: int, noise: float) -> str:
    shift = rng.randrange(2 * width)
    return "".join("#."[((i + shift) // width + (rng.random() < noise)) % 2] for i in range(length))


def tests() -> Iterator[str]:
    rng = random.Random(4242)
    yield case("#..##..#", 2)
    yield case(".####.", 3)
    yield case("#", 1)
    yield case("....", 4)
    yield case("##.##", 5)
    yield case("#" * 9, 2)
    yield case(".#.#.#.#.", 1)
    for length in range(8, 13):
        yield case("".join(rng.choice("#.") for _ in range(length)), length - 6)
    yield case(noisy(rng, 60, 7, 0.1), 7)
    yield case(noisy(rng, 40000, 9000, 0.3), 9000)
    yield case(noisy(rng, 40000, 20000, 0.45), 20000)
    yield case(noisy(rng, 39999, 173, 0.2), 173)
    yield case(noisy(rng, 40000, 1, 0.4), 1)
