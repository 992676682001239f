"""A long input or expected output of a test, in a memory file that is sealed: nobody can change it any more.

The grader writes the file once for each problem and passes its descriptor to every supervisor. A supervisor uses a
long input as the stdin of its programs, and compares a long expected output from its file: neither is copied. Each
file holds one text, so a program that gets one sees nothing else. No program gets an expected output, so its file need
not be sealed and may lie in huge pages, which cannot be. Where the system refuses such files (`OSError`), the fallback
is to send the texts in the messages.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator

from microcoder_eval.boundary.huge_file import huge_file

SEALED_FROM = 1 << 18
"""Texts of fewer characters are sent in the messages: copying them costs less than passing a descriptor."""
STEP = 1 << 16
SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


def pieces(text: str) -> Iterator[bytes]:
    """A text as bytes, in pieces that stay in the processor's cache."""
    return (text[at : at + STEP].encode("utf-8", "surrogatepass") for at in range(0, len(text), STEP))


class SealedText:
    """One text. The descriptor is closed with the last reference to this object."""

    def __init__(self, descriptor: int, size: int) -> None:
        self.descriptor = descriptor
        self._size = size

    @classmethod
    def holding(cls, data: Iterable[bytes]) -> SealedText:
        """Write and seal a file; raises `OSError` when the kernel or a limit refuses that."""
        file = cls(os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), 0)
        os.fchmod(file.descriptor, 0o444)
        file._write(data)
        fcntl.fcntl(file.descriptor, fcntl.F_ADD_SEALS, SEALS)
        return file

    @classmethod
    def kept_from_programs(cls, data: Iterable[bytes]) -> SealedText:
        """The same in huge pages and without seals, where the kernel has such files for this user."""
        try:
            file = cls(huge_file(), 0)
        except OSError:
            return cls.holding(data)
        file._write(data)
        return file

    def _write(self, data: Iterable[bytes]) -> None:
        for piece in data:
            view = memoryview(piece)
            while view:
                written = os.write(self.descriptor, view)
                self._size, view = self._size + written, view[written:]

    @classmethod
    def received(cls, descriptor: int, size: int) -> SealedText:
        """A file that the grader has sent, opened again: for reading, and with a position of its own."""
        try:
            return cls(os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC), size)
        finally:
            os.close(descriptor)

    def __len__(self) -> int:
        return self._size

    def __del__(self) -> None:
        os.close(self.descriptor)

    def __bytes__(self) -> bytes:
        return self.part(0, self._size)

    def part(self, start: int, size: int) -> bytes:
        """`size` bytes from `start`; fewer at the end of the file."""
        found = bytearray()
        while len(found) < size and (more := os.pread(self.descriptor, size - len(found), start + len(found))):
            found += more
        return bytes(found)
