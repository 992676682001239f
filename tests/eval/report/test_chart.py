"""Line charts of report pages: every point is drawn inside the frame, whatever the numbers."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.report.chart import HEIGHT, WIDTH, Line, line_chart

pytestmark = pytest.mark.fast

numbers = st.floats(allow_nan=True, allow_infinity=True, width=32)


@given(st.lists(st.lists(st.tuples(st.integers(0, 10_000), numbers), max_size=60), max_size=4))
def test_every_finite_point_is_inside_the_frame(curves: list[list[tuple[int, float]]]) -> None:
    html = line_chart("Any", [Line(f"c{n}", points) for n, points in enumerate(curves)])
    drawn = [spot for path in re.findall(r'points="([^"]*)"', html) for spot in path.split()]
    assert len(drawn) == sum(math.isfinite(y) for points in curves for _, y in points)
    for spot in drawn:
        x, y = map(float, spot.split(","))
        assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT


def test_a_chart_says_what_it_shows_to_those_who_cannot_see_it() -> None:
    html = line_chart("Accuracy", [Line("run <1>", [(0, 0.25), (10, 0.5)])], percent=True)
    assert 'aria-label="Accuracy: run &lt;1&gt; from 25.0 % to 50.0 %"' in html
    assert "No numbers." in line_chart("Empty", [])


def test_a_point_tells_the_values_of_all_curves_there() -> None:
    html = line_chart("Reward", [Line("a", [(1, 0.25), (2, 0.5)]), Line("b", [(2, 0.75)])])
    assert html.count("<title>2\na: 0.5\nb: 0.75</title>") == 2 and "<title>1\na: 0.25</title>" in html


@pytest.mark.parametrize(
    ("values", "title", "labels"),
    [
        ([1.1e-7, 2.9e-7], "Gap, ×10⁻⁷", ["1", "1.5", "2", "2.5", "3"]),
        ([2.165e-7] * 3, "Gap, ×10⁻⁷", ["2.16", "2.17"]),
        ([0.31234567, 0.31234568], "Gap", ["0.312", "0.313"]),
        ([0.0, 0.0], "Gap", ["0", "0.25"]),
    ],
)
def test_tick_labels_stay_short_and_what_they_share_is_in_the_title(values, title, labels):
    html = line_chart("Gap", [Line("run", list(enumerate(values)))])
    assert f"<h3>{title}</h3>" in html
    assert re.findall(r"<text[^>]*>([^<]*)</text>", str(html))[: len(labels)] == labels
