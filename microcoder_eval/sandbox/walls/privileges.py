"""Gives up privileges: no new ones by exec, the user `nobody` instead of root, no capabilities."""

from __future__ import annotations

import os
import stat
import struct

from microcoder_eval.boundary import libc
from microcoder_eval.boundary.attempt import succeeds

NOBODY = 65534
CAPABILITY_VERSION_3 = 0x20080522


def forbid_new_privileges() -> None:
    """Set no_new_privs: no later exec gains privileges (setuid programs run as the caller). Cannot be undone."""
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)


def readable_by_all(file: str) -> bool:
    """Whether any user can reach and read `file`; an interpreter below /root, say, is not."""
    if not os.stat(file).st_mode & stat.S_IROTH:
        return False
    while (file := os.path.dirname(file)) != "/":
        if not os.stat(file).st_mode & stat.S_IXOTH:
            return False
    return True


def may_become_nobody() -> bool:
    """Whether `become_nobody` would succeed: a container's root may lack the capabilities, or users other than root."""
    return os.geteuid() == 0 and succeeds(become_nobody)


def become_nobody() -> None:
    """Change from root to a user that owns nothing."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def drop_capabilities() -> None:
    """Drop all capabilities: root's, or those inside a user namespace. The user id does not change."""
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    libc.call("capset", header, bytes(24))


def hide_from_same_user() -> None:
    """Keep processes of the same user from tracing this one and reading its memory. Children inherit this."""
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
