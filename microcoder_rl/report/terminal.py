"""A run in a terminal: four curves, the time of each phase and the last evaluation. Without a terminal, plain lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from microcoder_eval.plural import counted
from microcoder_rl.recipe.config import RunConfig

BLOCKS = "▁▂▃▄▅▆▇█"
CURVES = (("accuracy", "test accuracy"), ("reward", "critic reward"), ("length", "length"), ("diversity", "diversity"))
TIMES = ("sampling", "grading_waited", "update")


class View:
    """Shows a run while it goes on. In a terminal it redraws itself; elsewhere it prints a line per step."""

    def __init__(self, console: Console, run: RunConfig, *, live: bool) -> None:
        self.console, self.run = console, run
        self.curves: dict[str, list[float]] = {name: [] for name, _ in CURVES}
        self.evaluations: list[dict[str, Any]] = []
        self.metrics: dict[str, float] = {}
        self._live = Live(console=console, refresh_per_second=4, transient=False) if live else None

    def __enter__(self) -> View:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def notify(self, message: str) -> None:
        """Print a line that is not redrawn."""
        self.console.print(message, highlight=False, soft_wrap=True)

    def show(self, metrics: dict[str, float], evaluations: list[dict[str, Any]]) -> None:
        """Show a step's metrics and the newest evaluation."""
        self.metrics = metrics
        fresh = evaluations and (not self.evaluations or evaluations[0]["step"] != self.evaluations[0]["step"])
        if fresh:
            self.evaluations = evaluations
            self.curves["accuracy"].append(evaluations[0]["accuracy"])
        for name in ("reward", "length", "diversity"):
            if name in metrics:
                self.curves[name].append(metrics[name])
        if self._live:
            self._live.update(self._panel())
        else:
            self._lines(bool(fresh))

    def _lines(self, fresh: bool) -> None:
        if self.metrics:
            known = {key: self.metrics[key] for key in ("reward", "length", "diversity", "entropy")}
            shown = ", ".join(f"{key} {value:.3g}" for key, value in known.items() if not math.isnan(value))
            took = f"{self.metrics['time/step']:.1f} s"
            self.notify(f"step {self.metrics['step']:.0f}/{self.run.steps}: {shown}, {took}")
        if fresh:
            found = ", ".join(f"{each['set']} {100 * each['accuracy']:.1f} %" for each in self.evaluations)
            self.notify(f"evaluation at step {self.evaluations[0]['step']}: {found}")

    def _panel(self) -> Panel:
        table = Table.grid(padding=(0, 2))
        for name, title in CURVES:
            values = self.curves[name]
            table.add_row(title, sparkline(values, 48), f"{values[-1]:.3g}" if values else "")
        parts: list[Any] = [table]
        if self.metrics:
            whole = self.metrics["time/step"]
            split = "  ".join(f"{name.replace('_', ' ')} {self.metrics['time/' + name]:.1f} s" for name in TIMES)
            parts.append(
                Text(f"{whole:.1f} s a step: {split}  grading hidden {self.metrics['time/grading_hidden']:.1f} s")
            )
        parts += accuracy_tables(self.evaluations)
        step = self.metrics.get("step", 0)
        return Panel(Group(*parts), title=Text(f"{self.run.name}: step {step:.0f} of {self.run.steps}"))


def sparkline(values: Sequence[float], width: int) -> str:
    """A curve in one line of block characters.

    >>> sparkline([0, 1, 2, 3], 4)
    '▁▃▆█'
    """
    size = max(1, math.ceil(len(values) / width))
    means = []
    for start in range(0, len(values), size):
        known = [value for value in values[start : start + size] if not math.isnan(value)]
        means.append(sum(known) / len(known) if known else math.nan)
    known = [value for value in means if not math.isnan(value)]
    if not known:
        return ""
    low, high = min(known), max(known)
    scale = (len(BLOCKS) - 1) / (high - low) if high > low else 0
    return "".join(" " if math.isnan(value) else BLOCKS[round((value - low) * scale)] for value in means)


def accuracy_tables(records: Sequence[dict[str, Any]], samples: int | None = None) -> Iterator[Table]:
    """The paper's table of each evaluation: platforms by difficulty, in percent."""
    for record in records:
        columns = list(record["table"]["All"])
        about = f"avg@{samples}, " if samples else ""
        title = f"{record['set']} ({about}{counted(record['problems'], 'problem')}, mean length {record['length']:.0f})"
        table = Table("percent", *columns, title=title, min_width=len(title) + 2)  # a title is wrapped at the table
        known = {name: row for name, row in record["table"].items() if name != "unknown" or len(record["table"]) > 2}
        for platform, row in known.items():
            table.add_row(platform, *(f"{100 * row[level]:.1f}" if level in row else "-" for level in columns))
        yield table
