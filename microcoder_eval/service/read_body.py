"""A request's body, read with bounds and parsed strictly: JSON objects whose keys occur once.

A body that is too large, too slow, nested too deeply, or not JSON raises `Refusal`.
"""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.requests import ClientDisconnect, Request

from microcoder_eval.arguments import MOST_DIGITS, read_json
from microcoder_eval.service.refusal import HungUp, Kind, Refusal

NESTED = "the body is nested too deeply"
"""Also of a body that could be parsed: what is done with its values may go deeper."""
VALUE_BYTES = 64
"""About how much memory a parsed value takes."""


async def read_body(request: Request, most_bytes: int, most_s: float, hold: Callable[[bytes], None]) -> list[bytes]:
    """The pieces of a body. If the announced length is too large, the body is refused before it is read.

    hold: called with each piece; raises a `Refusal` when the service holds too much.
    """
    announced = request.headers.get("content-length", "")
    if announced and "transfer-encoding" in request.headers:
        raise Refusal(Kind.BAD_REQUEST, "the body has two lengths: Content-Length and Transfer-Encoding")
    if request.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise Refusal(Kind.BAD_REQUEST, "the body is compressed (Content-Encoding); only plain JSON is read")
    if announced.isdecimal() and int(announced) > most_bytes:  # h11 lets through at most 20 digits
        raise _too_large(most_bytes)
    chunks: list[bytes] = []
    size = 0

    async def read() -> None:
        nonlocal size
        async for chunk in request.stream():
            size += len(chunk)
            if size > most_bytes:
                raise _too_large(most_bytes)
            hold(chunk)
            chunks.append(chunk)

    try:
        await asyncio.wait_for(read(), most_s)
    except (asyncio.TimeoutError, TimeoutError):
        raise Refusal(Kind.SLOW_REQUEST, f"the body did not arrive within {most_s:g} s") from None
    except ClientDisconnect:
        raise HungUp from None
    return chunks


def parsed_bytes(body: bytes) -> int:
    """About how much memory the values of a JSON text take. `[[],[],...]` takes 25 times as much as its text."""
    return VALUE_BYTES * (body.count(b",") + body.count(b"[") + body.count(b"{"))


def parse_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a body.

    >>> parse_object(b'{"id": "sum"}')
    {'id': 'sum'}
    """
    try:
        text = body.decode()
        with _no_collections():
            found = _loaded(text)
    except UnicodeDecodeError as error:
        raise Refusal(Kind.BAD_REQUEST, f"the body is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Refusal(Kind.BAD_REQUEST, f"the body is not JSON: {error}") from None
    except RecursionError:
        raise Refusal(Kind.BAD_REQUEST, NESTED) from None
    if not isinstance(found, dict):
        raise Refusal(Kind.BAD_REQUEST, "the body is not a JSON object")
    return found


@contextmanager
def _no_collections() -> Iterator[None]:
    """Without the search for cycles: parsed JSON has none, and for a body of many small lists the search takes most of
    the time, in which no other client is answered."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer with more digits than Python's parser allows
        return json.loads(text, object_pairs_hook=_unique, parse_int=_integer)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1) if len(names) < 1000 else names[-1]
        raise Refusal(Kind.BAD_REQUEST, f"the key {twice[:60]!r} occurs twice in one object")
    return found


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise Refusal(Kind.BAD_REQUEST, f"an integer of more than {MOST_DIGITS} digits")
    found = read_json(digits)
    assert isinstance(found, int)
    return found


def _too_large(most_bytes: int) -> Refusal:
    return Refusal(Kind.TOO_LARGE, f"the body is larger than {most_bytes / 2**20:g} MiB")
