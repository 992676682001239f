"""Has the objects of large programs in huge pages: the interpreter takes their memory from a region that has them.

CPython keeps objects of up to 512 bytes in arenas of 1 MiB. It maps each of them by itself, in pages of 4 KiB, and with
a long input a third of a program's page faults are there. Here a child takes its arenas one after the other from a
region that the zygote has reserved. The first ones have small pages: most programs need no more, and do not grow.
When the region is used up, the interpreter maps arenas itself. It unmaps every arena that has become empty, and that
part of the region is not used again.

For an arena the interpreter calls a C function. No library has this one, so it is machine code. Where that is not
possible, everything stays as it was.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

from microcoder_eval.boundary import libc
from microcoder_eval.boundary.attempt import succeeds
from microcoder_eval.sandbox.hot_pages import PAGE
from microcoder_eval.sandbox.huge_pages import HUGE, MADV_HUGEPAGE

ARENA = 1 << 20
WITH_SMALL_PAGES = 4 << 20
SIZE = 1 << 30
"""Bytes of the region. They are address space, and become memory as they are used."""
MOST_TRIED = 100_000
"""So many objects of 400 bytes need an arena of their own, whatever is free in the others."""
MAP_NORESERVE = 0x4000
COUNTED = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
"""The limits of a process in which the region would count."""
TAKE_ARENA = bytes.fromhex(
    "4881fe00001000"  #    cmp rsi, ARENA         rdi: the region, rsi: how many bytes are wanted
    "7513"  #              jne other              frames of functions want another size
    "4889f0"  #            mov rax, rsi
    "f0480fc107"  #        lock xadd [rdi], rax   take `next` and move it on, also where interpreters run in parallel
    "488d1430"  #          lea rdx, [rax + rsi]
    "483b5708"  #          cmp rdx, [rdi + 8]     beyond `end`?
    "7701"  #              ja other
    "c3"  #                ret
    "ff6710"  #     other: jmp [rdi + 16]         `other`, the interpreter's own function
)


class _Region(ctypes.Structure):
    _fields_ = [("next", ctypes.c_size_t), ("end", ctypes.c_size_t), ("other", ctypes.c_void_p)]


class _ArenaAllocator(ctypes.Structure):
    """PyObjectArenaAllocator."""

    _fields_ = [("context", ctypes.c_void_p), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p)]


class HugeArenas:
    """A region of this process from which each of its children can take arenas.

    The region is reserved later than its code: what looks at all pages of this process need not look at it.
    """

    def __init__(self) -> None:
        self.size = 0
        """How many bytes of address space are reserved: 0 where that is not possible."""
        self._region = _Region()
        self._start = 0
        self._is_installed = False
        try:
            if _may_work() and succeeds(self._try):
                self._install()
                self._is_installed = True
        except OSError:  # no memory, or no /proc
            return

    def reserve(self) -> None:
        """Reserve the region. This process itself takes no arenas from it."""
        try:
            if self._is_installed:
                self._map()
        except OSError:
            return

    def use(self) -> None:
        """In a child: take arenas from the region from now on."""
        self._region.next = self._start

    def _install(self) -> None:
        code = libc.new_memory(PAGE)
        ctypes.memmove(code, TAKE_ARENA, len(TAKE_ARENA))
        libc.call("mprotect", code, PAGE, libc.READ | libc.EXECUTE)
        own = _ArenaAllocator()
        ctypes.pythonapi.PyObject_GetArenaAllocator(ctypes.byref(own))
        self._region.other = own.allocate
        new = _ArenaAllocator(ctypes.addressof(self._region), code, own.free)
        ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(new))

    def _map(self) -> None:
        flags = libc.PRIVATE_ANONYMOUS | MAP_NORESERVE
        space = libc.address("mmap", None, SIZE, libc.READ | libc.WRITE, flags, -1, 0)
        start, end = -(-space // HUGE) * HUGE, space + SIZE
        try:
            libc.call("madvise", start + WITH_SMALL_PAGES, end - start - WITH_SMALL_PAGES, MADV_HUGEPAGE)
        except OSError:  # a kernel without huge pages
            libc.call("munmap", space, SIZE)
            raise
        self._region.next = self._region.end = end
        self._start, self.size = start, SIZE

    def _try(self) -> None:
        """Keep objects until one is in the second arena of the region."""
        self._install()
        self._map()
        self.use()
        objects = []
        for number in range(MOST_TRIED):
            objects.append(bytes([number % 256]) * 400)
            if self._start + ARENA <= id(objects[-1]) < self._region.end:
                assert all(kept == bytes([number % 256]) * 400 for number, kept in enumerate(objects))
                return
        raise OSError("this interpreter does not keep objects in arenas of this size")


def _may_work() -> bool:
    """Whether this is CPython with arenas on x86-64, and address space costs nothing."""
    if os.uname().machine != "x86_64" or sys.maxsize < 1 << 32:
        return False
    if not hasattr(ctypes.pythonapi, "PyObject_SetArenaAllocator"):
        return False
    if any(limit != resource.RLIM_INFINITY for kind in COUNTED for limit in resource.getrlimit(kind)):
        return False
    with open("/proc/sys/vm/overcommit_memory") as setting:
        return setting.read().strip() != "2"
