"""The command that starts Mono where `/proc/self/maps` cannot be read.

Mono asks libc where the stack of its first thread is. For a process's main thread libc reads `/proc/self/maps`, which
the sandbox hides, and Mono aborts. For any other thread libc needs no file. So a Python interpreter loads Mono as a
library and calls its `main` in a second thread.
"""

from __future__ import annotations

import sys

LIBRARY = tuple(
    f"{directory}/libmonosgen-2.0.so.1"
    for directory in ("/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/local/lib")
)
_START = """
import ctypes, os, sys, threading
library, *arguments = sys.argv[1:]
main = ctypes.CDLL(library, ctypes.RTLD_GLOBAL).mono_main
words = [b"mono", *map(os.fsencode, arguments)]
threading.stack_size(64 << 20)
threading.Thread(target=lambda: os._exit(main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words)) & 255)).start()
"""

START = (sys.executable, "-I", "-S", "-c", _START, "{libmonosgen}")
"""The beginning of a command; Mono's own arguments follow, the assembly first."""

ENVIRONMENT = {"MONO_LOG_DEST": "/dev/null"}
"""Otherwise Mono writes a warning to stdout, because it may not set a thread's priority."""
