"""Rate: ask a language model Filter's questions about the rows that Compare left, then select by level.

A recipe without a language model skips this stage: Filter applies its rules, and Compare selects by level.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from microcoder_data.compare.reduce import add_counts, counts_of, no_counts, select_rated
from microcoder_data.config import to_mapping
from microcoder_data.difficulty.rating_prompt import load_prompt
from microcoder_data.pipeline.result import Decided, StageResult
from microcoder_data.pipeline.row_rules import RowRules
from microcoder_data.pipeline.running import Running
from microcoder_data.pipeline.shard_task import TaskRecord
from microcoder_data.recipe import Recipe, digest
from microcoder_data.rules import Rule, asks, rules_of


class RateStage(RowRules):
    name = "rate"

    def needed(self, recipe: Recipe) -> bool:
        return self.asks(recipe)

    def rules(self, recipe: Recipe) -> Sequence[Rule]:
        return (
            [rule for rule in rules_of(recipe.filter.at_once()) if asks(rule)] if recipe.llm.backend != "none" else []
        )

    def own_settings(self, recipe: Recipe) -> Any:
        return to_mapping(recipe.filter.at_once())

    def other_settings(self, recipe: Recipe) -> list[Any]:
        selection = to_mapping(recipe.compare.select) if recipe.compare.select else None
        prompts = [load_prompt(recipe.filter.difficulty.prompt).text] if recipe.filter.difficulty else []
        return [*super().other_settings(recipe), selection, *prompts]

    def run(self, running: Running) -> StageResult:
        result = super().run(running)
        settings = running.recipe.compare.select
        if settings is None:
            return result
        key = digest([record["files"] for record in result.records])
        rows = {task.name: file["rows"] for task, file in result.files("rows")}
        paths = [shard.path for shard in result.shards]

        def selected() -> TaskRecord:
            counts = no_counts()
            folder = running.work / self.name
            for name, decisions in zip(rows, select_rated(settings, paths, folder), strict=True):
                decisions.save(folder, name)
                add_counts(counts, counts_of(decisions))
            return counts

        decided = running.decide(self.name, key, rows, selected)
        # The tasks have counted all rows as read and kept. This record subtracts those that the selection drops.
        record = {**decided.record, "in": 0, "kept": -decided.record["dropped"]}
        return dataclasses.replace(result, decided=Decided(record, decided.by_shard))


STAGE = RateStage()
