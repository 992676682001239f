"""`microcoder train`: init, run, temperature, plan, plot, eval, keys. Commands parse options and print results.

Heavy imports happen inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from microcoder_data.key_reference import key_reference
from microcoder_eval.command_line import CommandGroup, echo, json_option, safe_console, show_json, talk_options
from microcoder_eval.errors import InputError
from microcoder_rl.commands.checked_recipe import checked_recipe
from microcoder_rl.commands.init import init_command
from microcoder_rl.commands.messages import notifier, one_line_errors
from microcoder_rl.commands.ranks import only_first_error
from microcoder_rl.launched import is_first_rank

if TYPE_CHECKING:
    from microcoder_rl.recipe.config import Config

OVERRIDES = click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
RECIPE = click.argument("recipe", type=click.Path(path_type=Path))


WORKFLOW = {
    "Prepare": ("init", "plan", "temperature", "keys"),
    "Train": ("run",),
    "See the results": ("plot", "eval"),
}


@click.group(cls=CommandGroup, extras=("train",), workflow=WORKFLOW)
def train() -> None:
    """Train a coding model with MicroCoder-GRPO or a baseline."""


@train.command()
@RECIPE
@OVERRIDES
@click.option("--resume", is_flag=True, help="Continue from the newest checkpoint of this recipe's run.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Run one small step with a tiny model, in seconds. Writes nothing.",
)
@talk_options
@json_option
def run(recipe: Path, overrides: tuple[str, ...], resume: bool, dry_run: bool, quiet: bool, as_json: bool) -> None:
    """Train RECIPE to its last step. KEY=VALUE overrides a key of the recipe (`microcoder train keys` lists them).

    \b
    Examples:
      microcoder train run pipelines/train/tiny.yaml run.seed=1 rollout.max_tokens=48
      microcoder train run pipelines/train/base.yaml --dry-run
    """
    with only_first_error(), one_line_errors("stopped; continue with --resume"):
        if dry_run:
            from microcoder_rl.dry_run import dry_run as try_recipe
            from microcoder_rl.recipe import load_recipe

            metrics = try_recipe(load_recipe(recipe, overrides), notifier(quiet, as_json))
            result = f"{recipe}: one step with a tiny model succeeded, loss {metrics['loss']:.4g}"
            show_json(metrics) if as_json else echo(result)
            return
        config = checked_recipe(recipe, overrides)
        from microcoder_rl.report.terminal import View
        from microcoder_rl.run import train as train_recipe

        console = safe_console(markup=False, stderr=as_json, quiet=quiet or not is_first_rank())
        with View(console, config.run, live=config.log.live and console.is_terminal) as view:
            summary = train_recipe(config, resume=resume, notify=view.notify, watch=view.show)
        if not is_first_rank():
            return
        if as_json:
            show_json({"run_folder": config.run.out, "accuracy": summary})
            return
        for name, numbers in summary.items():
            echo(f"{name}: " + ", ".join(f"{key} {100 * value:.1f} %" for key, value in numbers.items()))
        _show_next(recipe, overrides, config)


@train.command()
@RECIPE
@OVERRIDES
@click.option("--out", type=click.Path(path_type=Path), help="Also write the sweep as a plot (.png or .html).")
@talk_options
@json_option
def temperature(recipe: Path, overrides: tuple[str, ...], out: Path | None, quiet: bool, as_json: bool) -> None:
    """Measure diversity over RECIPE's temperature grid; print which temperature is selected and why.

    \b
    Example:
      microcoder train temperature pipelines/train/tiny.yaml --out sweep.html
    """
    with only_first_error(), one_line_errors():
        from rich.table import Table

        from microcoder_rl.report.plot import refuse_other_outputs, sweep_panels, write_panels

        if out:
            refuse_other_outputs(out)
        config = checked_recipe(recipe, overrides)
        from microcoder_rl.run import open_parts, prepared
        from microcoder_rl.sweep import sweep_temperatures

        notify = notifier(quiet, as_json)
        with prepared(config, notify) as (config, notify), open_parts(config, notify) as parts:
            limit = config.rollout.max_tokens_stages[0][1] if config.rollout.max_tokens_stages else 0
            longest = int(limit) or config.rollout.max_tokens
            points, chosen = sweep_temperatures(parts.sampler, parts.train, max_tokens=longest)
        if not is_first_rank():
            return
        if out:
            write_panels(sweep_panels(points, chosen, config.temperature), out, "Temperature sweep", chosen.reason)
            notify(f"plot: {out}")
        if as_json:
            show_json({"points": [asdict(point) for point in points], **asdict(chosen)})
            return
        table = Table("T", "diversity", "", "accuracy", "length", "verdict")
        for point, verdict in zip(points, chosen.verdicts, strict=True):
            bar = "█" * round(10 * point.diversity) if point.diversity == point.diversity else ""
            mark = "→ " if point.temperature == chosen.temperature else ""
            table.add_row(
                f"{mark}{point.temperature:g}",
                f"{point.diversity:.3f}",
                bar,
                f"{100 * point.accuracy:.1f} %",
                f"{point.length:.0f}",
                verdict,
            )
        safe_console(markup=False).print(table)
        echo(chosen.reason)


@train.command()
@RECIPE
@OVERRIDES
@click.option("--gpus", type=click.IntRange(min=1), help="GPUs of the trainer.  [default: 1]")
@click.option("--gpu", default="", help="H100, H200, A100, 4090 or cpu.  [default: this machine's, else H100]")
@click.option("--gpu-memory", default="", metavar="SIZE", help="Memory of one GPU, such as 80GB.")
@click.option("--assume", multiple=True, metavar="KEY=NUMBER", help="Set an assumption, such as price=2.5.")
@json_option
def plan(
    recipe: Path,
    overrides: tuple[str, ...],
    gpus: int | None,
    gpu: str,
    gpu_memory: str,
    assume: tuple[str, ...],
    as_json: bool,
) -> None:
    """Estimate RECIPE's memory by phase, time and cost, and what to change where it does not fit. Needs no weights.

    The exit status is 1 when it does not fit, or when the run would refuse the lengths.

    Assumptions that --assume sets: prompt_tokens, reply_tokens (means), eval_problems, grade_s, tflops, bandwidth,
    update_share, sampling_share, disk, price (of a GPU hour).

    \b
    Examples:
      microcoder train plan pipelines/train/base.yaml --gpus 8 --gpu H100
      microcoder train plan pipelines/train/base.yaml --gpu 4090 rollout.max_tokens=4096 --assume reply_tokens=1500
    """
    with one_line_errors():
        from microcoder_rl.plan import choose_device, make_job, make_plan, read_assumptions
        from microcoder_rl.plan.advice import advise
        from microcoder_rl.plan.tables import as_data, show_plan
        from microcoder_rl.recipe import load_recipe

        config = load_recipe(recipe, overrides)
        device = choose_device(config, gpu, gpu_memory, gpus)
        planned = make_plan(make_job(config, device, gpus or 1, read_assumptions(assume)))
        advice = advise(planned)
        if as_json:
            show_json(as_data(planned, advice))
        else:
            show_plan(safe_console(markup=False), planned, advice)
        if planned.problems:
            raise SystemExit(1)


@train.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="A .png or .html file.")
@click.option(
    "--smooth",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Steps of the running mean.",
)
@json_option
def plot(runs: tuple[Path, ...], out: Path, smooth: int, as_json: bool) -> None:
    """Draw the paper's panels for one or more run folders, overlaid.

    The .html page also has the scores, what differs between the recipes, and replies. Runs that differ in their seed
    alone are one curve with a band.

    \b
    Example:
      microcoder train plot runs/grpo runs/dapo --smooth 5 --out curves.html
    """
    with one_line_errors():
        from microcoder_rl.report.curves import run_panels
        from microcoder_rl.report.plot import refuse_other_outputs, write_panels
        from microcoder_rl.report.training_page import write_training_page

        refuse_other_outputs(out)
        if out.suffix == ".html":
            write_training_page(runs, out, smooth)
        else:
            write_panels(run_panels(runs, smooth=smooth), out, "Training: " + ", ".join(run.name for run in runs))
        show_json({"plot": out}) if as_json else echo(f"plot: {out}")


@train.command("eval")
@RECIPE
@OVERRIDES
@click.option("--model", type=click.Path(path_type=Path), help="A model folder or checkpoint.  [default: the recipe's]")
@click.option("--out", type=click.Path(path_type=Path), help="Also write the results as JSON to this file.")
@talk_options
@json_option
def evaluate(
    recipe: Path, overrides: tuple[str, ...], model: Path | None, out: Path | None, quiet: bool, as_json: bool
) -> None:
    """Evaluate a model on RECIPE's evaluation sets; print the paper's table by platform and difficulty.

    \b
    Example:
      microcoder train eval RECIPE.yaml --model runs/a/checkpoints/step-000100
    """
    with only_first_error(), one_line_errors():
        config = checked_recipe(recipe, overrides, model)
        from microcoder_rl.report.terminal import accuracy_tables
        from microcoder_rl.run import open_parts, prepared

        notify = notifier(quiet, as_json)
        if not config.evaluate.sets:
            raise InputError(f"{recipe}: evaluate.sets is empty: there is nothing to evaluate on")
        folder = str(model) if model else None
        with prepared(config, notify) as (config, notify), open_parts(config, notify, model=folder) as parts:
            records = [parts.evaluate(name, config.rollout.max_tokens).record(0, name) for name in parts.sets]
        if not is_first_rank():
            return
        if out:
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
        if as_json:
            show_json({"evaluations": records})
            return
        for table in accuracy_tables(records, config.evaluate.samples):
            safe_console(markup=False).print(table)


@train.command()
def keys() -> None:
    """Print every key of a recipe with its default and its meaning, as Markdown.

    \b
    Example:
      microcoder train keys > keys.md
    """
    from microcoder_rl.recipe.config import Config

    echo(key_reference(Config, "Keys of a training recipe"), nl=False)


def _show_next(recipe: Path, overrides: tuple[str, ...], config: Config) -> None:
    """Print what a finished run has written, and the commands that use it."""
    from microcoder_rl.saved_checkpoints import saved_steps

    out = Path(config.run.out)
    steps = saved_steps(out / "checkpoints")
    echo(f"run folder: {out}")
    if steps:
        newest = out / "checkpoints" / f"step-{max(steps):06d}"
        echo(f"checkpoint: {newest}   (a model folder)")
        plot = shlex.join([str(out), "--out", str(out / "curves.html")])
        echo(f"next: microcoder train plot {plot}   # with further run folders it compares them")
        echo(f"      microcoder train eval {shlex.join([str(recipe), *overrides, '--model', str(newest)])}")


train.add_command(init_command)
