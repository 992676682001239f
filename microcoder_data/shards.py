"""Shards: Parquet files of rows in small row groups, and the store of tests too large for a row.

A row group has at most 128 rows and 64 MB, so that reading the first row takes milliseconds and no reader overflows
Arrow's 2 GB offsets. Equal rows give equal bytes. The stages decide which rows go into which shard. A group is read in
one thread: it is small, and the engine's workers share the processors already.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from microcoder_data.schema import Row
from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path

GROUP_ROWS = 128
WORK_GROUP_ROWS = 512
"""For work shards between the stages: larger groups are faster to write and read."""
GROUP_BYTES = 48 << 20
"""The size of a row group, in characters before encoding. A last row of 16 MB may come on top: 64 MB are promised."""
FEW_ROWS = 256
"""About as many rows of one group as are copied one by one in the time in which `pyarrow.compute` is loaded."""
INLINE_TEST_BYTES = 1 << 20
INLINE_ROW_BYTES = 12 << 20


class ShardWriter:
    """Writes rows of one schema to an open path, a row group at a time. Use inside `atomic_path`."""

    def __init__(self, path: Path, schema: pa.Schema, group_rows: int = GROUP_ROWS) -> None:
        self._schema, self._group_rows = schema, group_rows
        compression = "zstd" if group_rows == GROUP_ROWS else "lz4"  # work shards are read once, soon after
        self._writer = pq.ParquetWriter(
            path, schema, compression=compression, use_dictionary=False, write_statistics=False
        )
        self._pending: list[Row | pa.Table] = []
        self._pending_rows = self._pending_bytes = 0
        self.rows = 0

    def write(self, row: Row) -> None:
        size = _tests_bytes(row)
        if self._full(size):
            self._flush()
        self._add(row, 1, size)

    def write_table(self, table: pa.Table) -> None:
        """Write rows that are columns already. The bytes are those of the same rows written one by one."""
        start, size = 0, 0
        for place, one in enumerate(_tests_bytes_of(table)):
            if self._full(one, place - start, size):
                self._add(table.slice(start, place - start), place - start, size)
                self._flush()
                start, size = place, 0
            size += one
        self._add(table.slice(start), table.num_rows - start, size)

    def _full(self, size: int, rows: int = 0, held: int = 0) -> bool:
        """Whether a row of this size begins a new group, after so many rows and bytes more than are pending."""
        rows += self._pending_rows
        return rows > 0 and (rows >= self._group_rows or self._pending_bytes + held + size > GROUP_BYTES)

    def _add(self, rows: Row | pa.Table, count: int, size: int) -> None:
        self._pending.append(rows)
        self._pending_rows += count
        self._pending_bytes += size
        self.rows += count

    def _flush(self) -> None:
        tables: list[pa.Table] = []
        for columns, group in groupby(self._pending, key=lambda one: isinstance(one, pa.Table)):
            rows = list(group)
            tables += rows if columns else [pa.Table.from_pylist(rows, schema=self._schema)]
        (batch,) = pa.concat_tables(tables).combine_chunks().to_batches()
        self._writer.write_batch(batch)
        self._pending, self._pending_rows, self._pending_bytes = [], 0, 0

    def close(self) -> None:
        if self._pending:
            self._flush()
        self._writer.close()

    def abort(self) -> None:
        """Close the file after a failure and ignore further errors: the user must see the first one."""
        try:
            self._writer.close()
        except (OSError, pa.ArrowException):
            return


def read_shard(path: Path, columns: list[str] | None = None) -> Iterator[Row]:
    """The rows of a shard, one row group in memory at a time."""
    with pq.ParquetFile(path) as file:
        for index in range(file.num_row_groups):
            yield from file.read_row_group(index, columns, use_threads=False).to_pylist()


def rows_at(path: Path, positions: Iterable[int], columns: list[str] | None = None) -> Iterator[Row]:
    """The rows of a shard at these positions, which must ascend."""
    wanted = list(positions)
    if not wanted:
        return
    start = 0
    with pq.ParquetFile(path) as file:
        for index in range(file.num_row_groups):
            stop = start + file.metadata.row_group(index).num_rows
            inside = [position - start for position in wanted if start <= position < stop]
            if inside:
                yield from _chosen(file.read_row_group(index, columns, use_threads=False), inside).to_pylist()
            start = stop


def _chosen(group: pa.Table, positions: list[int]) -> pa.Table:
    """Rows of a table. For few rows `take` is not called: it loads `pyarrow.compute`, which takes longer."""
    if len(positions) > FEW_ROWS:
        return group.take(positions)
    return pa.concat_tables([group.slice(position, 1) for position in positions])


def read_columns(path: Path, columns: list[str] | None = None) -> pa.Table:
    """All rows of a small file as columns. `pq.read_table` would import pandas, which takes longer than reading."""
    with pq.ParquetFile(path) as file:
        return file.read(columns, use_threads=False)


class RowRanges:
    """Ranges of a shard's rows as columns, asked for in order: the last row group that was read is held."""

    def __init__(self, path: Path) -> None:
        self._file = pq.ParquetFile(path)
        groups = range(self._file.num_row_groups)
        self._bounds = np.cumsum([0, *(self._file.metadata.row_group(group).num_rows for group in groups)]).tolist()
        self._held: tuple[int, pa.Table] = -1, None

    def read(self, start: int, stop: int) -> pa.Table:
        """The rows from one place to before another."""
        tables = []
        for group, (first, end) in enumerate(pairwise(self._bounds)):
            if first < stop and start < end:
                if self._held[0] != group:
                    self._held = group, self._file.read_row_group(group, use_threads=False)
                low = max(start, first)
                tables.append(self._held[1].slice(low - first, min(stop, end) - low))
        return pa.concat_tables(tables)


def file_sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else _digest(file)


def _digest(file: Any) -> str:  # Python 3.10 has no hashlib.file_digest
    digest = hashlib.sha256()
    while block := file.read(1 << 20):
        digest.update(block)
    return digest.hexdigest()


def _tests_bytes(row: Row) -> int:
    tests = row.get("tests")
    return sum(len(test["input"]) + len(test["output"]) for test in tests) if tests else 0


def _tests_bytes_of(table: pa.Table) -> list[int]:
    """The same for every row of a table."""
    if "tests" not in table.column_names:
        return [0] * table.num_rows
    import pyarrow.compute as pc  # only a build on a base needs it, and it loads slowly

    column = table["tests"].combine_chunks()
    tests, row = pc.list_flatten(column), pc.list_parent_indices(column)
    sizes = pc.add(*(pc.utf8_length(pc.struct_field(tests, name)) for name in ("input", "output")))
    return np.bincount(row.to_numpy(), sizes.to_numpy(), table.num_rows).astype(np.int64).tolist()


class StoredTest(NamedTuple):
    """The parsed `ref` of an oversized test: `<sha256>:<bytes>`."""

    sha256: str
    bytes: int

    def __str__(self) -> str:
        return f"{self.sha256}:{self.bytes}"

    @classmethod
    def parse(cls, ref: str) -> StoredTest:
        sha256, size = ref.split(":")
        return cls(sha256, int(size))


class TestStore:
    """Oversized tests in files named by content, `<sha256>.json.zst`: the same test is stored once."""

    __test__ = False

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def move_out(self, row: Row) -> None:
        """Move tests over 1 MB out of the row, and more, largest first, until 12 MB are left in it."""
        inline = [test for test in row["tests"] if not test["ref"]]
        sizes = {id(test): len(test["input"]) + len(test["output"]) for test in inline}
        total = sum(sizes.values())
        if total <= INLINE_TEST_BYTES:
            return
        for test in sorted(inline, key=lambda test: -sizes[id(test)]):
            if sizes[id(test)] <= INLINE_TEST_BYTES and total <= INLINE_ROW_BYTES:
                break
            total -= sizes[id(test)]
            self._store(test)

    def _store(self, test: dict[str, Any]) -> None:
        import zstandard

        body = json.dumps([test["input"], test["output"]], ensure_ascii=False).encode()
        digest = hashlib.sha256(body).hexdigest()
        target = self.path(digest)
        if not target.exists():
            with atomic_path(target) as path:
                path.write_bytes(zstandard.ZstdCompressor(level=3).compress(body))
        test.update(input="", output="", ref=str(StoredTest(digest, len(body))))

    def load(self, test: dict[str, Any]) -> dict[str, Any]:
        """The test with its texts in place."""
        if not test["ref"]:
            return test
        import zstandard

        stored = StoredTest.parse(test["ref"])
        digest = stored.sha256
        try:
            with zstandard.open(self.path(digest), "rb") as packed:
                body = packed.read(stored.bytes + 1)
        except (OSError, zstandard.ZstdError):
            raise InputError(f"the oversized test {self.path(digest)} is missing or broken") from None
        if hashlib.sha256(body).hexdigest() != digest:
            raise InputError(f"the oversized test {self.path(digest)} does not match its name")
        input_text, expected = json.loads(body)
        return {**test, "input": input_text, "output": expected, "ref": None}

    def path(self, digest: str) -> Path:
        return self.directory / f"{digest}.json.zst"


def test_bytes(test: dict[str, Any]) -> int:
    """The size of a test's texts, whether they are in the row or in a file of their own."""
    return StoredTest.parse(test["ref"]).bytes if test["ref"] else len(test["input"]) + len(test["output"])
