"""Busy and idle time from made readings: one thread and many, busy and idle machines, threads that come and go."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from microcoder_eval.supervisor.busy_time import BusyTime, bounds_s

pytestmark = pytest.mark.fast
Thread = Callable[[float], tuple[bool, int]]
"""At a moment in seconds: whether the thread is runnable, and the nanoseconds that it has computed and waited."""


def sleeper(_: float) -> tuple[bool, int]:
    return False, 1000


def always_runnable(at_s: float) -> tuple[bool, int]:
    return True, int(at_s * 1e9)


def periodic(period_s: float, busy_share: float, offset_s: float = 0.0) -> Thread:
    """Computes or waits in the first part of every period, and sleeps in the rest."""

    def thread(at_s: float) -> tuple[bool, int]:
        periods, inside = divmod(at_s + offset_s, period_s)
        used = periods * busy_share * period_s + min(inside, busy_share * period_s)
        return inside < busy_share * period_s, int(used * 1e9)

    return thread


def watched_s(threads: dict[str, Thread], seconds: float = 20.0, seed: int = 1) -> float:
    """The busy time that samples at random moments show."""
    chance = random.Random(seed)
    now, busy = 0.0, BusyTime(0.0, {name: thread(0.0)[1] for name, thread in threads.items()})
    while now < seconds:
        now += chance.uniform(0.01, 0.02)
        states = {name: thread(now) for name, thread in threads.items()}
        if any(runnable for runnable, _ in states.values()):
            busy.note_runnable(now)
        else:
            busy.note_idle(now, {name: ns for name, (_, ns) in states.items()})
    return busy.total_s / now


@pytest.mark.parametrize("count", [1, 10, 400])
def test_threads_that_sleep_are_idle(count: int) -> None:
    assert watched_s({str(number): sleeper for number in range(count)}) < 0.001


@pytest.mark.parametrize("count", [1, 10, 400])
def test_threads_that_wait_for_a_cpu_are_busy(count: int) -> None:
    assert watched_s({str(number): always_runnable for number in range(count)}) == pytest.approx(1.0)


@pytest.mark.parametrize("count", [1, 2, 100])
@pytest.mark.parametrize("period_s", [0.003, 0.02, 0.05, 0.2, 1.0])
@pytest.mark.parametrize("share", [0.02, 0.2, 0.7])
def test_threads_that_wake_together_count_once(count: int, period_s: float, share: float) -> None:
    found = watched_s({str(number): periodic(period_s, share) for number in range(count)})
    assert found == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("count", [2, 10, 50])
def test_threads_that_run_in_turn_are_busy_all_the_time(count: int) -> None:
    """As on a busy machine, where one waits for a CPU while the others wait for it."""
    turn = 0.013
    threads = {str(number): periodic(count * turn, 1 / count, number * turn) for number in range(count)}
    assert watched_s(threads) > 0.99


def test_one_that_waits_for_a_cpu_among_sleepers_is_busy() -> None:
    assert watched_s({"main": always_runnable, **{str(n): sleeper for n in range(399)}}) == pytest.approx(1.0)


def test_a_wait_that_is_longer_than_many_looks_counts_whole() -> None:
    """The kernel adds a wait when it is over: until then the interval stays open."""
    busy = BusyTime(0.0, {"1": 0})
    for look in range(1, 100):
        busy.note_runnable(look * 0.02)
        assert busy.idle_s(look * 0.02) == pytest.approx(0.0)
    busy.note_idle(2.0, {"1": 1_990_000_000})
    assert busy.total_s == pytest.approx(1.98, abs=0.011)


def test_one_thread_is_counted_exactly() -> None:
    assert bounds_s(1.0, {"1": 5}, {"1": 300_000_005}) == (pytest.approx(0.3), pytest.approx(0.3))


def test_threads_that_come_and_go_are_counted_by_looks() -> None:
    assert bounds_s(1.0, {"1": 0, "2": 0}, {"1": 0, "3": 0}) == (0.0, 1.0)
    assert bounds_s(1.0, {"1": 0}, {"1": 0, "2": 250_000_000}) == (pytest.approx(0.25), 1.0)


@pytest.mark.parametrize("share", [0.02, 0.2, 0.7])
def test_a_new_thread_in_every_look_hides_nothing(share: float) -> None:
    chance = random.Random(3)
    now, busy, awake = 0.0, BusyTime(0.0, {"0": 0}), periodic(0.05, share)
    while now < 60.0:
        now += chance.uniform(0.01, 0.02)
        busy.note_runnable(now) if awake(now)[0] else busy.note_idle(now, {str(now): 100_000})
    assert busy.total_s / now == pytest.approx(share, abs=0.05)


def test_a_kernel_that_counts_no_waits_leaves_it_to_the_looks() -> None:
    assert bounds_s(1.0, {}, {}) == (0.0, 1.0)
    assert bounds_s(1.0, {"1": 0}, {"1": 0}) == (0.0, 1.0)


def test_bounds_are_in_order_and_within_the_interval() -> None:
    chance = random.Random(7)
    for _ in range(2000):
        elapsed = chance.uniform(0.001, 2.0)
        names = [str(number) for number in range(chance.randrange(1, 30))]
        before = {name: chance.randrange(10**9) for name in names}
        used = {name: chance.uniform(0, elapsed) for name in names}
        after = {name: before[name] + int(used[name] * 1e9) for name in names if chance.random() < 0.9}
        least, most = bounds_s(elapsed, before, after)
        assert max((used[name] for name in after), default=0.0) - 1e-6 <= least <= most <= elapsed
