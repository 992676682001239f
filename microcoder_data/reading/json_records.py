"""Read records of JSON lines, JSON and YAML. Only YAML and JSON that is not an array are held in memory as a whole."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from microcoder_data.reading.parts import MAX_RECORD_BYTES, Record
from microcoder_data.rules import Reject
from microcoder_eval import InputError
from microcoder_eval.reading.documents import read_values, records_in
from microcoder_eval.reading.yaml_form import LONGEST_YAML, read_yaml

BLOCK = 1 << 16
MAX_OBJECT_BYTES = 2 << 30
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
    """The records of a JSON file: an array of objects, JSON lines, or an object that holds them."""
    head = file.read(1 << 16)
    opening = head.lstrip(b" \t\r\n\xef\xbb\xbf")[:1]
    stream = io.BufferedReader(_Rejoined(head, file))
    if opening == b"[":
        yield from _array_records(path, stream)
        return
    first_line, _, others = head.lstrip().partition(b"\n")
    if others.strip() and not isinstance(_parse(first_line), Reject):
        yield from json_lines(path, stream, 1)
        return
    text = stream.read(MAX_OBJECT_BYTES + 1)
    if len(text) > MAX_OBJECT_BYTES:
        raise InputError(f"{path}: is one object of over {MAX_OBJECT_BYTES >> 30} GB: write its records as JSON lines")
    try:
        value = read_values(text.removeprefix(codecs.BOM_UTF8))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {error}") from None
    yield from _numbered(path, value)


def yaml_records(path: str, file: IO[bytes]) -> Iterator[Record]:
    """The records of a YAML document, or of several."""
    text = file.read(LONGEST_YAML + 1)
    if len(text) > LONGEST_YAML:
        raise InputError(f"{path}: more than {LONGEST_YAML >> 20} MiB of YAML; convert it to JSON")
    try:
        value = read_yaml(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not YAML: {error}") from None
    yield from _numbered(path, value)


def _numbered(path: str, value: Any) -> Iterator[Record]:
    """The records in a value, with their numbers as places."""
    found = records_in(value)
    for index, record in enumerate([value] if found is None else found, 1):
        kind = type(record).__name__
        yield f"{Path(path).name}:{index}", record if isinstance(record, dict) else Reject("not_an_object", f"a {kind}")


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
        if len(buffer) - position > MAX_RECORD_BYTES:
            raise InputError(f"{path}: element {index} is broken, or has over {MAX_RECORD_BYTES >> 20} MB")
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
