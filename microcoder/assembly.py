"""The command `microcoder`: assembles the groups of the packages, each loaded only when it is called."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import NamedTuple

import click

from microcoder_eval.command_line import CommandGroup, Mistake
from microcoder_eval.install_line import install_line


class Deferred(NamedTuple):
    """A command or a group of commands, known before it is imported."""

    place: str
    """`module:attribute`."""
    summary: str
    extras: tuple[str, ...] = ()
    """The extras of the package that it needs."""


COMMANDS = {
    "quickstart": Deferred(
        "microcoder_rl.commands.quickstart:quickstart",
        "See the whole loop at work in minutes, offline.",
        ("data", "train"),
    ),
    "eval": Deferred("microcoder_eval.commands:evaluate", "Grade programs and model replies."),
    "data": Deferred("microcoder_data.commands:data", "Build, inspect and compare datasets.", ("data",)),
    "problems": Deferred(
        "microcoder_data.problem_set.commands:problems",
        "The embedded problem set: show, check, extend.",
        ("data",),
    ),
    "train": Deferred("microcoder_rl.commands:train", "Train a coding model.", ("train",)),
    "lab": Deferred(
        "microcoder_rl.commands.lab:lab",
        "Test the paper's insights in a small world, with seeds.",
        ("data", "train"),
    ),
    "model": Deferred(
        "microcoder_rl.commands.model:model", "Make a real language model that trains on two cores.", ("train",)
    ),
    "home": Deferred("microcoder_eval.commands:home", "List all runs, datasets and pages of a folder on one page."),
    "doctor": Deferred("microcoder_eval.commands:doctor", "Show what protects this machine from untrusted programs."),
}

WORKFLOW = {
    "Start here": ("quickstart", "doctor", "home"),
    "Work": ("data", "problems", "eval", "model", "train", "lab"),
}
"""The sections of the help, in the order of the work."""

ADDED = {"eval": ["microcoder_rl.commands.generate:generate"]}
"""Commands that another package adds to a group. The group's own package may not import that one."""


class LazyGroup(CommandGroup):
    """A group that knows its commands' names and summaries without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        entry = COMMANDS[name]
        try:
            command = _load(entry.place)
            for added in ADDED.get(name, ()):
                assert isinstance(command, click.Group)
                command.add_command(_load(added))
        except ModuleNotFoundError as missing:
            if not entry.extras or (missing.name or "").startswith("microcoder"):
                raise
            raise Mistake(f"`microcoder {name}` needs {missing.name}: {install_line(*entry.extras)}") from None
        return command

    def summary(self, ctx: click.Context, name: str) -> str:
        return COMMANDS[name].summary


def _load(place: str) -> click.Command:
    """The command at `module:attribute`."""
    module, attribute = place.split(":")
    command: click.Command = getattr(importlib.import_module(module), attribute)
    return command


@click.command(cls=LazyGroup, workflow=WORKFLOW)
@click.version_option(package_name="microcoder", prog_name="microcoder")
def microcoder() -> None:
    """Grade programs, build verified datasets, train coding models.

    \b
    Examples:
      microcoder quickstart
      microcoder eval grade --problems problems.jsonl --submissions replies.jsonl --out runs/first
      microcoder data build recipe.yaml --out datasets/mine
      microcoder train run pipelines/train/tiny.yaml

    \b
    Exit status:
      0    done
      1    done, but something was bad or could not be judged; or the work itself failed
      2    not done: a wrong call, path or recipe, or a file that cannot be read or written
      130  stopped by Ctrl-C

    \b
    Completion (bash; for zsh and fish: zsh_source, fish_source):
      eval "$(_MICROCODER_COMPLETE=bash_source microcoder)"
    """


def _have_streams() -> None:
    """Replace standard streams that are closed (`>&-`), and escape what a terminal's encoding lacks."""
    while (free := os.open(os.devnull, os.O_RDWR)) <= 2:  # else a file of the command's would get its number
        pass
    os.close(free)
    for number, (name, mode) in enumerate({"stdin": "r", "stdout": "w", "stderr": "w"}.items()):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode))  # noqa: SIM115 - for as long as the process runs
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a notebook has its own
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """Run the command line. A reader that closes the pipe early (`| head`) ends it without a traceback."""
    _have_streams()
    # torch's threads wait for each other after every operation; by default they spin, and on a busy machine use most of
    # their CPU time for that. Read when torch is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        microcoder(prog_name="microcoder")
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    main()
