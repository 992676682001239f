"""Temperature: selection from a sweep, stages, drift, and the warning when diversity falls."""

from __future__ import annotations

import pytest

from microcoder_rl.temperature import SweepPoint, diversity_warning, drifts, select_temperature, value_at

pytestmark = pytest.mark.fast


def test_temperature_selection_takes_the_nearest_admissible_and_says_why():
    points = [
        SweepPoint(0.6, 0.57, 0.30),
        SweepPoint(0.9, 0.66, 0.31),
        SweepPoint(1.2, 0.71, 0.31),
        SweepPoint(1.4, 0.80, 0.30),
        SweepPoint(1.6, 0.84, 0.20),
        SweepPoint(1.8, 0.97, 0.31),
    ]
    chosen = select_temperature(points)
    assert chosen.temperature == 1.2 and "2 admissible of 6" in chosen.reason
    assert [verdict.split()[0] for verdict in chosen.verdicts] == [
        "diversity", "diversity", "admissible", "admissible", "accuracy", "diversity",
    ]  # fmt: skip
    unjudged = select_temperature([SweepPoint(1.0, 0.70, float("nan")), SweepPoint(1.2, 0.72, 0.3)])
    assert unjudged.temperature == 1.2 and unjudged.verdicts[0] == "no reply could be judged"
    alone = select_temperature([SweepPoint(0.6, 0.2, 0.3), SweepPoint(1.0, 0.3, 0.3)])
    assert alone.temperature == 1.0 and "no temperature is admissible" in alone.reason


def test_stages_and_drift():
    stages = [(0, 0.6), (140, 1.2)]
    assert [value_at(step, stages) for step in (0, 139, 140, 500)] == [0.6, 0.6, 1.2, 1.2]
    assert not drifts(stages) and drifts([(step, 1 + step / 100) for step in range(0, 50, 5)])


def test_diversity_warning_needs_low_and_falling():
    falling = [0.6 - 0.01 * step for step in range(25)]
    assert diversity_warning(falling) is not None
    assert diversity_warning(falling[:19]) is None
    assert diversity_warning([0.5] * 25) is None
    assert diversity_warning(falling[::-1]) is None
    assert diversity_warning([value + 0.4 for value in falling]) is None
