"""A box for compiled programs and for interpreters other than Python (`sandbox/launcher.py` is the other side).

box = ProgramBox(layers, directory)
box.load_program(Command(("./solution",), program=binary))
run = box.run(b"1 2", Limits(cpu_s=1.0, memory_bytes=256 << 20, output_bytes=1 << 20))
box.stdout.get()
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from microcoder_eval.boundary.box_protocol import LAUNCHER, LOAD, PROGRAM_PATH
from microcoder_eval.boundary.layers import DEVICES
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.memory_file import executable_in_memory
from microcoder_eval.supervisor.processes import Watched, WatchedTree, end_descendants
from microcoder_eval.supervisor.watch import Limits

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "."}


@dataclass(frozen=True)
class Command:
    """What to execute."""

    argv: tuple[str, ...]
    """The arguments. An interpreter reads the program at `PROGRAM_PATH`."""
    file: str = ""
    """The executable's path; when empty, `program` itself is executed."""
    program: bytes | None = None
    """A program that exists only in memory, so that no other program can read it."""
    environment: Mapping[str, str] = field(default_factory=dict)
    forks: bool = False
    """Whether it may start processes: compilers may, submissions never."""
    reserves_memory: bool = False
    """Whether it reserves far more address space than it uses (Java, Node, Go); then only used memory is limited."""


class ProgramBox(Box):
    """One launcher with its files and sockets."""

    module = LAUNCHER
    may_be_pinned = False

    def __init__(
        self,
        layers: Sequence[str],
        directory: str | None = None,
        readable: Iterable[str] = (),
        writable_bytes: int | None = None,
        devices: Sequence[str] = DEVICES,
    ) -> None:
        """`readable`: paths besides the system's, such as a compiler's. `writable_bytes`: the directory's size."""
        self._more_readable = list(readable)
        self._writable_bytes = writable_bytes
        self._devices = list(devices)
        self._reserves = False
        self._command: Command | None = None
        self.at_end: Callable[[int], None] | None = None
        """Called at a run's end with a descriptor of the working directory, before the directory is emptied."""
        super().__init__(layers, directory)
        self.inside = os.path.join(self._directory, "box")
        """The working directory's path, as programs see it."""

    def _configuration(self, layers: Sequence[str], preload: Sequence[str], handed: list[int]) -> dict[str, object]:
        configuration = super()._configuration(layers, preload, handed)
        readable = list(dict.fromkeys([*configuration["readable"], *self._more_readable]))  # type: ignore[misc]
        configuration["readable"] = sorted(readable, key=lambda path: (path.count("/"), path))
        configuration["devices"] = self._devices
        configuration["needed"] = self._more_readable
        if self._writable_bytes:
            configuration["box_bytes"] = self._writable_bytes
        return configuration

    def load_program(self, command: Command) -> None:
        """Set the command that later runs execute."""
        if command is self._command:
            return
        self._command = None
        record = {
            "argv": list(command.argv),
            "file": command.file,
            "environment": {**ENVIRONMENT, **command.environment},
            "forks": command.forks,
            "has_program": command.program is not None,
            "reads_program": PROGRAM_PATH in command.argv,
        }
        self._watched = WatchedTree if command.forks else Watched
        if command.reserves_memory != self._reserves:
            self._reserves, self._limits = command.reserves_memory, None
        descriptors = [] if command.program is None else [executable_in_memory(command.program)]
        try:
            self._request_record(LOAD, record)
            if descriptors:
                self._send_descriptors(descriptors)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        self._answer()
        self._command = command

    def _address_space(self, limits: Limits) -> int | None:
        return None if self._reserves else limits.memory_bytes

    def close(self) -> None:
        """End the launcher and everything in it, a compiler's processes too."""
        if "pid" not in self.layers:
            end_descendants(self.zygote)
        super().close()

    def _tidy_up(self) -> None:
        if self.at_end is not None:
            self.at_end(self._box)
        super()._tidy_up()
