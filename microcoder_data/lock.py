"""One build or run at a time in a directory. The kernel releases the lock when the process ends, even by kill -9."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from microcoder_eval import InputError


@contextmanager
def exclusive(directory: Path) -> Iterator[None]:
    """Hold `directory/.lock`, or refuse at once, naming the process that holds it."""
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / ".lock", "a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise InputError(
                f"{directory}: {holder} is writing into this directory; wait for it or choose another one"
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield
