"""Compares a long output with the expected one in their files, without copying either.

It recognises only the two most frequent cases: the same bytes, or the same except for white space at the end. In all
others the ladder (`microcoder_eval.compare`) decides; in these two it would accept by the same rung.
"""

from __future__ import annotations

import os

from microcoder_eval.compare.ladder import ignores_space_at_end
from microcoder_eval.problem import Checker, Policy
from microcoder_eval.protocol.sealed_text import STEP, SealedText
from microcoder_eval.supervisor.memory_file import MemoryFile

LONGEST_END = 1 << 12
"""The most white space at the end that is handled here."""


def rung_of(expected: SealedText, printed: MemoryFile, checker: Checker, policy: Policy) -> str | None:
    """The rung that accepts an output in one of the two cases, otherwise None."""
    size = printed.size()
    shared = min(len(expected), size)
    longest = max(len(expected), size)
    if longest - shared > LONGEST_END or not same_bytes(expected.descriptor, printed.fd, shared, printed.start):
        return None
    if longest == shared:
        return "exact"
    end = expected.part(shared, LONGEST_END) if len(expected) > shared else printed.end(size - shared)
    return "lines" if end.isspace() and ignores_space_at_end(checker, policy) else None


def same_bytes(one: int, other: int, size: int, start: int = 0) -> bool:
    """Whether a file begins with the `size` bytes that another has from `start`. False also when one has fewer."""
    left, right = bytearray(STEP), bytearray(STEP)
    for at in range(0, size, STEP):
        wanted = min(STEP, size - at)
        if wanted < STEP:
            left, right = bytearray(wanted), bytearray(wanted)
        if os.preadv(one, [left], at) != wanted or os.preadv(other, [right], start + at) != wanted or left != right:
            return False
    return True
