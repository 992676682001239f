"""The rule that a row is still gradable, and has enough tests, after execution has removed tests and added checkers.

It is applied last and has no settings of its own: it takes `min_tests` from the recipe's other rules. A row that passes
is not changed, and gets no entry in its provenance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.recipe import Recipe
from microcoder_data.rules import Outcome, drop
from microcoder_data.schema import Row
from microcoder_data.verify.gradable import Gradable


@dataclass(frozen=True)
class StillWhole:
    """Drop rows that `data validate` would reject, and those that have fewer tests than the recipe asks for."""

    name: ClassVar[str] = "still_whole_v1"
    min_tests: int = 1

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] in ("stdin", "call") and len(row["tests"]) < self.min_tests:
            return drop("too_few_tests_left", "after execution", len(row["tests"]), self.min_tests)
        return Gradable()(row)


def still_whole(recipe: Recipe) -> StillWhole:
    """The rule for a recipe: the largest number of tests that any of its rules asks for."""
    asked = (recipe.process.completeness, recipe.filter.tests, recipe.verify.tests)
    return StillWhole(max(1, *(rule.min_tests for rule in asked if rule is not None)))
