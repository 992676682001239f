"""What a stage is: a name, the settings that its result depends on, its rules, and how it runs."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from microcoder_data.pipeline.result import StageResult
from microcoder_data.pipeline.running import Running
from microcoder_data.pipeline.stages import STAGES
from microcoder_data.recipe import Recipe
from microcoder_data.rules import Rule, asks
from microcoder_data.schema import SCHEMA_VERSION


class Stage(ABC):
    """One stage of a build. It has no state: the state of a build is in `Running`."""

    name: ClassVar[str]

    def needed(self, recipe: Recipe) -> bool:
        """Whether a recipe goes through this stage."""
        return True

    def rules(self, recipe: Recipe) -> Sequence[Rule]:
        """The rules that the stage applies to each row, in order."""
        return ()

    def rule_names(self, recipe: Recipe) -> list[str]:
        """The rules' names with versions. A change of behaviour gets a new version, so that the stage runs again."""
        return [rule.name for rule in self.rules(recipe)]

    def asks(self, recipe: Recipe) -> bool:
        """Whether it asks a language model."""
        return recipe.llm.backend != "none" and any(map(asks, self.rules(recipe)))

    @abstractmethod
    def own_settings(self, recipe: Recipe) -> Any:
        """The stage's own part of the recipe, as a plain value."""

    def other_settings(self, recipe: Recipe) -> list[Any]:
        """What else in the recipe the stage's result depends on."""
        return [recipe.llm.identity()] if self.asks(recipe) else []

    def settings(self, recipe: Recipe) -> list[Any]:
        """Everything that the stage's result depends on, except the rows that it reads."""
        own, names = self.own_settings(recipe), self.rule_names(recipe)
        return [self.name, SCHEMA_VERSION, own, names, recipe.part_bytes, self.other_settings(recipe)]

    @abstractmethod
    def run(self, running: Running) -> StageResult:
        """Read the result of the stage before (`running.before`), and run the tasks that are not finished."""


def stage_named(name: str) -> Stage:
    """The stage called `name`.

    >>> stage_named("collect").name
    'collect'
    """
    stage: Stage = importlib.import_module(f"microcoder_data.pipeline.{name}").STAGE
    return stage


def stages_of(recipe: Recipe) -> list[Stage]:
    """The stages that a recipe goes through, in order."""
    return [stage for stage in map(stage_named, STAGES) if stage.needed(recipe)]


def asks_model(recipe: Recipe) -> bool:
    """Whether any stage asks a language model."""
    return any(stage.asks(recipe) for stage in stages_of(recipe))
