"""Build a dataset: run the stages in order over their shards, account for every row, publish the result as a whole.

DIR/data/ solutions/ tests/ dropped/   what is published (links into work/)
DIR/manifest.json                      written last: a directory without it holds no finished dataset
DIR/README.md report.html              the dataset card and the report, made from what was published
work/<stage>/ in DIR                   shards, and a record for every finished task
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcoder_data.engine import Engine
from microcoder_data.engine.local import allow_more_open_files, long_integers, rare_collections
from microcoder_data.lock import exclusive, shared
from microcoder_data.pipeline.base import Base
from microcoder_data.pipeline.publish import publish
from microcoder_data.pipeline.result import check_account
from microcoder_data.pipeline.running import Options, Progress, Running
from microcoder_data.pipeline.stage import asks_model, stages_of
from microcoder_data.pipeline.stages import STAGES
from microcoder_data.reading.files import find_files
from microcoder_data.recipe import Recipe
from microcoder_data.without_pandas import do_without_pandas
from microcoder_eval import InputError
from microcoder_eval.atomic import remove_leftovers

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

logger = logging.getLogger(__name__)

ANSWERS = "work/llm"
"""Where a build keeps the answers of a language model."""


def build(
    recipe: Recipe,
    out: str | Path,
    engine: Engine,
    options: Options | None = None,
    progress: Progress | None = None,
    client: Client | None = None,
    notify: Callable[[str], None] = logger.info,
) -> dict[str, Any] | None:
    """Build `recipe` into the directory `out`; returns the manifest, or None when stopped before the last stage.

    `client` answers the rules' questions to a language model; by default it is made as the recipe says. `notify` gets
    messages for the user while the build runs, such as what a model's attempts will cost.

    >>> from microcoder_data import build, load_recipe, make_engine  # doctest: +SKIP
    >>> build(load_recipe("recipe.yaml"), "out", make_engine("local"))["rows"]  # doctest: +SKIP
    """
    return run_stages(recipe, out, engine, options, progress, client, notify).manifest


def run_stages(
    recipe: Recipe,
    out: str | Path,
    engine: Engine,
    options: Options | None = None,
    progress: Progress | None = None,
    client: Client | None = None,
    notify: Callable[[str], None] = logger.info,
) -> Running:
    """The same; returns the build with the results of its stages, also when it stopped before the last one."""
    options = options or Options()
    order = list(STAGES)
    for stage in (options.from_stage, options.until):
        if stage not in order:
            raise InputError(f"unknown stage {stage!r}; known: {', '.join(order)}")
    if order.index(options.until) < order.index(options.from_stage):
        raise InputError(f"stage {options.until} comes before {options.from_stage}")
    directory = Path(out)
    if options.base is not None and options.base.resolve() == directory.resolve():
        raise InputError(f"--base {options.base} is the output directory: add --resume to continue a build")
    if (directory / ".lock").exists():
        with exclusive(directory):
            pass  # report a running build before anything else that is wrong with the directory
    _check_directory(directory, options)
    _check_files(recipe)
    do_without_pandas()
    with ExitStack() as stack:
        allow_more_open_files()
        stack.enter_context(long_integers())
        stack.enter_context(rare_collections())
        stack.enter_context(exclusive(directory))
        if client is None and asks_model(recipe):
            from microcoder_data.llm.client import Client  # it loads asyncio

            client = stack.enter_context(Client(recipe.llm, directory / ANSWERS))
        progress = progress or (lambda *_: None)
        base = None
        if options.base is not None:
            stack.enter_context(shared(options.base))
            base = Base(options.base)
            base.take_shared(directory / "work")
        work = directory / "work"
        running = Running(recipe, work, engine, options, progress, client, base=base, notify=notify)
        _run(running, directory)
        return running


def _run(running: Running, directory: Path) -> None:
    """Run the stages up to the last one asked for; publish after the last of all."""
    running.work.mkdir(parents=True, exist_ok=True)
    remove_leftovers(directory)
    order = list(STAGES)
    for stage in stages_of(running.recipe):
        if order.index(stage.name) > order.index(running.options.until):
            break
        running.results[stage.name] = stage.run(running)
        check_account(list(running.results.values()))
    if not running.before.total("kept"):
        running.warnings.append("no row is left: the account says by which rules")
    if running.options.until != order[-1]:
        return
    if running.base is not None:
        logger.info("%d tasks were reused from %s", running.base.taken, running.base.directory)
    running.manifest = publish(running, directory)


def _check_directory(directory: Path, options: Options) -> None:
    """Refuse a directory that holds something else, or a build that the options do not continue."""
    if directory.exists() and not directory.is_dir():
        raise InputError(f"{directory} is a file, not a directory")
    if not directory.exists():
        if options.from_stage != "collect":
            raise InputError(f"{directory}: no build to continue from stage {options.from_stage}")
        return
    content = {path.name for path in directory.iterdir()} - {".lock"}
    if not content:
        return
    if "work" not in content:
        raise InputError(f"{directory} is not empty and holds no build; choose another directory")
    begun = any((directory / "work").glob("*/*.done.json"))
    if begun and not options.resume and options.from_stage == "collect":
        raise InputError(f"{directory} already holds a build: add --resume to continue it, or choose another directory")


def _check_files(recipe: Recipe) -> None:
    """Report a missing file at once, not when the stage that reads it begins."""
    for position, spec in enumerate(recipe.sources):
        if not spec.dataset:
            find_files(spec, f"sources[{position}]")
    for number, benchmark in enumerate(recipe.compare.benchmarks):
        if not benchmark.source.dataset:
            find_files(benchmark.source, f"compare.benchmarks[{number}]")
