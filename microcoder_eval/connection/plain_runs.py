"""The body of a request for a plain run, and what a service answers to runs and outputs. Nothing is sent here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from microcoder_eval.boundary.decode_values import build
from microcoder_eval.errors import InputError
from microcoder_eval.outputs import Output
from microcoder_eval.program_run import ProgramRun
from microcoder_eval.verdict import Verdict

OPTIONS = ("time_limit_s", "memory_limit_mb", "kept_bytes")


def run_body(
    code: str,
    language: str,
    stdin: str | bytes,
    files: Mapping[str, str | bytes],
    options: Mapping[str, Any],
    policy: str | None = None,
) -> bytes:
    """The body of a request for a run; raises `TypeError` or `InputError` for what no service takes.

    policy: a service that grades with another one refuses the request, as it does for a grading.
    """
    if unknown := options.keys() - {*OPTIONS}:
        raise TypeError(f"a run has no option {min(unknown)!r}")
    if not isinstance(stdin, (str, bytes)):
        raise TypeError(f"stdin is a text or bytes, not {type(stdin).__name__}")
    record = {
        "code": code,
        "language": language,
        "stdin": _text(stdin),
        "files": {name: _text(content) for name, content in files.items()},
        **options,
        "options": {"policy": policy},
    }
    try:
        return json.dumps(record).encode("ascii")
    except (TypeError, ValueError) as error:
        raise InputError(f"the run cannot be sent: {error}") from None


def run_from(body: Any) -> ProgramRun:
    """The run in the body of a service's answer."""
    return ProgramRun(**{**body, "verdict": Verdict(body["verdict"])})


def outputs_from(body: Any) -> list[Output]:
    """The outputs in the body of a service's answer."""
    return [
        Output(**{**output, "verdict": Verdict(output["verdict"]), "value": build(output["value"])})
        for output in body["outputs"]
    ]


def _text(content: str | bytes) -> str:
    return content if isinstance(content, str) else content.decode("utf-8", "surrogateescape")
