"""The command `microcoder train init`: it parses options and prints what was chosen."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import click

from microcoder_eval.atomic import atomic_path
from microcoder_eval.command_line import echo, json_option, show_json
from microcoder_eval.errors import InputError
from microcoder_eval.plural import counted
from microcoder_eval.suggest import pasted
from microcoder_rl.commands.messages import one_line_errors


@click.command("init")
@click.argument("model")
@click.argument("dataset")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("train.yaml"), show_default=True, help="The recipe."
)
@click.option("--eval", "evaluate", default="", metavar="DATASET", help="A held-out dataset to evaluate on.")
@click.option("--steps", type=click.IntRange(1), help="Number of training steps.")
@click.option("--gpus", type=click.IntRange(min=1), help="GPUs of the trainer.  [default: 1]")
@click.option("--gpu", default="", help="H100, H200, A100, 4090 or cpu.  [default: this machine's]")
@click.option("--force", is_flag=True, help="Replace a recipe that is there.")
@json_option
def init_command(
    model: str,
    dataset: str,
    out: Path,
    evaluate: str,
    steps: int | None,
    gpus: int | None,
    gpu: str,
    force: bool,
    as_json: bool,
) -> None:
    """Write a recipe that trains MODEL (a folder) on DATASET (a file or folder of problems) on this machine.

    DATASET may be a built dataset, problems as `eval grade` reads them, or another trainer's file (verl, TRL), whose
    prompts and tests are used as they are. Of any other file or folder of problems a dataset is built below `datasets`.

    Lengths come from the model's context and the prompts; the batch is what the memory holds (`train plan`). Prints an
    estimate of time and memory, and the next commands.

    \b
    Examples:
      microcoder train init models/mine datasets/mine
      microcoder train init models/mine verl/train.parquet --out verl.yaml
      microcoder train init models/mine datasets/mine --eval datasets/test --gpu H100 --out big.yaml
    """
    with one_line_errors():
        from microcoder_rl.recipe.datasets import missing_dataset
        from microcoder_rl.recipe.model_source import refuse_missing_model

        refuse_missing_model(model, key="MODEL")  # before torch is imported, and before a dataset is built
        for named in filter(None, (dataset, evaluate)):
            if missing := missing_dataset(named):
                raise InputError(missing)
        from microcoder_rl.plan.first_recipe import Wanted, first_recipe
        from microcoder_rl.plan.plan import gib
        from microcoder_rl.plan.shape import read_shape
        from microcoder_rl.plan.tables import as_data, millions, span

        if out.exists() and not force:
            raise InputError(f"{out} is there already: --force replaces it, --out names another file")
        if (shape := Path(model) / "config.json").is_file():
            read_shape(shape)  # a model that is not supported is refused before a dataset is built
        out.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(out.parent, os.W_OK):
            raise InputError(f"{out}: {os.strerror(errno.EACCES)}")
        dataset, evaluate = (path and _readable(path, as_json) for path in (dataset, evaluate))
        name = out.name.split(".")[0] or "first"
        found = first_recipe(model, dataset, Wanted(evaluate, gpu, gpus, steps, name))
        with atomic_path(out) as path:
            path.write_text(found.text, encoding="utf-8")
        planned, config = found.planned, found.config
        if as_json:
            show_json({"recipe": out, "notes": found.notes, "problems": found.problems, "plan": as_data(planned, None)})
            return
        device = planned.job.device
        echo(f"{model}: {millions(found.shape.parameters)} parameters, context {found.shape.context} tokens")
        median, longest = found.prompts
        echo(f"{dataset}: {counted(found.problems, 'problem')}, prompts of {median} (median) to {longest} tokens")
        if found.left_out:
            echo(f"left out: {len(found.left_out)}, such as {found.left_out[0]}")
        echo(
            f"each step: {counted(config.batch.prompts, 'problem')}, {config.rollout.group} replies of at most "
            f"{config.rollout.max_tokens} tokens each, sampled by {config.rollout.engine}"
        )
        times = f"about {span(planned.duration.step)} a step, {span(planned.duration.run)} for {config.run.steps} steps"
        echo(f"on {device.name}: {gib(planned.peak)} of {gib(device.memory)}; {times} (an estimate)")
        for problem in planned.problems:
            echo(f"does not fit: {problem}", err=True)
        if planned.problems and found.advice:
            echo(f"try: {found.advice}", err=True)
        for note in found.notes:
            echo(f"note: {note}")
        echo(f"the recipe is {out}")
        recipe = pasted(out)
        echo(f"next: microcoder train run {recipe} --dry-run   # a step with a tiny model, in seconds")
        echo(f"      microcoder train run {recipe}")


def _readable(dataset: str, quiet: bool) -> str:
    """The dataset itself, or the one that is built of a file of problems in another format."""
    from microcoder_data.own_files.dataset import make_dataset
    from microcoder_rl.data import holds_problems

    folder = Path(dataset).is_dir()
    if not Path(dataset).exists() or (any(Path(dataset).rglob("*.parquet")) if folder else holds_problems(dataset)):
        return dataset
    if not quiet:
        echo(f"{dataset} is not a training set yet: building one of it, with its solutions run against its tests")
    try:
        made = make_dataset(Path(dataset), Path("datasets"))
    except InputError as error:
        raise InputError(f"{error}\n(for a dataset of this file by hand: microcoder data init {dataset})") from None
    if not quiet:
        echo(f"{made.folder}: {made.rows} of {made.records} records are kept; format: {made.source}")
        echo(f"the others, and why: {made.folder}/report.html; its rules: {made.recipe}")
    return str(made.folder)
