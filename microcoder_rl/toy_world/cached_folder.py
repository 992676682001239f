"""Folders that are made once and then found, whole or not at all: also when a run is killed or two make the same."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from microcoder_eval.atomic import disk_is_full, no_space_for


def cached_folder(folder: Path, make: Callable[[Path], None]) -> Path:
    """`folder`, filled by `make` unless it exists. What killed processes have left beside it is removed. Raises
    InputError when the disk is full.

    >>> cached_folder(Path("cache/0a1b"), lambda empty: (empty / "model").touch())   # doctest: +SKIP
    PosixPath('cache/0a1b')
    """
    if folder.exists():
        return folder
    for unfinished in folder.parent.glob(f"{folder.name}.*"):
        process = unfinished.suffix[1:]
        if process.isdigit() and not Path("/proc", process).exists():
            shutil.rmtree(unfinished, ignore_errors=True)
    making = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    try:
        make(making)
        os.rename(making, folder)
    except Exception as error:
        if folder.exists():  # another process has made it in the meantime
            return folder
        if disk_is_full(error, making):
            raise no_space_for(folder) from error
        raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return folder
