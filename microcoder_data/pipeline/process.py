"""Process: clean the text of every row, find its parts, reconcile samples and tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from microcoder_data.config import to_mapping
from microcoder_data.fidelity.measure import apply_measured
from microcoder_data.pipeline.row_rules import RowRules
from microcoder_data.recipe import Recipe
from microcoder_data.rules import Rule, rules_of
from microcoder_data.schema import Row

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client


class ProcessStage(RowRules):
    name = "process"

    def rules(self, recipe: Recipe) -> Sequence[Rule]:
        return rules_of(recipe.process)

    def apply(self, row: Row, rules: Sequence[Rule], client: Client | None) -> dict[str, Any] | None:
        return apply_measured(row, rules, self.name, client)

    def own_settings(self, recipe: Recipe) -> Any:
        return to_mapping(recipe.process)


STAGE = ProcessStage()
