"""Exceptions that this program raises while it works on one row: they cost that row, never the build.

They are no fault of the row's. Each is counted by the rule and the place in the program, the reports begin with them,
and a build with any ends with status 1.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.plural import counted

RULE_FAILED, UNFORESEEN_RECORD = "rule_failed", "unforeseen_record"
OWN_FAULTS = (RULE_FAILED, UNFORESEEN_RECORD)
"""The reasons of rows that are dropped or rejected because this program failed on them."""
OUR_FAULT = "MicroCoder failed on rows; please report these lines"
_PACKAGE = Path(__file__).parent.parent


def text_of(error: Exception) -> str:
    """What an exception says, with its type, as a text that can be written.

    >>> text_of(ValueError("half a pair: \\ud83d"))
    'ValueError: half a pair: ?'
    """
    return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()


def place_of(error: Exception) -> str:
    """The type of an exception, and the last line of this program on its way.

    >>> from microcoder_data.rules import rule_name
    >>> try:
    ...     rule_name(5)
    ... except AttributeError as error:
    ...     place_of(error).rpartition(":")[0]
    'AttributeError in microcoder_data/rules.py'
    """
    found = type(error).__name__
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(_PACKAGE / "microcoder_data") or path.is_relative_to(_PACKAGE / "microcoder_eval"):
            return f"{found} in {path.relative_to(_PACKAGE).as_posix()}:{frame.lineno}"
    return found


def faults_of(stages: Iterable[Mapping[str, Any]]) -> list[str]:
    """The faults of a build in words, from its account of stages; empty for a build without any.

    >>> faults_of([{"stage": "process", "faults": {"samples_v7, KeyError in microcoder_data/a.py:5": 3}}])
    ['process: samples_v7, KeyError in microcoder_data/a.py:5 (3 rows)']
    """
    return [
        f"{stage['stage']}: {what} ({counted(count, 'row')})"
        for stage in stages
        for what, count in stage.get("faults", {}).items()
    ]
