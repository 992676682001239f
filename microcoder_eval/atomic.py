"""Files that appear whole or not at all: written under a temporary name, flushed to disk, then renamed.

Used by all three packages for shards, records, reports and manifests. It does not lock: two processes that write the
same file at once need a lock of their own.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError

_TEMPORARY = ".tmp-"


@contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """A temporary path in `target`'s directory. It becomes `target` when the block ends, and is deleted if it raises.

    >>> with atomic_path(Path("a.txt")) as path: path.write_text("whole")  # doctest: +SKIP
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_path(target)
    try:
        with said_if_full(target):
            yield temporary
            sync(temporary)
            os.replace(temporary, target)
            sync(target.parent)
    except OSError as error:
        if error.errno and temporary.name in str(error):  # a user knows only the other name
            raise type(error)(error.errno, os.strerror(error.errno), str(target)) from error
        raise
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def said_if_full(target: Path) -> Iterator[None]:
    """Raises `no_space_for(target)` in place of an error of a full disk.

    >>> with said_if_full(Path("a.txt")): Path("a.txt").write_text("whole")  # doctest: +SKIP
    """
    try:
        yield
    except OSError as error:
        if disk_is_full(error, None if error.errno else target.parent):
            raise no_space_for(target) from error
        raise


def disk_is_full(error: BaseException, folder: Path | None = None) -> bool:
    """Whether an error comes from a full disk. `folder`, where it was written, is for libraries that hide the error
    number (numpy, safetensors, torch): then the message and the free space are checked too.

    >>> disk_is_full(OSError(errno.ENOSPC, "full")), disk_is_full(ValueError())
    (True, False)
    """
    if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        return True
    return folder is not None and ("No space left" in str(error) or shutil.disk_usage(folder).free < 1 << 20)


def no_space_for(target: Path) -> InputError:
    """The error to raise when the disk is full.

    >>> raise no_space_for(Path("results.jsonl"))  # doctest: +SKIP
    """
    return InputError(
        f"no space left to write {target}: free some space, then run again, with --resume where there is one"
    )


def temporary_path(target: Path) -> Path:
    """A free name beside `target`, which `remove_leftovers` knows.

    >>> temporary_path(Path("a.txt")).name.endswith("a.txt")
    True
    """
    temporary = target.with_name(f"{_TEMPORARY}{os.getpid()}-{target.name}")
    temporary.unlink(missing_ok=True)  # somebody may have put a link there
    return temporary


def write_json(target: Path, value: Any) -> None:
    """Write `value` as readable JSON with sorted keys: equal values give equal bytes.

    >>> write_json(Path("counts.json"), {"kept": 3})  # doctest: +SKIP
    """
    with atomic_path(target) as path:
        path.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def remove_leftovers(directory: Path) -> None:
    """Delete the temporary files that a killed process left below `directory`.

    >>> remove_leftovers(Path("datasets/mine"))  # doctest: +SKIP
    """
    for path in directory.rglob(f"{_TEMPORARY}*"):
        path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until a file or a directory is on disk.

    >>> sync(Path("datasets/mine"))  # doctest: +SKIP
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
