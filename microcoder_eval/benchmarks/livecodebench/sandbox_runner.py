"""LiveCodeBench's way of running a program, rebuilt. Its source is put before the program and runs in the sandbox.

In LiveCodeBench a program of kind stdin is the body of a function, `sys.stdin` is a replacement with few ways of
reading, and only what is written to `sys.stdout` counts as printed: the real descriptors are not connected. A program
of kind call is a module; `Solution()` is called if the text contains "class Solution". Some right programs fail under
these rules and some wrong ones pass. The policy `strict` gives the same verdicts.
"""

import builtins
import io
import os
import sys
from types import ModuleType
from typing import Any

REMOVED = (
    *("kill", "system", "putenv", "remove", "removedirs", "rmdir", "fchdir", "setuid", "fork", "forkpty", "killpg"),
    *("rename", "renames", "truncate", "replace", "unlink", "fchmod", "fchown", "chmod", "chown", "chroot"),
    *("lchflags", "lchmod", "lchown", "getcwd", "chdir"),
)
HIDDEN_MODULES = ("ipdb", "joblib", "resource", "psutil", "tkinter")


class LiveCodeBenchStdinBuffer:
    """`sys.stdin.buffer`: `read` always gives the whole input, `readline` always the first line."""

    def __init__(self, given: str) -> None:
        self._given = given.encode("utf-8", "surrogateescape")

    def read(self, *_: Any) -> bytes:
        return self._given

    def readline(self, *_: Any) -> bytes:
        return self._given.split(b"\n")[0] + b"\n"


class LiveCodeBenchStdin:
    """`sys.stdin`: `read` and `readlines` always give the whole input. It cannot be iterated."""

    def __init__(self, given: str) -> None:
        self._given = given
        self._text = io.StringIO(given)
        self.buffer = LiveCodeBenchStdinBuffer(given)

    def read(self, *_: Any) -> str:
        return self._given

    def readlines(self, *_: Any) -> list[str]:
        return self._given.split("\n")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._text, name)


def patch_stdin(stdin: Any, given: str) -> None:
    """Patch the real `sys.stdin`: `readline` gives lines without line ends, then raises StopIteration."""
    upcoming = iter(given.split("\n"))
    stdin.read = lambda *_: given
    stdin.readline = lambda *_: next(upcoming)
    stdin.readlines = lambda *_: given.split("\n")


def load(source: str) -> ModuleType:
    """Load a program as a module, after removing the functions that LiveCodeBench removes for safety."""
    for name in REMOVED:
        setattr(os, name, None)
    builtins.quit = builtins.help = None  # type: ignore[assignment]
    for name in HIDDEN_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    sys.setrecursionlimit(50_000)
    module = ModuleType("tmp_sol")
    exec(source, module.__dict__)
    return module


def run_stdin(source: str, with_earlier: bool) -> None:
    """Run a program of kind stdin and print what it wrote to `sys.stdout`. What it writes after its end is lost.

    With `with_earlier` the input is a JSON list: the inputs of some earlier tests and of this one, run in order.
    """
    given = b"".join(iter(lambda: os.read(0, 1 << 20), b"")).decode("utf-8", "surrogateescape")
    answer, nowhere = os.dup(1), os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    program = load(source).wrapped_function
    for text in __import__("json").loads(given) if with_earlier else [given]:
        printed = io.StringIO()
        printed.close = lambda _: None  # type: ignore[assignment, misc]  # it cannot be called in LiveCodeBench either
        patch_stdin(sys.__stdin__, text)
        sys.stdin, sys.stdout = LiveCodeBenchStdin(text), printed
        try:
            program()
        except SystemExit:
            pass
        sys.stdout = sys.__stdout__
    left = memoryview(printed.getvalue().encode("utf-8", "surrogateescape"))
    while left:
        left = left[os.write(answer, left) :]


def target(source: str, function: str, with_earlier: bool) -> Any:
    """The function that LiveCodeBench calls for a program of kind call; a Fraction or Decimal becomes a plain number.

    With `with_earlier` it gets lists of arguments, of some earlier tests and of this one, and is called with each.
    """
    module = load(source)
    called = getattr(module.Solution() if "class Solution" in source else module, function)

    def answer(*given: Any) -> Any:
        for arguments in given if with_earlier else [given]:
            value = called(*arguments)
        if type(value).__name__ in ("Fraction", "Decimal"):
            return next((plain for plain in (int(value), float(value)) if plain == value), value)
        return value

    return answer
