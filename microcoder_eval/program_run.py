"""A plain run: a program runs once on the user's stdin and files, without a problem or tests.

    run = grader.run("print(input())", stdin="hello")
    run.stdout, run.stderr, run.verdict, run.exit_status, run.cpu_s, run.wall_s, run.memory_kb

The outputs are text that an untrusted program wrote.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_eval.boundary.box_protocol import BOX_BYTES
from microcoder_eval.errors import InputError, refuse
from microcoder_eval.problem import DEFAULT_MEMORY_LIMIT_MB, DEFAULT_TIME_LIMIT_S, Problem, TestCase
from microcoder_eval.protocol.messages import PlainRun, Streams
from microcoder_eval.record_schema import file_fault, shown
from microcoder_eval.verdict import TestResult, Verdict

DEFAULT_KEPT_BYTES = 1 << 20
MOST_KEPT_BYTES = 64 << 20
MOST_FILES = 1000
MOST_FILE_BYTES = BOX_BYTES // 2


@dataclass(frozen=True)
class ProgramRun:
    """How a program ended, what it wrote and what it used."""

    verdict: Verdict
    """ACCEPTED: it ended by itself with exit status 0. COMPILE_ERROR, TIME_LIMIT, RUNTIME_ERROR, ... as in a grade."""
    stdout: str = ""
    """Bytes that are not UTF-8 become lone surrogates, as with Python's `surrogateescape`."""
    stderr: str = ""
    stdout_cut: bool = False
    """Whether it wrote more than `stdout` holds."""
    stderr_cut: bool = False
    exit_status: int | None = None
    """Below 0: minus the signal that ended it. None: it was not run."""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    memory_kb: int = 0
    detail: str = ""
    """Why it did not end well, or the compiler's error."""

    @property
    def ended_well(self) -> bool:
        return self.verdict is Verdict.ACCEPTED


def problem_of_run(time_limit_s: float | None, memory_limit_mb: int | None) -> Problem:
    """The problem that carries a run's limits to a supervisor."""
    return Problem(
        "run",
        tests=(TestCase("", ""),),
        time_limit_s=DEFAULT_TIME_LIMIT_S if time_limit_s is None else time_limit_s,
        memory_limit_mb=DEFAULT_MEMORY_LIMIT_MB if memory_limit_mb is None else memory_limit_mb,
    )


def plain_run(stdin: str | bytes, files: Mapping[str, str | bytes], kept_bytes: int) -> PlainRun:
    """The plain run for a supervisor; raises `InputError` or `TypeError` for arguments that cannot be used."""
    if not isinstance(stdin, (str, bytes)):
        raise TypeError(f"stdin is a text or bytes, not {type(stdin).__name__}")
    if type(kept_bytes) is not int or not 0 <= kept_bytes <= MOST_KEPT_BYTES:
        raise InputError(f"kept_bytes is a whole number from 0 to {MOST_KEPT_BYTES}, not {kept_bytes!r}")
    refuse(file_fault(files, "files", (str, bytes)))
    contents = {name: _bytes(content) for name, content in files.items()}
    if len(files) > MOST_FILES or sum(map(len, contents.values())) > MOST_FILE_BYTES:
        raise InputError(f"files: at most {MOST_FILES} files and {MOST_FILE_BYTES >> 20} MiB in all")
    return PlainRun(_bytes(stdin), contents, kept_bytes)


def read_run(result: TestResult, streams: Streams | bytes | None) -> ProgramRun:
    """The run, from the supervisor's outcome."""
    used: dict[str, Any] = {"cpu_s": result.cpu_ms / 1000, "wall_s": result.wall_ms / 1000}
    used["memory_kb"] = result.memory_kb
    if not isinstance(streams, Streams):
        return ProgramRun(result.verdict, detail=result.detail, **used)
    return ProgramRun(
        result.verdict,
        streams.stdout.decode("utf-8", "surrogateescape"),
        streams.stderr.decode("utf-8", "surrogateescape"),
        streams.stdout_bytes > len(streams.stdout),
        streams.stderr_bytes > len(streams.stderr),
        streams.exit_status,
        detail=result.detail,
        **used,
    )


def _bytes(text: str | bytes) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)
    except UnicodeEncodeError as error:
        raise InputError(f"stdin and files: {shown(text)} cannot be written as UTF-8: {error.reason}") from None
