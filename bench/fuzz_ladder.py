"""Fuzzes the comparison of outputs against an oracle of its own, written with exact rationals.

    python bench/fuzz_ladder.py [--cases 100000] [--first 0] [--seed 0] [--json FILE]

Outputs are lines of plain tokens (words and numbers in every spelling); the actual output is the expected one with
numbers moved by about the tolerance or spelled differently, and tokens dropped, doubled, swapped. Under the checkers
`float` and `kattis_default` an output is right when it has as many tokens and each is equal or a number within the
tolerance; under `exact`, when the bytes are equal; under `tokens`, one integer is never right for another. Cases nearer
to a tolerance's edge than the precision of a float are left out. The exit status is 1 when the two disagree. `--json`
adds the counts to those in the file, so that a release's million cases can be run in slices.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

from measure import machine

from microcoder_eval import Checker, Policy
from microcoder_eval.compare import compare_output

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
INTEGER = re.compile(r"-?(0|[1-9]\d*)\Z", re.ASCII)
EDGE = Fraction(1, 10**9)
"""Cases nearer to a tolerance's edge than this share of the tolerance are left out."""
ROUNDED = Fraction(1, 2**50)
"""The same as a share of the number, because Kattis' validator computes with floats."""
TOLERANCES = (1e-9, 1e-6, 1e-3, 0.5)
WORDS = ("abc", "Impossible", "x1", "a.b", "--", "e5", "1a", "0x1f", "_", "1_000")


def number(token: str) -> Fraction | None:
    return Fraction(token) if NUMBER.match(token) else None


def near(expected: Fraction, actual: Fraction, absolute: Fraction, relative: Fraction) -> bool | None:
    """Whether a number is within the tolerances; None where a float could not tell."""
    off = abs(expected - actual)
    room = max(absolute, relative * abs(expected))
    if off and abs(off - room) <= room * EDGE + abs(expected) * ROUNDED:
        return None
    return off <= room


def oracle(checker: Checker, expected: str, actual: str) -> bool | None:
    """Whether an output is right; None where the oracle does not say."""
    if checker.kind == "exact":
        return expected == actual
    wanted, got = expected.split(), actual.split()
    if checker.kind == "tokens":
        wrong = len(wanted) != len(got) or any(
            INTEGER.match(one) and INTEGER.match(other) and one != other and {one, other} != {"0", "-0"}
            for one, other in zip(wanted, got, strict=True)
        )
        return False if wrong else None
    tolerance = Fraction(checker.abs)
    if checker.kind == "kattis_default":
        tolerance = Fraction(float(checker.flags[1]))
    if len(wanted) != len(got):
        return False
    verdict: bool | None = True
    for one, other in zip(wanted, got, strict=True):
        values = number(one), number(other)
        if values[0] is None or values[1] is None:
            equal: bool | None = one.lower() == other.lower() if checker.kind == "kattis_default" else one == other
        else:
            equal = near(values[0], values[1], tolerance, tolerance)
        if equal is False:
            return False
        verdict = verdict and equal
    return verdict


def spelled(value: Fraction, source: random.Random) -> str:
    """A number in one of its spellings."""
    digits = source.choice((0, 1, 3, 6, 12, 20))
    scaled = round(value * 10**digits)
    text = str(abs(scaled)).rjust(digits + 1, "0")
    text = f"{text[:-digits]}.{text[-digits:]}" if digits else text
    kind = source.randrange(8)
    text = text + "0" * 3 if kind == 0 and digits else "00" + text if kind == 1 else text
    text = f"{text}e{source.choice(('', '+', '-'))}{source.randrange(4)}" if kind == 2 else text
    return ("-" if scaled < 0 else "+" if kind == 3 else "") + text


def expected_tokens(source: random.Random) -> list[str]:
    tokens = []
    for _ in range(source.randrange(1, 6)):
        size = 10 ** source.choice((0, 1, 3, 9, 18, 25))
        value = Fraction(source.randrange(-size * 1000, size * 1000 + 1), source.choice((1, 1, 1000, 10**6)))
        tokens.append(source.choice(WORDS) if source.random() < 0.2 else spelled(value, source))
    return tokens


def moved(token: str, tolerance: float, source: random.Random) -> str:
    """A token near to the given one: a number moved by about the tolerance, or a changed word."""
    value = number(token)
    if value is None:
        return source.choice((token, token, token.upper(), source.choice(WORDS)))
    step = source.choice((0, 0, 1, 1, Fraction(1, 2), Fraction(99, 100), Fraction(101, 100), 2, 1000))
    room = Fraction(tolerance) * (max(abs(value), 1) if source.random() < 0.5 else 1)
    return spelled(value + step * room * source.choice((-1, 1)), source) if source.random() < 0.7 else token


def case(source: random.Random) -> tuple[Checker, str, str]:
    tolerance = source.choice(TOLERANCES)
    checker = source.choice(
        (
            Checker("float", abs=tolerance, rel=tolerance),
            Checker("kattis_default", flags=("float_tolerance", repr(tolerance))),
            Checker("exact"),
            Checker("tokens"),
        )
    )
    wanted = expected_tokens(source)
    got = [moved(token, tolerance, source) for token in wanted]
    change = source.randrange(10)
    if change == 0:
        got.pop()
    elif change == 1:
        got.append(source.choice(got))
    elif change == 2:
        source.shuffle(got)
    return checker, " ".join(wanted), source.choice((" ", "  ", "\n")).join(got)


def add_to(file: Path, counts: Counter[str]) -> None:
    """Add the counts of a slice to those of the slices before it."""
    before = json.loads(file.read_text())["counts"] if file.exists() else {}
    total = counts + Counter(before)
    record = {"counts": {name: total[name] for name in (*sorted(total), "disagreements")}, "machine": machine()}
    file.write_text(json.dumps(record, indent=2) + "\n")


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--cases", type=int, default=100_000)
    arguments.add_argument("--first", type=int, default=0, help="number of the first case")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--json", type=Path, help="add the counts to this file")
    chosen = arguments.parse_args()
    counts: Counter[str] = Counter()
    shown = 0
    source = random.Random()
    for index in range(chosen.first, chosen.first + chosen.cases):
        source.seed((chosen.seed << 64) + index)
        checker, expected, actual = case(source)
        counts["cases"] += 1
        right = oracle(checker, expected, actual)
        if right is None:
            counts["left out"] += 1
            continue
        found = compare_output(expected.encode(), actual.encode(), checker, Policy.CONTEST)
        counts[f"{checker.kind}: {'right' if right else 'wrong'}"] += 1
        if found.accepted is not right:
            counts["disagreements"] += 1
            shown += 1
            if shown <= 20:
                print(f"case {index}: {checker}: expected {expected!r}, got {actual!r}: oracle {right}, {found}")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    if chosen.json:
        add_to(chosen.json, counts)
    return 1 if counts["disagreements"] else 0


if __name__ == "__main__":
    sys.exit(main())
