"""Reads the recipe of a command and refuses at once what is missing, before torch is imported, which takes seconds.

config = checked_recipe(Path("train.yaml"), ["run.seed=1"])
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from microcoder_eval.errors import InputError
from microcoder_eval.suggest import why_absent

if TYPE_CHECKING:
    from microcoder_rl.recipe.config import Config


def checked_recipe(recipe: Path, overrides: Sequence[str], model: Path | None = None) -> Config:
    """The recipe; an `InputError` when its model or a dataset is missing. `model`: a folder to load in its place."""
    for name in ("torch", "transformers"):
        if find_spec(name) is None:
            raise ModuleNotFoundError(name=name)  # which the command answers with the line that installs it
    from microcoder_rl.recipe import load_recipe
    from microcoder_rl.recipe.datasets import missing_dataset, recipe_datasets
    from microcoder_rl.recipe.model_source import refuse_missing_model

    config = load_recipe(recipe, overrides)
    if model is None:
        refuse_missing_model(config.model.path)
    elif not model.is_dir():
        raise InputError(f"--model: {model}: {why_absent(model, 'folder')}")
    for path in recipe_datasets(config).values():
        if missing := missing_dataset(path):
            raise InputError(missing)
    return config
