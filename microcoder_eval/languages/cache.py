"""Compiled programs on disk, so that a machine compiles a program once for all processes that grade it.

Safe under concurrent use: an entry appears whole or not at all, it starts with its checksum, and two processes that
need the same program compile it once. A directory that cannot be used costs time, never a verdict.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from microcoder_eval.atomic import atomic_path
from microcoder_eval.errors import InputError

_DEFAULT_LIMIT_BYTES = 1 << 30
_KEPT_SHARE = 0.8
"""How much of the limit remains in use after entries were removed."""
_DIGEST_BYTES = 32


def default_directory() -> Path:
    """The directory of a cache that is given none."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(root) / "microcoder" / "programs"


class ProgramCache:
    """The programs in one directory."""

    def __init__(self, directory: Path, limit_bytes: int = _DEFAULT_LIMIT_BYTES) -> None:
        self._directory = directory
        self._limit_bytes = limit_bytes

    def get(self, key: str) -> bytes | None:
        """The program under `key`; None when there is none or the entry is damaged."""
        path = self._directory / key
        try:
            content = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        kept = content[_DIGEST_BYTES:]
        return kept if hashlib.sha256(kept).digest() == content[:_DIGEST_BYTES] else None

    def put(self, key: str, kept: bytes) -> None:
        """Keep a program under `key`. When the directory is full, the least recently used entries are removed."""
        with contextlib.suppress(OSError, InputError):  # InputError: the disk is full
            with atomic_path(self._directory / key) as path:
                path.write_bytes(hashlib.sha256(kept).digest() + kept)
            self._make_room()

    @contextlib.contextmanager
    def making(self, key: str) -> Iterator[None]:
        """Lock an entry while it is compiled; other processes that need it wait. The lock of a dead process is free."""
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self._directory / f".lock-{key[:2]}", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError:
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _make_room(self) -> None:
        entries = []
        for entry in os.scandir(self._directory):
            with contextlib.suppress(FileNotFoundError):  # another process has just removed it
                status = entry.stat()
                entries.append((status.st_mtime, status.st_size, entry.path))
        used = sum(size for _, size, _ in entries)
        if used <= self._limit_bytes:
            return
        for _, size, path in sorted(entries):
            if os.path.basename(path).startswith(".lock-"):
                continue
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            used -= size
            if used <= self._limit_bytes * _KEPT_SHARE:
                return
