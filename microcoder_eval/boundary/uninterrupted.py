"""C calls made one after the other, while neither the interpreter nor a signal handler runs in between.

Memory that the interpreter itself writes to can be replaced only so. Each call is the work of a context
(`makecontext`) that goes on to the next one; the last goes back to the caller.
"""

from __future__ import annotations

import _signal
import ctypes

from microcoder_eval.boundary import libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CONTEXT, STACK = 16 << 10, 48 << 10
"""Bytes for a context, of which glibc takes 4,560 at most, and for its stack."""
LINK, STACK_START, STACK_BYTES = 8, 16, 32
"""Where a context names the next one, and its stack: the same in glibc on all 64-bit machines."""


def call_all(calls: Sequence[tuple[str, tuple[int, ...]]]) -> None:
    """Call functions of libc by name, each with its arguments. Their results are lost. Raises OSError without glibc."""
    make, each = libc.function("makecontext"), CONTEXT + STACK
    size = each * len(calls) + CONTEXT
    space = libc.new_memory(size)
    before = _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())
    try:
        for context, (name, arguments) in zip(range(space, space + size, each), calls, strict=False):
            libc.call("getcontext", context)
            for field, value in ((LINK, context + each), (STACK_START, context + CONTEXT), (STACK_BYTES, STACK)):
                ctypes.c_size_t.from_address(context + field).value = value
            function = ctypes.cast(libc.function(name), ctypes.c_void_p)
            make(ctypes.c_void_p(context), function, len(arguments), *map(ctypes.c_size_t, arguments))
        libc.call("swapcontext", space + each * len(calls), space)
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, before)
        libc.call("munmap", space, size)
