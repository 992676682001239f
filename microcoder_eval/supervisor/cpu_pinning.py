"""Pinning a supervisor and its warm interpreters to one CPU while that CPU is otherwise idle.

Supervisor and interpreter take turns, and waking a process on another CPU costs time, so pinning makes small tests
faster. A supervisor gives its CPU up as soon as other processes use it, two supervisors never share one, and a run that
takes longer than 20 ms may use any CPU. So the kernel can balance a busy machine as usual.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Sequence

PERIOD_S = 0.5
MOST_OTHERS = 0.4
"""The share of the CPU that other processes may use. A single CPU-bound process would take half of it."""
CLAIM = "\0microcoder-cpu-{}"
"""An abstract socket name used as a lock: only one socket can have it, and it is free again when its owner ends."""
ALLOWED = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def unpin(pid: int) -> None:
    """Let a process run on any CPU."""
    with contextlib.suppress(OSError):  # it has ended
        os.sched_setaffinity(pid, ALLOWED)


class CpuPin:
    """The CPU of one supervisor, if it has one to itself.

    >>> pin = CpuPin()
    >>> pin.review([])
    """

    def __init__(self) -> None:
        self._cpu: int | None = None
        self._claim: socket.socket | None = None
        self._take([])
        self._note([])

    def review(self, zygotes: Sequence[int]) -> None:
        """At most twice a second: give the CPU up if others use it, or take a free one if there is none."""
        then, others, ours = self._noted
        elapsed = time.monotonic() - then
        if elapsed < PERIOD_S:
            return
        if self._cpu is None:
            self._take(zygotes)
        elif _busy_s(self._cpu) - others - (_used_s(zygotes) - ours) > MOST_OTHERS * elapsed:
            self._give_up(zygotes)
        self._note(zygotes)

    def _take(self, zygotes: Sequence[int]) -> None:
        if len(ALLOWED) == 1:
            return
        for cpu in sorted(ALLOWED, key=lambda _: os.urandom(8)):
            claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                claim.bind(CLAIM.format(cpu))
            except OSError:
                claim.close()
                continue
            self._cpu, self._claim = cpu, claim
            for pid in (0, *zygotes):
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(pid, {cpu})
            break

    def _give_up(self, zygotes: Sequence[int]) -> None:
        assert self._claim is not None
        self._claim.close()
        self._cpu = self._claim = None
        for pid in (0, *zygotes):
            unpin(pid)

    def _note(self, zygotes: Sequence[int]) -> None:
        self._noted = (time.monotonic(), 0.0 if self._cpu is None else _busy_s(self._cpu), _used_s(zygotes))


def _busy_s(cpu: int) -> float:
    """How long a CPU has worked since the machine started."""
    with contextlib.suppress(OSError), open("/proc/stat") as file:
        for line in file:
            if line.startswith(f"cpu{cpu} "):
                user, nice, system, _, _, irq, soft_irq, *_ = map(int, line.split()[1:])
                return (user + nice + system + irq + soft_irq) * TICK_S
    return 0.0


def _used_s(zygotes: Sequence[int]) -> float:
    """The CPU time of this process and of zygotes with their children."""
    total = time.process_time()
    for pid in zygotes:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
            total += sum(map(int, file.read().rpartition(")")[2].split()[11:15])) * TICK_S
    return total
