"""Landlock: which files a process may read, and the one directory that it may write to. Needs no privileges.

Access to every other file is refused, also to root. Available since Linux 5.13; on newer kernels it also refuses TCP
and signals to processes outside the sandbox.
"""

from __future__ import annotations

import ctypes
import errno
import os

from microcoder_eval.boundary import libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every machine
VERSION_FLAG = 1
RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
ALL_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
NET_TCP = 0b11
SCOPE_ABSTRACT_UNIX_AND_SIGNAL = 0b11
READ = EXECUTE | READ_FILE | READ_DIR
DEVICE = WRITE_FILE | READ_FILE
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15


class _Ruleset(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent_fd", ctypes.c_int32)]


def version() -> int:
    """The kernel's Landlock version, 0 when there is none."""
    try:
        return libc.syscall(CREATE_RULESET, None, 0, VERSION_FLAG)
    except OSError:
        return 0


def restrict(readable: Iterable[str], devices: Iterable[str], writable: Iterable[str]) -> None:
    """Restrict this process, and all that it starts, to these files. Paths that do not exist are skipped."""
    abi = version()
    if abi == 0:
        raise OSError(errno.ENOSYS, "the kernel has no Landlock")
    every = ALL_BY_ABI[min(abi, 5)]
    ruleset = _Ruleset(every, NET_TCP if abi >= 4 else 0, SCOPE_ABSTRACT_UNIX_AND_SIGNAL if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    handle = libc.syscall(CREATE_RULESET, ruleset, size, 0)
    try:
        for rights, paths in ((READ, readable), (DEVICE, devices), (every, writable)):
            for path in paths:
                _allow(handle, path, rights & every)
        libc.syscall(RESTRICT_SELF, handle, 0)
    finally:
        os.close(handle)


def _allow(handle: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # a path that does not exist or cannot be reached needs no rule
    try:
        if not os.path.isdir(path):
            rights &= FILE_RIGHTS
        libc.syscall(ADD_RULE, handle, RULE_PATH_BENEATH, _PathBeneath(rights, fd), 0)
    finally:
        os.close(fd)
