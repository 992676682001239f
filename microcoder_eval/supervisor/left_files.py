"""Reads files that a run has left in its working directory: within bounds, without recursion, following no link.

    read_file("feedback/score.txt", box, 1 << 20)        # b"0.5"; None: no such file; raises NotReadable
    read_tree("classes", box, 64 << 20)                  # {"classes/Main.class": b"..."}; raises NotReadable

`box` is a descriptor of the directory. A judge's program, or a compiler that read a submission, made the files. Their
names, depth, number and size are not trusted.
"""

from __future__ import annotations

import itertools
import os
import stat

DEEPEST = 64
MOST_ENTRIES = 20_000
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class NotReadable(Exception):
    """The files cannot be read: not a regular file or directory, or too many or too large. The message says which."""


def read_file(path: str, directory: int, at_most: int) -> bytes | None:
    """The first `at_most` bytes of a regular file, or None when it does not exist."""
    opened: list[int] = []
    try:
        at = directory
        for name in path.split("/"):
            at = os.open(name, _OPEN, dir_fd=at)
            opened.append(at)
        if not stat.S_ISREG(os.fstat(at).st_mode):
            raise NotReadable(f"{path} is not a file")
        return _content(at, at_most)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotReadable(f"{path}: {error.strerror}") from None
    finally:
        for descriptor in opened:
            os.close(descriptor)


def read_tree(name: str, directory: int, at_most: int) -> dict[str, bytes]:
    """The regular files at and below `name`, by path; empty when `name` does not exist."""
    files: dict[str, bytes] = {}
    most, entries = at_most, 0
    unread = [(name, directory)]
    opened: dict[str, int] = {}
    try:
        while unread:
            path, above = unread.pop()
            found = os.open(path.rpartition("/")[2], _OPEN, dir_fd=above)
            opened[path] = found
            mode = os.fstat(found).st_mode
            if stat.S_ISDIR(mode):
                if path.count("/") >= DEEPEST:
                    raise NotReadable(f"directories are nested more than {DEEPEST} deep")
                names = _names(found, MOST_ENTRIES - entries)
                entries += len(names)
                unread += [(f"{path}/{entry}", found) for entry in reversed(names)]
            elif stat.S_ISREG(mode):
                files[path] = _content(found, at_most + 1)
                at_most -= len(files[path])
                if at_most < 0:
                    raise NotReadable(f"its files are larger than {most >> 20} MiB")
            _close_all_but(opened, unread)
    except FileNotFoundError:
        return files
    except OSError as error:
        raise NotReadable(error.strerror or "it cannot be read") from None
    finally:
        _close_all_but(opened, [])
    return files


def _names(directory: int, most: int) -> list[str]:
    with os.scandir(directory) as entries:
        names = sorted(entry.name for entry in itertools.islice(entries, most + 1))
    if len(names) > most:
        raise NotReadable("it holds too many files")
    return names


def _close_all_but(opened: dict[str, int], unread: list[tuple[str, int]]) -> None:
    """Close directories without unread entries. Entries are read depth first, so few are open at a time."""
    needed = {above for _, above in unread[-1:]}
    for path in reversed(list(opened)):
        if opened[path] in needed:
            return  # the directories opened before it are its parents
        os.close(opened.pop(path))


def _content(descriptor: int, at_most: int) -> bytes:
    with open(descriptor, "rb", closefd=False) as file:
        return file.read(at_most)
