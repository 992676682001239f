"""The arithmetic of scores: pass@k, mean@n, bootstrap intervals over problems. Pure functions: no files, no grades.

Callers leave JUDGE_ERRORs out: a sample is a submission that was judged right or wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_RESAMPLES = 2000
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean over problems with its bootstrap interval; with one problem there is no interval.

    >>> Estimate(0.5, None, None, problems=1).to_dict()
    {'value': 0.5, 'low': None, 'high': None, 'problems': 1}
    """

    value: float
    low: float | None
    high: float | None
    problems: int

    def to_dict(self) -> dict[str, float | int | None]:
        return {"value": _rounded(self.value), "low": _rounded(self.low), "high": _rounded(self.high)} | {
            "problems": self.problems
        }


def pass_at_k(samples: int, accepted: int, k: int) -> float:
    """The unbiased estimate that at least one of `k` samples is right, from `accepted` right ones among `samples`.

    It is 1 - C(n-c, k) / C(n, k), computed as a product of min(k, c) factors, so that nothing overflows and small
    probabilities keep their digits.

    >>> pass_at_k(4, 1, 2)
    0.5
    """
    if not 0 <= accepted <= samples or not 1 <= k <= samples:
        raise ValueError(f"pass@{k} is not defined for {accepted} right of {samples}")
    if samples - accepted < k:
        return 1.0
    fewer, other = sorted((accepted, k))
    return -math.expm1(math.fsum(math.log1p(-other / (samples - i)) for i in range(fewer)))


def mean_over_problems(scores: Sequence[float], seed: int = 0) -> Estimate:
    """The mean of one score per problem, and the interval from resampling the problems.

    >>> mean_over_problems([1.0, 0.0, 1.0, 1.0]).value
    0.75
    """
    if not scores:
        raise ValueError("no problems: there is no mean")
    low, high = bootstrap_interval(scores, seed) if len(scores) > 1 else (None, None)
    return Estimate(math.fsum(scores) / len(scores), low, high, len(scores))


def bootstrap_interval(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """The 95 % percentile interval of the mean, by bootstrap.

    It does not depend on the order of the values. Its cost depends on the number of distinct values only: resampling
    is drawing how often each of them occurs.

    >>> bootstrap_interval([0.5, 0.5, 0.5])
    (0.5, 0.5)
    """
    distinct, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(len(values), counts / len(values), size=_RESAMPLES)
    means = drawn @ distinct / len(values)
    low, high = np.quantile(means, [(1 - _CONFIDENCE) / 2, (1 + _CONFIDENCE) / 2])
    return float(low), float(high)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
