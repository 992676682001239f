"""Memory files (memfd) that carry a run's input and outputs between the supervisor and a child."""

from __future__ import annotations

import fcntl
import os

LARGEST_TRANSFER = 1 << 30
MOST_SKIPPED = 1 << 11
"""How many bytes of earlier runs may stay in a file: less than a page."""


class MemoryFile:
    """A memory file. `fd` is the supervisor's descriptor, `handed` the child's; the supervisor sets its position.

    Every test makes these calls, so none is made that is not needed.
    """

    def __init__(self, name: str, read_only: bool = False) -> None:
        """`read_only`: the child can neither write to the file nor open it again for writing."""
        self.fd = self.handed = os.memfd_create(name, os.MFD_CLOEXEC)
        self._length = 0
        self.start = 0
        """Where the content that counts begins."""
        self._end: int | None = None
        """Where it ends; None for the end of the file."""
        if not read_only:  # like a pipe, every write appends, also after opening the file again by name
            fcntl.fcntl(self.fd, fcntl.F_SETFL, os.O_APPEND)
        else:
            os.fchmod(self.fd, 0o444)
            self.handed = os.open(f"/proc/self/fd/{self.fd}", os.O_RDONLY | os.O_CLOEXEC)

    def put(self, data: bytes) -> None:
        """Replace the content with `data`, and set the child's position to its start."""
        length = len(data)
        written = os.pwrite(self.fd, data, 0)
        while written < length:
            written += os.pwrite(self.fd, memoryview(data)[written : written + LARGEST_TRANSFER], written)
        if length < self._length:
            os.ftruncate(self.fd, length)
        self._length = length
        os.lseek(self.handed, 0, os.SEEK_SET)

    def show_next(self, end: int) -> None:
        """Let only the next part count. It ends at `end`, and begins where the part before it ended, the first one at
        `start`."""
        if self._end is not None:
            self.start = self._end
        self._end = max(self.start, min(end, os.lseek(self.fd, 0, os.SEEK_END)))

    def skip(self) -> None:
        """Leave out what the same child has written until now, which costs less than to empty the file.

        An empty file has no page, and the next write would have to get one.
        """
        self.start, self._end = os.lseek(self.fd, 0, os.SEEK_END), None
        if self.start > MOST_SKIPPED:
            self.clear()

    def clear(self) -> None:
        """Empty what a child has written, and undo what it has set."""
        self.start, self._end = 0, None
        undo_settings(self.fd, os.O_APPEND)
        if os.lseek(self.fd, 0, os.SEEK_END):
            os.ftruncate(self.fd, 0)
            os.lseek(self.fd, 0, os.SEEK_SET)

    def size(self) -> int:
        end = os.lseek(self.fd, 0, os.SEEK_END) if self._end is None else self._end
        return max(0, end - self.start)

    def get(self, at_most: int | None = None) -> bytes:
        """The content, or its first `at_most` bytes."""
        size = self.size() if at_most is None else min(self.size(), at_most)
        if size <= LARGEST_TRANSFER:
            return os.pread(self.fd, size, self.start)
        places = range(self.start, self.start + size, LARGEST_TRANSFER)
        return b"".join(os.pread(self.fd, LARGEST_TRANSFER, at) for at in places)[:size]

    def end(self, at_most: int) -> bytes:
        """Its last `at_most` bytes."""
        return os.pread(self.fd, at_most, self.start + max(0, self.size() - at_most))

    def close(self) -> None:
        if self.handed != self.fd:
            os.close(self.handed)
        os.close(self.fd)


def undo_settings(descriptor: int, flags: int = 0) -> None:
    """Undo what a child can set on a descriptor that later children get too: a lock, and status flags, once `flags`."""
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags)
    fcntl.flock(descriptor, fcntl.LOCK_UN)


def executable_in_memory(program: bytes) -> int:
    """A descriptor of a memory file that can be executed and not be written to."""
    writable = os.memfd_create("program", os.MFD_CLOEXEC)
    try:
        view = memoryview(program)
        while view:
            view = view[os.write(writable, view[:LARGEST_TRANSFER]) :]
        os.fchmod(writable, 0o555)
        return os.open(f"/proc/self/fd/{writable}", os.O_RDONLY | os.O_CLOEXEC)  # a file open for writing cannot start
    finally:
        os.close(writable)
