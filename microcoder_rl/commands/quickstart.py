"""`microcoder quickstart`: build a dataset, grade programs, train a tiny model. Offline, on two cores.

The work is in `microcoder_rl/quickstart/`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path

import click

from microcoder_data.commands import data
from microcoder_data.lock import exclusive
from microcoder_data.problem_set.commands import problems
from microcoder_eval import InputError
from microcoder_eval.command_line import Mistake, Stopped, echo, json_option, show_json, talk_options
from microcoder_eval.commands import evaluate
from microcoder_eval.install_line import install_line
from microcoder_rl.commands import OVERRIDES, train
from microcoder_rl.quickstart.chapters import Chapter, Step
from microcoder_rl.quickstart.run import prepare_folder, run_chapters

GROUPS: dict[str, click.Group] = {"problems": problems, "data": data, "eval": evaluate, "train": train}
"""The groups whose commands a quickstart runs."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@OVERRIDES
@click.option(
    "--out", type=click.Path(path_type=Path), default="runs/quickstart", show_default=True, help="Output folder."
)
@click.option("--fresh", is_flag=True, help="Remove what an earlier quickstart left, and start over.")
@click.option("--steps", type=click.IntRange(1), default=60, show_default=True, help="Steps of training.")
@talk_options
@json_option
def quickstart(overrides: tuple[str, ...], out: Path, fresh: bool, steps: int, quiet: bool, as_json: bool) -> None:
    """Run the whole loop: build a dataset, grade programs, train a model. Takes two to five minutes.

    \b
    Nothing is downloaded. A quickstart that was stopped continues where it was.
    KEY=VALUE overrides a key of the training's recipe, as in `microcoder train run`.

    \b
    Examples:
      microcoder quickstart --fresh
      microcoder quickstart --steps 3 tiny.warmup_steps=20
    """
    missing = [name for name in ("pyarrow", "torch") if find_spec(name) is None]
    if missing:
        raise Mistake(f"the quickstart needs {' and '.join(missing)}: {install_line('data', 'train')}")
    from microcoder_rl.quickstart.page import write_index

    prepare_folder(out, fresh)
    with exclusive(out):
        began = time.monotonic()
        try:
            with _progress_output(quiet, as_json):
                run_chapters(out, steps, overrides, show_chapter=_show_chapter, show_step=_show_step, run_command=_run)
        except KeyboardInterrupt:
            raise Stopped("stopped; the same command continues where it was") from None
        index = write_index(out)
    seconds = round(time.monotonic() - began)
    if as_json:
        show_json({"page": index.resolve(), "seconds": seconds})
        return
    echo(f"\nDone in {seconds} s. Open this page in a browser:\n  {index.resolve()}")


@contextmanager
def _progress_output(quiet: bool, as_json: bool) -> Iterator[None]:
    """Redirect what the steps print: to standard error with --json, to nowhere with --quiet."""
    with ExitStack() as stack:
        if quiet:
            nowhere = stack.enter_context(open(os.devnull, "w"))
            stack.enter_context(redirect_stderr(nowhere))
            stack.enter_context(redirect_stdout(nowhere))
        elif as_json:
            stack.enter_context(redirect_stdout(sys.stderr))
        yield


def _show_chapter(number: int, count: int, chapter: Chapter) -> None:
    echo()
    echo(f"{number} of {count}: {chapter.title}", bold=True)
    echo(chapter.about)


def _show_step(step: Step, finished: bool) -> None:
    echo("\n$ microcoder " + " ".join(step.command), fg="cyan")
    if finished:
        echo("finished before; --fresh runs it again")


def _run(command: tuple[str, ...]) -> None:
    """Run one of the other commands in this process. Ctrl-C is passed on as KeyboardInterrupt."""
    try:
        GROUPS[command[0]].main(list(command[1:]), prog_name=f"microcoder {command[0]}", standalone_mode=False)
    except (Stopped, click.Abort):
        raise KeyboardInterrupt from None
    except SystemExit as exit_:
        if exit_.code not in (0, None):
            raise InputError(f"microcoder {' '.join(command)}: ended with status {exit_.code}") from None
