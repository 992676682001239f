"""Says how long a starting program has done nothing: a slow start on a busy machine differs from one that hangs.

standstill = Standstill(process.pid, log)
while not answers():
    if standstill.seconds() > 300:
        raise ...
"""

from __future__ import annotations

import os
import time
from pathlib import Path

WORKING = 0.01
"""The share of a core that a working program uses at least. One that waits wakes up now and then, and uses less."""


class Standstill:
    """A process with its descendants, and the log that they write to."""

    def __init__(self, pid: int, log: Path) -> None:
        self._pid, self._log = pid, log
        self._seen, self._since = (0.0, 0), time.monotonic()

    def seconds(self) -> float:
        """For how long, as far as this was asked, they have neither computed nor written."""
        now, cpu, size = time.monotonic(), cpu_seconds(self._pid), self._log.stat().st_size
        if size != self._seen[1] or abs(cpu - self._seen[0]) > WORKING * (now - self._since):
            self._seen, self._since = (cpu, size), now
        return now - self._since


def cpu_seconds(root: int) -> float:
    """CPU time of a process and its living descendants, with the children that they have waited for."""
    parents, ticks = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parents[int(entry.name)], ticks[int(entry.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    counted, found = {root}, {root}
    while found := {pid for pid, parent in parents.items() if parent in found}:
        counted |= found
    return sum(ticks.get(pid, 0) for pid in counted) / os.sysconf("SC_CLK_TCK")
