"""Which temperature to sample at: constant, in stages, or selected from measured diversity. Pure functions.

The paper's rule: constant or staged, never changing continuously. The initial diversity must not be below the value
that diversity converges to, and not so high that it oscillates. The measurement needs a model and is in `sweep.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microcoder_eval import InputError


@dataclass(frozen=True)
class SweepPoint:
    """Measurements of one temperature on the probe prompts."""

    temperature: float
    diversity: float
    accuracy: float
    length: float = 0.0


@dataclass(frozen=True)
class Selection:
    """The selected temperature, why in one line, and for every point of the sweep "admissible" or why not."""

    temperature: float
    reason: str
    verdicts: tuple[str, ...]


def select_temperature(
    points: Sequence[SweepPoint],
    *,
    target: float = 0.70,
    convergence: float = 0.65,
    margin: float = 0.02,
    maximum: float = 0.85,
    accuracy_drop: float = 0.10,
) -> Selection:
    """Select the admissible temperature whose diversity is nearest the target.

    A point is rejected when its diversity is under `convergence + margin` (training would fail) or over `maximum`
    (it would oscillate), or when its accuracy is unknown or more than `accuracy_drop` (relative) below the best. When
    every point is rejected, the one whose diversity is nearest the target is selected, and the reason says so.

    >>> points = [SweepPoint(0.6, 0.57, 0.30), SweepPoint(1.2, 0.71, 0.31), SweepPoint(1.8, 0.97, 0.22)]
    >>> select_temperature(points).temperature
    1.2
    """
    best = max((point.accuracy for point in points if not np.isnan(point.accuracy)), default=0.0)
    lowest, drop = convergence + margin, accuracy_drop

    def rejection(point: SweepPoint) -> str | None:
        if not point.diversity >= lowest:
            return f"diversity {point.diversity:.3f} under {lowest:.3f}"
        if point.diversity > maximum:
            return f"diversity {point.diversity:.3f} over {maximum:.3f}"
        if np.isnan(point.accuracy):
            return "no reply could be judged"
        if point.accuracy < best * (1 - drop):
            return f"accuracy {point.accuracy:.3f} more than {drop:.0%} under the best {best:.3f}"
        return None

    rejections = [rejection(point) for point in points]
    admissible = [point for point, reason in zip(points, rejections, strict=True) if reason is None]
    measured = [point for point in points if not np.isnan(point.diversity)]
    if not measured:
        raise InputError("temperature: no temperature of the sweep gave replies long enough to measure their diversity")
    chosen = min(admissible or measured, key=lambda point: (abs(point.diversity - target), point.temperature))
    reason = f"T = {chosen.temperature:g}: diversity {chosen.diversity:.3f} is nearest the target {target:.2f}"
    if not admissible:
        reason += "; no temperature is admissible, this one is the closest"
    elif len(admissible) < len(points):
        reason += f" among {len(admissible)} admissible of {len(points)}"
    return Selection(chosen.temperature, reason, tuple(each or "admissible" for each in rejections))


def value_at(step: int, stages: Sequence[tuple[int, float]]) -> float:
    """The value of a staged schedule at a step (1-based; the first stage begins at 0).

    >>> [value_at(step, [(0, 0.6), (140, 1.2)]) for step in (1, 139, 140)]
    [0.6, 0.6, 1.2]
    """
    return [value for start, value in stages if start <= max(step, 0)][-1]


def drifts(stages: Sequence[tuple[int, float]], *, shortest: int = 20) -> bool:
    """Whether stages change almost continuously: two or more stages are shorter than `shortest` steps.

    >>> drifts([(0, 0.6), (140, 1.2)]), drifts([(0, 0.6), (1, 0.62), (2, 0.64), (3, 0.66)])
    (False, True)
    """
    gaps = np.diff([start for start, _ in stages])
    return bool((gaps < shortest).sum() >= 2)


def diversity_warning(history: Sequence[float], *, convergence: float = 0.65, window: int = 20) -> str | None:
    """A warning when diversity has been below its convergence value and still falling for `window` steps.

    >>> diversity_warning([0.6 - 0.01 * step for step in range(20)])
    'diversity fell to 0.505 (mean of 20 steps, under 0.65) and is still falling: a higher temperature may help'
    """
    recent = np.asarray(history[-window:], dtype=float)
    recent = recent[~np.isnan(recent)]
    if len(recent) < window or recent.mean() >= convergence:
        return None
    slope = np.polyfit(np.arange(len(recent)), recent, 1)[0]
    if slope >= 0 or recent[-window // 2 :].mean() >= recent[: window // 2].mean():
        return None
    return (
        f"diversity fell to {recent.mean():.3f} (mean of {window} steps, under {convergence:g}) "
        "and is still falling: a higher temperature may help"
    )
