"""`microcoder quickstart`: build a dataset, grade programs, train a tiny model; everything offline, on two cores."""

from __future__ import annotations

import shutil
import time
from importlib.util import find_spec
from pathlib import Path

import click

from microcoder_eval import InputError

MARK = "quickstart.txt"
"""The file that tells a quickstart's folder from others, which `--fresh` must not remove."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--out", type=click.Path(path_type=Path), default="runs/quickstart", show_default=True, help="Where to.")
@click.option("--fresh", is_flag=True, help="Remove what an earlier quickstart has left, and start over.")
@click.option("--steps", type=click.IntRange(1), default=60, show_default=True, help="Steps of training.")
def quickstart(out: Path, fresh: bool, steps: int) -> None:
    """See the whole loop at work: a dataset, graded programs, a model that learns. Two to five minutes.

    \b
    Nothing is downloaded. A quickstart that was stopped goes on where it was.
    Example:
      microcoder quickstart --fresh
    """
    from microcoder_data.lock import exclusive
    from microcoder_rl.quickstart.page import write_index

    lacking = [name for name in ("pyarrow", "torch") if find_spec(name) is None]
    if lacking:
        raise click.ClickException(
            f'the quickstart needs {" and ".join(lacking)}: pip install "microcoder[data,train]"'
        )

    try:
        _prepare(out, fresh)
        with exclusive(out):
            began = time.monotonic()
            _run_chapters(out, steps)
            index = write_index(out)
    except InputError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or out}: {error.strerror}") from None
    click.echo(f"\nDone in {time.monotonic() - began:.0f} s. Open this page in a browser:\n  {index.resolve()}")


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
    from microcoder_rl.quickstart.chapters import chapters

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
    except click.Abort:
        raise InputError("stopped; the same command goes on") from None
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
