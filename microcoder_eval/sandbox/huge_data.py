"""Moves the interpreter's data to huge pages: fork and exit then handle many pages of it at once.

A fork copies an entry for each page of data, and the end of a child takes each back. Where the pages are parts of one
huge page the kernel does that in strides, also when they are mapped one by one. The data is copied to memory that the
kernel backs with huge pages, and that memory replaces the old, at the same addresses. Pages that every child writes to
become small again: `hot_pages.py` pins them, and of a huge page with a pinned part the kernel copies all.
"""

from __future__ import annotations

import ctypes
import os

from microcoder_eval.boundary import libc, uninterrupted
from microcoder_eval.boundary.attempt import succeeds
from microcoder_eval.sandbox.hot_pages import PAGE, private_areas
from microcoder_eval.sandbox.huge_pages import HUGE, MADV_HUGEPAGE, MAYMOVE_FIXED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LARGEST_GAP, SHORTEST_RUN = 8, 16
"""Pages: a run goes on behind so few that are missing. Each run is a mapping of its own, so shorter ones stay."""


def move_data(pages: Sequence[int], small: Sequence[int]) -> int:
    """Move pages, given by their addresses; `small` ones then get small pages of their own.

    Returns how many bytes they have: 0 if nothing was tried, as with threads, which may write meanwhile.
    """
    try:
        runs = _runs(pages) if len(os.listdir("/proc/self/task")) == 1 else []
        if not runs or not succeeds(lambda: _try_to_move(runs)):
            return 0
        _move(runs)
        _make_small(small)
    except OSError:  # no memory, no further process, or no /proc
        return 0
    return sum(end - start for start, end in runs)


def _move(runs: Sequence[tuple[int, int]]) -> None:
    size = sum(end - start for start, end in runs) + 2 * HUGE
    space = libc.new_memory(size)
    libc.call("madvise", space, size, MADV_HUGEPAGE)
    copy = -(-space // HUGE) * HUGE
    calls: list[tuple[str, tuple[int, ...]]] = []
    for start, end in runs:
        calls.append(("memcpy", (copy, start, end - start)))
        calls.append(("mremap", (copy, end - start, end - start, MAYMOVE_FIXED, start)))
        copy += end - start
    # a copy that the kernel did not let move is still here; as soon as Python runs again, its memory may be in the gaps
    calls.append(("munmap", (space, size)))
    uninterrupted.call_all(calls)


def _runs(pages: Iterable[int]) -> list[tuple[int, int]]:
    """The start and end of each run of pages. None goes beyond a mapping: the next one may be a library's."""
    runs: list[list[int]] = []
    areas = iter(private_areas())
    area = range(0)
    for page in pages:
        number = page // PAGE
        while number >= area.stop and (bounds := next(areas, None)):
            area = range(*bounds)
        if number not in area:
            continue
        if runs and area.start <= runs[-1][0] and number - runs[-1][1] <= LARGEST_GAP:
            runs[-1][1] = number + 1
        else:
            runs.append([number, number + 1])
    return [(start * PAGE, end * PAGE) for start, end in runs if end - start >= SHORTEST_RUN]


def _try_to_move(runs: Sequence[tuple[int, int]]) -> None:
    """Move the runs, then compile and run a program."""
    _move(runs)
    exec(compile("def f(n):\n    return [n] * n\n\nassert len(f(9)) == 9", "<trial>", "exec"), {})


def _make_small(pages: Sequence[int]) -> None:
    """Write to pages that a child shares: the kernel copies each to a page of its own."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writes)
        os.read(reads, 1)
        os._exit(0)
    os.close(reads)
    move = libc.function("memmove")
    for page in pages:  # one call reads and writes the byte: before and after it the interpreter may change it
        move(ctypes.c_void_p(page), ctypes.c_void_p(page), 1)
    os.close(writes)
    os.waitpid(child, 0)
