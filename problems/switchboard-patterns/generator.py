"""Tests of switchboard-patterns: samples, edges, random small, large boards of low and full rank."""

import random
from collections.abc import Iterator


def case(switches: list[str], patterns: list[str]) -> str:
    head = f"{len(switches)} {len(switches[0])} {len(patterns)}\n"
    return head + "".join(line + "\n" for line in switches + patterns)


def bits(rng: random.Random, m: int) -> str:
    return "".join(rng.choice("01") for _ in range(m))


def board(rng: random.Random, n: int, m: int, q: int, rank: int) -> str:
    """Switches spanned by `rank` random rows; half of the patterns are made from switches, half are random."""
    rows = [int(bits(rng, m), 2) for _ in range(rank)]

    def mix(choices: list[int]) -> int:
        mixed = 0
        for row in choices:
            mixed ^= row * rng.randint(0, 1)
        return mixed

    switches = [mix(rows) for _ in range(n)]
    patterns = [mix(switches) if k % 2 == 0 else int(bits(rng, m), 2) for k in range(q)]
    return case([f"{row:0{m}b}" for row in switches], [f"{row:0{m}b}" for row in patterns])


def tests() -> Iterator[str]:
    rng = random.Random(127)
    yield case(["110", "011", "101"], ["000", "110", "100"])
    yield case(["10", "10", "01", "00"], ["11", "10"])
    yield case(["0"], ["0", "1"])
    yield case(["1"], ["0", "1"])
    yield case(["0000"] * 40, ["0000", "0001"])
    yield case(["1" * 200] * 200, ["1" * 200, "0" * 200, "1" * 199 + "0"])
    for _ in range(5):
        yield board(rng, rng.randint(4, 7), rng.randint(3, 5), 4, 3)
    yield board(rng, 200, 200, 200, 120)
    yield board(rng, 200, 150, 200, 200)
    yield board(rng, 100, 200, 200, 200)
