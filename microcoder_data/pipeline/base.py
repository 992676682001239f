"""`data build --base DATASET`: reuse the finished work of another dataset, and run only the tasks that differ.

A task's key is the hash of everything that its result depends on. A task of the base with the same key has written the
files that this build would write, so they are linked into this build. A task with another key runs as usual, and the
dataset has the same bytes as one built without a base. The base is only read.

Where Verify runs programs and only a shard's decisions have changed, single rows are reused: see `row_memory.py`.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord, finish, read_record
from microcoder_data.report.dataset import load_manifest
from microcoder_data.report.take_account import COUNTS
from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path, temporary_path


@dataclass
class Base:
    """A finished dataset with its `work/`. Who reads it holds its lock (`lock.shared`), so that no build changes it."""

    directory: Path
    taken: int = 0
    """How many tasks were reused."""
    _by_rows: dict[str, dict[str, tuple[str, TaskRecord]]] = field(default_factory=dict)
    _done: dict[str, dict[str, tuple[str, TaskRecord]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        load_manifest(self.directory)
        if not self.work.is_dir():
            raise InputError(f"{self.directory}: its work/ is missing, so nothing of it can be reused")

    @property
    def work(self) -> Path:
        return self.directory / "work"

    def take(self, task: ShardTask) -> TaskRecord | None:
        """Link the files of the base's task with the same key to this task, and return its record; None without such a
        task."""
        found = self._finished(task.stage).get(task.key)
        if found is None:
            return None
        name, record = found
        if not self._whole(task.stage, record):
            return None
        files = []
        for file in record["files"]:
            files.append({**file, "path": task.name + file["path"].removeprefix(name)})
            link(self.work / task.stage / file["path"], task.folder / files[-1]["path"])
        self.taken += 1
        return finish(task, {**record, "files": files})

    def same_rows(self, stage: str, rows_key: str) -> str:
        """The path, without ending, of the files of the base's task with the same rows and settings; else empty."""
        if stage not in self._by_rows:
            pairs = self._finished(stage).values()
            self._by_rows[stage] = {record.get("rows_key", ""): (name, record) for name, record in pairs}
        name, record = self._by_rows[stage].get(rows_key, ("", {}))
        return str(self.work / stage / name) if name and self._whole(stage, record) else ""

    def take_shared(self, work: Path) -> None:
        """Link what tasks share: oversized tests, answers of a language model, and counts of files for the report."""
        for folder in ("tests", "llm", COUNTS):
            for path in (self.work / folder).rglob("*"):
                target = work / folder / path.relative_to(self.work / folder)
                if path.is_file() and not path.name.startswith(".") and not target.exists():
                    link(path, target)

    def inputs(self) -> dict[str, Any]:
        """What the base's inputs.json remembers about scanned files; empty when it cannot be read."""
        try:
            known = json.loads((self.work / "inputs.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def _whole(self, stage: str, record: TaskRecord) -> bool:
        """Whether the files of a task are still there, by their sizes."""
        paths = [(self.work / stage / file["path"], file["bytes"]) for file in record["files"]]
        return all(path.is_file() and path.stat().st_size == size for path, size in paths)

    def _finished(self, stage: str) -> dict[str, tuple[str, TaskRecord]]:
        """The names and records of a stage's finished tasks, by key."""
        if stage not in self._done:
            self._done[stage] = {}
            for path in sorted((self.work / stage).glob("*.done.json")):
                record = read_record(path)
                if record is not None and not record.get("unanswered"):
                    self._done[stage][record["key"]] = (path.name.removesuffix(".done.json"), record)
        return self._done[stage]


def link(path: Path, target: Path) -> None:
    """A hard link `target` to a finished file, or a copy where the file system has no links.

    The file is on disk since it was written. A caller that needs its new name to be there too calls `sync` on the
    folder.
    """
    if target.exists() and os.path.samefile(path, target):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_path(target)
    try:
        os.link(path, temporary)
    except OSError:
        with atomic_path(target) as copied:
            shutil.copyfile(path, copied)
        return
    os.replace(temporary, target)
