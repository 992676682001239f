"""The commands `microcoder data difficulty` and `microcoder data attempt`, which `microcoder_data/commands.py` adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from microcoder_data.difficulty.page import difficulty_page, interval, shown
from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path, write_json
from microcoder_eval.command_line import echo, json_option, show_json
from microcoder_eval.plural import counted


@click.command("difficulty")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--grades", multiple=True, type=click.Path(path_type=Path), help="A grading run of a model's attempts.")
@click.option(
    "--by",
    type=click.Choice(["pass_rate", "rating", "level"]),
    help="The observed difficulty.  [default: the first of these that enough rows have]",
)
@click.option("--heuristic", is_flag=True, help="Predict by the heuristic, even if the rows have predictions.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the report.  [default: DIRECTORY]")
@json_option
def difficulty_command(
    directory: Path, grades: tuple[Path, ...], by: str | None, heuristic: bool, out: Path | None, as_json: bool
) -> None:
    """Compare predicted with observed difficulty in the dataset in DIRECTORY, and find boundaries for its levels.

    Writes difficulty.json and difficulty.html.

    \b
    Example:
      microcoder data difficulty datasets/mine --grades runs/first
    """
    from microcoder_data.difficulty.predicted_vs_observed import compare

    found = compare(directory, grades, by, heuristic)
    out = out or directory
    write_json(out / "difficulty.json", found)
    with atomic_path(out / "difficulty.html") as path:
        path.write_text(difficulty_page(found), encoding="utf-8")
    if as_json:
        show_json(found)
        return
    rows, by = counted(found["rows"], "row"), found["by"].replace("_", " ")
    echo(f"{rows} with a {by}, predicted by {', '.join(found['predictors'])}")
    for name, one in {"all": found["rank_correlation"], **found["by_source"]}.items():
        echo(f"rank correlation {name:20} {shown(one['value'])}  {interval(one)}")
    held_out = found["held_out"]
    echo(
        f"held out: mean error {held_out['mean_absolute_error']:.3f} "
        f"({held_out['mean_absolute_error_of_the_mean']:.3f} if every prediction is the mean), "
        f"levels right {100 * held_out['level_accuracy']:.1f} % "
        f"({100 * held_out['level_accuracy_of_the_commonest']:.1f} % if every prediction is the commonest level)"
    )
    for name, (medium, hard) in found["boundaries"].items():
        echo(f"boundaries: [{medium}, {hard}]  # {name}")
    echo(f"{out / 'difficulty.html'} is written")


@click.command("attempt")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--recipe", required=True, type=click.Path(path_type=Path), help="The recipe with the model (`llm`).")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File for the submissions (.jsonl).")
@click.option("--count", default=4, show_default=True, type=click.IntRange(min=1), help="Attempts at each problem.")
@click.option("--temperature", default=0.7, show_default=True, type=click.FloatRange(min=0), help="0 is greedy.")
@click.option(
    "--answer-tokens",
    default=8192,
    show_default=True,
    type=click.IntRange(min=1),
    help="At most this many tokens for each attempt.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N problems.")
@json_option
def attempt_command(directory: Path, recipe: Path, out: Path, limit: int | None, as_json: bool, **how: Any) -> None:
    """Let a model attempt the problems of the dataset in DIRECTORY.

    Grade its attempts with `microcoder eval grade`, then give the run to `microcoder data difficulty --grades`. Answers
    are cached in DIRECTORY, so that a stopped run continues where it was.

    \b
    Example:
      microcoder data attempt datasets/mine --recipe recipe.yaml --out attempts.jsonl
    """
    from microcoder_data.difficulty.attempts import attempts
    from microcoder_data.llm import Client
    from microcoder_data.pipeline.build import ANSWERS
    from microcoder_data.recipe import load_recipe

    settings = load_recipe(recipe).llm
    if settings.backend == "none":
        raise InputError(f"{recipe}: llm.backend is none: attempts need a model")
    written = missing = 0
    with Client(settings, directory / ANSWERS) as client, atomic_path(out) as path, path.open("w") as file:
        for submission in attempts(directory, client, limit=limit, **how):
            if submission is None:
                missing += 1
                continue
            file.write(json.dumps(submission) + "\n")
            written += 1
        for line in client.account.lines():
            echo(line, err=True)
    if as_json:
        show_json({"out": out, "attempts": written, "unanswered": missing})
        return
    echo(f"{counted(written, 'attempt')} in {out}" + (f", {missing} without an answer: run again" if missing else ""))


COMMANDS = [difficulty_command, attempt_command]
