"""How a run of a program in a box has ended, and the error for a box that was lost."""

from __future__ import annotations

import signal
from typing import NamedTuple


class BoxLost(Exception):
    """The zygote has died or does not answer, or its box cannot be used any more.

    `crashed`: a signal killed the zygote, or it hung. `from_outside`: a SIGKILL from outside killed it, or the machine
    was too busy for it to answer, so a second attempt may succeed.
    """

    def __init__(self, why: str, crashed: bool = True, from_outside: bool = False) -> None:
        super().__init__(why)
        self.crashed = crashed
        self.from_outside = from_outside


class Run(NamedTuple):
    """How one run has ended. `status` is its wait status; `stopped` says why the supervisor ended it (see `Look`)."""

    status: int
    cpu_s: float
    wall_s: float
    memory_kb: int
    stopped: str = ""
    allowed_s: float = 0.0
    """How much more CPU time than its limit it may have used, for its answers whether it can end; 0 if never asked."""

    @property
    def killed(self) -> bool:
        """Whether a SIGKILL ended it that the supervisor did not send: an administrator's, the kernel's, or its own."""
        return self.status & 0x7F == signal.SIGKILL and not self.stopped

    @property
    def exit_status(self) -> int:
        """The exit status as `subprocess` gives it: below 0, minus the signal that ended the process."""
        return -(self.status & 0x7F) or self.status >> 8


class SessionRun(NamedTuple):
    """One run in a session, and how long stdout and the result file were after it, as its process says."""

    run: Run
    stdout_end: int
    result_end: int
