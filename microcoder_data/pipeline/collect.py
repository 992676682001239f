"""Collect: convert the sources' records to rows, in shards of about `part_bytes`; reject what cannot become a row."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from microcoder_data.config import to_mapping
from microcoder_data.conversion import SCHEMA_ERRORS, rows_of, shard_bytes, split_by_schema
from microcoder_data.pipeline.inputs import cut_into_tasks, scan_inputs, size_and_checksum
from microcoder_data.pipeline.result import StageResult, with_shards
from microcoder_data.pipeline.running import Running
from microcoder_data.pipeline.shard_files import ShardFile, write_shards
from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord, finish
from microcoder_data.pipeline.stage import Stage
from microcoder_data.pipeline.tally import Tally
from microcoder_data.reading.files import find_files
from microcoder_data.reading.joins import joined_files
from microcoder_data.reading.packages import package_name
from microcoder_data.reading.parts import Part, Scanned
from microcoder_data.recipe import Recipe, digest
from microcoder_data.schema import DROPPED, SCHEMA_VERSION, WORK, Row
from microcoder_data.shards import TestStore
from microcoder_data.sources import reading_version
from microcoder_eval import InputError
from microcoder_eval.plural import counted

SHOWN_WORDS = 5
NO_DIFFICULTY = ("", "0", "unknown", "unknown_difficulty", "external", "none", "null")
"""What sources write, in lower case, where the difficulty is not known."""


class Collect(Stage):
    """The first stage: a task for every part of a source."""

    name = "collect"

    def own_settings(self, recipe: Recipe) -> Any:
        return to_mapping(recipe.sources)

    def run(self, running: Running) -> StageResult:
        running.inputs = scan_inputs(running)
        tasks = self._tasks(running)
        result = with_shards(self.name, running.run_tasks(self.name, collect_task, tasks))
        running.warnings += [*_without_records(running, result), *_without_level(running, result)]
        return result

    def _tasks(self, running: Running) -> list[ShardTask]:
        recipe, limit = running.recipe, running.options.limit
        sources = list(running.inputs)
        tasks: list[ShardTask] = []
        for position, spec in enumerate(recipe.sources):
            # The key leaves out the other sources: a build with one more source reuses the tasks of its base.
            settings = [self.name, SCHEMA_VERSION, to_mapping(spec), recipe.part_bytes]
            own = [(part, item) for item in sources for part in item.parts if part.source == position]
            joined = [Scanned(path, *size_and_checksum(path), ()) for path in joined_files(spec)]
            running.inputs += joined
            for group in cut_into_tasks(own, recipe.part_bytes, whole=limit is not None):
                parts = tuple(part for part, _ in group)
                sums = [item.sha256 for _, item in group] + [item.sha256 for item in joined]
                identities = [_part_identity(part, recipe) for part in parts]
                key = digest([settings, reading_version(), identities, sums, limit])
                task = ShardTask(self.name, f"{len(tasks):05d}", key, recipe, str(running.work), position, parts=parts)
                tasks.append(replace(task, limit=limit, strict=running.options.strict))
        return tasks


STAGE = Collect()


def _part_identity(part: Part, recipe: Recipe) -> list[Any]:
    """A part as the key of its task contains it: with the file's name, without its folder, which does not change the
    rows."""
    name = Path(part.path).name
    if part.layout == "package":
        name = package_name(part.path, recipe.sources[part.source])
    return [name, part.source, part.start, part.end, part.first_line]


def _without_records(running: Running, collected: StageResult) -> list[str]:
    """Warnings about sources without records or without rows, and empty files; an error when no source has a record."""
    sources = running.recipe.sources
    read: Counter[int] = Counter()
    kept: Counter[int] = Counter()
    for task, record in collected.done:
        read[task.source] += record["in"]
        kept[task.source] += record["kept"]
    empty = [spec for position, spec in enumerate(sources) if not read[position]]
    warnings = [
        f"source {spec.name or spec.source}: no record in {spec.dataset or ', '.join(spec.path)}" for spec in empty
    ]
    if len(empty) == len(sources):
        raise InputError("; ".join(warnings))
    warnings += [
        f"source {spec.name or spec.source}: no row, {counted(read[position], 'record')} rejected"
        for position, spec in enumerate(sources)
        if read[position] and not kept[position]
    ]
    reported = {path for spec in empty if spec.path for path in find_files(spec, "")}
    files = [item.path for item in running.inputs if not item.bytes and Path(item.path).is_file()]
    return warnings + [f"{Path(path).name} is empty" for path in files if path not in reported]


def _without_level(running: Running, collected: StageResult) -> list[str]:
    """Warnings about words for the difficulty from which no level was made: these rows have no level to filter by."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for task, record in collected.done:
        if record.get("unknown_levels"):
            found[task.source].update(record["unknown_levels"])
    warnings = []
    for position, words in sorted(found.items()):
        spec = running.recipe.sources[position]
        shown = ", ".join(f"{word} ({counted(count, 'row')})" for word, count in words.most_common(SHOWN_WORDS))
        warnings.append(
            f"source {spec.name or spec.source}: no level is known for the difficulty {shown}; map it with `levels`"
        )
    return warnings


def collect_task(task: ShardTask) -> TaskRecord:
    """Convert the records of one source, and write shards of about `part_bytes`."""
    spec = task.recipe.sources[task.parts[0].source]
    store = TestStore(Path(task.work) / "tests")
    tally = Tally()
    unknown: Counter[str] = Counter()
    files: list[TaskRecord] = []
    stack = ExitStack()
    rejected = ShardFile(stack, task.path("dropped.parquet"), "dropped", DROPPED)

    def write(rows: list[Row]) -> None:
        path = task.folder / f"{task.output(len(files))}.parquet"
        inner = ExitStack()
        shard = ShardFile(inner, path, "rows", WORK)

        def body() -> None:
            for row in rows:
                shard.write(row)

        files.extend(write_shards([shard], inner, body))
        tally.kept += len(rows)

    def flush(rows: list[Row]) -> None:
        try:
            write(rows)
        except SCHEMA_ERRORS:
            fit, entries = split_by_schema(rows, task.strict)
            for entry in entries:
                tally.drop(entry)
                rejected.write(entry)
            write(fit)

    def body() -> None:
        pending: list[Row] = []
        size = 0
        for row, entry in rows_of(task.parts, spec, store, task.limit, task.strict):
            tally.read += 1
            if entry is not None:
                tally.drop(entry)
                rejected.write(entry)
            if row is not None:
                if word := _unknown_level(row):
                    unknown[word] += 1
                pending.append(row)
                size += shard_bytes(row)
            if size >= task.recipe.part_bytes:
                flush(pending)
                pending, size = [], 0
        flush(pending)

    files += write_shards([rejected], stack, body)
    record = tally.record(task.key, files)
    record["unknown_levels"] = dict(unknown.most_common(SHOWN_WORDS))
    return finish(task, record)


def _unknown_level(row: Row) -> str:
    """The source's word for the difficulty if it gave neither a level nor a rating, else empty."""
    found = row["difficulty"] if isinstance(row["difficulty"], dict) else {}
    word = str(found.get("native") or "")
    return "" if found.get("level") or found.get("rating") or word.lower() in NO_DIFFICULTY else word
