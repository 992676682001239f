"""A file in memory whose long contents lie in huge pages.

A memory file (memfd) takes a page of 4 KB at a time unless an administrator has set the machine otherwise: each one is
found, cleared, counted and freed, and that is most of what writing, reading and removing a long output costs. A tmpfs
of one's own may use larger pages, where they fit into the file. Making one needs the right to mount.
"""

from __future__ import annotations

import os

from microcoder_eval.boundary import libc

FSOPEN, FSCONFIG, FSMOUNT = 430, 431, 432  # the same numbers on every machine
CLOSE_ON_EXEC = 1
SET_STRING, CREATE = 1, 6
NOSUID_NODEV_NOEXEC = 0b1110
WHEN = b"within_size"
"""When a large page is used: if the file, or what is written at once, fills it. Short files take no more memory."""


def huge_file() -> int:
    """The descriptor of a new file without a name, to which every write appends; raises `OSError` when refused."""
    context = libc.syscall(FSOPEN, b"tmpfs", CLOSE_ON_EXEC)
    try:
        libc.syscall(FSCONFIG, context, SET_STRING, b"huge", WHEN, 0)
        libc.syscall(FSCONFIG, context, CREATE, None, None, 0)
        root = libc.syscall(FSMOUNT, context, CLOSE_ON_EXEC, NOSUID_NODEV_NOEXEC)
    finally:
        os.close(context)
    try:
        return os.open(".", os.O_TMPFILE | os.O_EXCL | os.O_RDWR | os.O_APPEND | os.O_CLOEXEC, 0o600, dir_fd=root)
    finally:
        os.close(root)
