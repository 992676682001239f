"""The HTML page of `predicted_vs_observed.py`: rank correlations, the calibration curve, boundaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS
from microcoder_eval.report.chart import Line, charts, line_chart
from microcoder_eval.report.page import (
    Bar,
    Figure,
    Html,
    bar_chart,
    element,
    figures,
    page,
    section,
    side_by_side,
    table,
)

_OBSERVED = {
    "pass_rate": "share of failed attempts",
    "rating": "rating, from 0 at 800 to 1 at 3200",
    "level": "source's level: easy 0, medium 0.5, hard 1",
}


def difficulty_page(found: Mapping[str, Any]) -> str:
    """The page for a result of `compare`."""
    predictors = ", ".join(found["predictors"])
    return page(
        f"Difficulty of {found['dataset']}",
        figures(_figures(found)),
        section("Calibration", _curve(found), note=f"Observed: the {_OBSERVED[found['by']]}."),
        side_by_side(_sources(found), _boundaries(found)),
        lead=f"Predicted by {predictors}, observed by {found['by'].replace('_', ' ')}",
    )


def _figures(found: Mapping[str, Any]) -> list[Figure]:
    out = found["held_out"]
    return [
        Figure("Rank correlation", shown(found["rank_correlation"]["value"]), interval(found["rank_correlation"])),
        Figure("Rows", f"{found['rows']:,}", "with both difficulties"),
        Figure(
            "Held-out error",
            f"{out['mean_absolute_error']:.3f}",
            f"mean, of 1; {out['mean_absolute_error_of_the_mean']:.3f} if every prediction is the mean",
        ),
        Figure(
            "Held-out levels right",
            f"{100 * out['level_accuracy']:.1f} %",
            f"{100 * out['level_accuracy_of_the_commonest']:.1f} % if every prediction is the commonest level",
        ),
    ]


def _curve(found: Mapping[str, Any]) -> Html:
    measured = [(one["predicted"], one["observed"]) for one in found["bins"]]
    lines = [
        Line("tenths of the rows", measured, "odd"),
        Line("calibration", [tuple(p) for p in found["curve"]], "accent"),
    ]
    bars = [
        Bar(level, found["observed_levels"][level], f"{found['observed_levels'][level]:,}")
        for level in DIFFICULTY_LEVELS
    ]
    levels = element("div", element("h3", "Observed levels"), bar_chart("Observed levels", bars))
    return charts(line_chart("Observed hardness by predicted difficulty", lines), levels)


def _sources(found: Mapping[str, Any]) -> Html:
    rows = [[name, shown(one["value"]), interval(one), f"{one['rows']:,}"] for name, one in found["by_source"].items()]
    note = "Within one source all problems are rated on one scale. 95 % bootstrap intervals over problems."
    return section(
        "By source", table(["Source", "Correlation", "Interval", "Rows"], rows, numbers=(1, 2, 3)), note=note
    )


def _boundaries(found: Mapping[str, Any]) -> Html:
    ways = {"isotonic": "where the curve reaches the cuts", "thresholds": "where levels are nearest to the observed"}
    rows = [[name, *(f"{value:.3f}" for value in values), ways[name]] for name, values in found["boundaries"].items()]
    note = "For filter.difficulty.boundaries of a recipe. Cuts in observed hardness: " + ", ".join(
        map(str, found["cuts"])
    )
    headings = ["Method", "medium from", "hard from", "Boundaries"]
    return section("Boundaries", table(headings, rows, numbers=(1, 2)), note=note)


def shown(value: float | None) -> str:
    """A number with three decimals, or a dash."""
    return "-" if value is None else f"{value:.3f}"


def interval(estimate: Mapping[str, float | None]) -> str:
    """The interval as text; empty when there is none."""
    return "" if estimate["low"] is None else f"{estimate['low']:.3f} to {estimate['high']:.3f}"
