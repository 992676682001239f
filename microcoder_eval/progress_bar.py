"""The progress bar of a grading run, on standard error: how many are done, how fast, the verdicts so far."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from microcoder_eval.command_line import safe_console

_SHOWN_VERDICTS = 4


@contextmanager
def progress_bar(total: int, verdicts: Counter[str], quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show the bar while the block runs. Call the yielded function with the number of new grades.

    Nothing is shown when `quiet`, or when standard error is not a terminal. `verdicts` is read at each call.

    >>> with progress_bar(3, Counter(), quiet=True) as advance:
    ...     advance(1)
    """
    if quiet or not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[verdicts]}", markup=False),
    )
    with Progress(*columns, console=safe_console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, rate="", verdicts="")

        def advance(count: int) -> None:
            speed = bar.tasks[task].speed
            rate = f"{speed:.0f}/s" if speed else ""
            text = " ".join(f"{name} {number}" for name, number in verdicts.most_common(_SHOWN_VERDICTS))
            bar.update(task, advance=count, rate=rate, verdicts=text)

        yield advance
