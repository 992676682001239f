"""Choose which proven tests a row gets: those that together reject the most wrong programs, then others.

    kept = choose(tests, rejecting, most=30)

Every wrong program should be rejected by more than one test, because a later cap may drop some tests.
"""

from __future__ import annotations

from collections.abc import Sequence

from microcoder_data.make_tests.proof import MadeTest

TWICE = 2
"""Tests are chosen until this many of them reject each wrong program."""
BASE = 15
"""At least this many tests are kept if there are as many, whatever they reject: other wrong programs come later."""
LARGE = 3
"""This many of the longest tests are kept, as far as there is room."""


def choose(tests: Sequence[MadeTest], rejecting: Sequence[set[int]], most: int) -> list[int]:
    """The positions of the tests to keep, in order. `rejecting`: for each wrong program the tests that reject it.

    Ties go to the shorter input.
    """
    chosen: list[int] = []
    left = [(set(found), min(TWICE, len(found))) for found in rejecting if found]
    sizes = [len(test.made.text) for test in tests]
    while left and len(chosen) < most:
        counts: dict[int, int] = {}
        for found, _ in left:
            for test in found:
                counts[test] = counts.get(test, 0) + 1
        best = min(counts, key=lambda test: (-counts[test], sizes[test], test))
        chosen.append(best)
        left = [(found - {best}, need - (best in found)) for found, need in left]
        left = [(found, need) for found, need in left if need > 0 and found]
    longest = sorted(range(len(tests)), key=lambda at: (-sizes[at], at))[:LARGE]
    chosen += [at for at in longest if at not in chosen][: max(0, most - len(chosen))]
    outputs = {tests[at].output for at in chosen}
    for fresh in (True, False):
        for at, made in enumerate(tests):
            if len(chosen) >= min(most, BASE) or at in chosen or (fresh and made.output in outputs):
                continue
            outputs.add(made.output)
            chosen.append(at)
    return sorted(chosen)
