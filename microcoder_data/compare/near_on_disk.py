"""Find all near pairs of a corpus that does not fit in memory: the join of `near.py`, with intermediate files.

    hashes      for a range of hashes: the shingles that several statements have; again after every round of removal
    lists       the same entries, sorted by statement
    documents   for a range of statements: their shared shingles from rare to common, and the rarest as postings
    pairs       for a range of hashes: the pairs of statements that share a posting
    verified    for a range of statements: the pairs' exact Jaccard

Arrays with an entry for each row (sizes, counts, which rows are left) are files, of which the process that runs the
steps holds a bounded number of rows; each worker holds one part. Of statements with the same shingles only the first
takes part, as in `near.py`.

In a build on a base whose shards are the first ones here, the base's pairs are taken over: a pair's Jaccard depends on
its two statements alone. Then only shingles of new statements are joined, and only pairs with a new statement kept.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from microcoder_data.compare.corpus import Array, Corpus, Steps, key_range, mapped, slices, unique_columns
from microcoder_data.compare.near import (
    DOCUMENT_BITS,
    DOCUMENT_MASK,
    MAX_DOCUMENTS,
    SLACK,
    Lists,
    candidates,
    distinct,
    first_of_runs,
    prefix_entries,
    shared_counts,
    shared_keys,
)
from microcoder_eval import InputError

NEAR = "near_pairs.npy"
"""The file of all pairs, kept among the features for a build on this dataset."""
HASH_BITS = 40
FEW = 0.005
"""Removal stops after a round that removes less than this share. It only saves work: the join is exact without it."""


def find_near_pairs(steps: Steps, threshold: float) -> int:
    """Write `near-PART.npy` with the columns first, second and Jaccard; returns the number of parts.

    `copies.npy` must say which statements have the same shingles as an earlier one, `shingles.npy` how many each has.
    """
    corpus = steps.corpus
    if corpus.total > MAX_DOCUMENTS:
        raise InputError(f"{corpus.total} rows: at most {MAX_DOCUMENTS} can be compared in one dataset")
    sizes = corpus.load("shingles.npy")
    parts = max(1, -(-int(sizes.sum()) // corpus.sizes.shingles))
    steps.run("hashes0", partial(share_hashes, parts=parts), parts)
    alive, copies = corpus.for_rows(bool), corpus.load("copies.npy")
    for rows in corpus.rows_at_once():
        alive[rows] = (sizes[rows] > 0) & ~copies[rows]
    done = 0
    while True:
        shared = _counted(corpus, done, parts)
        before, after = alive, corpus.for_rows(bool)
        for rows in corpus.rows_at_once():
            after[rows] = before[rows] & (shared[rows] >= np.ceil(threshold * sizes[rows] - SLACK))
        left = int(np.count_nonzero(before))
        removed = left - int(np.count_nonzero(after))
        if not removed or (done and removed < FEW * left):
            break
        alive = after
        done += 1
        corpus.save(f"alive{done}.npy", alive)
        steps.run(f"hashes{done}", partial(remove_unshared, number=done), parts)
    steps.run("lists", partial(sort_by_document, number=done), parts)
    bounds = _document_bounds(corpus, shared)
    corpus.save("documents.npy", bounds)
    ranges = len(bounds) - 1
    steps.run("documents", partial(gather_documents, parts=parts, threshold=threshold), ranges)
    steps.run("pairs", partial(pair_up, parts=parts, ranges=ranges, threshold=threshold), parts)
    counts = steps.run("near", partial(verify_pairs, parts=parts, threshold=threshold), ranges)
    corpus.keep(NEAR, float, (3, sum(counts)), (f"near-{part:05d}.npy" for part in range(ranges)))
    return ranges


def share_hashes(corpus: Corpus, part: int, parts: int) -> None:
    """Write the shingles of one range of hashes that several statements have, a new one among them."""
    low, high = key_range(part, parts, HASH_BITS)
    copies = corpus.load("copies.npy")

    def keys_of(shards: range, wanted: Array | None = None) -> Array:
        found = [np.empty(0, np.uint64)]
        for shard in shards:
            keys = mapped(corpus.feature(shard, "keys.npy"))
            start = np.searchsorted(keys, np.uint64(low << int(DOCUMENT_BITS)))
            end = len(keys) if high is None else np.searchsorted(keys, np.uint64(high << int(DOCUMENT_BITS)))
            chosen = keys[start:end] if wanted is None else _with_hashes(keys[start:end], wanted)
            moved = chosen + np.uint64(corpus.bases[shard])
            found.append(moved[~copies[(moved & DOCUMENT_MASK).astype(np.int64)]])
        return np.concatenate(found)

    joined = keys_of(range(corpus.known, len(corpus.names)))
    if corpus.known:
        wanted = distinct(joined >> DOCUMENT_BITS)
        joined = np.concatenate([joined, keys_of(range(corpus.known), wanted)])
    joined.sort(kind="stable")  # it merges the shards' keys, which are sorted
    corpus.save(f"hashes0-{part:05d}.npy", shared_keys(joined))


def remove_unshared(corpus: Corpus, part: int, number: int) -> None:
    """Write what is left of a range without the statements that share too little."""
    keys, alive = corpus.load(f"hashes{number - 1}-{part:05d}.npy"), corpus.load(f"alive{number}.npy")
    corpus.save(f"hashes{number}-{part:05d}.npy", shared_keys(keys[alive[(keys & DOCUMENT_MASK).astype(np.int64)]]))


def sort_by_document(corpus: Corpus, part: int, number: int) -> None:
    """Write the entries of a range, sorted by document and by how many documents have the shingle."""
    keys = np.asarray(corpus.load(f"hashes{number}-{part:05d}.npy"))
    hashes = keys >> DOCUMENT_BITS
    frequency = np.diff(np.flatnonzero(first_of_runs(hashes)), append=len(hashes))
    order_of = ((keys & DOCUMENT_MASK) << np.uint64(32)) | np.repeat(frequency, frequency).astype(np.uint64)
    order = np.lexsort((hashes, order_of))
    corpus.save(f"lists-{part:05d}.npy", np.stack([order_of[order], hashes[order]]))


def gather_documents(corpus: Corpus, part: int, parts: int, threshold: float) -> None:
    """Write the lists of a range of documents, each from rare to common, and the postings of their rarest shingles."""
    low, high = (int(bound) << 32 for bound in corpus.load("documents.npy")[part : part + 2])
    order_of, hashes = np.concatenate(
        slices([corpus.load(f"lists-{number:05d}.npy") for number in range(parts)], low, high), axis=1
    )
    order = np.lexsort((hashes, order_of))
    hashes, document = hashes[order], order_of[order] >> np.uint64(32)
    first = np.flatnonzero(first_of_runs(document))
    present = document[first]
    corpus.save(f"elements-{part:05d}.npy", hashes)
    corpus.save(f"index-{part:05d}.npy", np.stack([present, first.astype(np.uint64)]))
    size = corpus.load("shingles.npy")[present.astype(np.int64)].astype(np.int64)
    counts = np.diff(first, append=len(hashes))
    entry, lookups = prefix_entries(size, first, counts, threshold)
    postings = np.stack([hashes[entry], np.repeat(present, lookups)])
    corpus.save(f"postings-{part:05d}.npy", postings[:, np.lexsort((postings[1], postings[0]))])


def pair_up(corpus: Corpus, part: int, parts: int, ranges: int, threshold: float) -> None:
    """Write the pairs of documents, one of them new, that share a posting in a range of hashes and whose sizes allow
    the threshold."""
    postings = [corpus.load(f"postings-{number:05d}.npy") for number in range(ranges)]
    hashes, document = np.concatenate(slices(postings, *key_range(part, parts, HASH_BITS)), axis=1)
    order = np.lexsort((document, hashes))
    rank = np.cumsum(first_of_runs(hashes[order])).astype(np.uint64)
    present, local = np.unique(document[order], return_inverse=True)
    size = corpus.load("shingles.npy")[present.astype(np.int64)].astype(np.int64)
    chunks = candidates((rank << np.uint64(32)) | local.astype(np.uint64), size, threshold)
    found = [left * np.int64(len(present)) + right for left, right in chunks]
    pairs = distinct(np.concatenate(found)) if found else np.empty(0, np.int64)
    left, right = np.divmod(pairs, max(1, len(present)))
    columns = np.stack([present[left], present[right]])
    corpus.save(f"pairs-{part:05d}.npy", columns[:, columns.max(axis=0) >= np.uint64(corpus.bases[corpus.known])])


def verify_pairs(corpus: Corpus, part: int, parts: int, threshold: float) -> int:
    """Write the pairs whose first document is in a range and whose Jaccard reaches the threshold, the base's pairs
    among them; returns how many."""
    bounds, sizes = corpus.load("documents.npy"), corpus.load("shingles.npy")
    pairs = np.concatenate(
        slices([corpus.load(f"pairs-{number:05d}.npy") for number in range(parts)], *map(int, bounds[part : part + 2])),
        axis=1,
    )
    pairs = unique_columns(pairs).astype(np.int64)
    ours, our_documents = _lists(corpus, part)
    found = [np.empty((3, 0))]
    in_range = np.searchsorted(bounds, pairs[1], side="right") - 1
    for other in distinct(in_range).tolist():
        left, right = pairs[:, in_range == other]
        theirs, their_documents = _lists(corpus, other)
        common = shared_counts(
            ours, np.searchsorted(our_documents, left), theirs, np.searchsorted(their_documents, right)
        )
        jaccard = common / (sizes[left] + sizes[right] - common)
        near = jaccard >= threshold - SLACK
        found.append(np.stack([left[near], right[near], jaccard[near]]))
    if corpus.known:
        found += slices([mapped(Path(corpus.near_before))], *map(int, bounds[part : part + 2]))
    columns = np.concatenate(found, axis=1)
    corpus.save(f"near-{part:05d}.npy", columns[:, np.lexsort((columns[1], columns[0]))])
    return columns.shape[1]


def _with_hashes(keys: Array, hashes: Array) -> Array:
    """Those of the sorted keys that have one of the sorted hashes."""
    starts = np.searchsorted(keys, hashes << DOCUMENT_BITS)
    counts = np.searchsorted(keys, (hashes << DOCUMENT_BITS) | DOCUMENT_MASK, side="right") - starts
    skipped = starts - (np.cumsum(counts) - counts)
    return np.asarray(keys[np.repeat(skipped, counts) + np.arange(counts.sum())])


def _lists(corpus: Corpus, part: int) -> tuple[Lists, Array]:
    """The lists of a range of documents, and the document of each."""
    documents, first = corpus.load(f"index-{part:05d}.npy")
    elements = corpus.load(f"elements-{part:05d}.npy")
    first = first.astype(np.int64)
    return Lists(elements, first, np.diff(first, append=len(elements))), documents.astype(np.int64)


def _counted(corpus: Corpus, number: int, parts: int) -> Array:
    """How many shared shingles every document has after a round."""
    counts = corpus.for_rows(np.int32)
    for part in range(parts):
        keys = corpus.load(f"hashes{number}-{part:05d}.npy")
        np.add.at(counts, (keys & DOCUMENT_MASK).astype(np.int64), np.int32(1))
    return counts


def _document_bounds(corpus: Corpus, shared: Array) -> Array:
    """The first document of each range of about `corpus.sizes.entries` shared shingles; the last entry is the number
    of documents."""
    bounds, before = [], 0
    last = -1
    for rows in corpus.rows_at_once():
        upto = before + np.cumsum(shared[rows], dtype=np.int64)
        number = np.concatenate([[before], upto[:-1]]) // corpus.sizes.entries
        bounds.append(rows.start + np.flatnonzero(np.diff(number, prepend=last)))
        before, last = int(upto[-1]), int(number[-1])
    return np.concatenate([*bounds, [len(shared)]])
