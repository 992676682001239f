"""Warnings, log records and standard error of the program, which tests listen to in their own process.

    kept = Kept(["warnings"])       # in the program's process: keeps what is emitted
    emit(*heard(kept.taken()))      # in the tests' process: emits it again, for the tests' own filters and handlers

Only texts, numbers and classes of warnings come from the program.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from microcoder_eval.sandbox.harness import STDERR

WORDS = {
    "errors": ("stderr", ".err", "capsys"),
    "warnings": ("warn", "deprecated_call"),
    "logs": ("assertlogs", "assertnologs", "caplog", "logging"),
}
MOST = 10_000
"""How many warnings and records are kept between two answers."""
ERRORS_AT_MOST = 1 << 20


def listened_to(test_code: str) -> list[str]:
    """What a test program may listen to.

    >>> listened_to("with pytest.warns(UserWarning): f()")
    ['warnings']
    """
    return [kind for kind, words in WORDS.items() if any(word in test_code.lower() for word in words)]


class Kept:
    """In the program's process: what was emitted since it was last taken. It is a handler of `logging`, too."""

    level = 0

    def __init__(self, kinds: list[str]) -> None:
        self._kept: list[list[Any]] = []
        self._errors_seen = os.fstat(STDERR).st_size if "errors" in kinds else None
        if "warnings" in kinds:
            warnings.simplefilter("always")
            vars(warnings)["showwarning"] = self._keep_warning
        if "logs" in kinds:
            import logging  # it loads threads, which a process that is forked must not have

            root: Any = logging.getLogger()
            root.addHandler(self)
            if root.level == logging.WARNING:  # otherwise the program has set it
                root.setLevel(1)

    def handle(self, record: Any) -> None:
        self._keep([record.name, record.levelno, record.getMessage()])

    def _keep_warning(self, message: Any, category: type, *_: Any) -> None:
        self._keep([category, 0, str(message)])

    def _keep(self, one: list[Any]) -> None:
        if len(self._kept) < MOST:
            self._kept.append(one)

    def taken(self) -> list[list[Any]]:
        taken, self._kept = self._kept, []
        return taken + [[None, 0, text] for text in self._errors() if text]

    def _errors(self) -> Iterator[str]:
        """What was written to standard error since it was last read."""
        if self._errors_seen is not None:
            if sys.stderr is not None and not sys.stderr.closed:
                sys.stderr.flush()
            start, self._errors_seen = self._errors_seen, os.fstat(STDERR).st_size
            yield os.pread(STDERR, min(self._errors_seen - start, ERRORS_AT_MOST), start).decode("utf-8", "replace")


def heard(taken: Any) -> list[tuple[Any, int, str]]:
    """What arrived from the program; raises a `TypeError` or a `ValueError` for anything else."""
    found = [(source, int(level), str(text)) for source, level, text in taken]
    for source, _, _ in found:
        if source is not None and type(source) is not str and not issubclass(source, Warning):
            raise TypeError("neither a warning nor a log record nor standard error")
    return found


def emit(source: Any, level: int, text: str) -> None:
    """Emit a warning (`source` is its class), a log record (its logger's name), or standard error (None)."""
    if source is None:
        sys.stderr.write(text)
        return
    if type(source) is not str:
        warnings.warn_explicit(text, source, "solution.py", 1, module="__main__")
        return
    import logging

    logger = logging.getLogger(source)
    if logger.isEnabledFor(level):
        logger.handle(logger.makeRecord(source, level, "solution.py", 1, text, (), None))
