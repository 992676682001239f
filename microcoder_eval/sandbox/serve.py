"""Answering a box's requests: the loop that the zygote and the launcher share.

A request is one byte on descriptor 3; its record, if it has one, is marshalled in the file on descriptor 4. Each
request is answered by one datagram, except STDIN and PIPES:
    LOAD           take a program                                -> "-", or why it cannot be run
    LIMIT          set the limits of later runs                  -> "-"
    STDIN          a file, sent with the next datagram, becomes the stdin of later runs (no answer)
    PIPES          two pipes, sent with the next datagram, become the stdin and stdout of the next run (no answer)
    RUN            fork a child that runs the program once       -> its wait status, CPU time and peak memory
    OPEN_SESSION   fork a child that runs the program repeatedly -> the same, when the child has ended (zygote only)
    WIPE           empty the working directory                   -> "-"; this process ends if that fails

The numbers of the descriptors are fixed (`box_protocol.py`). All but the sockets 3 and 5 are memory files, which the
supervisor reads and writes between runs.
"""

from __future__ import annotations

import _signal
import _socket
import gc
import marshal
import os
import sys

from microcoder_eval.boundary import libc
from microcoder_eval.boundary.box_protocol import (
    CONTROL,
    DONE,
    LIMIT,
    LOAD,
    OPEN_SESSION,
    PIPES,
    REQUEST,
    RUN,
    STDIN,
    WIPE,
)
from microcoder_eval.boundary.wipe import wipe
from microcoder_eval.sandbox.walls import limits
from microcoder_eval.sandbox.walls.seccomp import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Server:
    """Serves one box. A subclass says how a program is loaded and run."""

    def __init__(self, layers: list[str]) -> None:
        self.own_pid_namespace = "pid" in layers
        self.filter = Filter.for_child(alone=self.own_pid_namespace).assemble() if "seccomp" in layers else None
        self.pipes: list[int] = []
        self.reserved_bytes = 0
        """Address space that this process has reserved for its children: their limits leave it out."""

    def load(self, record: dict[str, Any]) -> bytes:
        raise NotImplementedError

    def run(self, session: bool) -> bytes:
        raise NotImplementedError

    def serve(self) -> None:
        while request := os.read(CONTROL, 1):
            if request == STDIN:
                (file,) = receive_descriptors()
                os.dup2(file, 0)
                os.close(file)
                continue
            if request == PIPES:
                self.pipes = receive_descriptors()
                continue
            if request in (RUN, OPEN_SESSION):
                answer = self.run(session=request == OPEN_SESSION)
            elif request == WIPE:
                try:
                    wipe(".")
                except OSError:
                    return
                answer = DONE
            else:
                answer = self._take(request)
                gc.freeze()
            os.write(CONTROL, answer)

    def _take(self, request: bytes) -> bytes:
        record = marshal.loads(os.pread(REQUEST, os.fstat(REQUEST).st_size, 0))
        if request == LOAD:
            return self.load(record)
        assert request == LIMIT
        memory_bytes, output_bytes = record
        limits.limit_runs(memory_bytes, output_bytes, self.reserved_bytes)
        return DONE

    def die_with_parent(self) -> None:
        """In a child: end when this process ends. In a process namespace of its own the kernel does that anyway."""
        if not self.own_pid_namespace:
            libc.prctl(libc.PR_SET_PDEATHSIG, _signal.SIGKILL)

    def filter_system_calls(self) -> None:
        """In a child: install the filter that was made before the fork."""
        if self.filter is not None:
            if not self.own_pid_namespace:
                self.filter.signal_only(os.getpid())
            self.filter.install()

    def wait_for(self, child: int) -> bytes:
        """Wait for a child to end; returns its status and what it used, as the answer to RUN."""
        while self.pipes:
            os.close(self.pipes.pop())
        _, status, usage = os.wait4(child, 0)
        return b"%d %d %d" % (status, (usage.ru_utime + usage.ru_stime) * 1e6, usage.ru_maxrss)


def receive_descriptors() -> list[int]:
    """Receive the next datagram on the control socket; returns the descriptors that came with it."""
    control = _socket.socket(fileno=os.dup(CONTROL))
    ((_, _, data),) = control.recvmsg(1, _socket.CMSG_SPACE(8))[1]
    control.close()
    return [int.from_bytes(data[at : at + 4], sys.byteorder) for at in range(0, len(data), 4)]


def end_all_others() -> None:
    """As process 1 of a process namespace: kill and reap everything else in it."""
    try:
        os.kill(-1, _signal.SIGKILL)
        while True:
            os.waitpid(-1, 0)
    except (ProcessLookupError, ChildProcessError):
        return
