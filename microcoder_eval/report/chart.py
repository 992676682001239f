"""A line chart as inline SVG: a few curves over a shared x axis, readable in light and dark and on a phone.

line_chart("Reward", [Line("run 1", [(1, 0.2), (2, 0.4)])])
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from microcoder_eval.report.page import Html, element

LINE_TONES = ("accent", "bad", "good", "warn", "odd", "broken")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 190, 52, 8, 8, 22
_TICKS = 4
_LEAST_SPAN = 0.01
"""The least span of the y axis, as a share of its values: smaller differences are drawn as a flat line."""
_LEAST_GAP = 0.12
"""The least room between an end of the x axis and the next tick, as a share of the axis."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MOST_TOOLTIPS = 120
"""About how many points of a curve have a tooltip with the values of all curves there."""
_DOTS_UP_TO = 40
"""A curve with more points is drawn without dots."""


@dataclass(frozen=True)
class Line:
    """One curve. `dashed` distinguishes two curves of the same tone."""

    label: str
    points: Sequence[tuple[float, float]]
    tone: str = "accent"
    dashed: bool = False
    band: Sequence[tuple[float, float, float]] = ()
    """(x, low, high): an area around the curve, such as the spread of several runs."""


def line_chart(title: str, lines: Sequence[Line], percent: bool = False) -> Html:
    """Curves in one frame. With `percent` the values are shares. Points that are not finite are left out.

    >>> "<polyline" in line_chart("Reward", [Line("a run", [(1, 0.25), (2, 0.5)])])
    True
    """
    drawn = [
        replace(
            line,
            points=[(x, y) for x, y in line.points if math.isfinite(y)],
            band=[(x, y, z) for x, y, z in line.band if math.isfinite(y) and math.isfinite(z)],
        )
        for line in lines
    ]
    xs, ys = [x for line in drawn for x, _ in line.points], [y for line in drawn for _, y in line.points]
    ys += [y for line in drawn for _, *both in line.band for y in both]
    ticks = _ticks(min(ys), max(ys)) if ys else [0.0]
    power = 0 if percent else _common_power(ticks)
    headline = f"{title}, ×10{str(power).translate(_SUPERSCRIPTS)}" if power else title
    heading = element("figcaption", element("h3", headline), _legend(drawn) if len(drawn) > 1 else "")
    if not xs:
        return element("figure", heading, element("p", "No numbers.", class_="note"), class_="chart")
    low, high, first, last = ticks[0], ticks[-1], min(xs), max(xs)

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - first) / (last - first) if last > first else 0.5
        up = (y - low) / (high - low)
        return (
            round(LEFT + across * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1),
        )

    grid, y_labels, x_labels = [], [], []
    for tick in ticks:
        _, y = place(first, tick)
        shown = f"{100 * tick:.4g} %" if percent else f"{tick / 10.0**power:.6g}"
        grid.append(f"M{LEFT} {y:g}H{WIDTH - RIGHT}")
        y_labels.append(element("text", shown, x=LEFT - 6, y=f"{y + 4:g}"))
    for x in _x_ticks(first, last):
        at = place(x, low)[0]
        anchor = "start" if at < LEFT + 8 else "end" if at > WIDTH - RIGHT - 8 else "middle"
        grid.append(f"M{at:g} {HEIGHT - BOTTOM}v4")
        shown = f"{x:.6g}" if float(x).is_integer() else f"{x:.3g}"
        x_labels.append(element("text", shown, x=f"{at:g}", y=HEIGHT - 6, text_anchor=anchor))
    told: dict[float, str] = {}
    for line in drawn:
        for x, y in line.points:
            told[x] = f"{told.get(x, f'{x:.6g}')}\n{line.label}: {_value(y, percent)}"
    parts = [element("path", d="".join(grid), class_="grid"), element("g", *y_labels, text_anchor="end"), *x_labels]
    for line in drawn:
        if line.band:
            edge = [place(x, y) for x, y, _ in line.band] + [place(x, y) for x, _, y in reversed(line.band)]
            parts.append(element("g", element("polygon", points=_path(edge)), data_tone=line.tone))
    for line in drawn:
        spots = [place(x, y) for x, y in line.points]
        marks = [element("polyline", points=_path(spots), stroke_dasharray="5 4" if line.dashed else None)]
        if len(spots) <= _DOTS_UP_TO:  # a line of no length with round ends is a dot
            marks.append(element("path", d="".join(f"M{x:g} {y:g}h0" for x, y in spots), class_="dots"))
        every = max(1, len(spots) // _MOST_TOOLTIPS)
        marks += [
            element("circle", element("title", told[point[0]]), cx=f"{x:g}", cy=f"{y:g}", r=7)
            for point, (x, y) in list(zip(line.points, spots, strict=True))[::every]
        ]
        parts.append(element("g", *marks, data_tone=line.tone))
    description = f"{title}: " + "; ".join(_described(line, percent) for line in drawn)
    picture = element("svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=description)
    return element("figure", heading, picture, class_="chart")


def charts(*shown: Html) -> Html:
    """Charts side by side where there is room.

    >>> "<polyline" in charts(line_chart("Reward", [Line("a run", [(1, 0.25), (2, 0.5)])]))
    True
    """
    return element("div", *shown, class_="charts")


def _legend(lines: Sequence[Line]) -> Html:
    marks = (element("span", line.label, data_tone=line.tone, data_dashed=line.dashed or None) for line in lines)
    return element("p", *marks, class_="legend")


def _path(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in spots)


def _value(value: float, percent: bool) -> str:
    return f"{100 * value:.1f} %" if percent else f"{value:.4g}"


def _x_ticks(first: float, last: float) -> list[float]:
    """The ticks of the x axis: both ends, and round numbers between them; whole ones only, if both ends are whole.

    >>> _x_ticks(1, 60), _x_ticks(3, 3), _x_ticks(1, 2)
    ([1, 20.0, 40.0, 60], [3], [1, 2])
    """
    if last <= first:
        return [first]
    whole = all(float(end).is_integer() for end in (first, last))
    inner = [x for x in _ticks(first, last) if first < x < last and (float(x).is_integer() or not whole)]
    room = (last - first) * _LEAST_GAP
    return [first, *(x for x in inner if x - first > room and last - x > room), last]


def _described(line: Line, percent: bool) -> str:
    """A curve in words, for screen readers."""
    if not line.points:
        return f"{line.label} has no numbers"
    start, end = line.points[0][1], line.points[-1][1]
    return f"{line.label} from {_value(start, percent)} to {_value(end, percent)}"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from at or below `low` to at or above `high`."""
    span = max(high - low, _LEAST_SPAN * max(abs(low), abs(high))) or 1.0
    rough = span / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
    start, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [step * k for k in range(start, max(end, start + 1) + 1)]


def _common_power(ticks: Sequence[float]) -> int:
    """The power of ten that the title shows once for very small or very large ticks; 0 when no tick needs it."""
    largest = max(map(abs, ticks))
    return 0 if largest == 0 or 1e-2 <= largest < 1e6 else math.floor(math.log10(largest))
