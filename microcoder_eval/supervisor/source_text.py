"""What a program's text says about how it must be watched, and the form in which it is loaded. Compiles nothing."""

from __future__ import annotations

import re

_DESTRUCTORS = re.compile(r"open|\bio\b|FileIO|Buffered|TextIO|codecs|__del__|weakref")
_LOOKS_INSIDE = re.compile(
    r"__del__|__import__|__builtins__|weakref|signal|thread|asyncio|concurrent|multiprocessing|settrace|setprofile"
    r"|monitoring|_getframe|currentframe|inspect|locals|vars|getrefcount|\bgc\b|ctypes|cffi|tracemalloc|f_back|audithook"
    r"|__globals__|codecs|register_error|\bopen\((?!0\b)|subprocess|socket|tempfile|mmap|pathlib|sqlite"
    r"|\bbuiltins\b|\bmodules\b|meta_path|sys\.path|__subclasses__|unraisablehook|warnings",
    re.IGNORECASE,
)
LEAST_SOURCE = 1100
"""How long the shortest text is that a zygote compiles. Copies of shorter ones would not be overwritten when they are
freed (see `libc.overwrite_freed`)."""


def may_print_at_its_end(source: str) -> bool:
    """Whether a program may print in a destructor, so that its objects are freed at its end. Others just exit."""
    return _DESTRUCTORS.search(source) is not None


def looks_inside(source: str) -> bool:
    """Whether a program may notice that it was asked whether it can end (a variable, and so an open file, may live a
    little longer), or may be changed by something else than its instructions."""
    cleans_up_late = "yield" in source and ("finally" in source or "with " in source)
    return cleans_up_late or _LOOKS_INSIDE.search(source) is not None


def lengthened(source: str) -> str:
    """The source with spaces behind its last line, which change nothing unless that line ends in a backslash."""
    text = source.rstrip("\r\n")
    return source if text.endswith("\\") else text.ljust(LEAST_SOURCE) + source[len(text) :]
