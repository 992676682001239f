"""Bring merged rows to the row that stays, across shards, so that it can take over their best parts.

After Compare has decided, each shard writes its merged rows into `NAME-merged.arrow`, sorted by the shard and the
index of the row that they are merged into. The next stage reads a shard in order and, in step with it, the rows merged
into it, with few files open at a time. So memory does not grow with the corpus, and the result does not depend on
workers.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from microcoder_data.compare.decisions import Decisions
from microcoder_data.compare.pool import POOL_RULE, pool
from microcoder_data.config import to_mapping
from microcoder_data.engine.short_work import seconds_to_copy
from microcoder_data.faults import place_of, text_of
from microcoder_data.pipeline.result import Decided
from microcoder_data.pipeline.running import Running
from microcoder_data.pipeline.shard_files import described
from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord, finish
from microcoder_data.pipeline.tally import Tally
from microcoder_data.recipe import Recipe, digest
from microcoder_data.rules import Rule, marked, step
from microcoder_data.schema import WORK, Row
from microcoder_data.shards import TestStore, read_columns, rows_at
from microcoder_eval.atomic import atomic_path

BATCH = 16
OPEN_FILES = 32
_SUFFIX = "-merged"
_VERSION = "merged_v2"
"""The version of the files of merged rows and of their records."""
_INTO = pa.schema([("into_shard", pa.string()), ("into_index", pa.int32())])
_SCHEMA = pa.schema([*WORK, *_INTO])


def pooled(recipe: Recipe) -> bool:
    """Whether the row that stays takes over the best parts of its merged duplicates."""
    return recipe.compare.duplicates is not None and recipe.compare.duplicates.pool


def pool_settings(recipe: Recipe) -> list[Any]:
    """Everything that a pooled row depends on, except the rows: the rule's version, languages, caps; empty where no
    row takes over anything."""
    if not pooled(recipe):
        return []
    languages, caps = _languages_and_caps(recipe)
    return [POOL_RULE, list(languages), [[rule.name, to_mapping(rule)] for rule in caps]]


def _languages_and_caps(recipe: Recipe) -> tuple[Sequence[str], list[Rule]]:
    """The languages that a statement should have, in order, and the rules that choose among a row's tests."""
    languages = recipe.process.language.keep if recipe.process.language else ()
    return languages, [rule for rule in (recipe.filter.bounds, recipe.filter.tests) if rule is not None]


def with_merged_rows(running: Running, tasks: list[ShardTask], decided: Decided) -> Decided:
    """Write the merged rows of every shard. The decisions' checksum of a shard then covers the rows merged into it."""
    if not pooled(running.recipe) or not decided.record["merged"]:
        return decided
    writing = [
        dataclasses.replace(
            task, name=task.name + _SUFFIX, key=digest([_VERSION, task.key, _merged(task.folder, task.name)])
        )
        for task in tasks
    ]
    received: dict[str, list[str]] = {}
    written = running.run_tasks(
        tasks[0].stage, merged_rows_task, writing, seconds=lambda task: seconds_to_copy(task.shard)
    )
    for _, record in written:
        for shard in record["into"]:
            received.setdefault(shard, []).append(record["files"][0]["sha256"])
    settings = pool_settings(running.recipe)
    return Decided(
        decided.record,
        {
            name: digest([key, settings, received[name]]) if name in received else key
            for name, key in decided.by_shard.items()
        },
    )


def merged_rows_task(task: ShardTask) -> TaskRecord:
    """Write the merged rows of one shard, in the order in which the receiving shards are read."""
    merged = _merged(task.folder, task.name.removesuffix(_SUFFIX))
    merged_rows = [
        {**row, "into_shard": entry["into_shard"], "into_index": entry["into_index"]}
        for row, entry in zip(rows_at(Path(task.shard), [entry["index"] for entry in merged]), merged, strict=True)
    ]
    merged_rows.sort(key=lambda row: (row["into_shard"], row["into_index"]))
    record: TaskRecord = {
        "key": task.key,
        "in": 0,
        "files": [],
        "into": {},  # the batches for each receiving shard: the first, and the one after the last
    }
    if merged_rows:
        packed = pa.ipc.IpcWriteOptions(compression="lz4")
        with atomic_path(task.path("arrow")) as path, pa.ipc.new_file(str(path), _SCHEMA, options=packed) as writer:
            batches = 0
            for shard, group in groupby(merged_rows, key=lambda row: row["into_shard"]):
                rows, first = list(group), batches
                for start in range(0, len(rows), BATCH):
                    writer.write_batch(pa.RecordBatch.from_pylist(rows[start : start + BATCH], schema=_SCHEMA))
                    batches += 1
                record["into"][shard] = [first, batches]
        record["files"] = [described(task.path("arrow"), "merged", len(merged_rows))]
    return finish(task, record)


def _merged(folder: Path, name: str) -> list[dict[str, Any]]:
    """Which rows of a shard are merged, and into which rows. The other decisions about it say nothing here."""
    table = read_columns(Decisions.path(folder, name), ["index", "into_shard", "into_index"])
    return [entry for entry in table.to_pylist() if entry["into_shard"] is not None]


def pooled_rows(
    task: ShardTask, decisions: Decisions, rows: Iterable[tuple[int, Row]], tally: Tally
) -> Iterator[tuple[int, Row]]:
    """Rows of a shard with their places, in order, each with the best of the rows that were merged into it.

    A row for which that fails stays as it was.
    """
    if not pooled(task.recipe):
        yield from rows
        return
    store = TestStore(Path(task.work) / "tests")
    languages, caps = _languages_and_caps(task.recipe)
    merged = _MergedRows(Path(task.work) / task.decided, task.name)
    for index, row in rows:
        giving_shards = decisions.by_index.get(index, {}).get("merged_from") or []
        group = [one for name in giving_shards for one in merged.into(index, name)]
        try:
            found = pool(row, group, languages, caps) if group else None
        except Exception as error:
            (row,) = rows_at(Path(task.shard), [index])
            found = marked(f"nothing was taken from its twins: {text_of(error)}")
            tally.failed(POOL_RULE, place_of(error))
        if found is not None:
            row["provenance"].append(step(task.decided, POOL_RULE, found))
            store.move_out(row)
        yield index, row


class _MergedRows:
    """The merged rows that other shards give to one shard, asked for in the order of its rows.

    Any number of shards may give rows: few of their files are open at a time, and one batch of one
    file is in memory.
    """

    def __init__(self, folder: Path, shard: str) -> None:
        self._folder, self._shard = folder, shard
        self._left: dict[str, tuple[int, int]] = {}
        self._open = lru_cache(maxsize=OPEN_FILES)(_opened)
        self._batch = lru_cache(maxsize=1)(self._read)

    def into(self, index: int, giving: str) -> list[Row]:
        """The rows of one shard that are merged into the row at this place."""
        number, end = self._left.get(giving) or self._batches(giving)
        found: list[Row] = []
        while number < end:
            batch = self._batch(giving, number)
            start, stop = np.searchsorted(batch.column("into_index").to_numpy(), (index, index + 1))
            found += batch.slice(start, stop - start).to_pylist()
            if stop < batch.num_rows:
                break
            number += 1
        self._left[giving] = number, end
        return found

    def _read(self, giving: str, number: int) -> pa.RecordBatch:
        """A batch, unpacked. The last one is kept: the next row often asks for the same."""
        return self._open(self._folder / f"{giving}{_SUFFIX}.arrow").get_batch(number)

    def _batches(self, giving: str) -> tuple[int, int]:
        record = json.loads((self._folder / f"{giving}{_SUFFIX}.done.json").read_text(encoding="utf-8"))
        first, end = record["into"][self._shard]
        return first, end


def _opened(path: Path) -> pa.ipc.RecordBatchFileReader:
    one_thread = pa.ipc.IpcReadOptions(use_threads=False)  # threads take longer to begin than a batch to be read
    return pa.ipc.open_file(pa.memory_map(str(path)), options=one_thread)
