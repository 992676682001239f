"""The commands that find similar statements. Heavy imports are inside the commands."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import click

from microcoder_eval.command_line import echo, json_option, show_json


@click.command("index")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The index file, such as problems.npz.")
@json_option
def index_command(directory: Path, out: Path, as_json: bool) -> None:
    """Index the statements of the dataset in DIRECTORY for `similar`.

    \b
    Example:
      microcoder data index datasets/mine --out problems.npz
    """
    from microcoder_data.compare.statement_index import StatementIndex
    from microcoder_data.process.render import whole_text
    from microcoder_data.report.dataset import rows

    columns = ["problem_id", "statement", "input_format", "output_format", "constraints", "notes"]
    index = StatementIndex()
    index.add((row["problem_id"], whole_text(row)) for row in rows(directory, columns))
    index.save(out)
    show_json({"index": out}) if as_json else echo(f"{out} is written")


@click.command("similar")
@click.argument("index", type=click.Path(path_type=Path))
@click.argument("statement", type=click.File(encoding="utf-8", errors="replace"), default="-")
@json_option
def similar_command(index: Path, statement: IO[str], as_json: bool) -> None:
    """Find problems in INDEX that are similar to STATEMENT (a text file, or standard input).

    \b
    Example:
      microcoder data similar problems.npz statement.txt
    """
    from microcoder_data.compare.statement_index import StatementIndex

    found = StatementIndex.load(index).similar(statement.read())
    if as_json:
        show_json({"similar": [{"problem_id": name, "jaccard": jaccard} for name, jaccard in found]})
        return
    for name, jaccard in found:
        echo(f"{jaccard:.2f} {name}")
    if not found:
        echo(f"no statement in {index} is similar to this one")


COMMANDS = [index_command, similar_command]
