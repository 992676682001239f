"""What the stages of a build work with: the recipe, the engine, the results so far.

It runs the tasks that are not finished, and reuses decisions that are still valid.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcoder_data.compare.decisions import Decisions
from microcoder_data.engine import Engine
from microcoder_data.engine.short_work import for_short_work
from microcoder_data.faults import faults_of
from microcoder_data.pipeline.base import Base
from microcoder_data.pipeline.result import Decided, StageResult
from microcoder_data.pipeline.shard_files import described
from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord, finished, read_record, unchanged
from microcoder_data.pipeline.stages import STAGES
from microcoder_data.pipeline.tally import account_of_reasons
from microcoder_data.reading.parts import Scanned
from microcoder_data.reasons import Reason
from microcoder_data.recipe import Recipe, digest
from microcoder_eval.atomic import write_json

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

Progress = Callable[[str, int, int, int], None]
"""Called with the stage, tasks done, tasks in all, rows read so far."""


@dataclass(frozen=True)
class Options:
    """How to build. What to build is the recipe."""

    resume: bool = False
    """Continue a build: finished tasks whose inputs and settings are unchanged are not run again."""
    from_stage: str = "collect"
    """Run this stage and the later ones again, even if they are finished."""
    until: str = "verify"
    """Stop after this stage. A dataset is published only after the last stage."""
    limit: int | None = None
    """Take only the first records of each source."""
    base: Path | None = None
    """Reuse the finished work of this dataset where this build would do the same."""
    strict: bool = False
    """Stop at the first record that cannot become a row."""


@dataclass
class Running:
    """A build while it runs."""

    recipe: Recipe
    work: Path
    """The folder for everything between input and output."""
    engine: Engine
    options: Options
    progress: Progress
    client: Client | None
    """Answers the rules' questions to a language model."""
    results: dict[str, StageResult] = field(default_factory=dict)
    """The results of the finished stages, by stage, in order."""
    inputs: list[Scanned] = field(default_factory=list)
    """The input files, once Collect has scanned them."""
    warnings: list[str] = field(default_factory=list)
    manifest: dict[str, Any] | None = None
    """The manifest, once the last stage is finished."""
    base: Base | None = None
    """The dataset whose finished work is reused."""
    notify: Callable[[str], None] = lambda text: None
    """Called with messages for the user."""

    @property
    def faults(self) -> list[str]:
        """Where this program failed on rows, in words."""
        stages = [{"stage": stage, "faults": result.reasons("faults")} for stage, result in self.results.items()]
        return faults_of(stages)

    @property
    def before(self) -> StageResult:
        """The result of the stage before."""
        return list(self.results.values())[-1]

    def must_rerun(self, stage: str) -> bool:
        """Whether a stage must run again even if it is finished."""
        order = list(STAGES)
        chosen = self.options.from_stage
        return chosen != "collect" and order.index(stage) >= order.index(chosen)

    def tasks(self, stage: str, settings: Any) -> list[ShardTask]:
        """A task for every shard of the stage before. The task first applies the decisions about the shard's rows."""
        before = self.before
        tasks = []
        for shard in before.shards:
            key = digest([settings, shard.sha256])
            task = ShardTask(
                stage, shard.name, key, self.recipe, str(self.work), shard.source, str(shard.path), rows_key=key
            )
            if before.decided is not None:
                key = digest([key, before.decided.by_shard[shard.name]])
                task = dataclasses.replace(task, key=key, decided=before.stage)
            tasks.append(task)
        return tasks

    def run_tasks(
        self,
        stage: str,
        function: Callable[[ShardTask], TaskRecord],
        tasks: list[ShardTask],
        engine: Engine | None = None,
        seconds: Callable[[ShardTask], float] = lambda task: math.inf,
    ) -> list[tuple[ShardTask, TaskRecord]]:
        """Run the tasks that have no valid record; returns all tasks with their records, in order.

        `seconds`: about how long a task takes, for tasks that may be short.
        """
        records: dict[int, TaskRecord] = {}
        for index, task in enumerate(tasks):
            if not self.must_rerun(stage) and (record := finished(task) or self._from_base(task)) is not None:
                records[index] = record
        rows = sum(record["in"] for record in records.values())
        self.progress(stage, len(records), len(tasks), rows)
        missing = [index for index in range(len(tasks)) if index not in records]
        engine = for_short_work(engine or self.engine, sum(seconds(tasks[index]) for index in missing))
        for position, record in engine.map(function, [tasks[index] for index in missing]):
            records[missing[position]] = record
            rows += record["in"]
            self.progress(stage, len(records), len(tasks), rows)
        return [(task, records[index]) for index, task in enumerate(tasks)]

    def _from_base(self, task: ShardTask) -> TaskRecord | None:
        return self.base.take(task) if self.base else None

    def decide(self, stage: str, key: str, rows: Mapping[str, int], decide: Callable[[], TaskRecord]) -> Decided:
        """Decisions about all shards: the stored ones if they were made under the same key, else those of `decide()`.

        `key` is the hash of everything that they depend on, `rows` the number of rows of each shard by its name.
        `decide` writes the decisions of every shard into the stage's folder. It returns how many rows are dropped or
        merged for which reason, and how many are marked.
        """
        folder = self.work / stage
        path = folder / "decisions.json"
        record = read_record(path)
        if record is None or record["key"] != key or self.must_rerun(stage) or not unchanged(folder, record):
            path.unlink(missing_ok=True)  # `decide` overwrites the files that it lists
            record = {"key": key, **_recorded(folder, rows, decide())}
            write_json(path, record)
        sums = [file["sha256"] for file in record["files"]]
        return Decided(record, dict(zip(rows, sums, strict=True)))


def _recorded(folder: Path, rows: Mapping[str, int], counts: TaskRecord) -> TaskRecord:
    """The record of decisions: its counts, the account of rows, and the files."""
    reasons = Counter({Reason.parse(reason): count for reason, count in counts["reasons"].items()})
    files = [described(Decisions.path(folder, name), "decisions", count) for name, count in rows.items()]
    total, account = sum(rows.values()), account_of_reasons(reasons)
    kept = total - account["dropped"] - account["merged"]
    named = {"touched": dict(sorted(counts["marked"].items())), "faults": dict(sorted(counts["faults"].items()))}
    return {**counts, "in": total, "kept": kept, **account, **named, "files": files}


def read_json(path: Path, default: Any) -> Any:
    """The JSON value in a file, or `default` where the file is missing, broken or holds a value of another type."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return default
    return found if isinstance(found, type(default)) else default
