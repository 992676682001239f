"""Folders that are made once and then found, whole or not at all: also when a run is killed or two make the same."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path


def cached_folder(folder: Path, make: Callable[[Path], None]) -> Path:
    """`folder`, filled by `make` unless it exists. What killed processes have left beside it is removed.

    >>> cached_folder(Path("cache/0a1b"), lambda empty: (empty / "model").touch())   # doctest: +SKIP
    PosixPath('cache/0a1b')
    """
    if folder.exists():
        return folder
    for unfinished in folder.parent.glob(f"{folder.name}.*"):
        if not Path("/proc", unfinished.suffix[1:]).exists():
            shutil.rmtree(unfinished, ignore_errors=True)
    making = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    make(making)
    try:
        os.rename(making, folder)
    except OSError:  # another process has made the same folder in the meantime
        shutil.rmtree(making)
    return folder
