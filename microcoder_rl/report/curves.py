"""The paper's panels as data: test accuracy and the curves of training, of one or more run folders.

    panels = run_panels([Path("runs/tiny")])

`plot.py` draws them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from microcoder_eval import InputError
from microcoder_eval.report.chart import LINE_TONES, Line
from microcoder_eval.suggest import why_absent
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


class _Curve(NamedTuple):
    """A curve of one run; `evaluated` names the evaluation set of an accuracy."""

    run: str
    points: list[tuple[float, float]]
    evaluated: str = ""
    dashed: bool = False


def run_panels(folders: Sequence[Path], *, smooth: int = 1, groups: Mapping[str, str] | None = None) -> list[Panel]:
    """Test accuracy and the curves of each run folder, one colour per run. `smooth`: steps of the running mean.

    `groups` gives the group of each run by the run's name. Runs of one group, which differ in their seed alone, are
    one curve: their mean, with a band from the lowest to the highest run.

    >>> run_panels([Path("runs/tiny")])[0].title                                   # doctest: +SKIP
    'Test accuracy'
    """
    names = run_names(folders)
    accuracies: list[_Curve] = []
    curves: dict[str, list[_Curve]] = {key: [] for key, _ in MEASURES}
    for folder, run in names.items():
        metrics, evaluations = read_jsonl(folder / "metrics.jsonl"), read_jsonl(folder / "evals.jsonl")
        if not folder.exists():
            raise InputError(f"{folder}: {why_absent(folder, 'folder')}")
        if not metrics and not evaluations:
            raise InputError(f"{folder}: no metrics.jsonl with steps: give run folders")
        for place, name in enumerate(dict.fromkeys(record["set"] for record in evaluations)):
            points = [(record["step"], record["accuracy"]) for record in evaluations if record["set"] == name]
            accuracies.append(_Curve(run, points, name, dashed=place % 2 == 1))
        for key, _ in MEASURES:
            points = [(record["step"], record[key]) for record in metrics if record.get(key) is not None]
            curves[key].append(_Curve(run, _running_mean(points, smooth)))
    groups = groups or {run: run for run in names.values()}
    return [
        Panel("Test accuracy", tuple(_lines(accuracies, groups)), percent=True),
        *(Panel(title, tuple(_lines(curves[key], groups))) for key, title in MEASURES),
    ]


def run_names(folders: Sequence[Path]) -> dict[Path, str]:
    """A name for each run: that of its folder, or its path where two folders have the same name.

    >>> list(run_names([Path("old/run"), Path("new/run"), Path("other")]).values())
    ['old/run', 'new/run', 'other']
    """
    names = {folder: folder.resolve().name for folder in folders}
    seen = Counter(names.values())
    return {folder: name if seen[name] == 1 else folder.as_posix() for folder, name in names.items()}


def _lines(curves: Sequence[_Curve], groups: Mapping[str, str]) -> Iterator[Line]:
    tones = {group: LINE_TONES[n % len(LINE_TONES)] for n, group in enumerate(dict.fromkeys(groups.values()))}
    together: dict[tuple[str, str], list[_Curve]] = {}
    for curve in curves:
        together.setdefault((groups[curve.run], curve.evaluated), []).append(curve)
    for (group, evaluated), members in together.items():
        label = f"{group}: {evaluated}" if evaluated else group
        if len(members) == 1:
            yield Line(label, members[0].points, tones[group], members[0].dashed)
            continue
        values: dict[float, list[float]] = {}
        for curve in members:
            for x, y in curve.points:
                values.setdefault(x, []).append(y)
        whole = {x: ys for x, ys in sorted(values.items()) if len(ys) == len(members)}
        mean = [(x, sum(ys) / len(ys)) for x, ys in whole.items()]
        band = [(x, min(ys), max(ys)) for x, ys in whole.items()]
        yield Line(f"{label} ({len(members)} seeds)", mean, tones[group], members[0].dashed, band)


def is_all_zero(panel: Panel) -> bool:
    """Whether every value of a panel is zero."""
    return all(not y for line in panel.lines for _, y in line.points)


def _running_mean(points: Sequence[tuple[float, float]], size: int) -> list[tuple[float, float]]:
    means = []
    for end, (step, _) in enumerate(points, start=1):
        recent = [value for _, value in points[max(0, end - size) : end]]
        means.append((step, sum(recent) / len(recent)))
    return means
