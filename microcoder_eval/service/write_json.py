"""JSON of an answer. Long texts are written in pieces, so that another thread can run in between.

body = json_bytes(found) if not is_long(found) else await asyncio.to_thread(json_bytes, found)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

LONG_TEXT = 1 << 18
MANY = 1000
LEVELS = 8


def is_long(found: Any, levels: int = LEVELS) -> bool:
    """Whether writing a value as JSON may take more than some milliseconds. Deeper levels are not looked at."""
    if isinstance(found, str):
        return len(found) > LONG_TEXT
    if not levels or not isinstance(found, (dict, list)):
        return False
    values = found.values() if isinstance(found, dict) else found
    return len(found) > MANY or any(is_long(value, levels - 1) for value in values)


def json_bytes(found: Any) -> bytes:
    """JSON in ASCII: a lone surrogate becomes an escape, and NaN or an infinity that a client has sent becomes null.

    >>> json_bytes({"a": [1, "\\udc80"], "b": float("nan")})
    b'{"a":[1,"\\\\udc80"],"b":null}'
    """
    try:
        return b"".join(_pieces(found))
    except ValueError:
        return _text(json.loads(json.dumps(found), parse_constant=lambda word: None))


def _pieces(found: Any, levels: int = LEVELS) -> Iterator[bytes]:
    if not is_long(found, levels):
        yield _text(found)
    elif isinstance(found, str):
        yield b'"'
        for start in range(0, len(found), LONG_TEXT):
            yield _text(found[start : start + LONG_TEXT])[1:-1]
        yield b'"'
    elif isinstance(found, dict):
        for index, (name, value) in enumerate(found.items()):
            yield (b"," if index else b"{") + _text(name) + b":"
            yield from _pieces(value, levels - 1)
        yield b"}"
    else:
        for index, value in enumerate(found):
            yield b"," if index else b"["
            yield from _pieces(value, levels - 1)
        yield b"]"


def _text(found: Any) -> bytes:
    return json.dumps(found, separators=(",", ":"), allow_nan=False).encode("ascii")
