"""Starts a grading service for the benchmarks, and measures CPU time and memory of processes and their descendants."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


class Service:
    """A service process on a free port. It can be killed and started again on the same port."""

    def __init__(self, folder: Path, *options: object) -> None:
        self._folder, self._options = folder, options
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        log = self._folder / "service.log"
        command = [sys.executable, "-m", "cli", "eval", "serve", "--port", str(self.port), *map(str, self._options)]
        with log.open("w") as errors:
            self.process = subprocess.Popen(command, stderr=errors, cwd=Path(__file__).parent.parent)
        deadline = time.monotonic() + 60
        while not (found := re.search(r"serving on http://\S+:(\d+)", log.read_text())):
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"the service did not start: {log.read_text()}")
            time.sleep(0.02)
        self.port = int(found[1])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def service(*options: object) -> Iterator[Service]:
    """A service for the length of a `with` block."""
    with tempfile.TemporaryDirectory() as folder:
        running = Service(Path(folder), *options)
        try:
            yield running
        finally:
            running.process.terminate()
            running.process.wait(60)


def tree(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                for child in (task / "children").read_text().split():
                    found += tree(int(child))
    return found


def cpu_s(pids: list[int]) -> float:
    """CPU seconds of processes and of the children that they waited for."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / TICK


def memory_mb(pid: int) -> float:
    """Resident memory of one process."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0


def descriptors(pid: int) -> int:
    with suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/fd"))
    return 0
