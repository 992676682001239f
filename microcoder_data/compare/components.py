"""Decide over all shards which rows are duplicates: link rows that share a key, then decide each connected component.

    buckets      for a range of keys: the keys that several rows have
    near         pairs of near statements: see `near_on_disk.py`
    components   union-find over the links, file after file; components are grouped into batches
    routed       the links, sorted by batch
    merges       for a batch: which rows are merged into which, and which were kept apart
    tables       for a block of neighbouring groups of shards: what all batches say about its rows

Arrays with an entry for each row (the union-find, and the row's batch) are files.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from microcoder_data.compare.corpus import Array, Corpus, Steps, key_range, mapped, renamed, slices
from microcoder_data.compare.duplicates import decide_component
from microcoder_data.compare.features import (
    KIND_BITS,
    SAME_ADDRESS,
    SAME_ID,
    SAME_NAME,
    SAME_SAMPLES,
    SAME_SHINGLES,
    SAME_TESTS,
    SAME_TEXT,
)
from microcoder_data.compare.judgements import Judgements
from microcoder_data.compare.near import distinct, first_of_runs
from microcoder_data.compare.near_on_disk import find_near_pairs
from microcoder_data.compare.profile import Profiles
from microcoder_data.compare.settings import Duplicates

COMMON = 24
"""A sample or a name that more rows than this have does not identify a problem, such as `n = 5` or `min_cost`."""
_MOST_ROWS = {SAME_SAMPLES: COMMON, SAME_NAME: COMMON}
NO_BATCH = -1
MERGES = pa.schema(
    [
        ("row", pa.int64()),
        ("into", pa.int64()),
        ("reason", pa.string()),
        ("jaccard", pa.float64()),
        ("row_id", pa.string()),
        ("into_id", pa.string()),
    ]
)
APART = pa.schema(
    [
        ("row", pa.int64()),
        ("reason", pa.string()),
        ("why", pa.string()),
        ("fault", pa.string()),
        ("other_id", pa.string()),
    ]
)


def find_merges(steps: Steps, settings: Duplicates) -> tuple[int, int]:
    """Write the tables `merges`, `stays` (the same, sorted by the row that stays) and `apart` of every block.

    Returns the number of batches, and of rows in the largest component. `tests.npy` and `shingles.npy` must hold how
    many tests and shingles each row has.
    """
    corpus = steps.corpus
    entries = sum(_entries(corpus, shard).shape[1] for shard in range(len(corpus.names)))
    parts = max(1, -(-entries // corpus.sizes.entries))
    steps.run("buckets", partial(share_buckets, parts=parts, settings=settings), parts)
    copies = corpus.for_rows(bool)
    for part in range(parts):
        kind, key, row = corpus.load(f"buckets-{part:05d}.npy")
        chosen = kind == SAME_SHINGLES
        copies[row[chosen][~first_of_runs(key[chosen])].astype(np.int64)] = True
    corpus.save("copies.npy", copies)
    near_parts = find_near_pairs(steps, settings.near) if settings.near is not None else 0
    batches, largest = _make_batches(corpus, parts, near_parts)
    steps.run("routed", partial(route, buckets=parts), parts + near_parts)
    steps.run("merges", partial(merge_batch, buckets=parts, parts=parts + near_parts), batches)
    steps.run("tables", partial(sort_by_block, batches=batches), len(corpus.block_bounds) - 1)
    return batches, largest


def share_buckets(corpus: Corpus, part: int, parts: int, settings: Duplicates) -> None:
    """Write kind, key and row of the buckets in a range of keys that several rows share, sorted in that order."""
    used = {
        SAME_TEXT,
        SAME_ID,
        *([SAME_TESTS] if settings.tests else []),
        *([SAME_ADDRESS] if settings.addresses else []),
    }
    used |= {SAME_SAMPLES, SAME_NAME} if settings.samples else set()
    used |= {SAME_SHINGLES} if settings.near is not None else set()
    found = [np.empty((2, 0), np.uint64)]
    for shard in range(len(corpus.names)):
        (chosen,) = slices([_entries(corpus, shard)], *key_range(part, parts, 64))
        chosen = chosen.copy()
        chosen[1] += np.uint64(corpus.bases[shard])
        found.append(chosen)
    key, packed = np.concatenate(found, axis=1)
    kind, row = packed >> KIND_BITS, packed & ((np.uint64(1) << KIND_BITS) - np.uint64(1))
    order = np.lexsort((row, key, kind))
    columns = np.stack([kind[order], key[order], row[order]])
    new = np.ones(columns.shape[1], bool)
    new[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)  # a row may have a key twice
    columns = columns[:, new]
    starts = np.flatnonzero(_first_of_buckets(columns))
    counts = np.diff(starts, append=columns.shape[1])
    of_kind = columns[0][starts]
    keep = (counts > 1) & np.isin(of_kind, np.array(sorted(used), np.uint64))
    for one, most in _MOST_ROWS.items():
        keep &= (of_kind != one) | (counts <= most)
    corpus.save(f"buckets-{part:05d}.npy", columns[:, np.repeat(keep, counts)])


def route(corpus: Corpus, part: int, buckets: int) -> None:
    """Write the links of one file, sorted by batch, with the batch as the first column."""
    batch = corpus.load("batch.npy")
    if part < buckets:
        columns = corpus.load(f"buckets-{part:05d}.npy")
        rows = columns[2]
    else:
        columns = corpus.load(f"near-{part - buckets:05d}.npy").view(np.uint64)
        rows = columns[0].view(np.float64)
    to = batch[rows.astype(np.int64)].astype(np.uint64)
    order = np.argsort(to, kind="stable")
    corpus.save(f"routed-{part:05d}.npy", np.concatenate([to[None], columns], axis=0)[:, order])


def merge_batch(corpus: Corpus, part: int, buckets: int, parts: int) -> None:
    """Decide the components of a batch, and write its tables."""
    links, near = [np.empty((4, 0), np.uint64)], [np.empty((4, 0), np.uint64)]
    for number in range(parts):
        (chosen,) = slices([corpus.load(f"routed-{number:05d}.npy")], part, part + 1)
        (links if number < buckets else near).append(chosen)
    columns = np.concatenate(links, axis=1)[1:]
    columns = columns[:, np.lexsort((columns[2], columns[1], columns[0]))]
    one, other, jaccard = np.concatenate(near, axis=1)[1:].view(np.float64)
    first, second = one.astype(np.int64), other.astype(np.int64)
    rows = distinct(np.concatenate([columns[2].astype(np.int64), first, second]))
    source = np.array(corpus.sources, np.int64)[corpus.shard_of(rows)]
    tests = corpus.load("tests.npy")[rows].astype(np.int64)
    # Component by component: a row's profile is read once, for few rows are compared with it.
    in_order = rows[np.lexsort((rows, -tests, source, corpus.load("components.npy")[rows]))]
    profiles = Profiles(corpus, rows)
    judgements = Judgements(corpus, profiles)
    merges, apart = decide_component(
        in_order.tolist(),
        zip(*columns.tolist(), strict=True),
        zip(first.tolist(), second.tolist(), jaccard.tolist(), strict=True),
        judgements.of,
    )
    corpus.save(f"judgements-{part:05d}.npy", judgements.saved())
    table: list[dict[str, Any]] = [
        {
            "row": merge.row,
            "into": merge.into,
            "reason": merge.reason,
            "jaccard": merge.jaccard,
            "row_id": profiles.of(merge.row).problem_id,
            "into_id": profiles.of(merge.into).problem_id,
        }
        for merge in merges
    ]
    by_into = sorted(table, key=lambda one: one["into"])
    _save_table(corpus, f"merges-{part:05d}.arrow", pa.Table.from_pylist(table, schema=MERGES))
    _save_table(corpus, f"stays-{part:05d}.arrow", pa.Table.from_pylist(by_into, schema=MERGES))
    others = [
        {
            "row": one.row,
            "reason": one.reason,
            "why": one.why,
            "fault": one.fault or None,
            "other_id": profiles.of(one.other).problem_id,
        }
        for one in apart
    ]
    profiles.close()
    _save_table(corpus, f"apart-{part:05d}.arrow", pa.Table.from_pylist(others, schema=APART))


def sort_by_block(corpus: Corpus, part: int, batches: int) -> None:
    """Write the rows of all batches' tables that belong to a block, sorted: a group then reads one file of each."""
    low, high = corpus.block_bounds[part : part + 2].tolist()
    for table, column in (("merges", "row"), ("stays", "into"), ("apart", "row")):
        schema = APART if table == "apart" else MERGES
        found = [table_slice(corpus, f"{table}-{batch:05d}.arrow", column, low, high) for batch in range(batches)]
        rows = pa.concat_tables([schema.empty_table(), *found])
        keys = rows[column].to_numpy()
        if (keys[1:] < keys[:-1]).any():  # `take` loads `pyarrow.compute`, which takes long
            rows = rows.take(np.argsort(keys, kind="stable"))
        _save_table(corpus, f"{table}-block-{part:05d}.arrow", rows)


def table_slice(corpus: Corpus, name: str, column: str, low: int, high: int) -> pa.Table:
    """The rows of a table, which is sorted by `column`, with `low <= column < high`."""
    with pa.memory_map(str(corpus.path(name))) as source:
        table = pa.ipc.open_file(source).read_all()
    start, end = np.searchsorted(table[column].to_numpy(), [low, high])
    return table.slice(start, end - start)


def connected(labels: Array, one: Array, other: Array) -> None:
    """Union-find over arrays: link rows. A row's label is a row of its component, none above it: see `roots`.

    >>> labels = np.arange(6)
    >>> connected(labels, np.array([4, 1]), np.array([1, 3]))
    >>> roots(labels, np.arange(6)).tolist()
    [0, 1, 2, 1, 1, 5]
    """
    linked = np.concatenate([one, other])
    both = roots(labels, linked)
    while True:
        one, other = np.split(both, 2)
        apart = one != other
        if not apart.any():
            break
        one, other = one[apart], other[apart]
        np.minimum.at(labels, np.maximum(one, other), np.minimum(one, other))
        both = roots(labels, np.concatenate([one, other]))
    roots(labels, linked)


def roots(labels: Array, rows: Array) -> Array:
    """The smallest row of each row's component, which becomes its label. Only these rows are visited, and those between
    them and their roots."""
    while True:
        label = labels[rows]
        above = labels[label]
        if (above == label).all():
            return label
        labels[rows] = above


def _make_batches(corpus: Corpus, buckets: int, near: int) -> tuple[int, int]:
    """Write the component and the batch of every row (`components.npy`, `batch.npy`); returns how many batches there
    are, and the size of the largest component."""
    labels, links = corpus.for_rows(np.int32), corpus.for_rows(np.int32)
    for rows in corpus.rows_at_once():
        labels[rows] = np.arange(rows.start, rows.stop)
    for part in range(buckets):
        columns = corpus.load(f"buckets-{part:05d}.npy")
        row = columns[2].astype(np.int64)
        starts = np.flatnonzero(_first_of_buckets(columns))
        first = np.repeat(row[starts], np.diff(starts, append=len(row)))
        np.add.at(links, row, np.int32(1))
        connected(labels, first, row)
    for part in range(near):
        one, other = corpus.load(f"near-{part:05d}.npy")[:2].astype(np.int64)
        for pair in (one, other):
            np.add.at(links, pair, np.int32(1))
        connected(labels, one, other)
    size, weight = corpus.for_rows(np.int32), corpus.for_rows(np.int64)
    for rows in corpus.rows_at_once():
        linked = rows.start + np.flatnonzero(links[rows])
        label = roots(labels, linked)
        np.add.at(size, label, np.int32(1))
        np.add.at(weight, label, links[linked].astype(np.int64))
    batch_of, batches = _numbered(corpus, size, weight)
    of_rows = corpus.for_rows(np.int32)
    for rows in corpus.rows_at_once():
        of_rows[rows] = np.where(links[rows] > 0, batch_of[labels[rows]], NO_BATCH)
    corpus.save("components.npy", labels)
    corpus.save("batch.npy", of_rows)
    return batches, int(size.max(initial=0))


def _numbered(corpus: Corpus, size: Array, weight: Array) -> tuple[Array, int]:
    """The batch of each component, by its smallest row, and the number of batches."""
    batch_of = corpus.for_rows(np.int32)
    before, last, batches = 0.0, -1, 0
    for rows in corpus.rows_at_once():
        label = rows.start + np.flatnonzero(size[rows])
        if not len(label):
            continue
        load = size[label] / corpus.sizes.rows + weight[label] / corpus.sizes.links
        upto = before + np.cumsum(load)
        number = (upto - load).astype(np.int64)
        # Batches are numbered without gaps: a large component leaves numbers unused.
        numbered = batches - 1 + np.cumsum(np.diff(number, prepend=last) > 0)
        batch_of[label] = numbered
        before, last, batches = float(upto[-1]), int(number[-1]), int(numbered[-1]) + 1
    return batch_of, batches


def _entries(corpus: Corpus, shard: int) -> Array:
    """The bucket entries that `features.py` wrote for a shard."""
    return mapped(corpus.feature(shard, "buckets.npy"))


def _first_of_buckets(columns: Array) -> Array:
    """Where a bucket begins in sorted columns of kind, key and row."""
    return first_of_runs(columns[0]) | first_of_runs(columns[1])


def _save_table(corpus: Corpus, name: str, table: pa.Table) -> None:
    with (
        renamed(corpus.path(name)) as path,
        pa.OSFile(str(path), "wb") as file,
        pa.ipc.new_file(file, table.schema) as writer,
    ):
        writer.write_table(table)
