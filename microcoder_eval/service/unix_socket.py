"""The Unix socket of a service: made at a path where no service listens, and removed by the service that made it.

    listening, remove = listen_on_path(Path("/run/user/1000/grader.sock"))

A lock file next to the socket keeps two services at one path from checking and changing it at the same time. The lock
file stays.
"""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from microcoder_eval.connection.node import MOST_PATH_BYTES
from microcoder_eval.errors import InputError


def listen_on_path(path: Path) -> tuple[socket.socket, Callable[[], None]]:
    """A listening Unix socket that only this user can reach, and a function that removes it.

    A socket at the path on which no process listens is replaced.
    """
    if len(os.fsencode(path)) > MOST_PATH_BYTES:
        raise InputError(f"{path}: the path of a Unix socket has at most {MOST_PATH_BYTES} bytes")
    opened = socket.socket(socket.AF_UNIX)
    try:
        with _alone_at(path):
            _remove_unused(path)
            before = os.umask(0o177)
            try:
                opened.bind(str(path))
            finally:
                os.umask(before)
            opened.listen(2048)
            made = os.open(path, os.O_PATH | os.O_CLOEXEC)  # while it is open, no other file gets its inode number
    except OSError as error:
        opened.close()
        raise InputError(f"{path}: {error.strerror}") from None
    except InputError:
        opened.close()
        raise

    def remove() -> None:
        with suppress(OSError), _alone_at(path):
            if os.path.samestat(path.lstat(), os.fstat(made)):
                path.unlink()
        os.close(made)

    return opened, remove


def _remove_unused(path: Path) -> None:
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise InputError(f"{path}: exists, and is not a socket")
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()
            else:
                raise InputError(f"{path}: a service listens there already")


@contextmanager
def _alone_at(path: Path) -> Iterator[None]:
    lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
