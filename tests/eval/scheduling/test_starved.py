"""Programs beside which the grader's own processes get no CPU: what these wait for is not the program's time."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from microcoder_eval import Grader, Problem, Verdict
from microcoder_eval.scheduling.supervisor_handle import SupervisorHandle
from tests.eval.family import descendants

PROBLEM = Problem.from_dict({"id": "p", "time_limit_s": 0.3, "tests": [{"input": "", "output": "1"}] * 3})
RIGHT = "import time\nend = time.process_time() + 0.05\nwhile time.process_time() < end: pass\nprint(1)\n"
HELD_S = 2.0
"""Longer than the time limit and what a program may be idle in addition."""
SEEN_WITHIN_S = 120.0
"""How long programs run until one was seen: on a busy machine one may end before."""


@contextlib.contextmanager
def holding_up(whom: str) -> Iterator[list[int]]:
    """Stop the zygote or the supervisor of every process that is started, as a busy machine may. Yields who was."""
    stop, held = threading.Event(), []
    before = descendants(os.getpid())
    known: dict[int, tuple[int, str]] = {}

    def hold_up() -> None:
        while not stop.is_set():
            for pid, _ in descendants(os.getpid(), known) - before:
                above = parent_of(pid)
                while whom == "supervisor" and above and parent_of(above) != os.getpid():
                    above = parent_of(above)
                if above:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(above, signal.SIGSTOP)
                        held.append(above)
                        time.sleep(HELD_S)
                        os.kill(above, signal.SIGCONT)

    thread = threading.Thread(target=hold_up)
    thread.start()
    try:
        yield held
    finally:
        stop.set()
        thread.join()


def parent_of(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


@pytest.mark.parametrize("isolation", ["test", "submission"])
@pytest.mark.parametrize("whom", ["zygote", "supervisor"])
def test_the_program_is_not_idle_meanwhile(whom: str, isolation: str) -> None:
    with Grader(workers=1, isolation=isolation) as grader:
        assert grader.grade(PROBLEM, "print(1)").accepted
        with holding_up(whom) as held:
            deadline = time.monotonic() + SEEN_WITHIN_S
            while not held and time.monotonic() < deadline:
                grade = grader.grade(PROBLEM, RIGHT)
                assert grade.verdict is Verdict.ACCEPTED, grade.detail
        assert held


def test_a_supervisor_that_runs_between_two_stops_is_not_stuck(tmp_path: Path) -> None:
    before = descendants(os.getpid())
    supervisor = SupervisorHandle((), str(tmp_path / "boxes"), "")
    ((pid, _),) = descendants(os.getpid()) - before
    try:
        for _ in range(3):
            switch(pid, signal.SIGSTOP)
            assert not supervisor.is_stuck()
            switch(pid, signal.SIGCONT)
        switch(pid, signal.SIGSTOP)
        assert not supervisor.is_stuck()
        assert supervisor.is_stuck() == "it was stopped by a signal"
    finally:
        supervisor.end()


def switch(pid: int, how: signal.Signals) -> None:
    """Stop or continue a process, and wait until it is stopped, or has run and waits."""
    before, wanted = status(pid), "T" if how is signal.SIGSTOP else "S"
    os.kill(pid, how)
    while (now := status(pid)) == before or now[0] != wanted:
        time.sleep(0.01)


def status(pid: int) -> tuple[str, ...]:
    """The state of a process, and how often it has gone to sleep and has been interrupted."""
    said = Path(f"/proc/{pid}/status").read_text()
    return tuple(re.findall(r"^(?:State|\w*voluntary_ctxt_switches):\t(\w+)", said, re.MULTILINE))
