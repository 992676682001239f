"""Read an input file once, for its checksum and the places where it can be cut into parts."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from microcoder_data.reading.files import format_of, is_package
from microcoder_data.reading.packages import package_digest
from microcoder_data.reading.parts import Part, Scanned
from microcoder_data.shards import file_sha256
from microcoder_eval import InputError
from microcoder_eval.errors import first_line
from microcoder_eval.reading.compressed import is_plain

WHOLE = 1 << 62
"""More bytes than any file has, so that the file is one part."""


class ToScan(NamedTuple):
    """A file to scan."""

    source: int
    """The position of its source in the recipe."""
    path: str
    part_bytes: int
    """About how many bytes a part should have."""


def scan(file: ToScan) -> Scanned:
    """Read a file once; returns its checksum and its parts."""
    source, path, part_bytes = file
    if is_package(path):
        size, digest = package_digest(path)
        return Scanned(path, size, digest, (Part(source, path, "package"),))
    format_name = format_of(path)
    size = Path(path).stat().st_size
    if format_name in ("jsonl", "ndjson") and is_plain(Path(path)):
        digest, parts = _scan_lines(source, path, part_bytes)
        return Scanned(path, size, digest, parts)
    digest = file_sha256(Path(path))
    if format_name == "parquet":
        return Scanned(path, size, digest, _scan_groups(source, path, part_bytes))
    return Scanned(path, size, digest, (Part(source, path, "whole"),))


def scan_whole(path: str) -> Scanned:
    """Scan a file as one part, for a file that belongs to no source of the recipe."""
    return scan(ToScan(0, path, WHOLE))


def _scan_lines(source: int, path: str, part_bytes: int) -> tuple[str, tuple[Part, ...]]:
    """Cut at the first line end after each `part_bytes`, counting lines, so that every part knows its first line."""
    digest = hashlib.sha256()
    parts: list[Part] = []
    start = position = 0
    first_line = line = 1
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            cut = -1
            if position + len(block) - start >= part_bytes:
                cut = block.find(b"\n", max(0, start + part_bytes - position - 1))
            if cut >= 0:
                line_at_cut = line + block.count(b"\n", 0, cut + 1)
                parts.append(Part(source, path, "lines", start, position + cut + 1, first_line))
                start, first_line = position + cut + 1, line_at_cut
            line += block.count(b"\n")
            position += len(block)
    if position > start:
        parts.append(Part(source, path, "lines", start, position, first_line))
    return digest.hexdigest(), tuple(parts)


def _scan_groups(source: int, path: str, part_bytes: int) -> tuple[Part, ...]:
    try:
        metadata = pq.read_metadata(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a readable Parquet file: {first_line(error)}") from None
    parts: list[Part] = []
    start = rows = part_rows = size = 0
    for index in range(metadata.num_row_groups):
        group = metadata.row_group(index)
        size += group.total_byte_size
        part_rows += group.num_rows
        if size >= part_bytes or index == metadata.num_row_groups - 1:
            parts.append(Part(source, path, "groups", start, index + 1, rows + 1))
            rows += part_rows
            start, size, part_rows = index + 1, 0, 0
    return tuple(parts)
