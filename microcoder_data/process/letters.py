"""Measure how badly each language in Latin script fits the spelling of a word.

bench/language_letters.py learnt the table letters.txt from word lists. For every three letters in a row it says how
much rarer they are in each language than in the language where they are most common. It identifies the language of
short statements, which have few common words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Misfit = NDArray[np.float64]
"""A number for each language, in the order of `languages()`; 0 is a perfect fit."""

LONGEST_WORD = 24
NOWHERE = 5
"""The misfit of three letters that the table lacks."""


def languages() -> tuple[str, ...]:
    """The languages of the table."""
    return _table()[0]


def misfit(words: Mapping[str, int]) -> Misfit:
    """How badly the languages fit a text; `words` has its words in lower case with their counts.

    >>> words = {"hurtigere": 1, "cyklen": 1}
    >>> languages()[int(misfit(words).argmin())]
    'da'
    """
    total = np.zeros(len(languages()))
    for word, count in words.items():
        total += count * word_misfit(word)
    return total


@lru_cache(maxsize=1 << 15)
def word_misfit(word: str) -> Misfit:
    """How badly the languages fit one word."""
    names, table = _table()
    framed = f" {word[:LONGEST_WORD]} "
    unknown = np.full(len(names), NOWHERE, np.uint8)  # the same for all languages: none of them fits
    return np.sum(
        [table.get(framed[start : start + 3], unknown) for start in range(len(framed) - 2)], axis=0, dtype=float
    )


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[str, ...], dict[str, NDArray[np.uint8]]]:
    first, *lines = (Path(__file__).parent / "letters.txt").read_text(encoding="utf-8").split("\n")
    table = {line[:3]: np.frombuffer(line[3:].encode(), np.uint8) - ord("0") for line in lines if line}
    return tuple(first.split()), table
