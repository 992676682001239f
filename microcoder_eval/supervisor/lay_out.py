"""Makes a sandbox's directory, and writes into its working directory by its descriptor. No link is followed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from microcoder_eval.supervisor.run import BoxLost


def new_directory(parent: str | None) -> str:
    """Make a directory that no other user may enter: in `parent`, or where the system keeps temporary files."""
    if parent is None:
        import tempfile  # a supervisor has a directory of its own, and starts faster without this module

        return tempfile.mkdtemp(prefix="box-")
    path = os.path.join(parent, f"box-{os.urandom(8).hex()}")
    os.mkdir(path, 0o700)
    return path


def put_file(box: int, name: str, data: bytes) -> None:
    """Write a file that a program may read. Raises `BoxLost` when that cannot be done."""
    _make_folder_of(box, name)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    with _lost_on_error(name):
        descriptor = os.open(name, flags, 0o644, dir_fd=box)
        with open(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o644)
            file.write(data)


def put_directory(box: int, name: str) -> None:
    """Make a directory that a program may write to."""
    _make_folder_of(box, name)
    with _lost_on_error(name):
        os.mkdir(name, dir_fd=box)
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=box)
        try:
            os.fchmod(descriptor, 0o777)
        finally:
            os.close(descriptor)


def _make_folder_of(box: int, name: str) -> None:
    folder, _, _ = name.rpartition("/")
    if folder and not _exists(box, folder):
        put_directory(box, folder)


def _exists(box: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=box, follow_symlinks=False)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _lost_on_error(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BoxLost(f"{name[:80]!r} could not be laid out in the sandbox: {error.strerror}", crashed=False) from error
