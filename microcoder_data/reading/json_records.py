"""Read records of JSON lines and JSON files. Only a file that is one object is held in memory as a whole."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from microcoder_data.reading.parts import MAX_RECORD_BYTES, Record
from microcoder_data.rules import Reject
from microcoder_eval import InputError

BLOCK = 1 << 16
_SEPARATORS = re.compile(r"[\s,]*")


def json_lines(path: str, file: IO[bytes], first_line: int, limit: int | None = None) -> Iterator[Record]:
    """The objects of JSON lines from the file's position on, until about `limit` bytes are read."""
    name = Path(path).name
    line, consumed = first_line, 0
    while limit is None or consumed < limit:
        text = file.readline(MAX_RECORD_BYTES + 1)
        if not text:
            return
        consumed += len(text)
        if len(text) > MAX_RECORD_BYTES:
            while text and not text.endswith(b"\n"):
                text = file.readline(MAX_RECORD_BYTES)
                consumed += len(text)
            yield f"{name}:{line}", Reject("record_too_large", f"over {MAX_RECORD_BYTES >> 20} MB")
        elif text.strip(b" \t\r\n\xef\xbb\xbf"):
            record = _parse(text)
            if isinstance(record, Reject) and record.reason == "broken_json" and not text.endswith(b"\n"):
                record = Reject("cut_short", "the file ends inside this record")
            yield f"{name}:{line}", record
        line += 1


def _parse(text: bytes) -> dict[str, Any] | Reject:
    try:
        record = json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Reject("invalid_utf8", f"byte {error.start}: {error.reason}")
    except (ValueError, RecursionError) as error:
        return Reject("broken_json", str(error))
    return record if isinstance(record, dict) else Reject("not_an_object", f"a {type(record).__name__}")


def json_records(path: str, file: IO[bytes]) -> Iterator[Record]:
    """The records of a JSON file: an array of objects, JSON lines, or one object with a single array of objects in
    it."""
    head = file.read(1 << 16)
    opening = head.lstrip(b" \t\r\n\xef\xbb\xbf")[:1]
    stream = io.BufferedReader(_Rejoined(head, file))
    if opening == b"[":
        yield from _array_records(path, stream)
        return
    first_line = head.lstrip().split(b"\n", 1)[0]
    if not isinstance(_parse(first_line), Reject):
        yield from json_lines(path, stream, 1)
        return
    record = _parse(stream.read())
    if isinstance(record, Reject):
        raise InputError(f"{path}: not JSON: {record.detail}")
    lists = [value for value in record.values() if isinstance(value, list)]
    records = lists[0] if len(lists) == 1 and all(isinstance(item, dict) for item in lists[0]) else [record]
    for index, item in enumerate(records, 1):
        yield f"{Path(path).name}:{index}", item


def _array_records(path: str, stream: IO[bytes]) -> Iterator[Record]:
    """The objects of a JSON array, each decoded as soon as it is complete, so that the array is never in memory."""
    name, decoder, index = Path(path).name, json.JSONDecoder(), 1
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")
    buffer, block = text.read(BLOCK), BLOCK
    position = buffer.index("[") + 1
    problem = ""
    while True:
        position = _SEPARATORS.match(buffer, position).end()  # type: ignore[union-attr]
        if buffer.startswith("]", position):
            return
        try:
            record, end = decoder.raw_decode(buffer, position)
            complete = end < len(buffer)  # a number at the end of the buffer may continue in the next block
        except RecursionError:
            raise InputError(f"{path}: element {index} is nested too deeply to be read") from None
        except ValueError as error:
            complete, problem = False, str(error)
        if complete:
            kind = type(record).__name__
            yield f"{name}:{index}", record if isinstance(record, dict) else Reject("not_an_object", f"a {kind}")
            position, block, index = end, BLOCK, index + 1
            continue
        more = text.read(block)
        if not more:
            raise InputError(f"{path}: broken JSON in element {index}: {problem or 'the array does not end'}")
        buffer, position = buffer[position:] + more, 0
        block = min(2 * block, 64 << 20)  # doubling makes the time for a long element linear


class _Rejoined(io.RawIOBase):
    """A stream whose beginning was already read."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(block) :]
        buffer[: len(block)] = block
        return len(block)
