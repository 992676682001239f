"""Counts in messages: `1 problem`, `2 problems`."""

from __future__ import annotations


def counted(count: int, noun: str, nouns: str = "") -> str:
    """A count with its noun, in the plural where it is not 1. `nouns`: the plural if it is not made by an `s`.

    >>> counted(1, "problem"), counted(1200, "problem"), counted(0, "entry", "entries")
    ('1 problem', '1,200 problems', '0 entries')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
