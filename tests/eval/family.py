"""The descendants of this process, also those whose parents have died, to see that a grader leaves none behind."""

from __future__ import annotations

import os
import threading
import time
from types import TracebackType


def descendants(root: int, known: dict[int, tuple[int, str]] | None = None) -> set[tuple[int, str]]:
    """All processes below `root`, each by its number and start time; zombies count.

    `known` keeps the parents from one call to the next, so that only new processes are read.
    """
    parents: dict[int, tuple[int, str]] = {} if known is None else known
    there = {int(name) for name in os.listdir("/proc") if name.isdigit()}
    for gone in parents.keys() - there:
        del parents[gone]
    for pid in there - parents.keys():
        found = _read(pid)
        if found is not None:
            parents[pid] = found
    below: set[int] = set()
    grown = True
    while grown:
        new = {pid for pid, (parent, _) in parents.items() if parent in below | {root}} - below
        below |= new
        grown = bool(new)
    return {(pid, parents[pid][1]) for pid in below}


def alive(process: tuple[int, str]) -> bool:
    found = _read(process[0])
    return found is not None and found[1] == process[1]


def wait_until_gone(processes: set[tuple[int, str]], seconds: float = 120.0) -> set[tuple[int, str]]:
    """Wait at most so long for the processes to end; returns those that still run."""
    deadline = time.monotonic() + seconds
    while any(map(alive, processes)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return {process for process in processes if alive(process)}


class Family:
    """Notes every process that appears below this one while the context is open."""

    def __init__(self) -> None:
        self.seen: set[tuple[int, str]] = set()
        self._before = descendants(os.getpid())
        self._open = True
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Family:
        self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._open = False
        self._thread.join()

    def _look(self) -> None:
        known: dict[int, tuple[int, str]] = {}
        while self._open:
            self.seen |= descendants(os.getpid(), known) - self._before
            time.sleep(0.05)


def parent_of(pid: int) -> int:
    """The parent of a process; 0 for one that has ended."""
    found = _read(pid)
    return found[0] if found is not None else 0


def _read(pid: int) -> tuple[int, str] | None:
    """The parent and the start time of a process; None for one that has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1]), fields[19]
