"""`microcoder quickstart`: build a dataset, grade programs, train a tiny model; everything offline, on two cores."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path

import click

from microcoder_eval import InputError
from microcoder_eval.command_line import Mistake, Stopped, json_option, show_json, talk_options

MARK = "quickstart.txt"
"""The file that tells a quickstart's folder from others, which `--fresh` must not remove."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--out", type=click.Path(path_type=Path), default="runs/quickstart", show_default=True, help="Where to.")
@click.option("--fresh", is_flag=True, help="Remove what an earlier quickstart has left, and start over.")
@click.option("--steps", type=click.IntRange(1), default=60, show_default=True, help="Steps of training.")
@talk_options
@json_option
def quickstart(out: Path, fresh: bool, steps: int, quiet: bool, as_json: bool) -> None:
    """See the whole loop at work: a dataset, graded programs, a model that learns. Two to five minutes.

    \b
    Nothing is downloaded. A quickstart that was stopped goes on where it was.
    Example:
      microcoder quickstart --fresh
    """
    lacking = [name for name in ("pyarrow", "torch") if find_spec(name) is None]
    if lacking:
        raise Mistake(f'the quickstart needs {" and ".join(lacking)}: pip install "microcoder[data,train]"')
    from microcoder_data.lock import exclusive
    from microcoder_rl.commands.quickstart.page import write_index

    _prepare(out, fresh)
    with exclusive(out):
        began = time.monotonic()
        try:
            with _elsewhere(quiet, as_json):
                _run_chapters(out, steps)
        except KeyboardInterrupt:
            raise Stopped("stopped; the same command goes on where it was") from None
        index = write_index(out)
    seconds = round(time.monotonic() - began)
    if as_json:
        show_json({"page": index.resolve(), "seconds": seconds})
        return
    click.echo(f"\nDone in {seconds} s. Open this page in a browser:\n  {index.resolve()}")


@contextmanager
def _elsewhere(quiet: bool, as_json: bool) -> Iterator[None]:
    """What the steps print is progress: with --json it goes to standard error, with --quiet nowhere."""
    with ExitStack() as stack:
        if quiet:
            nowhere = stack.enter_context(open(os.devnull, "w"))
            stack.enter_context(redirect_stderr(nowhere))
            stack.enter_context(redirect_stdout(nowhere))
        elif as_json:
            stack.enter_context(redirect_stdout(sys.stderr))
        yield


def _prepare(out: Path, fresh: bool) -> None:
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; give --out a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).exists():
        raise InputError(f"{out} holds something else; give --out another folder")
    if fresh and out.is_dir():
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text("Made by `microcoder quickstart`; can be removed.\n", encoding="utf-8")


def _run_chapters(out: Path, steps: int) -> None:
    from microcoder_rl.commands.quickstart.chapters import chapters

    told = chapters(out, steps)
    for number, chapter in enumerate(told, start=1):
        click.echo()
        click.secho(f"{number} of {len(told)}: {chapter.title}", bold=True)
        click.echo(chapter.about)
        for step in chapter.steps:
            click.secho("\n$ microcoder " + " ".join(step.command), fg="cyan")
            if step.finished is not None and step.finished.exists():
                click.echo("finished before; --fresh does it again")
                continue
            _run(step.command)
            if step.finished is not None:
                step.finished.touch()


def _run(command: tuple[str, ...]) -> None:
    """Run one of the other commands here, as the command line would."""
    try:
        _group(command[0]).main(list(command[1:]), prog_name=f"microcoder {command[0]}", standalone_mode=False)
    except (Stopped, click.Abort):
        raise KeyboardInterrupt from None
    except SystemExit as leaving:
        if leaving.code not in (0, None):
            raise InputError(f"microcoder {' '.join(command)}: ended with status {leaving.code}") from None


def _group(name: str) -> click.Command:
    if name == "problems":
        from microcoder_data.problem_set.commands import problems

        return problems
    if name == "data":
        from microcoder_data.commands import data

        return data
    if name == "eval":
        from microcoder_eval.commands import evaluate

        return evaluate
    from microcoder_rl.commands import train

    return train
