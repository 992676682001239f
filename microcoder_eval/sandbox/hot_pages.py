"""Has a fork copy the pages that every child writes to, so that no child has a page fault for each of them.

After a fork, parent and child share their memory, and the first write to a page by either of them is a page fault that
copies it. Every test writes to the same hundred pages, and these faults were a third of a small test's CPU time.
The kernel copies a page during the fork itself when the page is pinned for input and output. So the pages that a
typical run writes to are registered as buffers of an io_uring that nobody uses: its descriptor is closed, and what
keeps it is a mapping that no child inherits. When the kernel refuses a step, the pages are copied one by one as before.
"""

from __future__ import annotations

import _signal
import ctypes
import os
import struct
import time
from itertools import pairwise

from microcoder_eval.boundary import libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = os.sysconf("SC_PAGE_SIZE")
IO_URING_SETUP, IO_URING_REGISTER, REGISTER_BUFFERS = 425, 427, 0
PARAMETERS = struct.Struct("=3I108x")
"""struct io_uring_params: two sizes, the flags, and fields that the kernel fills in."""
START_DISABLED = 1 << 6
MAP_SHARED, MADV_DONTFORK = 1, 10
ENTRY = 8
"""Bytes of an entry of /proc/self/pagemap."""
PRESENT, OF_A_FILE, NOT_SHARED = 1 << 63, 1 << 61, 1 << 56
"""Bits of such an entry."""
LONGEST_S = 60
"""When a child ends whose parent does not end it."""
MOST_PAGES = 512
"""More pages than a typical run writes to: copying so many would cost more than the faults."""


def pages_after(run: Callable[[], object]) -> tuple[list[int], list[int]]:
    """The addresses of all data pages of this process, and of those that `run` writes to.

    A child calls `run`: what it writes to, or its parent meanwhile, is shared no more. Empty when the kernel does not
    tell.
    """
    try:
        areas = private_areas()
        opened = [*os.pipe()]
        try:
            opened.append(os.open("/proc/self/pagemap", os.O_RDONLY))
            seen = _seen_after(run, areas, *opened)
        finally:
            for descriptor in opened:
                os.close(descriptor)
    except OSError:
        return [], []
    found = [
        (number * PAGE, entry & NOT_SHARED)
        for (start, _), entries in zip(areas, seen, strict=True)
        for number, entry in enumerate(memoryview(entries).cast("Q"), start)
        if entry & PRESENT and not entry & OF_A_FILE
    ]
    return [page for page, _ in found], [page for page, not_shared in found if not_shared]


def copy_at_fork(pages: list[int]) -> int:
    """Have forks copy these pages; returns how many, 0 when they are too many or the kernel refused."""
    if not 0 < len(pages) <= MOST_PAGES:
        return 0
    try:
        _pin(pages)
    except OSError:
        return 0
    return len(pages)


def _seen_after(
    run: Callable[[], object], areas: list[tuple[int, int]], ended: int, ends: int, pagemap: int
) -> list[bytes]:
    """The entries of this process's pages while a child exists that has called `run`."""
    child = os.fork()
    if child == 0:
        try:
            run()
        finally:
            os.write(ends, b"-")
            time.sleep(LONGEST_S)
            os._exit(0)
    os.read(ended, 1)
    seen = [os.pread(pagemap, (end - start) * ENTRY, start * ENTRY) for start, end in areas]
    os.kill(child, _signal.SIGKILL)
    os.waitpid(child, 0)
    return seen


def private_areas() -> list[tuple[int, int]]:
    """The numbers of the first page, and of the page after the last, of each private writable mapping but the stack."""
    with open("/proc/self/maps") as maps:
        found = (line.split()[:2] for line in maps if "[stack" not in line)
        bounds = [area.split("-") for area, access in found if access == "rw-p"]
    return [(int(start, 16) // PAGE, int(end, 16) // PAGE) for start, end in bounds]


def _pin(pages: list[int]) -> None:
    """Pin pages of this process for as long as it lives."""
    gaps = [0, *(at for at, (one, other) in enumerate(pairwise(pages), 1) if other - one != PAGE), len(pages)]
    runs = [struct.pack("=QQ", pages[start], (end - start) * PAGE) for start, end in pairwise(gaps)]
    parameters = ctypes.create_string_buffer(PARAMETERS.pack(0, 0, START_DISABLED), PARAMETERS.size)
    ring = libc.syscall(IO_URING_SETUP, 1, parameters)
    try:
        mapping = libc.address("mmap", None, PAGE, libc.READ | libc.WRITE, MAP_SHARED, ring, 0)
        libc.call("madvise", mapping, PAGE, MADV_DONTFORK)
        libc.syscall(IO_URING_REGISTER, ring, REGISTER_BUFFERS, b"".join(runs), len(runs))
    finally:
        os.close(ring)
