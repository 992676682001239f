"""The watch of a process that waits for another one, as a program waits for its tests (kind `asserts`)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.supervisor import watch
from microcoder_eval.supervisor.watch import Limits, Watch

FORKS = "import os, time; os.fork(); time.sleep(600)"
FORKS_AND_COMPUTES = "import os, time\nif os.fork(): time.sleep(600)\nwhile True: pass"
FORKS_AND_COMPUTES_TWICE = FORKS_AND_COMPUTES.replace(
    "while", "import threading\nthreading.Thread(target=exec, args=('while True: pass',)).start()\nwhile"
)
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


def stat_of(pid: int) -> list[str]:
    """The fields of its `stat` file from the state on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def is_asleep(pid: int) -> bool:
    return stat_of(pid)[0] == "S"


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


@pytest.mark.parametrize(
    "code, how, rarely",
    [
        (FORKS_AND_COMPUTES, {"bounded": True}, True),
        (FORKS_AND_COMPUTES, {"bounded": False}, False),
        (FORKS_AND_COMPUTES, {"bounded": True, "writable": "/tmp"}, False),
        (FORKS_AND_COMPUTES_TWICE, {"bounded": True}, False),
        (FORKS, {"bounded": True}, False),
    ],
    ids=["computes", "without a limit of memory", "without a limit of files", "two threads", "waits"],
)
def test_only_what_the_kernel_bounds_is_looked_at_rarely(code: str, how: dict[str, Any], rarely: bool) -> None:
    threads = 2 if code == FORKS_AND_COMPUTES_TWICE else 1
    state = "S" if code == FORKS else "R"
    with zygote(code) as pid, contextlib.closing(Watch(pid, LIMITS, **how)) as watched:
        while (
            not (child := watch.children_of(pid))
            or stat_of(child[0])[0] != state
            or int(stat_of(child[0])[17]) != threads
        ):
            time.sleep(0.01)
        watched.started -= 600
        pause_s = watched.look().pause_s
        assert pause_s > watch.FIRST_LOOK_S if rarely else pause_s <= watch.FIRST_LOOK_S


@pytest.mark.parametrize("code, asked", [(FORKS_AND_COMPUTES, True), (FORKS_AND_COMPUTES_TWICE, False), (FORKS, False)])
def test_a_single_thread_that_computes_is_asked_and_gets_time_for_the_answer(code: str, asked: bool) -> None:
    limits = Limits(0.4, 1 << 30, 1 << 20)
    with zygote(code) as pid, contextlib.closing(Watch(pid, limits, ask_from_s=0.05)) as watched:
        while not (look := watched.look()).stopped:
            time.sleep(look.pause_s)
        assert (0.02 < watched.allowed_s <= 0.06) if asked else not watched.allowed_s
        assert look.stopped == ("time" if code != FORKS else "idle")
