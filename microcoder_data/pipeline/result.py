"""The result of a stage: the records of its tasks, rows for the next stage, and decisions about those rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord


@dataclass(frozen=True)
class Shard:
    """Rows that a stage left for the next one."""

    name: str
    path: Path
    sha256: str
    source: int
    """The position of its source in the recipe."""


@dataclass(frozen=True)
class Decided:
    """Decisions about the rows of all shards. The next stage that reads the rows applies them."""

    record: TaskRecord
    by_shard: Mapping[str, str]
    """The checksum of each shard's decisions, by the shard's name."""


@dataclass
class StageResult:
    """The result of a stage."""

    stage: str
    done: list[tuple[ShardTask, TaskRecord]]
    """Its tasks in order, with their records."""
    shards: list[Shard] = field(default_factory=list)
    """The rows that the next stage reads: its own, or those that it read and did not change."""
    decided: Decided | None = None
    """What it decided about the rows of `shards`."""

    @property
    def records(self) -> list[TaskRecord]:
        """The records from which the stage's account is summed."""
        return [record for _, record in self.done] + ([self.decided.record] if self.decided else [])

    def total(self, what: str) -> int:
        """The sum of a count over all records."""
        return sum(record[what] for record in self.records)

    def reasons(self, what: str = "reasons") -> dict[str, int]:
        """The counts of a mapping, such as reasons, summed over all records."""
        counts: Counter[str] = Counter()
        for record in self.records:
            counts.update(record.get(what, {}))
        return dict(sorted(counts.items()))

    def files(self, kind: str) -> Iterator[tuple[ShardTask, TaskRecord]]:
        """The files of a kind, each with the task that wrote it."""
        for task, record in self.done:
            for file in record["files"]:
                if file["kind"] == kind:
                    yield task, file


def with_shards(stage: str, done: list[tuple[ShardTask, TaskRecord]]) -> StageResult:
    """The result of a stage whose tasks wrote the rows that the next stage reads."""
    shards = []
    for task, record in done:
        files = [file for file in record["files"] if file["kind"] == "rows"]
        shards += [
            Shard(task.output(number), task.folder / file["path"], file["sha256"], task.source)
            for number, file in enumerate(files)
        ]
    return StageResult(stage, done, shards)


def check_account(results: Sequence[StageResult]) -> None:
    """Raise when the last stage lost a row: it must read what the one before kept, and keep, drop or merge every
    row."""
    result = results[-1]
    read, kept = result.total("in"), result.total("kept")
    if read != kept + result.total("dropped") + result.total("merged"):
        raise RuntimeError(f"{result.stage}: {read} rows in, but kept, dropped and merged do not add up to that")
    if len(results) > 1 and read != results[-2].total("kept"):
        raise RuntimeError(f"{result.stage} read {read} rows, {results[-2].stage} kept {results[-2].total('kept')}")
    written = sum(file["rows"] for _, file in result.files("rows"))
    kept_by_tasks = sum(int(record["kept"]) for _, record in result.done)
    if written != kept_by_tasks:
        raise RuntimeError(f"{result.stage}: the shards do not hold the {kept_by_tasks} rows that were kept")
