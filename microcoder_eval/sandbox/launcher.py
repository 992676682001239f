"""The launcher: executes compiled programs, interpreters of other languages, and compilers.

It runs inside the sandbox and serves one box (`serve.py`). LOAD names a command; a program that exists only in
memory comes as a descriptor with the next datagram. It imports as little as it can: every loaded module makes a fork
slower.
"""

from __future__ import annotations

import contextlib
import gc
import marshal
import os
import signal
import sys
from typing import Any, NoReturn

from microcoder_eval.boundary.box_protocol import CONTROL, DONE, EXIT_NOT_STARTED, PROGRAM, REQUEST, RESULT, SESSION
from microcoder_eval.sandbox.serve import Server, end_all_others, receive_descriptors
from microcoder_eval.sandbox.walls import limits
from microcoder_eval.sandbox.walls.enclose import enter_namespaces, place_descriptors, raise_walls, report

LONGEST_COMPILER_CPU_S = 60
"""The CPU time after which the kernel ends a compiler or one of its processes, even if the supervisor is gone."""


class Launcher(Server):
    """Executes one command, once for each RUN request."""

    def __init__(self, layers: list[str]) -> None:
        super().__init__(layers)
        self._command: dict[str, Any] = {}

    def load(self, record: dict[str, Any]) -> bytes:
        """Take a command, and put the program that comes with it on descriptor 7."""
        if record["has_program"]:
            (program,) = receive_descriptors()
            if program != PROGRAM:
                os.dup2(program, PROGRAM)
                os.close(program)
        self._command = record
        return DONE

    def run(self, session: bool) -> bytes:
        """Execute the command once, in a child."""
        assert not session
        child = os.fork()
        if child == 0:
            self._become_command()
        answer = self.wait_for(child)
        if self._command["forks"]:
            self._end_what_is_left(child)
        return answer

    def _become_command(self) -> NoReturn:
        """In the child: take the pipes, set the limits and the filter, and execute the command."""
        command = self._command
        try:
            for place, pipe in enumerate(self.pipes):
                os.dup2(pipe, place)
                os.close(pipe)
            os.set_inheritable(PROGRAM, command["reads_program"]) if command["has_program"] else None
            self.die_with_parent()
            if command["forks"]:
                os.setpgid(0, 0)
                limits.limit_cpu(LONGEST_COMPILER_CPU_S)
            else:
                self.filter_system_calls()
            os.execve(command["file"] or PROGRAM, command["argv"], command["environment"])
        except OSError as error:
            os.write(2, f"the program could not be started: {error}\n".encode())
        os._exit(EXIT_NOT_STARTED)

    def _end_what_is_left(self, group: int) -> None:
        """Kill the processes that a command has started and that still run."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        if self.own_pid_namespace:
            end_all_others()


def main() -> None:
    """Enter the sandbox that the configuration asks for, report which layers hold, and serve."""
    config = marshal.loads(bytes.fromhex(sys.argv[1]))
    place_descriptors(config["descriptors"])
    for descriptor in (CONTROL, REQUEST, SESSION, RESULT):
        os.set_inheritable(descriptor, False)
    layers = raise_walls(config, enter_namespaces(config))
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and an executed program would inherit that
        signal.signal(ignored, signal.SIG_DFL)
    report(layers)
    gc.collect()
    gc.freeze()
    Launcher(layers).serve()
