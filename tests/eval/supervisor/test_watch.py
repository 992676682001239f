"""The watch of a process that waits for another one, as a program waits for its tests (kind `asserts`)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from microcoder_eval.supervisor import watch
from microcoder_eval.supervisor.watch import Limits, Watch

FORKS = "import os, time; os.fork(); time.sleep(600)"
LIMITS = Limits(600.0, 1 << 30, 1 << 20)
NEVER_FORKS = "import time; time.sleep(600)"


@contextlib.contextmanager
def zygote(code: str) -> Iterator[int]:
    """The process id of something that forks a sleeping child, or that does not."""
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True) as process:
        try:
            yield process.pid
        finally:
            os.killpg(process.pid, 9)


def is_asleep(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


class Works:
    """A partner process that has used this much CPU time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def worked_s(self) -> float:
        return self._seconds


def test_a_partner_that_has_not_been_forked_yet_is_at_work() -> None:
    with zygote(NEVER_FORKS) as pid:
        partner = Watch(pid, LIMITS)
        before = partner.elapsed_s()
        assert before <= partner.worked_s() <= partner.elapsed_s()


@pytest.mark.parametrize("seconds, stopped", [(0.0, "idle"), (1e6, "")])
def test_the_wall_time_stands_while_the_partner_works(
    seconds: float, stopped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "WALL_FACTOR", 0.0)
    monkeypatch.setattr(watch, "WALL_EXTRA_S", 0.0)
    with zygote(FORKS) as pid, contextlib.closing(Watch(pid, LIMITS)) as waiting:
        waiting.partner = Works(seconds)
        while not (child := watch.children_of(pid)) or not is_asleep(child[0]):
            time.sleep(0.01)
        assert waiting.look().stopped == stopped
