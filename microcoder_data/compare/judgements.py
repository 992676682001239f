"""Judgements about pairs of rows, kept for a build on this dataset.

A judgement depends only on the two profiles and on why they were compared, so it is found by a hash of these. A file of
judgements is sorted by that hash and mapped from disk: only the pages that are searched are read.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from microcoder_data.compare.corpus import Array, Corpus, Steps, key_range, mapped
from microcoder_data.compare.evidence import WEAK_REASONS, Judgement, judge, share_little
from microcoder_data.compare.profile import Profiles
from microcoder_data.compare.settings import DUPLICATES_RULE
from microcoder_data.faults import place_of, text_of

NAME = f"judgements-{DUPLICATES_RULE}.npy"
"""The rule's version is in the file's name: another version does not find it."""
FEW_SAMPLES = Judgement(False, "few_samples")
"""Not kept: it is made as fast as it is found."""
_KEY_BYTES = 16
_SAVED = np.dtype([("key", f"S{_KEY_BYTES}"), ("same", "?"), ("why", "S24")])


class Judgements:
    """Judges pairs of rows, or finds what the base's build said about them."""

    def __init__(self, corpus: Corpus, profiles: Profiles) -> None:
        self._profiles = profiles
        self._before = _load(corpus.judged_before)
        self._known: dict[bytes, Judgement] = {}

    def of(self, kept: int, row: int, reason: str) -> Judgement:
        """Whether `row` is the problem of `kept`; `reason` is why they are compared. An exception keeps them apart."""
        try:
            return self._of(kept, row, reason)
        except Exception as error:
            return Judgement(False, text_of(error), place_of(error))

    def _of(self, kept: int, row: int, reason: str) -> Judgement:
        if reason in WEAK_REASONS and share_little(self._profiles.of(kept), self._profiles.of(row)):
            return FEW_SAMPLES
        # A fixed-width field of NumPy ends at its last byte that is not zero.
        key = self._key(kept, row, reason).rstrip(b"\0")
        found = _at(self._before, key) or judge(self._profiles.of(kept), self._profiles.of(row), reason)
        self._known[key] = found
        return found

    def saved(self) -> Array:
        """All judgements of this part, sorted by key, as an array of a file."""
        return np.array([(key, one.same, one.why.encode()) for key, one in sorted(self._known.items())], _SAVED)

    def _key(self, kept: int, row: int, reason: str) -> bytes:
        both = self._profiles.digest(kept) + self._profiles.digest(row)
        return hashlib.sha256(both + reason.encode()).digest()[:_KEY_BYTES]


def keep_judgements(steps: Steps, batches: int) -> None:
    """Save the judgements of all batches, each once, sorted by key."""
    found = sum(len(batch) for batch in _of_batches(steps.corpus, batches))
    parts = max(1, -(-found * _SAVED.itemsize // (16 * steps.corpus.sizes.entries)))  # a bucket entry takes 16 bytes
    counts = steps.run("judged", partial(sort_by_key, parts=parts, batches=batches), parts)
    steps.corpus.keep(NAME, _SAVED, (sum(counts),), (f"judged-{part:05d}.npy" for part in range(parts)))


def sort_by_key(corpus: Corpus, part: int, parts: int, batches: int) -> int:
    """Write the judgements of all batches in a range of keys; returns how many."""
    low, high = key_range(part, parts, 8 * _KEY_BYTES)
    found = [np.empty(0, _SAVED)]
    for batch in _of_batches(corpus, batches):
        start = np.searchsorted(batch["key"], low.to_bytes(_KEY_BYTES, "big"))
        end = len(batch) if high is None else np.searchsorted(batch["key"], high.to_bytes(_KEY_BYTES, "big"))
        found.append(batch[start:end])
    together = np.concatenate(found)
    chosen = together[np.unique(together["key"], return_index=True)[1]]
    corpus.save(f"judged-{part:05d}.npy", chosen)
    return len(chosen)


def _of_batches(corpus: Corpus, batches: int) -> Iterator[Array]:
    return (corpus.load(f"judgements-{batch:05d}.npy") for batch in range(batches))


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
