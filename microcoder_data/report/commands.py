"""The commands that query a finished dataset. Heavy imports wait for the command."""

from __future__ import annotations

import shlex
from itertools import islice
from pathlib import Path
from typing import Any

import click

from microcoder_data.pipeline.commands import show_account
from microcoder_eval import InputError
from microcoder_eval.command_line import echo, json_option, show_json
from microcoder_eval.plural import counted


@click.command("why")
@click.argument("problem_id", metavar="ID")
@click.option("--in", "directory", required=True, type=click.Path(path_type=Path), help="The dataset's directory.")
@json_option
def why_command(problem_id: str, directory: Path, as_json: bool) -> None:
    """Show why a row or record is in the dataset, or why not. ID is its id, or file:line of its source.

    \b
    Examples:
      microcoder data why codeforces-1234A --in datasets/mine
      microcoder data why raw/stack.jsonl:17 --in datasets/mine
    """
    from microcoder_data.report.why import why

    lines = why(directory, problem_id)
    show_json({"asked": problem_id, "found": lines}) if as_json else echo("\n".join(lines))


@click.command("inspect")
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("problem_id", metavar="[ID]", required=False)
@click.option(
    "--count", type=click.IntRange(1), default=1, show_default=True, help="Without ID: show the first N problems."
)
@json_option
def inspect_command(directory: Path, problem_id: str | None, count: int, as_json: bool) -> None:
    """Show problems of the dataset in DIRECTORY as a model is asked them; with --json, every column.

    ID is what `data why` takes: an id, the end of one, or `file:line`.

    \b
    Examples:
      microcoder data inspect datasets/mine --count 3
      microcoder data inspect datasets/mine codeforces-1234A --json
    """
    from microcoder_data.process.render import render
    from microcoder_data.report.dataset import rows
    from microcoder_data.report.why import is_named

    if not problem_id:
        chosen = list(islice(rows(directory), count))
    else:
        chosen = [row for row in rows(directory) if is_named(row, problem_id, True) or problem_id in row["merged_ids"]]
        chosen = chosen or [row for row in rows(directory) if is_named(row, problem_id, False)]
    if problem_id and not chosen:
        asked = shlex.join(["microcoder", "data", "why", problem_id, "--in", str(directory)])
        raise InputError(f"{directory}: no row {problem_id!r}; ask `{asked}`")
    if as_json:
        show_json({"problems": chosen})
        return
    for row in chosen:
        echo(f"<!-- {row['problem_id']}: {row['kind']}, {counted(len(row['tests']), 'test')} -->\n\n{render(row)}\n")


@click.command("stats")
@click.argument("directory", type=click.Path(path_type=Path))
@json_option
def stats_command(directory: Path, as_json: bool) -> None:
    """Count the rows of the dataset in DIRECTORY by source, kind, language, level, year and more.

    \b
    Example:
      microcoder data stats datasets/mine
    """
    from microcoder_data.report.stats import stats

    found = stats(directory)
    if as_json:
        show_json(found)
        return
    show_account(found["stages"])
    for name, counts in found["counts"].items():
        echo(f"{name:12} " + ", ".join(f"{value} {count}" for value, count in counts.items()))


@click.command("report")
@click.argument("directory", type=click.Path(path_type=Path))
@json_option
def report_command(directory: Path, as_json: bool) -> None:
    """Write the dataset card (README.md) and report.html of the build in DIRECTORY again.

    A build writes both at its end. Counts of the collected rows need the build's work/ folder.

    \b
    Example:
      microcoder data report datasets/mine
    """
    from microcoder_data.report.describe import describe

    written = list(describe(directory))
    show_json({"written": written}) if as_json else echo("\n".join(f"{path} is written" for path in written))


def line_of_setting(name: str, old: Any, new: Any) -> str:
    """What a setting was and is; of a whole source, only what it sets."""
    short = [
        {key: inner for key, inner in value.items() if inner not in (None, {}, [])}
        if isinstance(value, dict)
        else value
        for value in (old, new)
    ]
    return f"setting {name}: {short[0]} -> {short[1]}"


@click.command("diff")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@json_option
def diff_command(first: Path, second: Path, as_json: bool) -> None:
    """Compare two datasets: rows added, removed and changed, and the settings that differ; with --json, every id.

    \b
    Example:
      microcoder data diff datasets/monday datasets/tuesday
    """
    from microcoder_data.report.diff import diff

    found = diff(first, second)
    if as_json:
        show_json(found)
        return
    if found["same"]:
        echo(f"the same {counted(found['rows'][0], 'row')}")
        return
    echo(f"{counted(found['rows'][0], 'row')}, then {found['rows'][1]}")
    for kind in ("added", "removed", "changed"):
        names = found[kind]
        echo(f"{kind} {len(names)}")
        for name in list(names)[:10]:
            echo(f"  {name}" + (f": {names[name]}" if isinstance(names, dict) else ""))
        if len(names) > 10:
            echo(f"  ... and {len(names) - 10} more (--json shows all)")
    for column, count in found["changed_columns"].items():
        echo(f"column {column} differs in {counted(count, 'row')}")
    for name, (old, new) in found["settings"].items():
        echo(line_of_setting(name, old, new))


@click.command("validate")
@click.argument("directory", type=click.Path(path_type=Path))
@json_option
def validate_command(directory: Path, as_json: bool) -> None:
    """Check the dataset in DIRECTORY: checksums, schema, hashes of rows, counts, gradability.

    The exit status is 1 when something is wrong.

    \b
    Example:
      microcoder data validate datasets/mine
    """
    from microcoder_data.report.validate import validate

    faults = validate(directory)
    if as_json:
        show_json({"whole": not faults, "faults": faults})
    for fault in () if as_json else faults[:100]:
        echo(fault, err=True)
    if faults:
        raise click.ClickException(f"{directory}: {counted(len(faults), 'fault')}")
    if not as_json:
        echo(f"{directory} is whole")


COMMANDS = [why_command, inspect_command, stats_command, report_command, diff_command, validate_command]
