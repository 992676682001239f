"""Finds testlib.h on this machine for checkers and interactors that include it without having it among their files.

testlib.h is not part of this project.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.errors import UnsupportedError

NAME = "testlib.h"
DIRECTORIES = ("/usr/local/include", "/usr/include")
_INCLUDES = re.compile(r'^\s*#\s*include\s*[<"](?:\./)?testlib\.h[>"]', re.MULTILINE)


def supplied(record: Mapping[str, Any]) -> dict[str, Any]:
    """A problem's record with testlib.h added to a C++ checker or interactor that lacks it.

    Raises `UnsupportedError` when this machine has no testlib.h.
    """
    complete = dict(record)
    for part, language in (("checker", "kind"), ("interactor", "language")):
        program = record.get(part)
        if program and program.get(language) == "cpp" and _needs_testlib(program):
            files = {**program["files"], NAME: _read_testlib(record["id"], part)}
            complete[part] = {**program, "files": files}
    return complete


def on_this_machine() -> str | None:
    """The text of this machine's testlib.h, if it has one."""
    path = next((path for path in _candidates() if path.is_file()), None)
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path else None
    except OSError:
        return None


def _needs_testlib(program: Mapping[str, Any]) -> bool:
    if NAME in program["files"]:
        return False
    return any(_INCLUDES.search(text) for text in (program["code"], *program["files"].values()))


def _read_testlib(problem: str, part: str) -> str:
    for path in _candidates():
        if path.is_file():
            try:
                return path.read_text(encoding="utf-8", errors="replace")
            except OSError as error:
                reason = f"its {part} includes {NAME}: {path}: {error.strerror}"
                raise UnsupportedError(f"problem {problem!r}", reason) from None
    raise UnsupportedError(
        f"problem {problem!r}",
        f"its {part} includes {NAME}, which is not among its files: put it there, or set the environment variable "
        f"TESTLIB to where it is (looked for in {', '.join(map(str, _candidates()))})",
    )


def _candidates() -> Iterator[Path]:
    """Where testlib.h may be, in the order of the search."""
    named = os.environ.get("TESTLIB")
    if named:
        yield Path(named) / NAME if os.path.isdir(named) else Path(named)
    for listed in (os.environ.get("CPATH", ""), os.environ.get("CPLUS_INCLUDE_PATH", "")):
        yield from (Path(directory) / NAME for directory in listed.split(":") if directory)
    yield from (Path(directory) / NAME for directory in DIRECTORIES)
