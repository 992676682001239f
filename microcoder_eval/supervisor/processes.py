"""The CPU time, memory and threads of an untrusted process, read from /proc by the supervisor."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import Literal, NamedTuple

from microcoder_eval.supervisor.busy_time import ThreadTimes

ENDED = (FileNotFoundError, ProcessLookupError)
"""The errors of reading the files of a thread that has just ended."""
Activity = Literal["runnable", "idle", "ended"]
"""Whether a process computes or waits for a CPU, neither, or has ended and waits for its parent to see that."""
ENDED_STATES = {b"Z", b"X", b""}
"""What the state of a thread is that has ended: kept for its parent to see, or gone."""
STATE, THREADS, RESIDENT = 0, 17, 21
"""Where the `stat` file of a process has them, after the name: see proc_pid_stat(5)."""
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def children_of(pid: int) -> list[int]:
    """The processes whose parent is `pid`, oldest first."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and _parent_of(int(name)) == pid]


class Reading(NamedTuple):
    """What a process has used up to one moment."""

    cpu_s: float
    memory_bytes: int
    threads: int


class Watched:
    """A running process, held by a pidfd where the system has one: its number may be reused for another process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self._fd: int | None = os.pidfd_open(pid)
        except (AttributeError, OSError):
            self._fd = None
        self._stat: int | None = None  # its file in /proc, open from the first `read` on: opening it takes longer
        self._seen: list[str] = []
        """Its threads at the last `read`, so that one look lists them only once."""
        self._state = b""
        """The state of its only thread at the last `read`; empty when it had several."""
        # the number of another process's CPU clock: see clock_getcpuclockid(3)
        self._clock = (~pid << 3) | 2

    def read(self) -> Reading | None:
        """Its present state, or None when it has ended."""
        try:
            if self._stat is None:
                self._stat = os.open(f"/proc/{self.pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
            fields = _fields(os.pread(self._stat, 4096, 0))
            cpu_s = time.clock_gettime(self._clock)
            if int(fields[THREADS]) == 1:  # a thread that has ended counts until the whole process has
                self._seen, self._state = [str(self.pid)], fields[STATE]
                return Reading(cpu_s, int(fields[RESIDENT]) * PAGE_BYTES, 1)
            self._seen, self._state = self._threads(), b""
            return Reading(cpu_s, self._memory_bytes(self._seen), len(self._seen))
        except (OSError, IndexError, ValueError):
            return None

    def activity(self) -> Activity:
        """What its threads do right now."""
        if self._state:
            states = {self._state}
        else:
            states = {_state(f"/proc/{self.pid}/task/{thread}/stat") for thread in self._seen}
        if b"R" in states:
            return "runnable"
        # threads that start one another and end can all be gone while the process goes on
        return "ended" if states <= ENDED_STATES and len(self._threads()) <= 1 else "idle"

    def thread_times(self) -> ThreadTimes:
        """How long each of its threads has computed, or waited for a CPU."""
        times = {}
        for thread in self._seen:
            with contextlib.suppress(OSError, ValueError, IndexError):
                used, waited, *_ = _content(f"/proc/{self.pid}/task/{thread}/schedstat").split()
                times[thread] = int(used) + int(waited)
        return times

    def reaped_s(self) -> float:
        """The CPU time of its children that have ended."""
        try:
            fields = _fields(_content(f"/proc/{self.pid}/stat"))
            return (int(fields[13]) + int(fields[14])) * TICK_S
        except (OSError, ValueError, IndexError):
            return 0.0

    def _memory_bytes(self, threads: list[str]) -> int:
        """The memory in use. A main thread that has ended shows none; then another thread's file is read."""
        for place in (f"/proc/{self.pid}", *(f"/proc/{self.pid}/task/{thread}" for thread in threads)):
            with contextlib.suppress(OSError):
                pages = int(_content(f"{place}/statm").split()[1])
                if pages:
                    return pages * PAGE_BYTES
        return 0

    def _threads(self) -> list[str]:
        with contextlib.suppress(*ENDED):
            return os.listdir(f"/proc/{self.pid}/task")
        return []

    def kill(self) -> None:
        self.send(signal.SIGKILL)

    def send(self, number: int) -> None:
        """Send it a signal."""
        try:
            if self._fd is not None:
                signal.pidfd_send_signal(self._fd, number)
            else:
                os.kill(self.pid, number)
        except ProcessLookupError:
            return

    def close(self) -> None:
        for descriptor in (self._fd, self._stat):
            if descriptor is not None:
                os.close(descriptor)
        self._fd = self._stat = None


class WatchedTree:
    """A running process with all its descendants: what they use together."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._known: dict[int, Watched] = {}
        self._cpu_s = 0.0

    def read(self) -> Reading | None:
        """Their present state, or None when the first process has ended."""
        now = {pid: self._known.get(pid) or Watched(pid) for pid in _with_descendants(self.pid)}
        readings = {pid: reading for pid, watched in now.items() if (reading := watched.read()) is not None}
        for pid, watched in {**self._known, **now}.items():
            if pid not in readings:
                watched.close()
        self._known = {pid: now[pid] for pid in readings}
        if self.pid not in readings:
            return None
        cpu_s = sum(reading.cpu_s + now[pid].reaped_s() for pid, reading in readings.items())
        self._cpu_s = max(self._cpu_s, cpu_s)  # an ended process is missing until its parent has waited for it
        return Reading(
            self._cpu_s,
            sum(reading.memory_bytes for reading in readings.values()),
            sum(reading.threads for reading in readings.values()),
        )

    def activity(self) -> Activity:
        """What they do right now; "ended" when the first of them has ended and no other computes."""
        activities = {pid: watched.activity() for pid, watched in self._known.items()}
        if "runnable" in activities.values():
            return "runnable"
        return activities.get(self.pid, "ended")

    def thread_times(self) -> ThreadTimes:
        """How long each thread of theirs has computed, or waited for a CPU."""
        return {thread: ns for watched in self._known.values() for thread, ns in watched.thread_times().items()}

    def kill(self) -> None:
        """Kill the processes of the last `read`; the launcher kills what they have started since."""
        for watched in self._known.values():
            watched.kill()

    def close(self) -> None:
        for watched in self._known.values():
            watched.close()
        self._known = {}


def end_descendants(pid: int) -> None:
    """Kill all descendants of a process."""
    for descendant in _with_descendants(pid)[1:]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(descendant, signal.SIGKILL)


def _with_descendants(pid: int) -> list[int]:
    found = [pid]
    for known in found:
        found.extend(children_of(known))
    return found


def _content(path: str) -> bytes:
    """The first bytes of a file. `open` would take three times as long, and there may be hundreds of threads."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


def _fields(stat: bytes) -> list[bytes]:
    """The fields of a `stat` file after the name, which may contain anything."""
    return stat.rpartition(b")")[2].split()


def _state(path: str) -> bytes:
    with contextlib.suppress(OSError, IndexError):
        return _fields(_content(path))[STATE]
    return b""  # it has just ended


def _parent_of(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return -1
