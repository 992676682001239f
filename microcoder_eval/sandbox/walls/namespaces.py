"""Namespaces: a process tree, a file system, a network and an IPC space that hold nothing but the sandbox.

Root makes them directly. An ordinary user makes them inside a new user namespace, where the kernel allows that.
"""

from __future__ import annotations

import os
import struct

from microcoder_eval.boundary import libc
from microcoder_eval.boundary.attempt import succeeds
from microcoder_eval.boundary.box_protocol import BOX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
FLAGS = {"pid": NEWPID, "mount": NEWNS, "net": NEWNET, "ipc": NEWIPC | NEWUTS}

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = (
    1, 2, 4, 8, 32, 4096, 16384, 1 << 18,
)  # fmt: skip
MNT_DETACH = 2
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY_NOSUID_NODEV = 442, -100, 0x8000, 0b111
KEPT_FLAGS = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC | 0x400 | 0x800 | 1 << 21  # and the atime settings


def enter(wanted: Iterable[str]) -> list[str]:
    """Enter as many of the `wanted` namespaces as the kernel allows; returns those. "pid" takes effect after a fork."""
    names = [name for name in FLAGS if name in wanted]
    if os.geteuid() == 0:
        held = [name for name in names if _has(name)]
        if held or "user" not in wanted:
            return held
    if "user" not in wanted:
        return []
    if not succeeds(_enter_user_namespace):
        return []
    _enter_user_namespace()
    return ["user", *(name for name in names if _has(name))]


def build_root(
    at: str, readable: Iterable[str], devices: Iterable[str], box: str, owner: int | None, box_bytes: int | None = None
) -> None:
    """Make a file system of read-only views of `readable`, and an empty `box`, writable for its `owner`; move into it.

    `at` is an existing empty directory; the new file system covers it in this namespace only. No other file stays
    reachable.
    """
    _mount("tmpfs", at, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    for path in readable:
        _bind(path, at)
    for path in devices:
        _bind(path, at, read_only=False)
    for name, target in (("stdin", "0"), ("stdout", "1"), ("stderr", "2"), ("fd", "")):
        os.symlink(f"/proc/self/fd/{target}", f"{at}/dev/{name}")
    os.makedirs(f"{at}/proc")
    try:
        _mount("proc", f"{at}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except OSError:  # a container that masks parts of /proc refuses a new one: show its own, which Landlock guards
        try:
            libc.call("mount", b"/proc", f"{at}/proc".encode(), None, MS_BIND | MS_REC, None)
        except OSError:
            pass  # programs go without /proc
    os.makedirs(at + box)
    options = f"size={box_bytes or BOX_BYTES},nr_inodes=4096,mode=700"
    options += "" if owner is None else f",uid={owner},gid={owner}"
    _mount("tmpfs", at + box, "tmpfs", MS_NOSUID | MS_NODEV, options)
    os.chdir(at)
    libc.call("mount", None, at.encode(), None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, None)
    libc.call("pivot_root", b".", b".")
    libc.call("umount2", b".", MNT_DETACH)
    os.chdir(box)


def _enter_user_namespace() -> None:
    """Enter one that has this user alone. Root needs the capability SETFCAP to be in it."""
    uid, gid = os.geteuid(), os.getegid()
    libc.call("unshare", NEWUSER)
    for file, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{file}", "w") as handle:
            handle.write(text)


def _has(name: str) -> bool:
    """Whether the kernel gives a namespace. In a chroot, whose root is no mount point, mounts cannot be replaced."""
    if not _unshare(FLAGS[name]):
        return False
    if name == "mount":
        try:
            libc.call("mount", b"none", b"/", None, MS_REC | MS_PRIVATE, None)
        except OSError:
            return False
    return True


def _unshare(flags: int) -> bool:
    try:
        libc.call("unshare", flags)
    except OSError:
        return False
    return True


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    libc.call("mount", source.encode(), target.encode(), kind.encode(), flags, options.encode() or None)


def _bind(path: str, root: str, read_only: bool = True) -> None:
    if not os.path.exists(path):
        return
    target = root + path
    if os.path.islink(path):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.lexists(target):
            os.symlink(os.readlink(path), target)
        return
    if os.path.exists(target):
        return  # it lies in a directory that is bound already
    if os.path.isdir(path):
        os.makedirs(target)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    libc.call("mount", path.encode(), target.encode(), None, MS_BIND | MS_REC, None)
    if read_only:
        _make_read_only(target, os.statvfs(path).f_flag)


def _make_read_only(target: str, flags: int) -> None:
    attributes = struct.pack("=QQQQ", MOUNT_ATTR_RDONLY_NOSUID_NODEV, 0, 0, 0)
    try:
        libc.syscall(MOUNT_SETATTR, AT_FDCWD, target.encode(), AT_RECURSIVE, attributes, len(attributes))
    except OSError:  # before Linux 5.12: this leaves mounts below this one writable; Landlock guards them
        flags = flags & KEPT_FLAGS | MS_RDONLY | MS_NOSUID | MS_NODEV
        libc.call("mount", None, target.encode(), None, MS_REMOUNT | MS_BIND | flags, None)
