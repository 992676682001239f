"""Read records of other files that a record refers to, by position or by id: some tests and texts are published apart.

A source's `join` names those files: {taco/train: raw/taco/train/*.arrow, generated_tests: raw/cf/*.parquet}.
"""

from __future__ import annotations

import bisect
import glob
import json
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from microcoder_data.reading.files import format_of
from microcoder_data.reading.records import read_part
from microcoder_data.reading.scanning import scan_whole
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.shards import read_columns
from microcoder_eval import InputError
from microcoder_eval.reading.compressed import is_plain

HELD_BYTES = 256 << 20
"""A Parquet file of this size is held in memory. Of a larger one the record that is asked for is read."""


def joined_files(spec: SourceSpec) -> list[str]:
    """All files of `join`, searched again at each call; a pattern that matches nothing is an error."""
    _matching_files.cache_clear()
    return [path for name in spec.join for path in files_of(spec, name)]


def files_of(spec: SourceSpec, name: str) -> list[str]:
    """The files under a name of `join`; none if the name is missing."""
    patterns = spec.join.get(name, ())
    return list(_matching_files(tuple([patterns] if isinstance(patterns, str) else map(str, patterns))))


def nth_record(spec: SourceSpec, name: str, index: int) -> Mapping[str, Any]:
    """The record at a position (from 0) of the joined files in the order of their names."""
    files = files_of(spec, name)
    if not files:
        raise Reject("needs_join", f"the record is in {name}: name its files under join")
    ends = list(accumulate(_count(path, _modified(path)) for path in files))
    if not 0 <= index < ends[-1]:
        raise Reject("join_finds_nothing", f"{name} has {ends[-1]} records, not one at {index}")
    file = bisect.bisect_right(ends, index)
    return _record(files[file], index - (ends[file - 1] if file else 0))


def records_of(path: str, column: str, value: str) -> list[Mapping[str, Any]]:
    """The records of a joined file whose column has this value."""
    if os.path.getsize(path) > HELD_BYTES and format_of(path) == "parquet":
        return [_record(path, place) for place in _places(path, _modified(path), column).get(value, [])]
    return _by_column(path, _modified(path), column).get(value, [])


@lru_cache(maxsize=64)
def _matching_files(patterns: tuple[str, ...]) -> tuple[str, ...]:
    files: list[str] = []
    for pattern in patterns:
        matches = sorted(name for name in glob.glob(str(Path(pattern).expanduser()), recursive=True))
        if not matches:
            raise InputError(f"join: no file matches {pattern!r}")
        for name in matches:
            format_name = format_of(name)
            if format_name not in ("parquet", "arrow") and not (
                format_name in ("jsonl", "ndjson") and is_plain(Path(name))
            ):
                raise InputError(f"join: {name} is not parquet, arrow or plain jsonl")
        files += matches
    return tuple(files)


def _modified(path: str) -> int:
    """The file's modification time, which is part of the caches' keys."""
    return os.stat(path).st_mtime_ns


@lru_cache(maxsize=64)
def _places(path: str, modified: int, column: str) -> dict[str, list[int]]:
    """The positions of the records with each value."""
    found: dict[str, list[int]] = {}
    for place, value in enumerate(read_columns(Path(path), [column])[0].to_pylist()):
        found.setdefault(str(value), []).append(place)
    return found


@lru_cache(maxsize=4)
def _by_column(path: str, modified: int, column: str) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for record in _records(path):
        found.setdefault(str(record.get(column)), []).append(record)
    return found


def _records(path: str) -> Iterator[Mapping[str, Any]]:
    spec = SourceSpec("generic", path=(path,))
    for part in scan_whole(path).parts:
        for place, record in read_part(part, spec):
            if isinstance(record, Reject):
                raise InputError(f"join: {place}: {record}")
            yield record


@lru_cache(maxsize=256)
def _count(path: str, modified: int) -> int:
    kind = format_of(path)
    if kind == "parquet":
        return int(pq.read_metadata(path).num_rows)
    return (
        len(_starts(path, modified)) if kind != "arrow" else sum(batch.num_rows for batch in _batches(path, modified))
    )


def _record(path: str, index: int) -> Mapping[str, Any]:
    kind, modified = format_of(path), _modified(path)
    if kind == "arrow":
        for batch in _batches(path, modified):
            if index < batch.num_rows:
                return dict(batch.slice(index, 1).to_pylist()[0])
            index -= batch.num_rows
    if kind == "parquet":
        ends = _group_ends(path, modified)
        group = bisect.bisect_right(ends, index)
        return dict(_group(path, modified, group).slice(index - (ends[group - 1] if group else 0), 1).to_pylist()[0])
    with open(path, "rb") as file:
        file.seek(_starts(path, modified)[index])
        try:
            record = json.loads(file.readline())
        except ValueError as error:
            raise Reject("broken_json", f"{Path(path).name}: {error}") from None
    return record if isinstance(record, dict) else {}


@lru_cache(maxsize=8)
def _starts(path: str, modified: int) -> list[int]:
    """The position of each line that is not empty."""
    starts, position = [], 0
    with open(path, "rb") as file:
        for line in file:
            if line.strip():
                starts.append(position)
            position += len(line)
    return starts


@lru_cache(maxsize=8)
def _group_ends(path: str, modified: int) -> list[int]:
    metadata = pq.read_metadata(path)
    return list(accumulate(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)))


@lru_cache(maxsize=2)
def _group(path: str, modified: int, number: int) -> Any:
    with pq.ParquetFile(path) as file:
        return file.read_row_group(number)


@lru_cache(maxsize=64)
def _batches(path: str, modified: int) -> list[Any]:
    """The batches of an Arrow file or stream, mapped from disk."""
    file = pa.memory_map(path)
    try:
        reader = pa.ipc.open_file(file)
        return [reader.get_batch(number) for number in range(reader.num_record_batches)]
    except pa.ArrowInvalid:
        file.seek(0)
        return list(pa.ipc.open_stream(file))
