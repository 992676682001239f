"""The command `microcoder data fidelity`. Heavy imports are inside the command."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import click

from microcoder_eval import InputError
from microcoder_eval.command_line import echo, json_option, show_json
from microcoder_eval.plural import counted


@click.command("fidelity")
@click.argument("paths", nargs=-1, required=True, metavar="RAW... DATASET", type=click.Path(path_type=Path))
@click.option("--examples", type=click.IntRange(0), default=3, show_default=True, help="Rows shown for each rule.")
@json_option
def fidelity_command(paths: tuple[Path, ...], examples: int, as_json: bool) -> None:
    """Show what the rows of DATASET lost of the RAW files that they come from, by rule and source.

    Records are matched by file name and line. Numbers, words, samples, code, formulas, lists, tables and links count.

    \b
    Example:
      microcoder data fidelity raw/taco.jsonl raw/leetcode.jsonl datasets/mine
    """
    if len(paths) < 2:
        raise InputError("give at least one raw file, and the dataset's directory last")
    from microcoder_data.fidelity.of_dataset import Lost, compared_with

    count, lost = compared_with(paths[:-1], paths[-1])
    if as_json:
        show_json({"rows": count, "lost": [one._asdict() for one in lost]})
        return
    groups: dict[tuple[str, str], list[Lost]] = defaultdict(list)
    for one in lost:
        groups[", ".join(one.rules) or "(a later stage)", one.source].append(one)
    echo(f"{counted(count, 'row')} compared, {len(lost)} lost something")
    for (rules, source), some in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        dropped = sum(one.outcome == "dropped" for one in some)
        echo(f"{len(some):6} {rules}, {source}" + (f" ({dropped} dropped)" if dropped else ""))
        for one in some[:examples]:
            echo(f"         {one.problem_id}: {100 * one.share:.1f} %: {one.detail}")


COMMANDS = [fidelity_command]
