"""The build's progress on standard error, a line for each stage."""

from __future__ import annotations

import logging
import time
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING

from microcoder_eval.command_line import safe_console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

logger = logging.getLogger(__name__)


class StageProgress(AbstractContextManager["StageProgress"]):
    """Shows each stage's finished shards, rows, rows per second and time left."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet

    def __enter__(self) -> StageProgress:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bars: Progress = Progress(
            TextColumn("{task.description:8}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("shards, {task.fields[rows]} rows, {task.fields[rate]} rows/s"),
            TimeRemainingColumn(),
            console=safe_console(stderr=True, quiet=self._quiet),
        )
        self._tasks: dict[str, tuple[TaskID, float, int]] = {}
        return self

    def show(self, stage: str, done: int, total: int, rows: int) -> None:
        """Update a stage's bar: shards finished, shards in all, rows read."""
        if stage not in self._tasks:
            if not self._tasks:  # not before: an error ahead of the first stage stands alone
                self._bars.start()
            bar = self._bars.add_task(stage, total=total, completed=done, rows=rows, rate="-")
            self._tasks[stage] = (bar, time.monotonic(), rows)
            logger.info("%s: %d of %d shards are finished from before, %d rows", stage, done, total, rows)
        bar, began, rows_before = self._tasks[stage]
        elapsed = time.monotonic() - began
        rate = f"{(rows - rows_before) / elapsed:.0f}" if elapsed > 0.1 and rows > rows_before else "-"
        self._bars.update(bar, completed=done, total=total, rows=rows, rate=rate)
        if done == total:
            logger.info("%s: %d shards, %d rows, %.2f s", stage, total, rows, elapsed)

    def say(self, text: str) -> None:
        """Print a line above the bars."""
        self._bars.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._tasks:
            self._bars.stop()
