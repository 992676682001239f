"""Excerpts of a program's output on a test that it failed: around the first difference, and the end of stderr.

They are for display and decide nothing. The text is untrusted: print it with `printable`.
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
"""How many bytes of an output are searched for the first difference."""
_STEP = 1 << 12


class Excerpts(NamedTuple):
    """Excerpts of a program's output, of its stderr, and of the value that a test program compared the output with.

    `expected` is for test programs only: for other kinds the problem has the expected output.
    """

    output: Excerpt | None = None
    stderr: Excerpt | None = None
    expected: Excerpt | None = None


def printed(expected: bytes, stdout: MemoryFile, stderr: MemoryFile) -> Excerpts:
    """The excerpts for a program that prints its answer."""
    size = stdout.size()
    output = stdout.get(READ_BYTES)
    return Excerpts(_excerpt(output, size, first_difference(expected, output)), stderr_end(stderr))


def returned(expected: Any, in_place: bool, result: MemoryFile, stderr: MemoryFile) -> Excerpts:
    """The excerpts for a function that returns its answer; without `output` when there is none or it is very large."""
    answer = result.get(READ_BYTES) if 0 < result.size() <= READ_BYTES else b""
    if not answer:
        return Excerpts(None, stderr_end(stderr))
    try:
        wanted, got = repr(expected).encode(), repr(read_answer(answer, in_place)).encode("utf-8", "backslashreplace")
    except (NotAValue, ValueError, RecursionError):  # ValueError: an integer too long for Python to write
        return Excerpts(None, stderr_end(stderr))
    return Excerpts(_excerpt(got, len(got), first_difference(wanted, got)), stderr_end(stderr))


def compared(got: str, wanted: str, stderr: MemoryFile) -> Excerpts:
    """The excerpts for a false comparison in a test program: both sides, as the tests' process wrote them."""
    sides = (Excerpt(text, 0, len(text)) for text in (got[:SHOWN], wanted[:SHOWN]))
    output, expected = sides
    return Excerpts(output, stderr_end(stderr), expected)


def stderr_end(stderr: MemoryFile) -> Excerpt | None:
    """The end of what was written to stderr; None when nothing was written."""
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
