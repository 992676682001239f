"""Why a program failed, when its wait status does not say it: it ran out of memory, or the sandbox refused a call.

A Python program's process writes the cause and the line that raised to its result file (`sandbox/harness.py`). Other
runtimes write only to stderr; their words are listed here. A program can forge both. That does no harm: the cause only
chooses among verdicts that reject, and no verdict depends on the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from microcoder_eval.boundary.box_protocol import (
    ENDLESS,
    EXIT_ENDLESS,
    LAUNCHER,
    LONGEST_CLASS_NAME,
    OUT_OF_MEMORY,
    REFUSED,
)
from microcoder_eval.supervisor.watch import MEBIBYTE
from microcoder_eval.verdict import Raised

if TYPE_CHECKING:
    from microcoder_eval.supervisor.box import Box
    from microcoder_eval.supervisor.run import Run

NATIVE_OUT_OF_MEMORY = (
    *("std::bad_alloc", "java.lang.OutOfMemoryError", "JavaScript heap out of memory"),
    *("fatal error: runtime: out of memory", "memory allocation of "),
)
"""What runtimes of C++, Java, JavaScript, Go and Rust write to stderr when they get no more memory."""
PYPY_OUT_OF_MEMORY = "MemoryError"
PYPY_REFUSED = ("PermissionError: [Errno 1]", "PermissionError: [Errno 13]")
"""The beginning of the last line of PyPy's traceback."""
LONGEST_RECORD = 1000
LONGEST_ANSWER = 64
MOST_DIGITS = 8
"""The most digits of a line's number."""


class Failure(NamedTuple):
    """What a program that failed wrote to stderr, and why it failed: `OUT_OF_MEMORY`, `REFUSED`, `ENDLESS`, or ""."""

    errors: str = ""
    cause: str = ""
    raised: Raised | None = None

    @property
    def last_line(self) -> str:
        return self.errors.rsplit("\n", 1)[-1]


NO_FAILURE = Failure()


def failure_of(box: Box, run: Run, code: str) -> Failure:
    """The failure of a run of `code` in this box; empty when the program exited with status 0."""
    if run.status == 0:
        return NO_FAILURE
    errors = box.stderr.get(MEBIBYTE).decode("utf-8", "backslashreplace").strip()
    executed, killed = box.module == LAUNCHER, run.status & 0x7F != 0
    if executed or killed:
        return Failure(errors, _cause_on_stderr(errors, pypy=executed))
    if run.exit_status == EXIT_ENDLESS:  # the answer stands behind whatever the program's process has written before
        end = box.result.end(LONGEST_ANSWER).decode("utf-8", "replace")
        _, found, line = end.rpartition(f"{ENDLESS}\n")
        if found:
            return Failure(errors, ENDLESS, read_raised(line.strip(), "", code))
    return Failure(errors, *_cause_and_raised(box.result.get(LONGEST_RECORD).decode("utf-8", "replace"), code))


def _cause_and_raised(written: str, code: str) -> tuple[str, Raised | None]:
    """The cause and the exception, from the three lines that a Python program's process has written."""
    cause, *raised = written.split("\n")
    known = cause if cause in (OUT_OF_MEMORY, REFUSED) else ""
    return known, read_raised(raised[0], raised[1], code) if len(raised) == 2 else None


def read_raised(line: str, exception: str, code: str) -> Raised:
    """The exception that ended a program, from texts that an untrusted process has written.

    >>> read_raised("2", "ValueError", "a\\nb"), read_raised("3", "not a name", "a\\nb")
    (Raised(line=2, exception='ValueError'), Raised(line=None, exception=''))
    """
    number = int(line) if line.isascii() and line.isdigit() and len(line) <= MOST_DIGITS else 0
    lines = 1 + code.count("\n") + code.count("\r") - code.count("\r\n")
    is_name = exception.isascii() and exception.isidentifier() and len(exception) <= LONGEST_CLASS_NAME
    return Raised(number if 1 <= number <= lines else None, exception if is_name else "")


def _cause_on_stderr(errors: str, pypy: bool) -> str:
    """The cause that a runtime wrote to stderr, or "". `pypy`: PyPy may have run the program."""
    last = Failure(errors).last_line
    if any(words in errors for words in NATIVE_OUT_OF_MEMORY) or (pypy and last.startswith(PYPY_OUT_OF_MEMORY)):
        return OUT_OF_MEMORY
    return REFUSED if pypy and last.startswith(PYPY_REFUSED) else ""
