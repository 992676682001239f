"""The commands `microcoder data export` and `microcoder data push`. Heavy imports wait for the command."""

from __future__ import annotations

from pathlib import Path

import click

from microcoder_data.export import FORMAT_MODULES
from microcoder_eval.command_line import echo, json_option, show_json
from microcoder_eval.plural import counted

path_type = click.Path(path_type=Path)


@click.command("export")
@click.argument("directory", metavar="DATASET", type=path_type)
@click.option("--to", type=click.Choice(list(FORMAT_MODULES)), required=True, help="The tool that will read the file.")
@click.option(
    "--out", required=True, type=path_type, help="The file: .parquet for verl and trl, .jsonl for the others."
)
@json_option
def export_command(directory: Path, to: str, out: Path, as_json: bool) -> None:
    """Write DATASET in the format of another tool.

    \b
    verl           Parquet with tests for verl's own code reward
    trl            Parquet with a conversational prompt, and the problem for a reward function
    livecodebench  JSON lines like those of its code_generation_lite
    jsonl          JSON lines for `microcoder eval grade --problems`

    Rows that a format cannot express (LiveCodeBench has no checkers, for example) are left out and counted.

    \b
    Example:
      microcoder data export datasets/mine --to verl --out mine.parquet
    """
    from microcoder_data.export.write import export

    done = export(directory, to, out)
    if as_json:
        show_json({"written": done.written, "left_out": dict(done.left_out), "approximate": dict(done.approximate)})
        return
    echo(f"{counted(done.written, 'row')} in {out}")
    for loss, count in done.approximate.items():
        echo(f"of these, {count}: {loss}")
    for reason, count in done.left_out.most_common():
        echo(f"left out {count}: {reason}")


@click.command("push")
@click.argument("directory", metavar="DATASET", type=path_type)
@click.option(
    "--repo", required=True, metavar="OWNER/NAME", help="The dataset's repository on the hub; made if missing."
)
@click.option("--private", is_flag=True, help="Make a new repository private.")
@click.option("--token", help="The hub's token, instead of HF_TOKEN or `hf auth login`.")
@click.option("--message", default="Upload the dataset", show_default=True, help="The commit's message.")
@click.option("--dry-run", is_flag=True, help="Only list what would be uploaded.")
@json_option
def push_command(
    directory: Path, repo: str, private: bool, token: str | None, message: str, dry_run: bool, as_json: bool
) -> None:
    """Upload DATASET to the Hugging Face hub: rows, card, manifest and report.

    The hub's address is taken from HF_ENDPOINT, if that is set.

    \b
    Example:
      microcoder data push datasets/mine --repo me/problems --private --dry-run
    """
    from microcoder_data.export.hub import plan, push

    planned = plan(directory, repo)
    if dry_run and as_json:
        sizes = {str(file.relative_to(directory)): file.stat().st_size for file in planned.files}
        show_json({"repo": repo, "files": sizes, "bytes": planned.size})
        return
    if dry_run:
        for file in planned.files:
            echo(f"{file.stat().st_size:>12,}  {file.relative_to(directory)}")
        echo(f"{planned.size:>12,}  bytes in {counted(len(planned.files), 'file')} would go to {repo}")
        return
    where = push(planned, private, token, message)
    show_json({"repo": repo, "url": where}) if as_json else echo(where)


COMMANDS = [export_command, push_command]
