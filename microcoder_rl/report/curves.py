"""The paper's panels as data: test accuracy and the curves of training, of one or more run folders.

    panels = run_panels([Path("runs/tiny")])

`plot.py` draws them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from microcoder_eval import InputError
from microcoder_eval.report.chart import LINE_TONES, Line
from microcoder_rl.report.run_log import read_jsonl

MEASURES = (
    ("reward", "Critic reward"),
    ("length", "Response length (tokens)"),
    ("diversity", "Diversity"),
    ("entropy", "Entropy (nats)"),
    ("clip_share", "Clipped share of tokens"),
    ("mask_share", "Masked share of replies"),
    ("gap", "Sampler-trainer gap (nats)"),
)


@dataclass(frozen=True)
class Panel:
    """A title and its curves."""

    title: str
    lines: tuple[Line, ...]
    percent: bool = False
    across: str = "step"
    """Label of the x axis."""


def run_panels(folders: Sequence[Path], *, smooth: int = 1) -> list[Panel]:
    """Test accuracy and the curves of each run folder, one colour per run. `smooth`: steps of the running mean.

    >>> run_panels([Path("runs/tiny")])[0].title                                   # doctest: +SKIP
    'Test accuracy'
    """
    accuracies: list[Line] = []
    curves: dict[str, list[Line]] = {key: [] for key, _ in MEASURES}
    for number, folder in enumerate(folders):
        tone = LINE_TONES[number % len(LINE_TONES)]
        metrics, evaluations = read_jsonl(folder / "metrics.jsonl"), read_jsonl(folder / "evals.jsonl")
        if not metrics and not evaluations:
            raise InputError(f"{folder}: no metrics.jsonl with steps: give run folders")
        for place, name in enumerate(dict.fromkeys(record["set"] for record in evaluations)):
            points = [(record["step"], record["accuracy"]) for record in evaluations if record["set"] == name]
            accuracies.append(Line(f"{folder.name}: {name}", points, tone, dashed=place % 2 == 1))
        for key, _ in MEASURES:
            points = [(record["step"], record[key]) for record in metrics if record.get(key) is not None]
            curves[key].append(Line(folder.name, _running_mean(points, smooth), tone))
    return [
        Panel("Test accuracy", tuple(accuracies), percent=True),
        *(Panel(title, tuple(curves[key])) for key, title in MEASURES),
    ]


def with_bands(panels: Sequence[Panel], groups: Mapping[str, str]) -> list[Panel]:
    """Panels in which runs that differ in their seed alone are one curve: their mean, with a band from the lowest to
    the highest run.

    `groups` gives the group of each run by the run's name. A group of one run is not changed.
    """
    return [replace(panel, lines=tuple(_banded(panel.lines, groups))) for panel in panels]


def _banded(lines: Sequence[Line], groups: Mapping[str, str]) -> Iterator[Line]:
    together: dict[str, list[Line]] = {}
    for line in lines:
        run, colon, name = line.label.partition(": ")
        together.setdefault(f"{groups.get(run, run)}{colon}{name}", []).append(line)
    tones = dict.fromkeys(groups.values())
    for label, members in together.items():
        if len(members) == 1:
            yield members[0]
            continue
        values: dict[float, list[float]] = {}
        for line in members:
            for x, y in line.points:
                values.setdefault(x, []).append(y)
        whole = {x: ys for x, ys in sorted(values.items()) if len(ys) == len(members)}
        tone = LINE_TONES[list(tones).index(label.partition(": ")[0]) % len(LINE_TONES)]
        mean = [(x, sum(ys) / len(ys)) for x, ys in whole.items()]
        band = [(x, min(ys), max(ys)) for x, ys in whole.items()]
        yield Line(f"{label} ({len(members)} seeds)", mean, tone, members[0].dashed, band)


def is_all_zero(panel: Panel) -> bool:
    """Whether every value of a panel is zero."""
    return all(not y for line in panel.lines for _, y in line.points)


def _running_mean(points: Sequence[tuple[float, float]], size: int) -> list[tuple[float, float]]:
    means = []
    for end, (step, _) in enumerate(points, start=1):
        recent = [value for _, value in points[max(0, end - size) : end]]
        means.append((step, sum(recent) / len(recent)))
    return means
