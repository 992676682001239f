"""The command `microcoder data init`: it parses options and prints. Heavy imports are inside the command."""

from __future__ import annotations

from pathlib import Path

import click

from microcoder_data.faults import OUR_FAULT, faults_of
from microcoder_data.pipeline.commands import show_account
from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path
from microcoder_eval.command_line import echo, json_option, show_json
from microcoder_eval.suggest import did_you_mean, pasted


@click.command("init")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("recipe.yaml"), show_default=True, help="The recipe."
)
@click.option(
    "--field",
    "named",
    multiple=True,
    metavar="COLUMN=FIELD",
    help="Which field of your files is a column, such as tests=cases or statement=content.en; may be repeated.",
)
@click.option("--sample", type=click.IntRange(1), default=300, show_default=True, help="How many records to look at.")
@click.option("--force", is_flag=True, help="Replace an existing recipe.")
@json_option
def init_command(
    files: tuple[Path, ...], out: Path, named: tuple[str, ...], sample: int, force: bool, as_json: bool
) -> None:
    """Look at FILES and write a recipe that fits them.

    It prints what the files contain (fields, kinds, languages, tests, solutions), tries the rules on a sample, relaxes
    those that are about form only (samples, sections, English), and prints which rows are still dropped and what would
    keep them.

    \b
    Examples:
      microcoder data init problems.jsonl
      microcoder data init tasks/*.json --out recipes/tasks.yaml --field statement=body
    """
    from microcoder_data.own_files.dataset import dataset_name
    from microcoder_data.own_files.fit_rules import RECORD_S, RECORDS_RUN, can_run, fit_rules
    from microcoder_data.own_files.look import look
    from microcoder_data.own_files.recipe_text import recipe_text
    from microcoder_data.sources.generic import FIELDS

    if out.exists() and not force:
        raise InputError(f"{out} is there already: --force replaces it, --out names another file")
    places = {}
    for option in named:
        column, equals, place = option.partition("=")
        if not equals or not place:
            raise InputError(f"--field {option}: write COLUMN=FIELD, such as statement=body")
        if column not in FIELDS:
            raise InputError(f"--field {option}: unknown column {column!r}{did_you_mean(column, FIELDS, or_list=True)}")
        places[column] = place
    seen = look(files, sample, places)
    for line in () if as_json else seen.lines():
        echo(line)
    if not seen.rows:
        raise InputError(f"{files[0]}: no record can be read as a problem")
    if can_run(seen) and not as_json:
        most = min(RECORDS_RUN, seen.with_solutions)
        echo(
            f"trying the rules; solutions of at most {most} of the records are run, each up to {RECORD_S} s of CPU time"
        )
    fitted = fit_rules(seen, sample)
    for fault in faults_of([*fitted.manifest["stages"], *fitted.execution_manifest.get("stages", ())]):
        echo(f"{OUR_FAULT}: {fault}", err=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(out) as path:
        path.write_text(recipe_text(seen, fitted, dataset_name(files[0])), encoding="utf-8")
    if as_json:
        show_json(
            {"recipe": out, "records": seen.records, "rows": seen.rows, "fields": seen.fields}
            | {"settings": fitted.settings, "execution": fitted.execution, "stages": fitted.manifest["stages"]}
        )
        return
    echo(f"\ntried on {seen.looked_at}, without running programs:")
    show_account(fitted.manifest["stages"], fitted.remedies)
    if seen.with_solutions and not fitted.execution:
        languages = ", ".join(seen.solution_languages)
        echo(f"\nthe solutions ({languages}) cannot be run here: `microcoder doctor --all` says what they need")
    executed = [stage for stage in fitted.execution_manifest.get("stages", ()) if stage["stage"] == "verify"]
    if executed:
        echo(f"\nand on {executed[0]['in']:,} of them, with their solutions run against their tests:")
        show_account(executed, fitted.remedies)
    kept = f"{fitted.manifest['rows']:,} of {'the first ' * seen.more}{seen.records:,} are kept"
    if executed and executed[0]["kept"] < executed[0]["in"]:
        kept += f" before solutions are run, and {executed[0]['kept']:,} of {executed[0]['in']:,} after that"
    echo(f"\n{kept}; the recipe is {out}")
    dataset = pasted(f"datasets/{dataset_name(files[0])}")
    echo(f"next: microcoder data build {pasted(out)} --out {dataset}")


COMMANDS = [init_command]
