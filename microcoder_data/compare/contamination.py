"""Find rows that are problems of a benchmark, by four kinds of evidence, each with its score.

    address    published at the same place                                    1
    window     a contest inside the benchmark's time                          1
    samples    the share of the item's samples that the row has too           0..1
    grams      the share of the item's n-grams that the row has too           0..1, of all n-grams or of the rare ones

A single shared n-gram is not evidence: contests share whole sentences. A translation or paraphrase is found only by its
samples, if it keeps them.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microcoder_data.compare.benchmarks import PAPER_GRAM, BenchmarkIndex
from microcoder_data.compare.settings import Benchmark, Contamination
from microcoder_data.compare.tokens import Hashes

Rows = NDArray[np.int64]
Evidence = dict[int, list[dict[str, Any]]]
"""Entries of the column `contamination`, by row."""


def gather(
    settings: Contamination,
    benchmarks: Sequence[Benchmark],
    index: BenchmarkIndex,
    addresses: tuple[Rows, Hashes],
    examples: tuple[Rows, Hashes],
    hits: dict[int, tuple[Rows, Hashes]],
    row_grams: Rows,
    dates: Sequence[datetime.date | None],
    standing: NDArray[np.bool_],
    in_rows: Rows,
) -> Evidence:
    """All evidence with a score of at least `review`, best first.

    The rows may be a part of the corpus. `standing` marks rows that are not merged or dropped. `in_rows` says how many
    rows of the whole corpus have each of the index's n-grams.
    """
    evidence: Evidence = defaultdict(list)
    for row, item, _ in _matches(addresses, index.addresses):
        _add(evidence, standing, row, index.items[item], "address", 1.0)
    for benchmark in benchmarks:
        if benchmark.since is not None:
            for row, date in enumerate(dates):
                if date is not None and date >= benchmark.since:
                    _add(evidence, standing, row, (benchmark.name, ""), "window", 1.0)
    for row, item, score in _by_samples(settings, index, examples):
        _add(evidence, standing, row, index.items[item], "samples", score)
    for row, item, score in _by_grams(settings, index, hits[settings.gram], standing, in_rows):
        _add(evidence, standing, row, index.items[item], "grams", score)
    if settings.paper_grams is not None:
        for row, item, score in _by_paper(settings.paper_grams, index, hits[PAPER_GRAM], row_grams):
            _add(evidence, standing, row, index.items[item], "paper_grams", score)
    for entries in evidence.values():
        entries.sort(key=lambda entry: (-entry["score"], entry["method"], entry["benchmark"], entry["item"]))
    return evidence


def verdict(settings: Contamination, entries: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The entry for which a row is dropped, or None when no score is high enough to drop it."""
    for entry in entries:
        limit = settings.paper_grams if entry["method"] == "paper_grams" else settings.drop
        if limit is not None and entry["score"] >= limit:
            return entry
    return None


def _add(
    evidence: Evidence, standing: NDArray[np.bool_], row: int, item: tuple[str, str], method: str, score: float
) -> None:
    if standing[row]:
        entry = {"benchmark": item[0], "item": item[1] or None, "method": method, "score": round(score, 6)}
        if entry not in evidence[row]:
            evidence[row].append(entry)


def _matches(ours: tuple[Rows, Hashes], theirs: tuple[Hashes, Rows]) -> list[tuple[int, int, int]]:
    """(row, item, key) for every key that a row and an item have."""
    rows, keys = ours
    known, items = theirs
    low, high = np.searchsorted(known, keys, "left"), np.searchsorted(known, keys, "right")
    return [
        (int(rows[ours_at]), int(items[at]), int(keys[ours_at]))
        for ours_at in np.flatnonzero(high > low)
        for at in range(int(low[ours_at]), int(high[ours_at]))
    ]


def _by_samples(
    settings: Contamination, index: BenchmarkIndex, examples: tuple[Rows, Hashes]
) -> list[tuple[int, int, float]]:
    """(row, item, score) for rows that have enough of an item's samples."""
    totals = np.bincount(index.samples[1], minlength=len(index.items))
    weights = dict(zip(index.samples[0].tolist(), index.sample_weights.tolist(), strict=True))
    shared: dict[tuple[int, int], set[int]] = defaultdict(set)
    for row, item, key in _matches(examples, index.samples):
        shared[row, item].add(key)
    found = []
    for (row, item), equal in shared.items():
        weight = sum(weights[key] for key in equal)
        score = len(equal) / int(totals[item])
        enough = weight >= settings.min_example_weight * (1 if len(equal) > 1 else 2)
        if enough and score >= settings.review:
            found.append((row, item, score))
    return found


def _by_grams(
    settings: Contamination,
    index: BenchmarkIndex,
    hits: tuple[Rows, Hashes],
    standing: NDArray[np.bool_],
    in_rows: Rows,
) -> list[tuple[int, int, float]]:
    """(row, item, score) for rows that have enough of an item's n-grams."""
    rows, grams = _of_standing(hits, standing)
    known, items = index.grams[settings.gram]
    in_items = np.searchsorted(known, known, "right") - np.searchsorted(known, known, "left")
    rare = in_items + in_rows <= settings.common
    totals = np.bincount(items, minlength=len(index.items))
    rare_totals = np.bincount(items[rare], minlength=len(index.items))
    found: dict[tuple[int, int], float] = {}
    every = np.ones(len(known), bool)
    # Common n-grams are evidence only if many are shared.
    for chosen, counts, least in ((every, totals, settings.drop), (rare, rare_totals, settings.review)):
        for row, item, count in _shared_counts(rows, grams, known[chosen], items[chosen], len(index.items)):
            score = count / int(counts[item])
            if count >= settings.min_grams and score >= least:
                found[row, item] = max(score, found.get((row, item), 0.0))
    return [(row, item, score) for (row, item), score in found.items()]


def rows_with(
    settings: Contamination, index: BenchmarkIndex, hits: tuple[Rows, Hashes], standing: NDArray[np.bool_]
) -> Rows:
    """How many of the standing rows have each of the index's n-grams."""
    known, ours = index.grams[settings.gram][0], np.sort(_of_standing(hits, standing)[1])
    return np.searchsorted(ours, known, "right") - np.searchsorted(ours, known, "left")


def _of_standing(hits: tuple[Rows, Hashes], standing: NDArray[np.bool_]) -> tuple[Rows, Hashes]:
    chosen = standing[hits[0]]
    return hits[0][chosen], hits[1][chosen]


def _by_paper(
    limit: float, index: BenchmarkIndex, hits: tuple[Rows, Hashes], row_grams: Rows
) -> list[tuple[int, int, float]]:
    """(row, item, score) by the paper's rule."""
    known, items = index.grams[PAPER_GRAM]
    totals = np.bincount(items, minlength=len(index.items))
    found = []
    for row, item, count in _shared_counts(*hits, known, items, len(index.items)):
        score = count / max(1, min(int(totals[item]), int(row_grams[row])))
        if score >= limit:
            found.append((row, item, score))
    return found


def _shared_counts(
    rows: Rows, grams: Hashes, known: Hashes, items: Rows, item_count: int
) -> list[tuple[int, int, int]]:
    """(row, item, how many of the item's n-grams the row has)."""
    low, high = np.searchsorted(known, grams, "left"), np.searchsorted(known, grams, "right")
    width = high - low
    at = np.repeat(low - (np.cumsum(width) - width), width) + np.arange(width.sum())
    pair = np.repeat(rows.astype(np.int64), width) * item_count + items[at]
    pairs, counts = np.unique(pair, return_counts=True)
    return [
        (pair // item_count, pair % item_count, count)
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True)
    ]
