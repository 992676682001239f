"""In which order a problem's tests run: those that failed most programs first, so that wrong programs end soon.

Among tests that failed equally many programs, long ones come last: a wrong program mostly fails a short test too, and
that is the cheaper way to see it.

The order must not depend on how many workers there are or which one was faster. So it is learnt in rounds: the
first 16 programs run short tests first, programs 16-31 by what programs 0-7 failed, 32-63 by what 0-15 failed, and so
on. A program waits until all programs that decide its order have ended (`awaited`).

What earlier runs have seen may be given at the start (`Experience`). Then the tests that reject most programs for
their CPU time come first, from the first program on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

ORDERS = ("given", "learnt", "kept")
"""The problem's order; learnt from this grader's programs; learnt also from earlier runs (see `verdict_cache`)."""
FIRST_ROUND = 8
SHORT_MS = 1.0
"""A test that is expected to take more CPU time is long."""
PUT_OFF_MS = 100.0
"""Tests that should take less CPU time together are not put off: for them the program is loaded into a new process."""
BYTES_A_MS = 10_000
"""How many bytes of input and output a typical Python program handles in a millisecond."""


def expected_ms(size: int) -> float:
    """The CPU time to expect of a test with so many bytes, before it has run. All short tests cost the same.

    >>> expected_ms(200), expected_ms(1_000_000)
    (1.0, 128.0)
    """
    return _power_of_two(size / BYTES_A_MS)


def _power_of_two(ms: float) -> float:
    """Rounded, because small differences are noise."""
    return 1.0 if ms <= 1.0 else 2.0 ** round(math.log2(ms))


class Experience(NamedTuple):
    """What earlier runs have seen of one test."""

    failures: int = 0
    """How many programs failed it first."""
    runs: int = 0
    cpu_ms: float = 0.0
    """CPU time of all its runs."""

    def plus(self, other: Experience) -> Experience:
        return Experience(self.failures + other.failures, self.runs + other.runs, self.cpu_ms + other.cpu_ms)

    def cost(self) -> float:
        """The mean CPU time of a run in ms."""
        return _power_of_two(self.cpu_ms / max(1, self.runs))


class TestOrder:
    """The order of one problem's tests, learnt from the programs graded so far."""

    __test__ = False  # pytest: this is not a test class

    def __init__(
        self, expected_ms: Sequence[float], learns: bool = True, before: Mapping[int, Experience] | None = None
    ) -> None:
        """
        expected_ms: what each test is expected to cost.
        learns: False keeps the problem's order.
        before: what earlier runs have seen, by test.
        """
        self._expected_ms = expected_ms
        self._learns = learns
        self._before = dict(before or {})
        self._cost = dict(enumerate(expected_ms)) | {test: seen.cost() for test, seen in self._before.items()}
        self.has_long = sum(cost for cost in self._cost.values() if cost > SHORT_MS) >= PUT_OFF_MS
        """Whether there are so many long tests that they may be put off."""
        self._started = 0
        self._ended: list[int] = []  # by round: how many programs have ended
        self._failures: list[dict[int, int]] = []  # by round: test -> how many programs failed it first

    def next_number(self) -> int:
        """The number of a new program."""
        self._started += 1
        return self._started - 1

    def awaited(self, number: int) -> int | None:
        """The last round that decides this program's order and has not ended; None when the program may begin."""
        rounds = range(self._rounds_for(number)) if self._learns else range(0)
        return next((r for r in reversed(rounds) if self._ended_in(r) < self._size(r)), None)

    def order(self, number: int) -> list[int]:
        """The tests for this program: first those that reject most programs for their cost, then short ones."""
        tests = range(len(self._expected_ms))
        if not self._learns:
            return list(tests)
        failed = {test: seen.failures for test, seen in self._before.items()}
        for learnt in self._failures[: self._rounds_for(number)]:
            for test, count in learnt.items():
                failed[test] = failed.get(test, 0) + count
        return sorted(tests, key=lambda test: (-failed.get(test, 0) / self._cost[test], self._expected_ms[test], test))

    def before_long(self, tests: Sequence[int]) -> int:
        """How many of these tests come before the first long one; all, when too little time lies behind it."""
        costs = [self._cost[test] for test in tests]
        first = next((at for at, cost in enumerate(costs) if cost > SHORT_MS), len(costs))
        return first if sum(costs[first:]) >= PUT_OFF_MS else len(costs)

    def ended(self, number: int, failed_test: int | None) -> int | None:
        """Note how a program ended: the first test that it failed, or None. Returns the round that ended with it."""
        r = _round_of(number)
        while len(self._ended) <= r:
            self._ended.append(0)
            self._failures.append({})
        self._ended[r] += 1
        if failed_test is not None:
            self._failures[r][failed_test] = self._failures[r].get(failed_test, 0) + 1
        return r if self._ended[r] == self._size(r) else None

    @staticmethod
    def _rounds_for(number: int) -> int:
        """How many rounds of results decide this program's order."""
        return max(0, _round_of(number) - 1)

    @staticmethod
    def _size(r: int) -> int:
        return FIRST_ROUND if r == 0 else FIRST_ROUND << (r - 1)

    def _ended_in(self, r: int) -> int:
        return self._ended[r] if r < len(self._ended) else 0


def _round_of(number: int) -> int:
    """Round 0 holds programs 0-7, round 1 8-15, round 2 16-31, round 3 32-63, ..."""
    return (number // FIRST_ROUND).bit_length()
