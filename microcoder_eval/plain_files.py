"""Reads and writes plain files that somebody else may have made: never a pipe, which could block without end.

    text = read_plain(run / "summary.json")
    with append_plain(run / "grades.jsonl") as file: ...

Reading follows links, because it shows only what the user may read anyway; writing does not. Reading is bounded.
"""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any, BinaryIO, cast

from microcoder_eval.errors import InputError
from microcoder_eval.suggest import why_absent

LONGEST = 1 << 30
"""The most bytes of a document that is read into memory."""


def check_is_file(path: Path) -> None:
    """Raise an `InputError` unless the path is a plain file: opening a pipe could block without end.

    >>> check_is_file(Path("/dev/null"))
    Traceback (most recent call last):
    microcoder_eval.errors.InputError: /dev/null: not a file
    """
    if not path.is_file():
        raise InputError(f"{path}: not a file" if path.exists() else f"{path}: {why_absent(path)}")


def read_plain(path: Path, longest: int = LONGEST) -> bytes:
    """The content of a file; an `InputError` when it is no plain file, cannot be read, or is too long.

    >>> read_plain(Path("/no/such/file"))
    Traceback (most recent call last):
    microcoder_eval.errors.InputError: /no/such/file: no such file
    """
    check_is_file(path)
    try:
        with open(path, "rb") as file:
            content = file.read(longest + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > longest:
        raise InputError(f"{path}: larger than {longest >> 20} MiB")
    return content


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file; an `InputError` when it is none.

    >>> read_object(Path("/no/such/file"))
    Traceback (most recent call last):
    microcoder_eval.errors.InputError: /no/such/file: no such file
    """
    content = read_plain(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: not a JSON object")
    return found


def append_plain(path: Path) -> BinaryIO:
    """Open a file to append to it, and create it if it is missing; an `OSError` when it is a link or no plain file.

    >>> append_plain(Path("/dev/null"))                                          # doctest: +ELLIPSIS
    Traceback (most recent call last):
    OSError: [Errno 22] not a plain file: '/dev/null'
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    return cast(BinaryIO, os.fdopen(os.open(path, flags, 0o666), "ab"))
