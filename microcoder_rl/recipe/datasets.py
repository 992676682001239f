"""The datasets that a recipe names, and the message about one that is missing."""

from __future__ import annotations

from pathlib import Path

from microcoder_eval.suggest import why_absent
from microcoder_rl.recipe.config import Config


def recipe_datasets(config: Config) -> dict[str, str]:
    """The path of each dataset of a recipe, by its key."""
    sets = {f"evaluate.sets.{name}.data": each.data for name, each in config.evaluate.sets.items()}
    return {"data.train": config.data.train, **sets}


def missing_dataset(path: str) -> str:
    """Say that there is no such dataset; empty when there is one, or the toy world stands for it.

    >>> missing_dataset("nowhere/data"), missing_dataset("tiny")
    ('nowhere/data: no such dataset folder or file', '')
    """
    if path == "tiny" or (path and Path(path).exists()):
        return ""
    if not path:
        return "no dataset is given: name a dataset folder, a Parquet file or problems as JSONL"
    return f"{path}: {why_absent(Path(path), 'dataset folder or file')}"
