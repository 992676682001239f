"""Filter: drop rows by their own content, without comparing rows, and cap their tests.

Rules that ask a language model wait for Rate, so that no duplicate costs a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from microcoder_data.config import to_mapping
from microcoder_data.pipeline.row_rules import RowRules
from microcoder_data.recipe import Recipe
from microcoder_data.rules import Rule, asks, rules_of


class FilterStage(RowRules):
    name = "filter"

    def rules(self, recipe: Recipe) -> Sequence[Rule]:
        rate_asks = recipe.llm.backend != "none"
        return [rule for rule in rules_of(recipe.filter.at_once()) if not (rate_asks and asks(rule))]

    def own_settings(self, recipe: Recipe) -> Any:
        return to_mapping(recipe.filter.at_once())


STAGE = FilterStage()
