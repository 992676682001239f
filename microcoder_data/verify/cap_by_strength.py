"""Choose the tests to keep when a row has too many, and count the wrong programs that pass those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from microcoder_data.filter.cap_tests import diverse, longest
from microcoder_eval import InputError

CHOICES = ("longest", "diverse", "strong")


@dataclass(frozen=True)
class Cap:
    """Keep at most `limit` tests, after execution has shown which programs each of them rejects."""

    limit: int = 15
    choose: Literal["longest", "diverse", "strong"] = "strong"
    """`strong`: those that together reject the most wrong programs and mutants. The others as in `filter.tests`."""

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise InputError("limit must be at least 1")


def choose(tests: Sequence[dict[str, Any]], limit: int, how: str, rejecting: Sequence[set[int]]) -> list[int]:
    """The positions of the tests that stay, in order; `rejecting`: for each wrong program the tests that reject it."""
    listed = list(tests)
    if len(listed) <= limit:
        return list(range(len(listed)))
    if how == "longest":
        return sorted(longest(listed, limit))
    if how == "diverse":
        return sorted(diverse(listed, limit))
    chosen = _strongest(rejecting, limit)
    others = [index for index in range(len(listed)) if index not in chosen]
    filled = diverse([listed[index] for index in others], limit - len(chosen)) if len(chosen) < limit else []
    return sorted(chosen + [others[index] for index in filled])


def passing(rejecting: Sequence[set[int]], kept: Sequence[int]) -> int:
    """How many of the programs that some test rejects pass all kept tests.

    >>> passing([{0, 3}, {5}, set()], [0, 1, 2])
    1
    """
    left = set(kept)
    return sum(bool(tests) and not tests & left for tests in rejecting)


def _strongest(rejecting: Sequence[set[int]], limit: int) -> list[int]:
    """Greedy choice: always the test that rejects most programs that no chosen test rejects; on a tie the first.

    >>> _strongest([{1, 2}, {2, 3}, {4}], 2)
    [2, 4]
    """
    chosen: list[int] = []
    left = [tests for tests in rejecting if tests]
    while left and len(chosen) < limit:
        counts: dict[int, int] = {}
        for tests in left:
            for test in tests:
                counts[test] = counts.get(test, 0) + 1
        best = min(counts, key=lambda test: (-counts[test], test))
        chosen.append(best)
        left = [tests for tests in left if best not in tests]
    return chosen
