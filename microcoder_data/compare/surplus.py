"""Choose the rows that a selection by level drops.

A row is a key of 40 bytes: its level, what the selection prefers, its number. The keys of a group of shards are sorted
and may be mapped from disk; the first key that is dropped is found by bisection, with no more in memory.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from microcoder_data.compare.select import Select
from microcoder_data.schema import text_sha256
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS

Keys = NDArray[np.bytes_]
_WORDS, _WORD_BITS = 5, 64
KEY = np.dtype(f"S{_WORDS * _WORD_BITS // 8}")
_SIGN = np.uint64(1 << 63)


class Candidate(NamedTuple):
    """The part of a row that selection needs."""

    row: int
    problem_id: str
    level: str | None
    predicted: float | None
    date: datetime.date | None


def sorted_keys(settings: Select, candidates: Iterable[Candidate]) -> Keys:
    """The sorted keys of the candidates that have a level."""
    found = [
        (DIFFICULTY_LEVELS.index(one.level), *_sort_key(settings, one), one.row)
        for one in candidates
        if one.level in DIFFICULTY_LEVELS
    ]
    values = np.array(found, np.float64).reshape(-1, _WORDS)
    words = np.empty(values.shape, ">u8")
    words[:, [0, 3, 4]] = values[:, [0, 3, 4]]
    words[:, 1:3] = _in_order(values[:, 1:3])
    return np.sort(words.view(KEY).ravel())


def first_dropped(settings: Select, parts: Sequence[Keys]) -> dict[str, bytes]:
    """Of each level that has too many rows, the first key that is dropped; what follows it in the level is too."""
    starts = [_below(parts, _key(number, 0)) for number in range(len(DIFFICULTY_LEVELS) + 1)]
    counts = dict(zip(DIFFICULTY_LEVELS, np.diff(starts).tolist(), strict=True))
    found = {}
    for level, most in _most(settings.shares, counts).items():
        if most < counts[level]:
            number = DIFFICULTY_LEVELS.index(level)
            found[level] = _key_at(parts, starts[number] + most, number)
    return found


def surplus(dropped: Mapping[str, bytes], keys: Keys) -> dict[str, NDArray[np.int64]]:
    """The rows of some sorted keys that are dropped, sorted, by level. dropped: as `first_dropped` gives it.

    >>> rows = [Candidate(n, str(n), "easy" if n < 8 else "hard", n / 10, None) for n in range(12)]
    >>> keys = sorted_keys(Select({"easy": 0.2}), rows)
    >>> {level: rows.tolist() for level, rows in surplus(first_dropped(Select({"easy": 0.2}), [keys]), keys).items()}
    {'easy': [0, 1, 2, 3, 4, 5, 6]}
    """
    found = {}
    for level, first in dropped.items():
        start, end = np.searchsorted(keys, [first, _key(DIFFICULTY_LEVELS.index(level) + 1, 0)])
        rows = np.ascontiguousarray(keys[start:end]).view(">u8").reshape(-1, _WORDS)[:, -1]
        found[level] = np.sort(rows.astype(np.int64))
    return found


def _key_at(parts: Sequence[Keys], place: int, level: int) -> bytes:
    """The key at a place among the keys of all parts; it is one of the level's."""
    low, high = 0, 1 << (_WORDS - 1) * _WORD_BITS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _below(parts, _key(level, middle)) <= place else (low, middle)
    return _key(level, low)


def _below(parts: Sequence[Keys], key: bytes) -> int:
    """How many keys of all parts are below a key."""
    return sum(int(np.searchsorted(part, key)) for part in parts)


def _key(level: int, rest: int) -> bytes:
    return level.to_bytes(_WORD_BITS // 8, "big") + rest.to_bytes((_WORDS - 1) * _WORD_BITS // 8, "big")


def _in_order(values: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Integers that are in the order of these numbers."""
    bits = (values + 0.0).view(np.uint64)  # there are two zeros
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


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
