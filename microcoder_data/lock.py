"""One build or run at a time in a directory. The kernel releases a lock when the process ends, even by kill -9."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from microcoder_eval import InputError


@contextmanager
def exclusive(directory: Path) -> Iterator[None]:
    """Hold `directory/.lock`, or refuse at once, naming the process that holds it."""
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / ".lock", "a+", encoding="utf-8") as file:
        if not _locked(file, fcntl.LOCK_EX):
            if _locked(file, fcntl.LOCK_SH):  # only readers hold it: the name in the file is that of an old process
                raise InputError(f"{directory}: a build with --base reads this directory; wait for it")
            raise _in_use(directory, file)
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield


@contextmanager
def shared(directory: Path) -> Iterator[None]:
    """Keep others from writing into a directory while it is read, or refuse at once if one does.

    A directory without `.lock` is one that no build writes into, such as a copy.
    """
    if not (directory / ".lock").is_file():
        yield
        return
    with open(directory / ".lock", encoding="utf-8") as file:
        if not _locked(file, fcntl.LOCK_SH):
            raise _in_use(directory, file)
        yield


def _locked(file: TextIO, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _in_use(directory: Path, file: TextIO) -> InputError:
    file.seek(0)
    holder = file.read().strip() or "another process"
    return InputError(f"{directory}: {holder} is writing into this directory; wait for it or choose another one")
