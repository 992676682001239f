"""The files that a task writes, all of them or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa

from microcoder_data.pipeline.shard_task import TaskRecord
from microcoder_data.schema import WORK, Row
from microcoder_data.shards import GROUP_ROWS, WORK_GROUP_ROWS, ShardWriter, file_sha256
from microcoder_eval.atomic import atomic_path


def described(path: Path, kind: str, rows: int) -> TaskRecord:
    """A file as the records and the manifest list it."""
    return {"path": path.name, "kind": kind, "rows": rows, "bytes": path.stat().st_size, "sha256": file_sha256(path)}


class ShardFile:
    """A shard being written. Its file appears only when the stack closes without an error and a row was written."""

    def __init__(self, stack: ExitStack, path: Path, kind: str, schema: pa.Schema) -> None:
        self.path, self.kind = path, kind
        self._stack, self._schema = stack, schema
        self._writer: ShardWriter | None = None

    def write(self, row: Row) -> None:
        self._opened().write(row)

    def write_table(self, table: pa.Table) -> None:
        """Write rows that are columns already."""
        self._opened().write_table(table)

    def _opened(self) -> ShardWriter:
        if self._writer is None:
            group_rows = WORK_GROUP_ROWS if self._schema is WORK else GROUP_ROWS
            path = self._stack.enter_context(atomic_path(self.path))
            self._writer = ShardWriter(path, self._schema, group_rows)
            self._stack.callback(self._writer.abort)
        return self._writer

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()

    def listed(self) -> list[TaskRecord]:
        """Its entry for the task's record; none without rows."""
        return [described(self.path, self.kind, self._writer.rows)] if self._writer else []


def write_shards(shards: Iterable[ShardFile], stack: ExitStack, body: Callable[[], None]) -> list[TaskRecord]:
    """Run `body`, which writes to the shards, then put all of them in place."""
    shards = list(shards)
    with stack:
        body()
        for shard in shards:
            shard.close()
    return [file for shard in shards for file in shard.listed()]
