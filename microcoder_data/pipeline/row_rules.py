"""Stages that apply rules to one row after another: Process, Filter and Rate."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcoder_data.compare.decisions import Decisions
from microcoder_data.engine import make_engine
from microcoder_data.pipeline.pooling import pooled_rows
from microcoder_data.pipeline.result import StageResult, with_shards
from microcoder_data.pipeline.running import Running
from microcoder_data.pipeline.shard_files import ShardFile, write_shards
from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord, finish
from microcoder_data.pipeline.stage import Stage, stage_named
from microcoder_data.pipeline.tally import Tally
from microcoder_data.pipeline.writable import run_writable
from microcoder_data.rules import Rule, apply_rules
from microcoder_data.schema import DROPPED, WORK, Row
from microcoder_data.shards import read_shard, rows_at

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client


class RowRules(Stage):
    """A stage that applies a list of rules to each row."""

    def apply(self, row: Row, rules: Sequence[Rule], client: Client | None) -> dict[str, Any] | None:
        """Apply the rules to one row; returns the entry for `dropped/` when one drops it."""
        return apply_rules(row, rules, self.name, client)

    def run(self, running: Running) -> StageResult:
        tasks = running.tasks(self.name, self.settings(running.recipe))
        if running.client is None or not self.asks(running.recipe):
            return with_shards(self.name, running.run_tasks(self.name, rules_task, tasks))
        # In this process, not in workers: there is one client, one budget and one model in memory. Rows wait in
        # threads.
        task_with_client = functools.partial(rules_task, client=running.client)
        return with_shards(
            self.name, running.run_tasks(self.name, task_with_client, tasks, make_engine("local", workers=1))
        )


def rules_task(task: ShardTask, client: Client | None = None) -> TaskRecord:
    """Apply the rules of Process, Filter or Rate to one shard; with a client, rows wait for its answers in threads.

    The record of a task counts questions that failed for now (server, budget). A resumed build runs such a task again.
    """
    stage = stage_named(task.stage)
    assert isinstance(stage, RowRules)
    return run_writable(lambda through: _apply(task, stage, through(stage.rules(task.recipe)), client))


def _apply(task: ShardTask, stage: RowRules, rules: Sequence[Rule], client: Client | None) -> TaskRecord:
    unanswered = client.account.to_retry if client else 0
    tally, stack = Tally(), ExitStack()
    rows = ShardFile(stack, task.path("parquet"), "rows", WORK)
    dropped = ShardFile(stack, task.path("dropped.parquet"), "dropped", DROPPED)
    compared = ShardFile(stack, task.path("compared.parquet"), "compared", DROPPED)

    def remaining() -> Iterator[Row]:
        """The rows, without those that an earlier stage's decisions drop."""
        for row, decided in decided_on(task, tally):
            if decided is None:
                yield row
            else:
                compared.write(decided)

    def body() -> None:
        def applied(row: Row) -> tuple[Row, Row | None]:
            return row, stage.apply(row, rules, client)

        read = remaining()
        for row, entry in client.side_by_side(applied, read) if client else map(applied, read):
            tally.read += 1
            if entry is None:
                tally.keep(row, task.stage)
                rows.write(row)
            else:
                tally.drop(entry)
                dropped.write(entry)

    record = tally.record(task.key, write_shards([rows, dropped, compared], stack, body))
    if client and client.account.to_retry > unanswered:
        record["unanswered"] = client.account.to_retry - unanswered
    return finish(task, record)


def decided_on(task: ShardTask, tally: Tally, places: Sequence[int] | None = None) -> Iterator[tuple[Row, Row | None]]:
    """A task's rows, each with its entry for `dropped/` if an earlier stage's decisions drop it.

    `tally`: where faults are counted. `places`: only these, in order.
    """
    decisions = Decisions.load(Path(task.work) / task.decided, task.name) if task.decided else Decisions({})
    shard = Path(task.shard)
    rows = enumerate(read_shard(shard)) if places is None else zip(places, rows_at(shard, places), strict=True)
    for index, row in pooled_rows(task, decisions, rows, tally):
        yield row, decisions.apply(index, row, task.decided)
