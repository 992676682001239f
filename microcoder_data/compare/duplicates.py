"""Decide which rows are merged into which. A row is merged only into a row that it was compared with.

Rows are visited in order of preference (earlier source, more tests, earlier position). A row that shares words, tests,
an address or samples with a row already kept is compared with it (`evidence.py`), and merged into it if the two are one
problem. There are no chains: if A is near B and B is near C, C is not merged into A.

Rows without a link are never compared, so each connected component is decided on its own: see `components.py`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from microcoder_data.compare.evidence import WEAK_REASONS, Judgement
from microcoder_data.compare.features import (
    BUCKETS,
    SAME_ADDRESS,
    SAME_ID,
    SAME_NAME,
    SAME_SAMPLES,
    SAME_SHINGLES,
    SAME_TESTS,
    SAME_TEXT,
)

Judge = Callable[[int, int, str], Judgement]
"""Whether two rows are one problem; the text says why they are compared."""
WEAK = (SAME_SAMPLES, SAME_NAME)
MOST_KEPT = 8
"""How many kept rows of a bucket a row is compared with."""


@dataclass(frozen=True)
class Merge:
    """One row that is merged, the row that it is merged into, and why."""

    row: int
    into: int
    reason: str
    jaccard: float | None = None


@dataclass(frozen=True)
class Apart:
    """A row that shares an address or most of its words with a row that was kept, and is another problem."""

    row: int
    other: int
    reason: str
    """Why they were compared."""
    why: str
    """Why they are two problems."""
    fault: str = ""
    """Where this program failed to judge them."""


def decide_component(
    rows: Sequence[int],
    entries: Iterable[tuple[int, int, int]],
    pairs: Iterable[tuple[int, int, float]],
    judge: Judge,
) -> tuple[list[Merge], list[Apart]]:
    """The merges, and the rows kept apart, sorted by row. No link leads from these rows to others.

    `rows` are in order of preference, the one to keep first. `entries` are kind, key and row of the buckets that
    several rows share, in order. `pairs` are near statements with their Jaccard.
    """
    members: dict[int, list[tuple[int, object]]] = defaultdict(list)
    copies: dict[int, list[int]] = defaultdict(list)
    for kind, key, row in entries:
        if kind == SAME_SHINGLES:
            members[row].append((SAME_TEXT, ("copies", key)))
            copies[key].append(row)
        else:
            members[row].append((kind, key))
    near: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for one, other, jaccard in pairs:
        near[one].append((other, jaccard))
        near[other].append((one, jaccard))
    _share_neighbours(near, list(copies.values()))
    merges, apart = _merges(rows, members, near, judge)
    return sorted(merges, key=lambda merge: merge.row), sorted(apart, key=lambda one: one.row)


def _share_neighbours(near: dict[int, list[tuple[int, float]]], copies: list[list[int]]) -> None:
    """Give rows with the same shingles the same neighbours: the join reports only those of the first row."""
    for group in copies:
        for neighbour, jaccard in list(near.get(group[0], ())):
            for member in group[1:]:
                near[member].append((neighbour, jaccard))
                near[neighbour].append((member, jaccard))


def _merges(
    involved: Sequence[int],
    members: dict[int, list[tuple[int, object]]],
    near: dict[int, list[tuple[int, float]]],
    judge: Judge,
) -> tuple[list[Merge], list[Apart]]:
    """Visit the rows in order; `standing` has the rows of each bucket that later rows are compared with."""
    standing: dict[tuple[int, object], list[int]] = defaultdict(list)
    kept: set[int] = set()
    merges, apart = [], []
    for row in involved:
        buckets = members.get(row, [])
        merge, others = _judged(row, _compared(buckets, near.get(row, []), standing, kept), judge)
        if merge is None:
            kept.add(row)
            apart += others
        else:
            merges.append(merge)
            apart += [one for one in others if one.fault]
        for bucket in buckets:
            into = row if merge is None else merge.into
            if into not in standing[bucket] and len(standing[bucket]) < MOST_KEPT:
                standing[bucket].append(into)
    return merges, apart


def _compared(
    buckets: list[tuple[int, object]],
    neighbours: list[tuple[int, float]],
    standing: dict[tuple[int, object], list[int]],
    kept: set[int],
) -> list[tuple[int, str, float | None]]:
    """The kept rows to compare a row with, the likeliest first: the row, the reason, and the Jaccard of their words."""
    in_buckets = {
        kind: [other for bucket in buckets if bucket[0] == kind for other in standing.get(bucket, ())]
        for kind in range(len(BUCKETS))
    }
    found: list[tuple[int, str, float | None]] = [(other, BUCKETS[SAME_TEXT], 1.0) for other in in_buckets[SAME_TEXT]]
    close = sorted((-jaccard, other) for other, jaccard in neighbours if other in kept)
    found += [(other, "near_text", -jaccard) for jaccard, other in close]
    for kind in (SAME_TESTS, SAME_ADDRESS):
        found += [(other, BUCKETS[kind], None) for other in in_buckets[kind]]
    for kind in WEAK:
        votes = sorted(Counter(in_buckets[kind]).items(), key=lambda vote: (-vote[1], vote[0]))
        found += [(other, BUCKETS[kind], None) for other, _ in votes[:MOST_KEPT]]
    return [*found, *((other, BUCKETS[SAME_ID], None) for other in in_buckets[SAME_ID])]


def _judged(row: int, compared: list[tuple[int, str, float | None]], judge: Judge) -> tuple[Merge | None, list[Apart]]:
    """The first merge that the judge allows, and the rows that the row was kept apart from."""
    apart: list[Apart] = []
    seen: set[int] = set()
    for other, reason, jaccard in compared:
        if reason == BUCKETS[SAME_ID]:
            return Merge(row, other, reason), apart
        if other in seen:
            continue
        seen.add(other)
        judgement = judge(other, row, reason)
        if judgement.same:
            return Merge(row, other, reason, jaccard), apart
        if reason not in WEAK_REASONS or judgement.fault:
            apart.append(Apart(row, other, reason, judgement.why, judgement.fault))
    return None, apart
