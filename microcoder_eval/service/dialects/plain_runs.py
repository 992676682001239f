"""What SandboxFusion's and Piston's calls share: languages, limits, files and outputs in those services' forms."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.languages.table import language_named
from microcoder_eval.record_schema import shown
from microcoder_eval.service.call import Service

KEPT_BYTES = 16 << 20
"""How much of a program's output is sent back."""
NAMES = {"nodejs": "javascript", "node": "javascript", "python3": "python", "c++": "cpp", "gcc": "c"}


def language_of(word: Any) -> str:
    """This project's name for a language; raises `InputError` for an unknown one."""
    if not isinstance(word, str):
        raise InputError(f"language: a text expected, found {shown(word)}")
    found = language_named(NAMES.get(word.strip().lower(), word))
    if found is None:
        raise InputError(f"language: {shown(word)} is not offered here")
    return found


def run_limits(service: Service, seconds: float, memory_mb: float) -> dict[str, Any]:
    """The limits of a run, at most those of the service. memory_mb: 0 or less asks for no limit."""
    most = service.limits.memory_limit_mb
    return {
        "time_limit_s": min(seconds, service.limits.time_limit_s),
        "memory_limit_mb": most if memory_mb <= 0 else max(1, int(min(memory_mb, most))),
        "kept_bytes": KEPT_BYTES,
    }


def readable(output: str) -> str:
    """A program's output as text; bytes that are not UTF-8 become U+FFFD."""
    return output.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def from_base64(text: Any, name: str) -> bytes:
    if not isinstance(text, str):
        raise InputError(f"files: {shown(name)}: base64 text expected, found {shown(text)}")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InputError(f"files: {shown(name)} is not base64") from None
