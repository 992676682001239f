"""Empties a directory that an untrusted program has filled: at any depth, with any permissions, without recursion."""

from __future__ import annotations

import os

DEEPEST = 64
LEAST_ENTRY_BYTES = 16384
REMOVALS = 5


def wipe(directory: str) -> None:
    """Remove everything in `directory`; raises OSError when something cannot be removed.

    A directory's children move up before it is removed, so paths never grow, however deep a program has nested them.
    """
    moved = 0
    while entries := list(os.scandir(directory)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            try:
                os.chmod(entry.path, 0o700)
            except PermissionError:
                pass  # owned by another user: removing the rest may still work
            for child in list(os.scandir(entry.path)):
                if child.is_dir(follow_symlinks=False):
                    moved += 1
                    os.rename(child.path, os.path.join(directory, f".moved-{moved}"))
                else:
                    os.unlink(child.path)
            os.rmdir(entry.path)


def remove(directory: str) -> None:
    """Remove a directory with everything in it, as far as possible. Tried again while a dying program writes there."""
    for _ in range(REMOVALS):
        try:
            wipe(directory)
            os.rmdir(directory)
            return
        except FileNotFoundError:
            if not os.path.lexists(directory):
                return
        except OSError:
            continue


def disk_use(directory: str, enough: int) -> int:
    """Bytes used below `directory`, counted until they reach `enough`. Returns `enough` when they cannot be counted."""
    total = 0
    unseen = [(directory, 0)]
    while unseen and total < enough:
        path, depth = unseen.pop()
        if depth > DEEPEST:
            return enough
        try:
            for entry in os.scandir(path):
                total += max(LEAST_ENTRY_BYTES, entry.stat(follow_symlinks=False).st_blocks * 512)
                if entry.is_dir(follow_symlinks=False):
                    unseen.append((entry.path, depth + 1))
        except FileNotFoundError:
            continue  # the program removed it meanwhile
        except OSError:
            return enough  # a path that is too long, or a directory that may not be read
    return total
