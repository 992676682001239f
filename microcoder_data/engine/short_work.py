"""Work that takes less time than starting workers is done in the build's own process.

In a build on a base most tasks of a stage are reused, and what is left often takes a second. Starting workers of the
local engine takes longer: each imports this program.
"""

from __future__ import annotations

import os
from pathlib import Path

from microcoder_data.engine import Engine
from microcoder_data.engine.local import LocalEngine

START_S = 3.0
"""Shorter work is not worth starting workers."""
COPIED_BYTES_PER_S = 50_000_000
"""How fast a process reads shards and writes them again, about."""


def for_short_work(engine: Engine, seconds: float) -> Engine:
    """The engine for tasks that take about so many seconds in all: this process if they are short and no worker was
    started.

    >>> engine = LocalEngine(4)
    >>> for_short_work(engine, 1.0).workers, for_short_work(engine, 60.0).workers
    (1, 4)
    """
    waiting = isinstance(engine, LocalEngine) and not engine.started
    return LocalEngine(1) if waiting and seconds < START_S else engine


def seconds_to_copy(shard: str | Path) -> float:
    """About how long it takes to read a shard and write it again."""
    return os.stat(shard).st_size / COPIED_BYTES_PER_S
