"""A dataset of somebody's own file in one call: look at it, write the recipe that fits, build.

    made = make_dataset(Path("mine.jsonl"), Path("datasets"), workers=2)

For a caller that needs the result, as `microcoder train init` does; `microcoder data init` shows each part.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from microcoder_data.engine import make_engine
from microcoder_data.own_files.fit_rules import fit_rules
from microcoder_data.own_files.look import look, patterns_of
from microcoder_data.own_files.recipe_text import recipe_text
from microcoder_data.pipeline.build import build
from microcoder_data.pipeline.running import Options
from microcoder_data.recipe import load_recipe
from microcoder_data.sources import SOURCES
from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path
from microcoder_eval.reading.compressed import bare_name

_SAMPLE = 300
"""How many records the recipe is fitted to."""


@dataclass(frozen=True)
class Made:
    """A built dataset."""

    folder: Path
    recipe: Path
    source: str
    """The format of the file: an adapter's name, and what that reads."""
    records: int
    rows: int


def dataset_name(file: Path) -> str:
    """The name of the dataset of a file.

    >>> dataset_name(Path("my tasks.jsonl.zst"))
    'my_tasks'
    """
    name = file.name[: len(bare_name(file))]
    stem = name if file.is_dir() else name.rpartition(".")[0] or name or "mine"
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in stem)


def make_dataset(file: Path, parent: Path, workers: int | None = None) -> Made:
    """Build `parent`/NAME from a file or folder of problems in any format that the pipeline reads, with the recipe
    `parent`/NAME.yaml. A finished build of the same file is used again. A recipe that is there is kept."""
    name = dataset_name(file)
    folder, recipe = parent / name, parent / f"{name}.yaml"
    if not recipe.exists():
        seen = look([file], _SAMPLE)
        if not seen.rows:
            raise InputError(f"{file}: no record can be read as a problem")
        parent.mkdir(parents=True, exist_ok=True)
        text = recipe_text(seen, fit_rules(seen, _SAMPLE), name)
        with atomic_path(recipe) as path:
            path.write_text(text, encoding="utf-8")
    loaded = load_recipe(recipe)
    if list(loaded.sources[0].path) not in ([str(file)], patterns_of(file)):
        raise InputError(f"{recipe} is the recipe of another file: rename {file}, or remove that recipe")
    engine = make_engine("local", workers)
    try:
        manifest = build(loaded, folder, engine, Options(resume=True))
    finally:
        engine.close()
    assert manifest is not None, "no stage was left out"
    if not manifest["rows"]:
        raise InputError(f"{file}: no problem is kept; why: {folder}/report.html, and the rules: {recipe}")
    source = loaded.sources[0].source
    return Made(folder, recipe, f"{source} ({SOURCES[source]})", manifest["stages"][0]["in"], manifest["rows"])
