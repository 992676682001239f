"""Hash the word n-grams of statements, without making a string for each.

A token is a run of word characters, or one Chinese or Japanese character (those texts have no spaces). Characters are
classified and hashed as whole arrays: a rolling polynomial gives every token's hash, a second one every n-gram's.
The same text gives the same hashes on every machine and in every process.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

CHUNK_CHARACTERS = 1 << 17
"""The arrays of so many characters fit into a processor's cache."""
LEAST_POWERS = 1 << 16
"""The powers of that many positions are computed even for a short text, so that few sizes are in use."""
BASE = np.uint64(0x9E3779B97F4A7C15)
_INVERSE = np.uint64(pow(int(BASE), -1, 1 << 64))
_GRAM = 0xD1342543DE82EF95
MARKUP = "*_{}$\\"
_SEPARATOR, _WORD, _SINGLE = 0, 1, 2
_SINGLES = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3134F))


def without_markup(text: str) -> str:
    """The text without the signs that formulas have in one copy and not in another.

    >>> {without_markup(text) for text in ("*c*_{*i*} words", "$c_{i}$ words", "c_i words")}
    {'ci words'}
    """
    for sign in MARKUP:
        text = text.replace(sign, "")
    return text


def token_hashes(texts: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """The hashes of all tokens in order, and where each text's tokens begin (one entry more than texts).

    >>> hashes, offsets = token_hashes(["Two words", "two"])
    >>> offsets.tolist(), bool(hashes[0] == hashes[2])
    ([0, 2, 3], True)
    """
    hashes, counts = [], []
    for chunk in _chunks(texts):
        chunk_hashes, chunk_counts = _chunk_tokens(chunk)
        hashes.append(chunk_hashes)
        counts.append(chunk_counts)
    if not hashes:
        return np.empty(0, np.uint64), np.zeros(1, np.int64)
    offsets = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)
    return np.concatenate(hashes), offsets


def gram_hashes(hashes: Hashes, offsets: NDArray[np.int64], n: int) -> tuple[Hashes, NDArray[np.int64]]:
    """The hash of every n-gram, and the text that it is in. A text of fewer than n tokens is one n-gram.

    >>> grams, text = gram_hashes(*token_hashes(["a b c d", "a b"]), n=3)
    >>> text.tolist()
    [0, 0, 1]
    """
    lengths = np.diff(offsets)
    missing = np.where((lengths > 0) & (lengths < n), n - lengths, 0)
    if missing.any():
        hashes = np.insert(hashes, np.repeat(offsets[1:], missing), 0)
        lengths = lengths + missing
    windows = np.maximum(lengths - n + 1, 0)
    text = np.repeat(np.arange(len(lengths)), windows)
    rolled = np.zeros(max(0, len(hashes) - n + 1), np.uint64)
    for offset in range(n):
        rolled *= np.uint64(_GRAM)
        rolled += hashes[offset : offset + len(rolled)]
    ends = np.repeat(np.cumsum(lengths), lengths)[: len(rolled)]
    return mixed(rolled[np.arange(n, n + len(rolled)) <= ends]), text


def mixed(values: Hashes) -> Hashes:
    """The values with every bit spread over the whole word (the finaliser of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _chunks(texts: Sequence[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for text in texts:
        if chunk and size + len(text) > CHUNK_CHARACTERS:
            yield chunk
            chunk, size = [], 0
        chunk.append(text if text.isascii() else unicodedata.normalize("NFKC", text))
        size += len(text)
    if chunk:
        yield chunk


def _chunk_tokens(texts: list[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """The token hashes of some texts, and how many tokens each has."""
    lower = [text.lower() for text in texts]
    joined = "\n".join(lower)
    boundaries = np.cumsum([len(text) + 1 for text in lower])
    if joined.isascii():
        characters: NDArray[np.integer] = np.frombuffer(joined.encode("ascii"), np.uint8)
    else:
        characters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    kind = _character_kinds(joined.isascii())[characters]
    word = kind == _WORD
    single = kind == _SINGLE
    before = np.concatenate([[False], word[:-1]])
    after = np.concatenate([word[1:], [False]])
    starts = np.flatnonzero((word & ~before) | single)
    ends = np.flatnonzero((word & ~after) | single) + 1
    powers, inverses = _powers(len(characters))
    sums = np.zeros(len(characters) + 1, np.uint64)
    np.cumsum(characters * powers[: len(characters)], out=sums[1:])
    hashes = mixed((sums[ends] - sums[starts]) * inverses[starts])
    upto = np.searchsorted(starts, boundaries)
    return hashes, np.diff(upto, prepend=0)


_LETTERS_END = 0x40000
_MAY_BE_MARKS = np.concatenate([np.arange(0x300, 0x20000), np.arange(0xE0000, 0xE1000)])
"""The code points that may be combining marks. Other planes are private or empty, and checking them takes long."""


@lru_cache(maxsize=2)
def _character_kinds(ascii_only: bool) -> NDArray[np.uint8]:
    size = 128 if ascii_only else 0x110000
    kinds = np.zeros(size, np.uint8)
    letters = np.arange(min(size, _LETTERS_END), dtype=np.uint32)
    kinds[: len(letters)][np.char.isalnum(letters.view("<U1")) | (letters == 0x5F)] = _WORD
    if not ascii_only:
        others = _MAY_BE_MARKS[kinds[_MAY_BE_MARKS] != _WORD]
        kinds[[code for code in others.tolist() if unicodedata.category(chr(code)) in ("Mn", "Mc")]] = _WORD
        for low, high in _SINGLES:
            kinds[low : high + 1] = np.where(kinds[low : high + 1] == _WORD, _SINGLE, kinds[low : high + 1])
    return kinds


def _powers(length: int) -> tuple[Hashes, Hashes]:
    """BASE**i and its inverse for at least `length` positions."""
    return _power_tables(max(LEAST_POWERS, 1 << (length - 1).bit_length()))


@lru_cache(maxsize=8)
def _power_tables(size: int) -> tuple[Hashes, Hashes]:
    def powers(base: np.uint64) -> Hashes:
        table = np.full(size, base, np.uint64)
        table[0] = 1
        return np.cumprod(table)

    return powers(BASE), powers(_INVERSE)
