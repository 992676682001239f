"""Run a command and measure the wall time and the CPU time of its whole process tree; describe the machine.

CPU is user + system time of the command and all its descendants. This process becomes the subreaper of orphans, waits
for them too, and reads the kernel's counters. The kernel does not count a process whose parent ignores SIGCHLD; none of
the contenders does that.
"""

from __future__ import annotations

import contextlib
import ctypes
import datetime
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_PR_SET_CHILD_SUBREAPER = 36


def own_cpu() -> float:
    """CPU seconds of this process and of the children it waited for."""
    usages = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measured(command: list[str], timeout_s: float = 580.0) -> dict[str, Any]:
    """Run a contender. Returns its report with `cpu_s`: the CPU seconds of the process tree, without its preparations.

    The command gets the path of a file as its last argument and writes its report there as JSON: `wall_s` (wall time of
    the work alone), `cpu_before_s` (CPU time of imports and preparations) and any further fields.
    """
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        others, before = _children(), _children_cpu()
        done = subprocess.run(
            [*command, str(report)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=timeout_s
        )
        _wait_for_orphans(others)
        if done.returncode != 0 or not report.exists():
            sys.exit(f"{' '.join(command)} failed ({done.returncode}):\n{done.stderr.decode(errors='replace')[-2000:]}")
        found = json.loads(report.read_text())
    return {**found, "cpu_s": _children_cpu() - before - found.pop("cpu_before_s")}


def _children() -> set[int]:
    return {int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


def _wait_for_orphans(others: set[int]) -> None:
    """Wait for all children but `others`, such as processes that only keep the machine busy."""
    deadline = time.monotonic() + 10
    while left := _children() - others:
        if time.monotonic() > deadline:
            sys.exit("a contender left processes running: their CPU time cannot be counted")
        for pid in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(0.01)


def machine() -> dict[str, Any]:
    """The machine and the moment of a measurement."""
    cpuinfo = Path("/proc/cpuinfo")
    models = [line.partition(":")[2].strip() for line in _lines(cpuinfo) if line.startswith("model name")]
    return {
        "cpu": models[0] if models else platform.processor() or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "load_average": [round(load, 2) for load in os.getloadavg()],
        "kernel": platform.release(),
        "python": platform.python_version(),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []
