"""What a program said on a test that it failed, cut to what a person reads: around the first difference, stderr's end.

It decides nothing. What is kept is text that an untrusted program wrote: show it with `printable`.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any, NamedTuple

from microcoder_eval.boundary.decode_values import NotAValue, read_answer
from microcoder_eval.supervisor.memory_file import MemoryFile
from microcoder_eval.verdict import Excerpt

SHOWN = 4096
"""How many characters of an output are kept."""
STDERR_SHOWN = 2048
READ_BYTES = 1 << 20
"""How much of an output is looked through for the first difference."""
_STEP = 1 << 12


class Said(NamedTuple):
    """Excerpts of what a program printed or returned, of what it wrote to stderr, and of what a test compared it with.

    What other tests expect is not kept here: the problem has it.
    """

    output: Excerpt | None = None
    stderr: Excerpt | None = None
    expected: Excerpt | None = None


def printed(expected: bytes, stdout: MemoryFile, stderr: MemoryFile) -> Said:
    """The excerpts of a program that prints its answer."""
    size = stdout.size()
    output = stdout.get(READ_BYTES)
    return Said(_excerpt(output, size, first_difference(expected, output)), errors(stderr))


def returned(expected: Any, in_place: bool, result: MemoryFile, stderr: MemoryFile) -> Said:
    """The excerpts of a function that returns its answer; empty when it returned none, or a very large one."""
    answer = result.get(READ_BYTES) if 0 < result.size() <= READ_BYTES else b""
    if not answer:
        return Said(None, errors(stderr))
    try:
        wanted, got = repr(expected).encode(), repr(read_answer(answer, in_place)).encode("utf-8", "backslashreplace")
    except (NotAValue, ValueError, RecursionError):  # ValueError: an integer too long for Python to write
        return Said(None, errors(stderr))
    return Said(_excerpt(got, len(got), first_difference(wanted, got)), errors(stderr))


def compared(got: str, wanted: str, stderr: MemoryFile) -> Said:
    """Both sides of a comparison that was false in a test program, as that program's process wrote them."""
    sides = (Excerpt(text, 0, len(text)) for text in (got[:SHOWN], wanted[:SHOWN]))
    output, expected = sides
    return Said(output, errors(stderr), expected)


def errors(stderr: MemoryFile) -> Excerpt | None:
    """The end of what was written to stderr; None when nothing was."""
    size = stderr.size()
    if not size:
        return None
    end = stderr.end(STDERR_SHOWN)
    text = end.decode("utf-8", "backslashreplace")
    return Excerpt(text, max(0, size - len(end)), max(size, len(text)))


def first_difference(one: bytes, other: bytes) -> int:
    """Where two texts differ first.

    >>> first_difference(b"1 2 3", b"1 2 4"), first_difference(b"1", b"12")
    (4, 1)
    """
    shortest = min(len(one), len(other))
    steps = range(0, shortest, _STEP)
    same = sum(1 for _ in takewhile(lambda at: one[at : at + _STEP] == other[at : at + _STEP], steps))
    start = min(same * _STEP, shortest)
    pairs = zip(one[start : start + _STEP], other[start : start + _STEP], strict=False)
    return start + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _excerpt(output: bytes, size: int, around: int) -> Excerpt:
    start = 0 if len(output) <= SHOWN else max(0, min(around - SHOWN // 2, len(output) - SHOWN))
    text = output[start : start + SHOWN].decode("utf-8", "backslashreplace")
    return Excerpt(text, start, size if size > len(output[start : start + SHOWN]) else len(text))
