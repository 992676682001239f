"""A long input or expected output of a test, in a memory file that is sealed: nobody can change it any more.

The grader writes the file once for each problem and passes its descriptor to every supervisor. A supervisor uses a
long input as the stdin of its programs, and compares a long expected output from its file: neither is copied. Each
file holds one text, so a program that gets one sees nothing else. No program gets an expected output, so its file may
be one of huge pages, which cannot be sealed. Where the system refuses such files (`OSError`), the fallback is to send
the texts in the messages.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator

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
        self.digest = b""
        """The SHA-256 of the text, where it was written here."""

    @classmethod
    def holding(cls, data: Iterable[bytes]) -> SealedText:
        """Write and seal a file; raises `OSError` when the kernel or a limit refuses that."""
        file = cls.in_file(os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), data)
        os.fchmod(file.descriptor, 0o444)
        fcntl.fcntl(file.descriptor, fcntl.F_ADD_SEALS, SEALS)
        return file

    @classmethod
    def in_file(cls, descriptor: int, data: Iterable[bytes]) -> SealedText:
        """Write a text that no program is given into an empty file, without seals."""
        import hashlib  # a supervisor only receives texts, and starts faster without OpenSSL

        file, digest = cls(descriptor, 0), hashlib.sha256()
        for piece in data:
            digest.update(piece)
            view = memoryview(piece)
            while view:
                written = os.write(descriptor, view)
                file._size, view = file._size + written, view[written:]
        file.digest = digest.digest()
        return file

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
