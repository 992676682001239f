"""Judgements about pairs of rows, kept for a build on this dataset.

A judgement depends only on the two profiles and on why they were compared, so it is found by a hash of these. A file of
judgements is sorted by that hash and mapped from disk: only the pages that are searched are read.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from pathlib import Path

import numpy as np

from microcoder_data.compare.corpus import Array, Corpus, mapped
from microcoder_data.compare.evidence import Judgement, judge
from microcoder_data.compare.profile import Profiles
from microcoder_data.compare.settings import DUPLICATES_RULE

NAME = f"judgements-{DUPLICATES_RULE}.npy"
"""The rule's version is in the file's name: another version does not find it."""
_KEY_BYTES = 16
_SAVED = np.dtype([("key", f"S{_KEY_BYTES}"), ("same", "?"), ("why", "S24")])


class Judgements:
    """Judges pairs of rows, or finds what the base's build said about them."""

    def __init__(self, corpus: Corpus, profiles: Profiles) -> None:
        self._profiles = profiles
        self._before = _load(corpus.judged_before)
        self._known: dict[bytes, Judgement] = {}

    def of(self, kept: int, row: int, reason: str) -> Judgement:
        """Whether `row` is the problem of `kept`; `reason` is why they are compared."""
        # A fixed-width field of NumPy ends at its last byte that is not zero.
        key = self._key(kept, row, reason).rstrip(b"\0")
        found = _at(self._before, key) or judge(self._profiles.of(kept), self._profiles.of(row), reason)
        self._known[key] = found
        return found

    def saved(self) -> Array:
        """All judgements of this part, as an array of a file."""
        return np.array([(key, one.same, one.why.encode()) for key, one in self._known.items()], _SAVED)

    def _key(self, kept: int, row: int, reason: str) -> bytes:
        both = self._profiles.digest(kept) + self._profiles.digest(row)
        return hashlib.sha256(both + reason.encode()).digest()[:_KEY_BYTES]


def united(parts: list[Array]) -> Array:
    """The judgements of all parts, each once, sorted by key."""
    together = np.concatenate([np.empty(0, _SAVED), *parts])
    return together[np.unique(together["key"], return_index=True)[1]]


def _load(path: str) -> Array:
    """A file of judgements; empty where there is none, or where it is no such file."""
    try:
        found = mapped(Path(path)) if path else np.empty(0, _SAVED)
    except (OSError, ValueError, EOFError):
        return np.empty(0, _SAVED)
    return found if found.dtype == _SAVED and found.ndim == 1 else np.empty(0, _SAVED)


def _at(judgements: Array, key: bytes) -> Judgement | None:
    place = bisect_left(range(len(judgements)), key, key=lambda at: bytes(judgements[at]["key"]))
    if place == len(judgements) or judgements[place]["key"] != key:
        return None
    _, same, why = judgements[place]
    return Judgement(bool(same), why.decode())
