"""Choose the rows that a selection by level drops. A row is five numbers, so that ten million rows fit in memory."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from microcoder_data.compare.select import Select
from microcoder_data.schema import text_sha256
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS

Columns = NDArray[np.float64]
EMPTY = np.empty((5, 0))


class Candidate(NamedTuple):
    """The part of a row that selection needs."""

    row: int
    problem_id: str
    level: str | None
    predicted: float | None
    date: datetime.date | None


def columns_of(settings: Select, candidates: Iterable[Candidate]) -> Columns:
    """Five columns for the candidates that have a level: the level, three sort keys, the row."""
    found = [
        (DIFFICULTY_LEVELS.index(one.level), *_sort_key(settings, one), one.row)
        for one in candidates
        if one.level in DIFFICULTY_LEVELS
    ]
    return np.array(found, np.float64).reshape(-1, 5).T


def surplus(settings: Select, columns: Columns) -> dict[str, NDArray[np.int64]]:
    """The rows to drop, sorted, by level. The order of the candidates does not matter.

    >>> rows = [Candidate(n, str(n), "easy" if n < 8 else "hard", n / 10, None) for n in range(12)]
    >>> share = Select({"easy": 0.2})
    >>> {level: rows.tolist() for level, rows in surplus(share, columns_of(share, rows)).items()}
    {'easy': [0, 1, 2, 3, 4, 5, 6]}
    """
    counts = {level: int((columns[0] == number).sum()) for number, level in enumerate(DIFFICULTY_LEVELS)}
    dropped = {}
    for level, most in _most(settings.shares, counts).items():
        first, second, chance, row = columns[1:, columns[0] == DIFFICULTY_LEVELS.index(level)]
        dropped[level] = np.sort(row[np.lexsort((row, chance, second, first))[most:]].astype(np.int64))
    return dropped


def _most(shares: Mapping[str, Any], counts: Mapping[str, int]) -> dict[str, int]:
    """How many rows of each bounded level may stay."""
    total = sum(shares.values())
    if total > 1 - 1e-9:
        rows = min((counts[level] / share for level, share in shares.items() if share > 0), default=0.0)
    else:
        rows = sum(count for level, count in counts.items() if level not in shares) / (1 - total)
    return {level: math.floor(share * rows + 1e-9) for level, share in shares.items()}


def _sort_key(settings: Select, one: Candidate) -> tuple[float, float, int]:
    """The sort key of a row: rows that are kept come first."""
    chance = int(text_sha256(f"{settings.seed} {one.problem_id}")[:13], 16)  # 52 bits: a float holds them exactly
    hardness = -(one.predicted if one.predicted is not None else -math.inf)
    age = -(one.date.toordinal() if one.date else 0)
    if settings.prefer == "random":
        return 0.0, 0.0, chance
    return (hardness, age, chance) if settings.prefer == "hard" else (age, hardness, chance)
