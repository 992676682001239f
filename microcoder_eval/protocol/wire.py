"""The form of messages between the grader and its supervisors: a length, then marshalled plain data.

Both ends are trusted and run the same interpreter. What an untrusted process wrote is never unmarshalled: it is sent
inside a message as text or bytes.
"""

from __future__ import annotations

import marshal
import socket
import struct
from collections.abc import Iterator
from typing import Any

LENGTH = struct.Struct("=Q")
SENT_BYTES = 1 << 18
READ_BYTES = 1 << 16
"""A larger buffer would be allocated anew for every message, and most messages have some hundred bytes."""
LONGEST = 1 << 34
MOST_FILES = 253
"""The most descriptors that the kernel sends with one piece of data."""


class Malformed(Exception):
    """The bytes that have arrived are not a message."""


def pack(message: Any) -> bytes:
    body = marshal.dumps(message)
    return LENGTH.pack(len(body)) + body


class Incoming:
    """Collects bytes as they arrive and gives the messages that are complete."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        self._bytes += data
        start = 0
        while len(self._bytes) - start >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._bytes, start)
            if length > LONGEST:
                raise Malformed(f"a message of {length} bytes")
            end = start + LENGTH.size + length
            if len(self._bytes) < end:
                break
            try:
                message = marshal.loads(memoryview(self._bytes)[start + LENGTH.size : end])
            except (ValueError, EOFError, TypeError, MemoryError) as error:
                raise Malformed(str(error)) from None
            yield message
            start = end
        del self._bytes[:start]


def receive_with_files(connection: socket.socket) -> tuple[bytes, list[int]]:
    """The next bytes, and the descriptors that came with them. The bytes are empty when the other end is closed."""
    try:
        data, descriptors, flags, _ = socket.recv_fds(connection, READ_BYTES, MOST_FILES, socket.MSG_CMSG_CLOEXEC)
    except ConnectionError:
        return b"", []
    if flags & socket.MSG_CTRUNC:
        raise Malformed("descriptors were lost: this process has too many open")
    return data, descriptors


def receive(connection: socket.socket) -> bytes:
    """The next bytes, empty when the other end is closed."""
    try:
        return connection.recv(READ_BYTES)
    except ConnectionError:
        return b""
