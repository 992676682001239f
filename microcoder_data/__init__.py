"""Turn raw programming problems into verified Parquet rows, each with a record of what was done to it.

    from microcoder_data import build, load_recipe, make_engine

    manifest = build(load_recipe("recipe.yaml"), "out", make_engine("local", workers=4))

The names below are imported on first use, so that the command line starts fast.

The other packages may also import `commands`, `config`, `key_reference`, `llm`, `lock`, `number_range`, `own_files`,
`shipped`, `problem_set` and `verify` (`reached_lines`). Everything else is private to this package.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from microcoder_data.engine import make_engine
    from microcoder_data.pipeline.build import build
    from microcoder_data.pipeline.running import Options
    from microcoder_data.recipe import Recipe, load_recipe
    from microcoder_data.schema import ROW, SCHEMA_VERSION, new_row, to_problem

__all__ = ["ROW", "SCHEMA_VERSION", "Options", "Recipe", "build", "load_recipe", "make_engine", "new_row", "to_problem"]

_NAMES_BY_MODULE = {
    "pipeline.build": ("build",),
    "pipeline.running": ("Options",),
    "engine": ("make_engine",),
    "recipe": ("Recipe", "load_recipe"),
    "schema": ("ROW", "SCHEMA_VERSION", "new_row", "to_problem"),
}


def __getattr__(name: str) -> Any:
    for module, names in _NAMES_BY_MODULE.items():
        if name in names:
            return getattr(importlib.import_module(f"microcoder_data.{module}"), name)
    raise AttributeError(f"module 'microcoder_data' has no attribute {name!r}")
