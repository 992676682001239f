"""Draws panels of curves: as an HTML page in the design of the reports (no network needed), or as a PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path
from microcoder_eval.report.chart import LINE_TONES, Line, charts, line_chart
from microcoder_eval.report.page import Html, page, write_page
from microcoder_rl.recipe.config import TemperatureConfig
from microcoder_rl.report.curves import Panel
from microcoder_rl.temperature import Selection, SweepPoint

COLUMNS = 4


def write_panels(panels: Sequence[Panel], out: Path, title: str, lead: str = "") -> None:
    """Write panels as .png or .html, by the suffix of the path.

    >>> write_panels(run_panels([Path("runs/tiny")]), Path("curves.png"), "Tiny")     # doctest: +SKIP
    """
    refuse_other_outputs(out)
    if out.suffix == ".html":
        write_page(out, page(title, panel_charts(panels), lead=lead))
    else:
        _write_png(panels, out)


def refuse_other_outputs(out: Path) -> None:
    """Refuse a path that a plot cannot be written to. Called before anything is measured for the plot."""
    if out.suffix not in (".png", ".html"):
        raise InputError(f"{out}: the plot is written as .png or .html")
    if not out.parent.is_dir():
        raise InputError(f"{out}: the folder {out.parent} does not exist")


def panel_charts(panels: Sequence[Panel]) -> Html:
    """The panels as charts of a report page."""
    return charts(*(line_chart(panel.title, panel.lines, percent=panel.percent) for panel in panels))


def sweep_panels(points: Sequence[SweepPoint], chosen: Selection, settings: TemperatureConfig) -> list[Panel]:
    """Diversity and accuracy over temperature, with the admissible band and the chosen temperature."""
    ends = (points[0].temperature, points[-1].temperature)
    low, high = settings.convergence + settings.margin, settings.maximum
    diversity = [(point.temperature, point.diversity) for point in points]
    accuracy = [(point.temperature, point.accuracy) for point in points]
    taken = [point for point in points if point.temperature == chosen.temperature]
    return [
        Panel(
            "Diversity over temperature",
            (
                Line("diversity", diversity),
                Line("admissible from", [(end, low) for end in ends], "good", dashed=True),
                Line("admissible up to", [(end, high) for end in ends], "good", dashed=True),
                Line("target", [(end, settings.target) for end in ends], "warn", dashed=True),
                Line("taken", [(point.temperature, point.diversity) for point in taken], "bad"),
            ),
            across="temperature",
        ),
        Panel(
            "Accuracy over temperature",
            (
                Line("accuracy", accuracy),
                Line("taken", [(point.temperature, point.accuracy) for point in taken], "bad"),
            ),
            percent=True,
            across="temperature",
        ),
    ]


def _write_png(panels: Sequence[Panel], out: Path) -> None:
    from matplotlib.figure import Figure

    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(4 * columns, 3 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).flat
    labels = [[line.label for line in panel.lines] for panel in panels]
    shared = next((names for names in labels if len(names) > 1 and labels.count(names) > 1), [])
    for axis, panel in zip(axes, panels, strict=False):
        for line in panel.lines:
            values = [100 * y if panel.percent else y for _, y in line.points]
            style = "--" if line.dashed else "-"
            marker = "." if len(values) < 2 or panel.percent else None
            axis.plot([x for x, _ in line.points], values, style, marker=marker, color=_COLOURS[line.tone])
        names = [line.label for line in panel.lines]
        if len(names) > 1 and names != shared:
            axis.legend(names, fontsize="small")
        elif names == shared:
            handles = axis.lines
        axis.set_title(panel.title + (" (%)" if panel.percent else ""))
        axis.set_xlabel(panel.across)
        axis.grid(alpha=0.3)
    if shared:  # one legend below the panels that have the same curves
        figure.legend(handles, shared, loc="outside lower center", ncols=len(shared))
    with atomic_path(out) as path:
        figure.savefig(path, dpi=110)


_COLOURS = dict(
    zip(LINE_TONES, ("tab:blue", "tab:red", "tab:green", "tab:orange", "tab:purple", "tab:pink"), strict=True)
)
