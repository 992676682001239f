"""Statistics of predicted against observed difficulty: rank correlation, isotonic regression, boundaries.

Observed difficulty is the share of attempts that failed, or a native rating or level. The calibration curve is the best
non-decreasing one (isotonic regression). Boundaries are placed where the predicted levels are nearest to the
observed ones. Everything here is arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

CANDIDATES = 201
RESAMPLES = 1000
FOLDS = 5


def rank_correlation(
    first: Sequence[float] | np.ndarray, second: Sequence[float] | np.ndarray
) -> tuple[float, float, float]:
    """Spearman's rank correlation with its 95 % bootstrap interval over problems; nan where it is not defined.

    >>> rank_correlation([1, 2, 3, 4], [10, 20, 30, 40])[0]
    1.0
    """
    x, y = np.asarray(first, float), np.asarray(second, float)
    value = _spearman(x, y)
    generator = np.random.default_rng(0)
    resampled = [_spearman(x[chosen], y[chosen]) for chosen in generator.integers(0, len(x), (RESAMPLES, len(x)))]
    known = [one for one in resampled if np.isfinite(one)]
    if not np.isfinite(value) or not known:
        return float("nan"), float("nan"), float("nan")
    low, high = np.percentile(known, [2.5, 97.5])
    return value, float(low), float(high)


def _spearman(x: np.ndarray, y: np.ndarray) -> float:
    if len(x) < 3:
        return float("nan")
    a, b = _ranks(x), _ranks(y)
    a, b = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((a @ a) * (b @ b)))
    return round(float(a @ b) / norm, 12) if norm else float("nan")


def _ranks(values: np.ndarray) -> np.ndarray:
    """The ranks of the values; equal values get the average of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[inverse])


def isotonic(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The knots of the non-decreasing curve with the least squared error, by pooling adjacent violators.

    >>> [list(map(float, side)) for side in isotonic(np.array([1, 2, 3]), np.array([1, 3, 2]))]
    [[1.0, 2.0, 3.0], [1.0, 2.5, 2.5]]
    """
    knots, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(inverse, weights=y) / counts
    values: list[float] = []
    weights: list[int] = []
    lengths: list[int] = []
    for mean, count in zip(means.tolist(), counts.tolist(), strict=True):
        values.append(mean)
        weights.append(count)
        lengths.append(1)
        while len(values) > 1 and values[-2] >= values[-1]:
            total = weights[-2] + weights[-1]
            values[-2] = (values[-2] * weights[-2] + values[-1] * weights[-1]) / total
            weights[-2] = total
            lengths[-2] += lengths[-1]
            del values[-1], weights[-1], lengths[-1]
    return knots, np.repeat(values, lengths)


def curve_at(knots: np.ndarray, values: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The value of the curve at x: linear between its knots, constant beyond them."""
    return np.interp(x, knots, values)


def crossing(knots: np.ndarray, values: np.ndarray, cut: float) -> float:
    """The x at which the curve first reaches `cut`; its last knot if it never does."""
    reached = np.flatnonzero(values >= cut)
    return round(float(knots[reached[0]] if len(reached) else knots[-1]), 3)


def best_boundaries(x: np.ndarray, levels: np.ndarray) -> tuple[float, float]:
    """The two thresholds on `x` whose levels (0, 1, 2) are nearest to the observed ones.

    >>> best_boundaries(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([0, 0, 1, 2, 2]))
    (2.51, 3.51)
    """
    between = np.unique(np.quantile(x, np.linspace(0, 1, CANDIDATES)))
    candidates = np.unique(np.concatenate([between, (between[1:] + between[:-1]) / 2]))
    above = x[:, None] >= candidates[None, :]
    # The cost of a row is by how many levels it is off: a sum over the two boundaries, so each can be placed alone.
    low = (above != (levels >= 1)[:, None]).sum(axis=0)
    high = (above != (levels >= 2)[:, None]).sum(axis=0)
    first = _middle_of_best(low)
    second = max(first, _middle_of_best(high))
    return round(float(candidates[first]), 3), round(float(candidates[second]), 3)


def _middle_of_best(cost: np.ndarray) -> int:
    """The middle one of the positions with the least cost."""
    best = np.flatnonzero(cost == cost.min())
    return int(best[len(best) // 2])


def held_out(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Cross-validation: for every row, the value of the curve that was fitted on the other folds."""
    fold = np.random.default_rng(0).permutation(len(x)) % FOLDS
    out = np.empty(len(x))
    for number in range(FOLDS):
        rest = fold != number
        out[~rest] = curve_at(*isotonic(x[rest], y[rest]), x[~rest])
    return out


def levels_of(values: np.ndarray, cuts: Sequence[float]) -> np.ndarray:
    """The level (0, 1, 2) of each value."""
    return np.asarray(sum((values >= cut).astype(int) for cut in cuts))
