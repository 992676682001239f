"""The zygote: a warm interpreter inside the sandbox, which forks one child for each test.

`supervisor/box.py` starts it as `python -c "... from microcoder_eval.sandbox.zygote import main; main()"` in a clean
environment, with its configuration marshalled in argv. The zygote compiles programs; only its children run them. The
requests that it answers are in `serve.py`. In a session (`session.py`), one child runs the program again and again.
"""

from __future__ import annotations

import _signal
import _sitebuiltins
import _thread
import builtins
import gc
import marshal
import os
import sys

from microcoder_eval.boundary import libc
from microcoder_eval.boundary.box_protocol import (
    ASSERTS_PROGRAM,
    ASSERTS_TESTS,
    CALL_PROGRAM,
    CHECKER,
    CONTROL,
    DONE,
    INTERACTOR_FUNCTION,
    PROGRAM_SIDE,
    SESSION,
    STDIN_PROGRAM,
    TESTS_RUNNER,
)
from microcoder_eval.sandbox import harness, hot_pages, huge_data, huge_pages
from microcoder_eval.sandbox.endless import asked
from microcoder_eval.sandbox.huge_arenas import HugeArenas
from microcoder_eval.sandbox.serve import Server, end_all_others
from microcoder_eval.sandbox.session import serve as serve_session
from microcoder_eval.sandbox.walls import limits
from microcoder_eval.sandbox.walls.enclose import enter_namespaces, place_descriptors, raise_walls, report
from microcoder_eval.sandbox.warm_up import SMALL, warm_up, with_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

PRELUDE = """
import bisect, collections, copy, functools, heapq, itertools, json, math, operator, re, string, sys, typing
from bisect import *
from collections import *
from copy import *
from functools import *
from heapq import *
from itertools import *
from math import *
from operator import *
from string import *
from typing import *
from builtins import *
"""
"""The names that LeetCode's judge gives a solution. The last line restores builtins that math and operator shadow."""
USES_SESSION = (ASSERTS_PROGRAM, ASSERTS_TESTS)
"""Kinds of source whose child exchanges messages with a process of another box, over the session socket."""
RECURSION_LIMIT = sys.getrecursionlimit()
CALL_RECURSION_LIMIT = 550_000  # LeetCode's
LONGEST_ERROR_TEXT = 2000
MOST_UNREAD = 10_000  # more than the socket holds; once its other end is closed, reading it never blocks again


class Zygote(Server):
    """Compiles one program at a time and forks the children that run it.

    Few steps lie between a fork and the program's first line, and they are prepared before the fork: every page of
    memory that a child or the zygote writes to is copied, and those copies are most of a small test's time.
    """

    def __init__(self, layers: list[str], arenas: HugeArenas) -> None:
        super().__init__(layers)
        self._arenas = arenas
        self.reserved_bytes = arenas.size
        self._directory = os.getcwd()
        self._code: CodeType | None = None
        self._kind = STDIN_PROGRAM
        self._call: tuple[str, dict[str, str]] = ("", {})
        self._prelude: dict[str, Any] | None = None
        self._main: dict[str, Any] = {}
        self._runs_destructors = False
        self._tests: Any = None

    def _take(self, request: bytes) -> bytes:
        """Take a request's record. What is freed meanwhile is overwritten: children inherit this process's memory, and
        one could find there the text of a program that was loaded before its own."""
        libc.overwrite_freed(True)
        try:
            return super()._take(request)
        finally:
            libc.overwrite_freed(False)

    def load(self, record: dict[str, Any]) -> bytes:
        """Compile a program; returns DONE, or three lines: the error's line number, its class and its text."""
        self._code = None
        self._kind = record["kind"]
        self._call = record.get("entry_point") or "", record.get("hints", {})
        if self._kind == ASSERTS_TESTS:
            return self._load_tests(record["source"], record["starter_code"])
        try:
            self._code = compile(record["source"], harness.SCRIPT, "exec", dont_inherit=True)
        except SyntaxError as error:
            text, where = (error.text or "").strip(), f"line {error.lineno}: " if error.lineno else ""
            return _load_error(error, f"{where}{error.msg[:500]}{': ' + text[:120] if text else ''}")
        except (ValueError, MemoryError, RecursionError, OverflowError) as error:
            return _load_error(error, f"the program cannot be compiled: {type(error).__name__}: {error}")
        self._runs_destructors = record["runs_destructors"]
        self._main = harness.fresh_main(self._names())
        sys.setrecursionlimit(CALL_RECURSION_LIMIT if self._has_leetcode_names() else RECURSION_LIMIT)
        return DONE

    def _load_tests(self, source: str, starter_code: str) -> bytes:
        try:
            self._tests = sys.modules[TESTS_RUNNER].prepare(source, self._call[0], starter_code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return _load_error(error, f"{type(error).__name__}: {error}")
        return DONE

    def _has_leetcode_names(self) -> bool:
        return self._kind == CALL_PROGRAM or (self._kind == ASSERTS_PROGRAM and self._call[0].startswith("Solution"))

    def _names(self) -> dict[str, Any]:
        if not self._has_leetcode_names():
            return {}
        if self._prelude is None:
            from microcoder_eval.sandbox import calling

            self._prelude = {"ListNode": calling.ListNode, "TreeNode": calling.TreeNode}
            exec(PRELUDE, self._prelude)
        return self._prelude

    def run(self, session: bool) -> bytes:
        if session:
            _empty_session()
        child = os.fork()
        if child == 0:
            self._arenas.use()
            os.closerange(CONTROL, SESSION if session or self._kind in USES_SESSION else SESSION + 1)
            if self.pipes and self._kind != INTERACTOR_FUNCTION:
                harness.use_pipes(*self.pipes)
            self.die_with_parent()
            self.filter_system_calls()
            if session:
                serve_session(self._run_again, self._directory)
            os._exit(self._run_to_end())
        answer = self.wait_for(child)
        if self.own_pid_namespace and self.filter is None:
            end_all_others()
        return answer

    def _run_to_end(self) -> int:
        if self._runs_destructors:
            self._main = harness.fresh_main(self._names())  # a namespace made after `gc.freeze` can be collected
        status = harness.wind_up(self._run_program())
        if self._runs_destructors:
            self._main = {}
            harness.destruct()
        return status

    def _run_program(self) -> int:
        if self._kind == ASSERTS_TESTS:
            return harness.run_peer(lambda: sys.modules[TESTS_RUNNER].run(self._tests, SESSION))
        assert self._code is not None
        code = self._code
        if self._kind == ASSERTS_PROGRAM:
            return harness.run_peer(lambda: sys.modules[PROGRAM_SIDE].serve(code, self._main, SESSION, self._call[0]))
        if self._kind == CHECKER:
            return harness.run_check(self._code, self._main)
        if self._kind == INTERACTOR_FUNCTION:
            return harness.run_interactor(self._code, self._main, *self.pipes)
        if self._kind == CALL_PROGRAM:
            return harness.run_call(self._code, self._main, *self._call)
        return harness.run_script(self._code, self._main)

    def _run_again(self) -> int:
        if not self._runs_destructors:
            self._main = harness.fresh_main(self._names())
        return self._run_to_end()


def _load_error(error: Exception, text: str) -> bytes:
    """The answer to LOAD for a program that does not compile, cut to what fits into one datagram."""
    line = getattr(error, "lineno", None) or 0
    return f"{line}\n{type(error).__name__}\n{text[:LONGEST_ERROR_TEXT]}".encode("utf-8", "replace")


def _empty_session() -> None:
    """Discard the datagrams that an earlier child has left unread, so that the next one does not read them.

    Not at that child's end: the supervisor may send one before it learns of the end.
    """
    os.set_blocking(SESSION, False)
    try:
        for _ in range(MOST_UNREAD):
            os.read(SESSION, 1)
    except BlockingIOError:
        os.set_blocking(SESSION, True)


def main() -> None:
    """Enter the sandbox that the configuration asks for, report which layers hold, and serve."""
    config = marshal.loads(bytes.fromhex(sys.argv[1]))
    place_descriptors(config["descriptors"])
    sys.argv = [harness.SCRIPT]
    sys.path[:] = [*config["path"]]
    namespaces = enter_namespaces(config)  # first: an outer process may wait for this one, and keeps what it has loaded
    for name in config["preload"]:
        try:
            __import__(name)
        except ModuleNotFoundError:
            continue  # not installed: the program that needs it will say so
    _add_interactive_names()
    huge_pages.move_code()
    warm_up()
    gc.collect()
    gc.freeze()
    arenas = HugeArenas()
    _arrange_pages(config["layers"], arenas)
    arenas.reserve()
    layers = raise_walls(config, namespaces)
    sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
    _thread.stack_size(limits.THREAD_STACK_BYTES)
    harness.open_streams()
    asked.answer()
    report(layers)
    gc.collect()
    gc.freeze()
    Zygote(layers, arenas).serve()


def _arrange_pages(layers: list[str], arenas: HugeArenas) -> None:
    """Have all data in huge pages, but what the run of a small program writes to in small ones that every fork copies.

    As much as possible is as it will be in a real run, the filter in memory too: what is where decides which pages
    are written to.
    """
    zygote = Zygote(layers, arenas)
    zygote.load({"kind": STDIN_PROGRAM, "source": SMALL, "runs_destructors": False})
    gc.freeze()

    def run() -> None:
        arenas.use()
        libc.prctl(libc.PR_SET_PDEATHSIG, _signal.SIGKILL)  # goes the same way as installing the filter
        zygote._run_to_end()

    present, written = with_files(lambda: hot_pages.pages_after(run))
    huge_data.move_data(present, small=written)
    hot_pages.copy_at_fork(written)


def _add_interactive_names() -> None:
    """Add `exit` and `quit`. The site module adds them to an interpreter, and this one runs without it."""
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
