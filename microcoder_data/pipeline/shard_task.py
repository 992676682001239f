"""The work of one worker in one stage, and the record of it.

A task is pure over files: the same inputs and settings give the same bytes, in any process, on any engine. Its record
is written last; a task with a valid record is not run again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_data.reading.parts import Part
from microcoder_data.recipe import Recipe
from microcoder_data.shards import file_sha256
from microcoder_eval.atomic import write_json

TaskRecord = dict[str, Any]
"""What a task did: its key, how many rows were read, kept, dropped and merged, the reasons, and the files that it
wrote."""


@dataclass(frozen=True)
class ShardTask:
    """One task: which rows, under which recipe, into which folder."""

    stage: str
    name: str
    """Names the task's files, such as `00003`."""
    key: str
    """The hash of everything that the result depends on."""
    recipe: Recipe
    work: str
    """The build's folder for everything between input and output."""
    source: int
    """The position in the recipe of the source that the rows come from."""
    shard: str = ""
    """The input shard, for every stage but collect."""
    parts: tuple[Part, ...] = ()
    """The parts of one source, for collect."""
    limit: int | None = None
    strict: bool = False
    decided: str = ""
    """The stage whose decisions about the shard's rows are applied first, if any."""
    rows_key: str = ""
    """The hash of the settings and the shard alone: the task's key without decisions about its rows."""
    same_rows: str = ""
    """The path, without ending, of an earlier build's files for the same rows, for verify: see `row_memory.py` and
    `unchanged_rows.py`."""
    programs: int = 1
    """How many programs the task may run at a time, for verify."""

    @property
    def folder(self) -> Path:
        return Path(self.work) / self.stage

    def path(self, kind: str) -> Path:
        return self.folder / f"{self.name}.{kind}"

    def output(self, number: int) -> str:
        """The name of a shard of rows that the task writes: Collect writes several, every other stage one."""
        return f"{self.name}-{number:03d}" if self.parts else self.name


def read_record(path: Path) -> TaskRecord | None:
    """The record in a file; None where there is none, or none of a task."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) and {"key", "files"} <= record.keys() else None


def finished(task: ShardTask) -> TaskRecord | None:
    """The task's record, if it was finished under the same key and its files are unchanged; else None."""
    record = read_record(task.path("done.json"))
    if record is None or record["key"] != task.key or record.get("unanswered"):
        return None
    return record if unchanged(task.folder, record) else None


def unchanged(folder: Path, record: TaskRecord) -> bool:
    """Whether the files of a record are there, with the bytes that it lists."""
    paths = [(folder / file["path"], file) for file in record["files"]]
    return all(
        path.is_file() and path.stat().st_size == file["bytes"] and file_sha256(path) == file["sha256"]
        for path, file in paths
    )


def finish(task: ShardTask, record: TaskRecord) -> TaskRecord:
    """Write the record: from now on the task is done."""
    write_json(task.path("done.json"), record)
    return record
