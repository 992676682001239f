"""The group `microcoder data`, put together from the commands of each folder."""

from __future__ import annotations

import click

from microcoder_data.compare.commands import COMMANDS as SIMILARITY
from microcoder_data.difficulty.commands import COMMANDS as DIFFICULTY
from microcoder_data.export.commands import COMMANDS as EXPORT
from microcoder_data.fidelity.commands import COMMANDS as FIDELITY
from microcoder_data.key_reference import key_reference
from microcoder_data.own_files.commands import COMMANDS as OWN_FILES
from microcoder_data.pipeline.commands import STAGE_COMMANDS, build_command
from microcoder_data.report.commands import COMMANDS as REPORT
from microcoder_eval.command_line import CommandGroup, echo

WORKFLOW = {
    "Build": ("init", "build", "keys"),
    "See what was built, and why": ("why", "inspect", "stats", "report", "fidelity", "diff", "validate"),
    "Measure difficulty": ("attempt", "difficulty"),
    "Find similar problems": ("index", "similar"),
    "Use it elsewhere": ("export", "push"),
    "One stage of a build": tuple(command.name or "" for command in STAGE_COMMANDS),
}


@click.group(cls=CommandGroup, extras=("data",), workflow=WORKFLOW)
def data() -> None:
    """Build datasets of programming problems that can be explained and reproduced."""


@data.command("keys")
def keys_command() -> None:
    """Print every key of a recipe with its default and its meaning, as Markdown.

    \b
    Example:
      microcoder data keys > keys.md
    """
    from microcoder_data.recipe import Recipe

    echo(key_reference(Recipe, "Keys of a dataset's recipe"), nl=False)


for _command in (*OWN_FILES, build_command, *STAGE_COMMANDS, *REPORT, *FIDELITY, *SIMILARITY, *DIFFICULTY, *EXPORT):
    data.add_command(_command)
