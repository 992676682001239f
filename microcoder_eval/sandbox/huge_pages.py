"""Moves the interpreter's own code to huge pages: then a fork copies one page-table entry for 2 MiB of code.

Forking is most of what a small test costs, and page faults are most of a fork; with huge pages no child faults the code
in again. The code is copied to memory that the kernel backs with huge pages, and that memory replaces the file's
mapping. The same bytes stay at the same addresses, readable and executable. When the kernel refuses a step, the
mapping stays as it was.
"""

from __future__ import annotations

import ctypes

from microcoder_eval.boundary import libc

HUGE = 2 << 20
MADV_HUGEPAGE = 14
MAYMOVE_FIXED = 3


def move_code() -> int:
    """Move the code; returns how many bytes were moved, 0 when the kernel refused."""
    start, end = _code_mapping()
    start, end = -(-start // HUGE) * HUGE, end // HUGE * HUGE
    size = end - start
    if size <= 0:
        return 0
    try:
        space = libc.new_memory(size + HUGE)
        copy = -(-space // HUGE) * HUGE
        for unused, until in ((space, copy), (copy + size, space + size + HUGE)):
            if unused < until:
                libc.call("munmap", unused, until - unused)
        libc.call("madvise", copy, size, MADV_HUGEPAGE)
        ctypes.memmove(copy, start, size)
        libc.call("mprotect", copy, size, libc.READ | libc.EXECUTE)
        libc.address("mremap", copy, size, size, MAYMOVE_FIXED, start)
    except OSError:  # no huge pages, or writable memory may not become executable; the copy stays unused
        return 0
    return size


def _code_mapping() -> tuple[int, int]:
    """The start and end in memory of the interpreter's code, with the read-only mappings of the same file around it."""
    code_address = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value or 0
    mappings: list[tuple[int, int, str]] = []
    with open("/proc/self/maps") as maps:
        for line in maps:
            bounds, access, _, _, _, *name = line.split(maxsplit=5)
            start, end = (int(bound, 16) for bound in bounds.split("-"))
            file = "" if "w" in access else "".join(name)
            if mappings and file and mappings[-1][1:] == (start, file):
                start = mappings.pop()[0]
            mappings.append((start, end, file))
    return next((start, end) for start, end, file in mappings if file and start <= code_address < end)
