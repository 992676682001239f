"""Find all pairs of statements with a word 5-gram Jaccard of at least t: exact and complete, without sketches.

Two statements with J >= t share at least t of each one's shingles. So a statement that shares less than that with all
others together cannot be in a pair. Such statements are removed in rounds, until a round removes none; the first round
removes nearly all of a corpus. The rest is joined on its rarest shingles (prefix filter), and every candidate's Jaccard
is computed.

A key is one integer: 40 bits of shingle hash, then 24 bits of document number. So one sort groups a whole corpus. This
file works in one process; `near_on_disk.py` does the same in parts, for a corpus that does not fit in memory.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microcoder_data.compare.tokens import Hashes, gram_hashes, mixed, token_hashes
from microcoder_eval import InputError

SHINGLE = 5
BLOCK = 8192
DOCUMENT_BITS = np.uint64(24)
DOCUMENT_MASK = np.uint64((1 << 24) - 1)
MAX_DOCUMENTS = 1 << 24
RANGE_KEYS = 2_000_000
"""Keys sorted at once: an array of 16 MB, and a few temporary ones of that size."""
PAIRS_AT_ONCE = 500_000
ELEMENTS_AT_ONCE = 1_000_000
"""Bounds of the memory for candidates, and for computing what pairs share."""
SLACK = 1e-9
"""Rounding of floats must not lose a pair exactly at the threshold."""
_ELEMENT_BITS = np.uint64(40)

Documents = NDArray[np.int64]


@dataclass(frozen=True)
class NearPairs:
    """Pairs of documents, `first` < `second`, with their exact Jaccard, in order."""

    first: Documents
    second: Documents
    jaccard: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.first)


def near_pairs(texts: Sequence[str], threshold: float = 0.7) -> NearPairs:
    """Every pair of texts whose word 5-grams have a Jaccard of at least `threshold`.

    >>> pairs = near_pairs(["a b c d e f g h", "x y", "a b c d e f g h!"])
    >>> pairs.first.tolist(), pairs.second.tolist(), pairs.jaccard.tolist()
    ([0], [2], [1.0])
    """
    starts = range(0, len(texts), BLOCK)
    blocks = [shingle_keys(texts[start : start + BLOCK]) for start in starts]
    counts = [min(BLOCK, len(texts) - start) for start in starts]
    found, same = near_pairs_of(blocks, counts, threshold)
    return _with_copies(found, same)


def shingle_keys(texts: Sequence[str], shingle: int = SHINGLE) -> Hashes:
    """The sorted keys of all texts' shingles, each once. A shard stores them for the join."""
    return keys_of_tokens(*token_hashes(texts), shingle)


def keys_of_tokens(hashes: Hashes, offsets: NDArray[np.int64], shingle: int = SHINGLE) -> Hashes:
    """The same of texts whose tokens are hashed already."""
    grams, document = gram_hashes(hashes, offsets, n=shingle)
    keys = (grams & ~DOCUMENT_MASK) | document.astype(np.uint64)
    keys.sort()
    return keys[first_of_runs(keys)]


def near_pairs_of(
    blocks: Sequence[Hashes], counts: Sequence[int], threshold: float, range_keys: int = RANGE_KEYS
) -> tuple[NearPairs, list[Documents]]:
    """Near pairs among distinct documents, and the groups of documents with identical shingles.

    `blocks` are sorted keys (in memory or mapped from disk), each with document numbers from 0; `counts` says how many
    documents each has. Of a group only the first document is in the pairs. About `range_keys` keys are sorted at once.
    """
    total = sum(counts)
    if total > MAX_DOCUMENTS:
        raise InputError(f"{total} statements: at most {MAX_DOCUMENTS} can be compared at once")
    sizes, shared = np.zeros(total, np.int64), np.zeros(total, np.int64)
    for keys in _ranges(blocks, counts, range_keys):
        common = shared_keys(keys)
        sizes += _per_document(keys, total)
        shared += _per_document(common, total)
    need = np.ceil(threshold * sizes - SLACK).astype(np.int64)
    alive = (sizes > 0) & (shared >= need)
    parts = [shared_keys(keys) for keys in _ranges(blocks, counts, range_keys, alive)]
    while True:
        too_little = alive & (_in_all(parts, total) < need)
        if not too_little.any():
            break
        alive &= ~too_little
        parts = [shared_keys(keys[alive[_documents(keys)]]) for keys in parts]
    same, copies = _copies(parts, sizes, total)
    parts = [shared_keys(keys[~copies[_documents(keys)]]) for keys in parts]
    return _join(_by_document(parts), sizes, threshold), same


def _ranges(
    blocks: Sequence[Hashes], counts: Sequence[int], range_keys: int, alive: NDArray[np.bool_] | None = None
) -> Iterator[Hashes]:
    """The keys of all documents not yet removed, numbered over all blocks, in sorted ranges of bounded size."""
    bases = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)
    parts = max(1, -(-sum(len(block) for block in blocks) // range_keys))
    bounds = np.array([(part << 64) // parts for part in range(parts)], np.uint64) & ~DOCUMENT_MASK
    cuts = []
    for block in blocks:
        cuts.append([*np.searchsorted(block, bounds).tolist(), len(block)])
        release_pages(block)
    for part in range(parts):
        slices = []
        for block, cut, base in zip(blocks, cuts, bases, strict=False):
            keys = block[cut[part] : cut[part + 1]] + base
            slices.append(keys if alive is None else keys[alive[_documents(keys)]])
            release_pages(block)
        joined = np.concatenate(slices) if slices else np.empty(0, np.uint64)
        del slices
        joined.sort()
        yield joined


def release_pages(block: Hashes) -> None:
    """Let the kernel drop the pages of a mapped file from memory."""
    if isinstance(block, np.memmap) and hasattr(mmap, "MADV_DONTNEED"):
        block._mmap.madvise(mmap.MADV_DONTNEED)  # type: ignore[attr-defined]


def shared_keys(keys: Hashes) -> Hashes:
    """The sorted keys whose shingle is in more than one document."""
    if len(keys) < 2:
        return keys[:0]
    hashes = keys >> DOCUMENT_BITS
    equal = hashes[1:] == hashes[:-1]
    keep = np.zeros(len(keys), bool)
    keep[1:] |= equal
    keep[:-1] |= equal
    return keys[keep]


def _copies(parts: Sequence[Hashes], sizes: Documents, total: int) -> tuple[list[Documents], NDArray[np.bool_]]:
    """Groups of documents with the same shingles, and which documents are not the first of their group."""
    signature = np.zeros(total, np.uint64)
    for keys in parts:
        np.add.at(signature, _documents(keys), mixed(keys >> DOCUMENT_BITS))
    copies = np.zeros(total, bool)
    whole = np.flatnonzero((_in_all(parts, total) == sizes) & (sizes > 0))
    order = whole[np.lexsort((whole, sizes[whole], signature[whole]))]
    new = first_of_runs(signature[order]) | first_of_runs(sizes[order])
    groups = [group for group in np.split(order, np.flatnonzero(new)[1:]) if len(group) > 1]
    for group in groups:
        copies[group[1:]] = True
    return groups, copies


def _by_document(parts: list[Hashes]) -> Hashes:
    """Document and rarity rank (32 bits each) of every key, sorted. It empties `parts` to save memory."""
    frequencies = [np.diff(np.flatnonzero(_first_of_hash(keys)), append=len(keys)) for keys in parts]
    ends = np.cumsum([len(frequency) for frequency in frequencies])
    rank = np.empty(ends[-1] if len(ends) else 0, np.uint32)
    if len(rank):
        rank[np.argsort(np.concatenate(frequencies), kind="stable")] = np.arange(len(rank), dtype=np.uint32)
    found = np.empty(sum(map(len, parts)), np.uint64)
    filled = 0
    for end, frequency in zip(ends, frequencies, strict=True):
        keys = parts.pop(0)
        of_part = found[filled : filled + len(keys)]
        np.bitwise_and(keys, DOCUMENT_MASK, out=of_part)
        of_part <<= np.uint64(32)
        of_part |= np.repeat(rank[end - len(frequency) : end], frequency)
        filled += len(keys)
    found.sort()
    return found


def _join(by_document: Hashes, sizes: Documents, threshold: float) -> NearPairs:
    """Find candidates, which share one of their rarest shingles, and compute each one's Jaccard."""
    if not len(by_document):
        empty = np.empty(0, np.int64)
        return NearPairs(empty, empty, np.empty(0))
    ranks = by_document.astype(np.uint32)
    first = np.flatnonzero(first_of_runs(by_document >> np.uint64(32)))
    counts = np.diff(first, append=len(by_document))
    present = (by_document[first] >> np.uint64(32)).astype(np.int64)
    del by_document
    size = sizes[present]
    entry, lookups = prefix_entries(size, first, counts, threshold)
    local = np.repeat(np.arange(len(present)), lookups)
    postings = (ranks[entry].astype(np.uint64) << np.uint64(32)) | local.astype(np.uint64)
    del entry, local
    postings.sort()
    found = [_verified(pairs, ranks, first, counts, size, threshold) for pairs in candidates(postings, size, threshold)]
    if not found:
        empty = np.empty(0, np.int64)
        return NearPairs(empty, empty, np.empty(0))
    left, right, jaccard = (np.concatenate(column) for column in zip(*found, strict=True))
    _, unique = np.unique(left * np.int64(len(present)) + right, return_index=True)
    return NearPairs(present[left[unique]], present[right[unique]], jaccard[unique])


def prefix_entries(
    size: Documents, first: Documents, counts: Documents, threshold: float
) -> tuple[Documents, Documents]:
    """The entries of the documents' rarest shared shingles that a join must look up, and how many each document has.

    `size`: all shingles of a document; `first`, `counts`: where its shared ones begin in the list of all, from rare to
    common, and how many they are.
    """
    prefix = size - np.ceil(threshold * size - SLACK).astype(np.int64) + 1
    # A document's rarest shingles are those that no other document has; only the rest of its prefix is looked up.
    lookups = np.clip(prefix - (size - counts), 0, counts)
    return np.repeat(first - (np.cumsum(lookups) - lookups), lookups) + np.arange(lookups.sum()), lookups


def candidates(postings: Hashes, size: Documents, threshold: float) -> Iterator[tuple[Documents, Documents]]:
    """Distinct pairs of documents in one posting list whose sizes allow the threshold, a bounded number at a time."""
    ranks = postings >> np.uint64(32)
    documents = (postings & np.uint64(0xFFFFFFFF)).astype(np.int64)
    ends = np.searchsorted(ranks, ranks, side="right")
    after = ends - np.arange(len(postings)) - 1
    cumulative = np.cumsum(after)
    start = 0
    while start < len(postings):
        done = cumulative[start - 1] if start else 0
        stop = max(int(np.searchsorted(cumulative, done + PAIRS_AT_ONCE)), start + 1)
        count = after[start:stop]
        left = np.repeat(np.arange(start, stop), count)
        right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(count) - count, count)
        a, b = documents[left], documents[right]
        small, large = np.minimum(size[a], size[b]), np.maximum(size[a], size[b])
        possible = small >= threshold * large - SLACK
        pairs = distinct(a[possible] * np.int64(len(size)) + b[possible])
        if len(pairs):
            yield pairs // len(size), pairs % len(size)
        start = stop


def _verified(
    pairs: tuple[Documents, Documents],
    ranks: NDArray[np.uint32],
    first: Documents,
    counts: Documents,
    size: Documents,
    threshold: float,
) -> tuple[Documents, Documents, NDArray[np.float64]]:
    """The pairs that reach the threshold."""
    left, right = pairs
    lists = Lists(ranks, first, counts)
    common = shared_counts(lists, left, lists, right)
    jaccard = common / (size[left] + size[right] - common)
    near = jaccard >= threshold - SLACK
    return left[near], right[near], jaccard[near]


@dataclass(frozen=True)
class Lists:
    """Lists of the documents' shared shingles, one after another: numbers below 2**40, each once in a list."""

    elements: NDArray[Any]
    first: Documents
    counts: Documents


def shared_counts(ours: Lists, left: Documents, theirs: Lists, right: Documents) -> Documents:
    """How many elements each pair of lists has in common; a bounded number of elements is sorted at a time."""
    work = np.cumsum(ours.counts[left] + theirs.counts[right])
    common = np.zeros(len(left), np.int64)
    start = 0
    while start < len(left):
        done = work[start - 1] if start else 0
        stop = max(int(np.searchsorted(work, done + ELEMENTS_AT_ONCE)), start + 1)
        merged = np.concatenate([_numbered(ours, left[start:stop]), _numbered(theirs, right[start:stop])])
        merged.sort()
        twice = merged[1:][merged[1:] == merged[:-1]] >> _ELEMENT_BITS
        common[start:stop] = np.bincount(twice.astype(np.int64), minlength=stop - start)
        start = stop
    return common


def _numbered(lists: Lists, chosen: Documents) -> Hashes:
    """The elements of the chosen lists, with the number of the choice in the bits above the element."""
    lengths = lists.counts[chosen]
    place = np.repeat(lists.first[chosen] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    number = np.repeat(np.arange(len(chosen), dtype=np.uint64), lengths)
    return (number << _ELEMENT_BITS) | lists.elements[place].astype(np.uint64)


def _with_copies(found: NearPairs, same: list[Documents]) -> NearPairs:
    """Add the pairs of all copies: within their group, and with the neighbours of its first document."""
    if not same:
        return found
    members = {int(group[0]): group for group in same}
    first, second, jaccard = [found.first], [found.second], [found.jaccard]
    for group in same:
        left, right = np.triu_indices(len(group), 1)
        first.append(group[left])
        second.append(group[right])
        jaccard.append(np.ones(len(left)))
    involved = np.isin(found.first, list(members)) | np.isin(found.second, list(members))
    for a, b, score in zip(found.first[involved], found.second[involved], found.jaccard[involved], strict=True):
        lefts, rights = members.get(int(a), np.array([a])), members.get(int(b), np.array([b]))
        pairs = np.array([(x, y) for x in lefts for y in rights if (x, y) != (a, b)], np.int64).reshape(-1, 2)
        first.append(pairs.min(axis=1))
        second.append(pairs.max(axis=1))
        jaccard.append(np.full(len(pairs), score))
    a, b, scores = np.concatenate(first), np.concatenate(second), np.concatenate(jaccard)
    order = np.lexsort((b, a))
    return NearPairs(a[order], b[order], scores[order])


def _documents(keys: Hashes) -> Documents:
    return (keys & DOCUMENT_MASK).astype(np.int64)


def _per_document(keys: Hashes, total: int) -> Documents:
    return np.bincount(_documents(keys), minlength=total)


def _in_all(parts: Sequence[Hashes], total: int) -> Documents:
    """How many keys each document has in all parts."""
    counts = np.zeros(total, np.int64)
    for keys in parts:
        counts += _per_document(keys, total)
    return counts


def distinct(keys: NDArray[Any]) -> NDArray[Any]:
    """The keys in ascending order, each once. `np.unique` would load NumPy's masked arrays."""
    keys = np.sort(keys)
    return keys[first_of_runs(keys)]


def first_of_runs(keys: NDArray[Any]) -> NDArray[np.bool_]:
    """Marks the first of every run of equal keys."""
    return np.concatenate([[True], keys[1:] != keys[:-1]]) if len(keys) else np.zeros(0, bool)


def _first_of_hash(keys: Hashes) -> NDArray[np.bool_]:
    return first_of_runs(keys >> DOCUMENT_BITS)
