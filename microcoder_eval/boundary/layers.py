"""The layers by name, what each is for, and which files the sandbox may read."""

from __future__ import annotations

import os
import sys

LAYERS = {
    "seccomp": "refuses network, new processes, tracing, mounts and other system calls that no program needs",
    "landlock": "hides all files but the interpreter's, and allows writing in the private directory only",
    "limits": "bounds CPU time, address space, output, open files",
    "user": "gives the sandbox a user namespace of its own",
    "pid": "hides all other processes and ends everything with the sandbox",
    "mount": "gives the sandbox a file system of its own, read-only but for a small private directory",
    "net": "gives the sandbox a network without devices",
    "ipc": "gives the sandbox its own System V IPC and host name",
    "user_id": "runs programs as a user that owns nothing, instead of as root",
}
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives")


def interpreter_paths() -> list[str]:
    """The directories of this interpreter's modules: the sandbox's `sys.path`."""
    standard = os.path.dirname(os.__file__)
    ends = ("lib-dynload", "site-packages", "dist-packages")
    return list(dict.fromkeys([standard, *(path for path in sys.path if path.endswith(ends))]))


def readable_paths() -> list[str]:
    """Files that a program may read: the system's libraries and the interpreter with its packages."""
    wanted = [*SYSTEM, sys.base_prefix, sys.base_exec_prefix, sys.prefix, *interpreter_paths()]
    paths = []
    for path in wanted:
        for candidate in (path, os.path.realpath(path)):
            if candidate not in paths and candidate != "/" and os.path.exists(candidate):
                paths.append(candidate)
    return sorted(paths, key=lambda path: (path.count("/"), path))
