"""Watches one running test from the supervisor: when to look at it, and when to end it.

Time is CPU time, so a loaded machine does not turn right answers into timeouts. A program that neither computes nor
waits for a CPU is idle (`busy_time.py` has the rule). It is ended when its CPU time and its idle time together exceed
its limit by an allowance.
"""

from __future__ import annotations

import os
import time
from typing import NamedTuple, Protocol

from microcoder_eval.boundary.box_protocol import ASK, BOX_BYTES, FORGET
from microcoder_eval.boundary.wipe import disk_use
from microcoder_eval.supervisor.busy_time import BusyTime
from microcoder_eval.supervisor.cpu_pinning import unpin
from microcoder_eval.supervisor.processes import Activity, Reading, Watched, WatchedTree, children_of
from microcoder_eval.supervisor.run import BoxLost

MEBIBYTE = 1 << 20
FIRST_LOOK_S = 0.02
"""A test that ends earlier is never looked at while it runs; most later looks come at least this often."""
LONGEST_PAUSE_S = 0.1
"""The longest time between two looks at a process whose only thread computes and whose memory the kernel bounds."""
PAUSE_SHARE = 0.1
"""Such a pause is this share of the run's time until then, between `FIRST_LOOK_S` and `LONGEST_PAUSE_S`."""
IDLE_ALLOWANCE_S = 0.7
MOST_THREADS = 512
UNSEEN_S = 0.25
"""How much of the time between two looks can count as idle. A longer time means that this process got no CPU itself:
what the program did meanwhile is not known, and it may have waited for this process."""
LOST_S = 60.0
"""How long a run may go on without a process of its own: its zygote has not forked, or does not say that it ended."""
WALL_FACTOR, WALL_EXTRA_S = 20.0, 10.0
"""The longest wall time of a test, on a machine so loaded that nothing runs: factor times its limit, plus seconds."""


ASK_FROM_S, ASK_AGAIN = 0.15, 3.0
"""A Python program is asked whether it can end when it has used so much CPU time, and again when it has used so many
times as much."""
ANSWER_S = 0.03
"""How much more CPU time it may use for each answer."""
FORGETS = 3
"""How many looks after a question tell the program to give up what it kept for the answer."""


class Limits(NamedTuple):
    """What one run may use."""

    cpu_s: float
    memory_bytes: int
    output_bytes: int


class Look(NamedTuple):
    """What one look at a running test found."""

    stopped: str
    """Why the test was ended: "time", "idle", "memory", "threads", "disk"; "" while it may go on."""
    pause_s: float
    """When to look again."""


class Partner(Protocol):
    """What a watch asks of the process that its own exchanges messages with: while that one works, its own is not idle,
    and its wall time does not count."""

    def worked_s(self) -> float: ...


class Watch:
    """The clock of one test.

    `fresh`: the process runs only this test, so that all its CPU time counts. `writable`: its directory, where no
    file system of fixed size bounds it. `bounded`: whether its address space is. `ask_from_s`: after how much CPU time
    it is asked whether it can end; None if never.
    """

    def __init__(
        self,
        zygote: int,
        limits: Limits,
        fresh: bool = True,
        writable: str | None = None,
        watched: type[Watched] | type[WatchedTree] = Watched,
        bounded: bool = False,
        ask_from_s: float | None = None,
    ) -> None:
        self.started = self._seen_at = time.monotonic()
        self._zygote = zygote
        self._limits = limits
        self._fresh = fresh
        self._writable = writable
        self._bounded = bounded and writable is None
        self.partner: Partner | None = None
        """The process that this one exchanges messages with: while that one works, this one is not idle."""
        self.allowed_s = 0.0
        """How much more CPU time than its limit it may use, for its answers whether it can end."""
        self._ask_from_s = ask_from_s
        self._forgets = 0
        self._watched = watched
        self._child: Watched | WatchedTree | None = None
        self._busy: BusyTime  # made when the child is found: most tests end before the first look
        self._first_at = self._looked_at = self._counted_s = 0.0
        self._used_before = 0.0

    def look(self) -> Look:
        """End the test if it must end."""
        if self._child is None and not self._find():
            return self._wait_for_zygote()
        assert self._child is not None
        now = self._child.read()
        if now is None:
            return self._wait_for_zygote()
        activity, idle_s = self._account(self._child)
        reason = self._reason(now, activity, idle_s)
        if reason:
            self._child.kill()
            return Look(reason, 0.0)
        if activity == "ended":
            return self._wait_for_zygote()
        self._seen_at = time.monotonic()
        used_s = now.cpu_s - self._used_before
        if activity == "runnable" and now.threads == 1:
            self._ask(self._child, used_s)
        left_s = self._limits.cpu_s - used_s
        longest_s = FIRST_LOOK_S
        if activity == "runnable" and now.threads == 1 and self._bounded and not self._forgets:
            longest_s = max(longest_s, min(PAUSE_SHARE * self.elapsed_s(), LONGEST_PAUSE_S))
        at_random_s = longest_s * (1 + os.urandom(1)[0] / 256) / 2  # a program cannot know when it is looked at
        return Look("", min(at_random_s, max(left_s, 0.001)))

    def _ask(self, child: Watched | WatchedTree, used_s: float) -> None:
        """Ask whether it can end, if it is time to (`sandbox/endless/` answers)."""
        if self._ask_from_s is None or isinstance(child, WatchedTree):
            return
        if self._ask_from_s <= used_s < self._limits.cpu_s:
            child.send(ASK)
            self.allowed_s += ANSWER_S
            self._forgets = FORGETS
            self._ask_from_s = used_s * ASK_AGAIN
        elif self._forgets:
            child.send(FORGET)
            self._forgets -= 1

    def _wait_for_zygote(self) -> Look:
        if time.monotonic() - self._seen_at > LOST_S:
            raise BoxLost(f"no answer for {LOST_S:g} s", from_outside=True)
        return Look("", FIRST_LOOK_S)

    def elapsed_s(self) -> float:
        return time.monotonic() - self.started

    def worked_s(self) -> float:
        """How long it took to start, computed, waited for a CPU, or waited for its zygote to see its end."""
        if self._child is None and not self._find():
            return self.elapsed_s()  # its zygote has not forked: who waits for it can do nothing about that
        assert self._child is not None
        if self._child.read() is not None:
            self._account(self._child)
        return self._first_at - self.started + self._busy.total_s

    def kill(self) -> None:
        """End the test whatever it does."""
        if self._child is not None or self._find():
            assert self._child is not None
            self._child.kill()

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def _find(self) -> bool:
        """Find the child and read its state; False while the zygote has not started it, or when it has just ended."""
        found = children_of(self._zygote)
        if not found:
            return False
        child = self._watched(found[0])
        first, self._first_at = child.read(), time.monotonic()
        self._looked_at = self._first_at
        if first is None:
            child.close()
            return False
        self._busy = BusyTime(self._counted_s, child.thread_times())
        self._child = child
        unpin(child.pid)  # it runs longer than most
        if not self._fresh:
            self._used_before = max(0.0, first.cpu_s - self.elapsed_s())
        return True

    def _account(self, child: Watched | WatchedTree) -> tuple[Activity, float]:
        """Note what it does; returns that, and how long it has been idle in all."""
        at_s = time.monotonic()
        self._counted_s += min(at_s - self._looked_at, UNSEEN_S)
        self._looked_at = at_s
        activity = child.activity()
        if activity == "idle":
            self._busy.note_idle(self._counted_s, child.thread_times())
        else:
            self._busy.note_runnable(self._counted_s)
        return activity, self._busy.idle_s(self._counted_s)

    def _reason(self, now: Reading, activity: Activity, idle_s: float) -> str:
        limit = self._limits.cpu_s + self.allowed_s
        cpu = now.cpu_s - self._used_before
        waited_s = 0.0 if self.partner is None else self.partner.worked_s()
        idle_s -= waited_s
        if cpu > limit:
            return "time"
        if now.memory_bytes > self._limits.memory_bytes:
            return "memory"
        wall_s = time.monotonic() - self._first_at - waited_s
        if activity != "ended" and wall_s > WALL_FACTOR * limit + WALL_EXTRA_S:
            return "idle" if activity == "idle" else "time"
        if activity == "idle" and cpu + idle_s > limit + IDLE_ALLOWANCE_S:  # a wait counts only when it is over
            return "idle"
        if now.threads > MOST_THREADS:
            return "threads"
        if self._writable is not None and disk_use(self._writable, BOX_BYTES) >= BOX_BYTES:
            return "disk"
        return ""
