"""How many CPUs this process may use: those that it may run on, or fewer where its container has a limit."""

from __future__ import annotations

import math
import os
from pathlib import Path

CONTROL_GROUPS = Path("/sys/fs/cgroup")
OWN_GROUP = Path("/proc/self/cgroup")


def usable_cpus() -> int:
    """At least 1.

    >>> usable_cpus() <= len(os.sched_getaffinity(0))
    True
    """
    quotas = [quota for folder in _groups() if (quota := _quota(folder)) is not None]
    return max(1, min([len(os.sched_getaffinity(0)), *map(math.ceil, quotas)]))


def _groups() -> list[Path]:
    """This process's group and those around it. A container sees its own group as the root."""
    try:
        own = next((line[3:] for line in OWN_GROUP.read_text().splitlines() if line.startswith("0::")), "/")
    except OSError:
        own = "/"
    group = CONTROL_GROUPS / own.lstrip("/")
    around = [parent for parent in group.parents if parent.is_relative_to(CONTROL_GROUPS)]
    return [group, *around, CONTROL_GROUPS / "cpu"]  # the last: version 1


def _quota(group: Path) -> float | None:
    """The CPUs' worth of time that a group gets; None without a limit."""
    try:
        if (group / "cpu.max").exists():
            quota, period = (group / "cpu.max").read_text().split()
        else:
            quota, period = ((group / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        return None if quota == "max" or int(quota) <= 0 else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None
