"""Check a dataset: every file against its checksum, every row against its hash, every count against the account."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from microcoder_data.report.dataset import load_manifest
from microcoder_data.schema import ROW, SCHEMA_VERSION, logical_sha256, row_sha256, to_problem
from microcoder_data.shards import TestStore, file_sha256, read_shard
from microcoder_eval import InputError
from microcoder_eval.errors import first_line
from microcoder_eval.plural import counted

MAX_GROUP_ROWS, MAX_GROUP_BYTES = 128, 64 << 20
"""`shards.py` writes no larger row groups."""


def validate(directory: Path) -> list[str]:
    """Everything that is wrong with a dataset, one line each; an empty list when nothing is."""
    manifest = load_manifest(directory)
    faults = list(_files(directory, manifest))
    if not faults:
        faults += _rows(directory, manifest)
    return faults + list(_counts(manifest))


def _files(directory: Path, manifest: dict[str, Any]) -> Iterator[str]:
    if manifest["schema_version"] != SCHEMA_VERSION:
        yield f"schema version {manifest['schema_version']}, this program knows {SCHEMA_VERSION}"
    for file in manifest["files"]:
        path = directory / file["path"]
        if not path.is_file():
            yield f"{file['path']}: missing"
        elif path.stat().st_size != file["bytes"] or file_sha256(path) != file["sha256"]:
            yield f"{file['path']}: the bytes are not those that were written"
    listed = {file["path"] for file in manifest["files"]}
    for folder in ("data", "dropped", "solutions"):
        for path in sorted((directory / folder).glob("*")):
            if f"{folder}/{path.name}" not in listed:
                yield f"{folder}/{path.name}: not in the manifest"


def _rows(directory: Path, manifest: dict[str, Any]) -> Iterator[str]:
    store = TestStore(directory / "tests")
    hashes: list[str] = []
    seen: set[str] = set()
    for file in manifest["files"]:
        if not file["path"].startswith("data/"):
            continue
        path = directory / file["path"]
        try:
            yield from _layout(path, file)
            for row in read_shard(path):
                name = row["problem_id"]
                if name in seen:
                    yield f"{name}: two rows have this id"
                seen.add(name)
                hashes.append(row["row_sha256"])
                if row_sha256(row) != row["row_sha256"]:
                    yield f"{name}: the row is not what its hash says"
                try:
                    to_problem({**row, "tests": [store.load(test) for test in row["tests"]]})
                except InputError as error:
                    yield f"{name}: {error}"
        except pa.ArrowException as error:
            yield f"{file['path']}: not readable: {first_line(error)}"
    if logical_sha256(hashes) != manifest["logical_sha256"]:
        yield "the rows together are not what the manifest's logical hash says"
    if len(hashes) != manifest["rows"]:
        yield f"{counted(len(hashes), 'row')}, the manifest says {manifest['rows']}"


def _layout(path: Path, file: dict[str, Any]) -> Iterator[str]:
    metadata = pq.read_metadata(path)
    if not pq.read_schema(path).equals(ROW):
        yield f"{file['path']}: not the schema of a row"
    if metadata.num_rows != file["rows"]:
        yield f"{file['path']}: {counted(metadata.num_rows, 'row')}, the manifest says {file['rows']}"
    for index in range(metadata.num_row_groups):
        group = metadata.row_group(index)
        if group.num_rows > MAX_GROUP_ROWS or group.total_byte_size > MAX_GROUP_BYTES:
            size = f"{counted(group.num_rows, 'row')}, {group.total_byte_size >> 20} MB"
            yield f"{file['path']}: row group {index} has {size}"


def _counts(manifest: dict[str, Any]) -> Iterator[str]:
    kept = None
    for stage in manifest["stages"]:
        if stage["in"] != stage["kept"] + stage["dropped"] + stage["merged"]:
            rows = counted(stage["in"], "row")
            yield f"stage {stage['stage']}: {rows} in, but kept, dropped and merged do not add up"
        if kept is not None and stage["in"] != kept:
            yield f"stage {stage['stage']}: {counted(stage['in'], 'row')} in, the stage before kept {kept}"
        if sum(stage["reasons"].values()) != stage["dropped"] + stage["merged"]:
            yield f"stage {stage['stage']}: the reasons do not add up to what was dropped and merged"
        kept = stage["kept"]
    dropped = sum(stage["dropped"] + stage["merged"] for stage in manifest["stages"])
    written = sum(file["rows"] for file in manifest["files"] if file["path"].startswith("dropped/"))
    if dropped != written:
        yield f"{dropped} rows were dropped or merged, but dropped/ holds {written}"
