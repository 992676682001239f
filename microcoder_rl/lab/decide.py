"""Decides claims from runs: the statistic of each seed, its mean with an interval, compared with what was predicted.

    decided = decide(claim, runs)           # runs: {"all": {seed: record, ...}, ...}
    decided.verdict                         # "held", "not held", "not separable", "not run"

The rules, the same for every check:

- Arms are compared within seeds: the same seed has the same model, questions and random numbers. With one arm, each
  seed's own value is compared with a constant.
- The interval is the 95 % percentile interval of the mean over 10,000 bootstrap resamples of the seeds.
- "higher" held when the whole interval is above 0, and did not hold when it is below the margin, the smallest
  difference that counts; "lower" likewise. "equal" held when the interval is within the margin on both sides, and
  did not hold when it is outside. Anything else is not separable.
- A check with fewer than 8 seeds has no verdict but "too few seeds", whatever its interval.
- A claim held when all its checks held, did not hold when one did not, and is otherwise not separable.

Intervals are not corrected for multiple comparisons: where nothing differs, one interval in twenty misses zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from microcoder_rl.lab.experiment import CheckConfig, ClaimConfig

LEAST_SEEDS = 8
RESAMPLES = 10_000
Runs = Mapping[str, Mapping[int, Mapping[str, Any]]]
"""Records by arm and seed."""
HELD, NOT_HELD, NOT_SEPARABLE = "held", "not held", "not separable"
TOO_FEW, NOT_RUN, NEEDS_MODEL = "too few seeds", "not run", "needs a model"


@dataclass(frozen=True)
class Checked:
    """A check with its result. Without seeds there is no interval."""

    check: CheckConfig
    values: tuple[float, ...]
    """One for each seed."""
    mean: float
    low: float
    high: float
    verdict: str


@dataclass(frozen=True)
class Decided:
    """A claim with the results of its checks."""

    claim: ClaimConfig
    checks: tuple[Checked, ...]
    verdict: str


def decide(claim: ClaimConfig, runs: Runs) -> Decided:
    """Decide a claim on the runs that there are."""
    checks = tuple(run_check(check, runs) for check in claim.checks)
    verdicts = [checked.verdict for checked in checks]
    if claim.needs:
        verdict = NEEDS_MODEL
    elif NOT_RUN in verdicts:
        verdict = NOT_RUN
    elif TOO_FEW in verdicts:
        verdict = TOO_FEW
    elif NOT_HELD in verdicts:
        verdict = NOT_HELD
    else:
        verdict = HELD if set(verdicts) == {HELD} else NOT_SEPARABLE
    return Decided(claim, checks, verdict)


def run_check(check: CheckConfig, runs: Runs) -> Checked:
    """The statistic of the seeds that all of the check's arms have, and its verdict."""
    records = [runs.get(arm, {}) for arm in check.arms]  # by seed, one dictionary for each arm
    seeds = sorted(set.intersection(*map(set, records)))
    if not seeds:
        return Checked(check, (), float("nan"), float("nan"), float("nan"), NOT_RUN)
    columns = [statistics_of([by_seed[seed] for seed in seeds], check) for by_seed in records]
    values = columns[0] - (columns[1] if len(columns) == 2 else check.than)
    low, high = interval(values)
    verdict = judge(check, low, high) if len(seeds) >= LEAST_SEEDS else TOO_FEW
    return Checked(check, tuple(values.tolist()), float(values.mean()), low, high, verdict)


def judge(check: CheckConfig, low: float, high: float) -> str:
    """The verdict on a check's prediction, from the interval of its statistic."""
    margin = check.margin
    if check.predicted == "equal":
        if -margin < low and high < margin:
            return HELD
        return NOT_HELD if low > margin or high < -margin else NOT_SEPARABLE
    if check.predicted == "lower":
        low, high = -high, -low
    if low > 0:
        return HELD
    return NOT_HELD if high < margin else NOT_SEPARABLE


def interval(values: np.ndarray) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean. The same values give the same interval.

    >>> interval(np.array([1.0, 1.0, 1.0]))
    (1.0, 1.0)
    """
    drawn = np.random.Generator(np.random.Philox(key=34)).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.percentile(values[drawn].mean(1), [2.5, 97.5])
    return float(low), float(high)


def statistics_of(records: Sequence[Mapping[str, Any]], check: CheckConfig) -> np.ndarray:
    """The check's statistic of each record [S].

    `peak` and `fall` take a seed's value at the step where the other seeds peak, not its own highest value: of noisy
    points the highest lies above the last one even when nothing falls.
    """
    curves = np.array([_curve(record, check.measure) for record in records])
    if check.minus:
        curves = curves - np.array([_curve(record, check.minus) for record in records])
    first, final, early = curves[:, 0], curves[:, -2:].mean(1), curves[:, 1:3].mean(1)
    if check.statistic == "first":
        return first
    if check.statistic == "final":
        return final
    if check.statistic == "rise":
        return final - first
    if check.statistic == "early":
        return early
    if check.statistic == "early_minus_final":
        return early - final
    if check.statistic == "growth":  # to the middle of the run
        return curves[:, curves.shape[1] // 2] - first
    if check.statistic == "peak_step":
        steps = [point["step"] for point in records[0]["points"] if check.measure in point]
        return np.array([steps[int(np.argmax(curve))] for curve in curves], dtype=float)
    peaks = []
    for place, curve in enumerate(curves):
        others = np.delete(curves, place, axis=0) if len(curves) > 1 else curves
        peaks.append(curve[int(np.argmax(others.mean(0)))])
    return np.array(peaks) - (final if check.statistic == "fall" else 0)


def _curve(record: Mapping[str, Any], measure: str) -> list[float]:
    return [float("nan") if value is None else value for value in series(record, measure)[1]]


def series(record: Mapping[str, Any], measure: str) -> tuple[list[int], list[Any]]:
    """Steps and values of a measure, at the points that have it."""
    points = [point for point in record["points"] if measure in point]
    return [point["step"] for point in points], [point[measure] for point in points]
