"""Verify: check tests and limits, run the solutions where asked for, and write the rows that are published."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcoder_data.config import to_mapping
from microcoder_data.engine import make_engine
from microcoder_data.engine.short_work import seconds_to_copy
from microcoder_data.engine.threads import in_order
from microcoder_data.pipeline.result import StageResult, with_shards
from microcoder_data.pipeline.row_memory import RowMemory, Verified, row_digest
from microcoder_data.pipeline.row_rules import decided_on
from microcoder_data.pipeline.running import Running
from microcoder_data.pipeline.shard_files import described, write_shards
from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord, finish
from microcoder_data.pipeline.stage import Stage
from microcoder_data.pipeline.unchanged_rows import unchanged_rows
from microcoder_data.pipeline.verified_files import VerifiedFiles
from microcoder_data.pipeline.writable import run_writable
from microcoder_data.recipe import Recipe
from microcoder_data.rules import Rule, apply_rules, rules_of
from microcoder_data.schema import Row
from microcoder_data.shards import TestStore
from microcoder_data.verify.attempts import Attempts
from microcoder_data.verify.run_solutions import rules_with_grader
from microcoder_data.verify.still_whole import still_whole

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

FILES_VERSION = "files_v3"
"""The version of the files that a task writes."""

VERIFYING_PER_COPYING = 20
"""How much longer it takes to verify a row than to copy it, about."""
REMOTE_PROGRAMS = 8
"""How many programs a worker of the build grades at a time where a grader's address is given."""


class VerifyStage(Stage):
    name = "verify"

    def rules(self, recipe: Recipe) -> Sequence[Rule]:
        return [*rules_of(recipe.verify), *_rules_after_execution(recipe), *_rules_after_attempts(recipe)]

    def asks(self, recipe: Recipe) -> bool:
        making, attempts = recipe.verify.make_tests, recipe.verify.attempts
        needs_model = attempts is not None or (making is not None and "model" in making.ways)
        return needs_model and recipe.llm.backend != "none"

    def own_settings(self, recipe: Recipe) -> Any:
        later_rules = (recipe.filter.fit, recipe.filter.strength, recipe.filter.pass_rate)
        return [to_mapping(recipe.verify), *map(to_mapping, later_rules)]

    def run(self, running: Running) -> StageResult:
        tasks = running.tasks(self.name, [self.settings(running.recipe), FILES_VERSION])
        workers = running.engine.workers
        programs = max(1, workers // max(1, min(len(tasks), workers)))  # few tasks: each may use more of the machine
        tasks = [replace(task, programs=programs) for task in tasks]
        if running.base is not None:
            base = running.base
            tasks = [replace(task, same_rows=base.same_rows(self.name, task.rows_key)) for task in tasks]
        if running.client is None or not self.asks(running.recipe):
            return with_shards(self.name, running.run_tasks(self.name, verify_task, tasks, seconds=_seconds))
        if running.recipe.verify.attempts is not None:
            running.notify(_cost_notice(running.recipe.verify.attempts, running))
        # In this process, as in Rate: there is one client and one budget. The rows of a shard wait in threads.
        tasks = [replace(task, programs=workers) for task in tasks]
        task_with_client = functools.partial(verify_task, client=running.client)
        return with_shards(
            self.name, running.run_tasks(self.name, task_with_client, tasks, make_engine("local", workers=1))
        )


STAGE = VerifyStage()


def _cost_notice(attempts: Attempts, running: Running) -> str:
    """What the attempts cost at most; shown before the first one."""
    rows = running.before.total("kept")
    calls = rows * attempts.count
    tokens = calls * (attempts.answer_tokens + running.recipe.llm.reasoning_tokens)
    questions = f"attempts: at most {rows:,} rows x {attempts.count} = {calls:,} questions"
    return f"{questions}, and {tokens:,} tokens of answers; what the cache holds is free"


def _runs_programs(recipe: Recipe) -> bool:
    return bool(recipe.verify.execution or recipe.verify.make_tests or recipe.verify.attempts)


def _seconds(task: ShardTask) -> float:
    """About how long a task takes: rows of a base are copied, others are verified, and programs take any time."""
    if _runs_programs(task.recipe):
        return math.inf
    return seconds_to_copy(task.shard) * (1 if task.same_rows else VERIFYING_PER_COPYING)


def _rules_after_execution(recipe: Recipe) -> list[Rule]:
    """The rules that are applied after the solutions were run."""
    counted, *others = recipe.filter.last()
    return [counted, *([still_whole(recipe)] if recipe.verify.execution else []), *others]


def _rules_after_attempts(recipe: Recipe) -> list[Rule]:
    """The rule that is applied after the attempts."""
    return [recipe.filter.pass_rate] if recipe.filter.pass_rate is not None else []


def verify_task(task: ShardTask, client: Client | None = None) -> TaskRecord:
    """Apply earlier decisions, verify the rows, and write those to publish; solutions go to a file of their own."""
    return run_writable(lambda through: _verify(task, client, through))


def _verify(task: ShardTask, client: Client | None, through: Callable[[Sequence[Rule]], list[Rule]]) -> TaskRecord:
    store, stack = TestStore(Path(task.work) / "tests"), ExitStack()
    files = VerifiedFiles(task, stack)
    unanswered = client.account.to_retry if client else 0
    address = task.recipe.grader.address
    rules, attempts, ran = stack.enter_context(
        rules_with_grader(task.recipe.verify, store, task.programs, client, address)
    )
    rules = through([*rules, *_rules_after_execution(task.recipe), *attempts, *_rules_after_attempts(task.recipe)])
    memory = RowMemory(task.same_rows) if _runs_programs(task.recipe) else None

    def verified(pair: tuple[Row, Row | None]) -> tuple[str, Row | None, Verified]:
        """The row's digest for the memory, its entry if an earlier decision drops it, and its result."""
        row, decided = pair
        if decided is not None:
            return "", decided, Verified()
        digest = row_digest(row) if memory else ""
        if memory and (known := memory.recall(digest)) is not None:
            ran.add(known.executed, known.not_executed)
            return digest, None, known
        with ran.of_row() as own:
            entry = apply_rules(row, rules, task.stage)
        counts = dict(sorted(own.counts.items())), dict(sorted(own.not_executed.items()))
        if entry is not None:
            return digest, None, Verified(None, entry, None, *counts)
        return digest, None, Verified(row, None, row if row["solutions"] else None, *counts)

    def body() -> None:
        unchanged = unchanged_rows(task) if memory is None else None
        if unchanged is not None:
            changed = map(verified, decided_on(task, files.tally, unchanged.changed))
            for run in unchanged.runs():
                if run.same:
                    files.copy(unchanged, run)
                else:
                    write(*next(changed))
            return
        at_once = REMOTE_PROGRAMS if address else task.programs
        threads = 2 * at_once if memory else 1  # so that the next row is ready when a program ends
        if client is not None and (settings := task.recipe.verify.attempts) is not None:
            threads = max(threads, client.settings.concurrency // settings.count)
        for found in in_order(verified, decided_on(task, files.tally), threads):
            write(*found)

    def write(name: str, decided: Row | None, result: Verified) -> None:
        if decided is not None:
            files.write_decided(decided)
            return
        if memory:
            memory.remember(name, result)
        files.write(result)

    record = files.account(write_shards(files.shards.values(), stack, body))
    record |= {"executed": dict(sorted(ran.counts.items())), "not_executed": dict(sorted(ran.not_executed.items()))}
    if client is not None and client.account.to_retry > unanswered:
        record["unanswered"] = client.account.to_retry - unanswered
    if memory and memory.save(task.path("memory.json"), ran):
        record["files"].append(described(task.path("memory.json"), "memory", record["in"]))
    return finish(task, record)
