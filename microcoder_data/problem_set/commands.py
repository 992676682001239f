"""The commands `microcoder problems ...`: list, show, new, check, export, raw, recall. They only parse and print."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.table import Table

from microcoder_data.problem_set import selection
from microcoder_data.problem_set.check_output import run_check
from microcoder_data.problem_set.export import export_set, find_cheats
from microcoder_data.problem_set.raw_records import measure, write_raw
from microcoder_data.problem_set.reader import KINDS, LANGUAGES, read_entry
from microcoder_data.problem_set.scaffold import new_problem
from microcoder_eval.command_line import (
    CommandGroup,
    echo,
    json_option,
    literal,
    result_console,
    safe_console,
    show_json,
    talk_options,
)
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS
from microcoder_eval.plural import counted
from microcoder_eval.suggest import pasted

root_option = click.option(
    "--root", type=click.Path(path_type=Path), help="Folder of problems.  [default: the embedded problem set]"
)
kind_option = click.option("--kind", type=click.Choice(KINDS), help="Only problems of this kind.")
difficulty_option = click.option(
    "--difficulty", type=click.Choice(DIFFICULTY_LEVELS), help="Only problems this difficult."
)
tag_option = click.option("--tag", help="Only problems with this tag.")


@click.group(cls=CommandGroup, extras=("data",))
def problems() -> None:
    """Look at the embedded problem set, extend it, check it."""


@problems.command(name="list")
@kind_option
@difficulty_option
@tag_option
@root_option
@json_option
def list_command(kind: str | None, difficulty: str | None, tag: str | None, root: Path | None, as_json: bool) -> None:
    """List the problems.

    \b
    Example:
      microcoder problems list --kind call --difficulty hard
    """
    chosen = selection.select(root, kind, difficulty, tag)
    if as_json:
        show_json({"problems": [selection.summary(entry) for entry in chosen]})
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("name", "title", "kind", "difficulty", "tags"):
        table.add_column(heading, no_wrap=heading == "name")
    for entry in chosen:
        table.add_row(*map(literal, (entry.slug, entry.title, entry.kind, entry.difficulty, ", ".join(entry.tags))))
    console = result_console()
    console.print(table)
    counts = ", ".join(f"{sum(e.difficulty == d for e in chosen)} {d}" for d in DIFFICULTY_LEVELS)
    console.print(f"{counted(len(chosen), 'problem')}: {counts}")


@problems.command()
@click.argument("name")
@click.option("--solution", metavar="FILE", help="Print one of its solutions, such as right/sets.py.")
@root_option
@json_option
def show(name: str, solution: str | None, root: Path | None, as_json: bool) -> None:
    """Print the statement of a problem and what comes with it.

    \b
    Examples:
      microcoder problems show dark-cells
      microcoder problems show dark-cells --solution right/sets.py
    """
    entry = read_entry(selection.folder_of(root, name))
    if solution is not None:
        echo(selection.solution_code(entry, solution), nl=False)
    elif as_json:
        show_json({**selection.summary(entry), "statement": entry.statement})
    else:
        limits = f"{entry.time_limit_s:g} s, {entry.memory_limit_mb} MB, checker {entry.checker.kind}"
        echo(f"# {entry.title}\n\n{entry.difficulty}, {entry.kind}, {limits}\n\n{entry.statement.strip()}\n")
        echo("## Solutions\n")
        for each in entry.solutions:
            echo(f"- {each.name}" + (f": {each.reason}" if each.reason else ""))


@problems.command()
@click.argument("name")
@click.option(
    "--kind", type=click.Choice(KINDS), default="stdin", show_default=True, help="The kind of the new problem."
)
@click.option("--root", type=click.Path(path_type=Path), help="Where to make it.  [default: ./problems]")
@json_option
def new(name: str, kind: str, root: Path | None, as_json: bool) -> None:
    """Start a problem: a folder with a small one that passes the check, to be edited.

    \b
    Example:
      microcoder problems new lost-keys --kind call
    """
    root = root or Path("problems")
    folder = new_problem(root, name, kind)
    if as_json:
        show_json({"folder": folder})
        return
    echo(f"{folder}: edit its files, then run: microcoder problems check {name} --root {pasted(root)}")


@problems.command()
@click.argument("names", nargs=-1)
@click.option(
    "--workers", type=click.IntRange(1), help="Problems and tests run at a time.  [default: one for each CPU]"
)
@root_option
@talk_options
@json_option
def check(names: tuple[str, ...], workers: int | None, quiet: bool, root: Path | None, as_json: bool) -> None:
    """Check problems by their own solutions: all of them, or those named.

    Right solutions must be accepted and wrong ones rejected in the way that they announce; generators must give the
    same tests twice, and the statement's samples must be the first tests. The exit status is 1 when something is wrong.
    With --quiet only what is wrong and the summary are printed.

    \b
    Examples:
      microcoder problems check
      microcoder problems check dark-cells bead-ring
    """
    sys.exit(0 if run_check(selection.folders_of(root, names), workers, quiet, as_json) else 1)


@problems.command()
@click.argument("out", type=click.Path(path_type=Path))
@kind_option
@difficulty_option
@tag_option
@click.option("--language", type=click.Choice(sorted(LANGUAGES.values())), help="Only programs in this language.")
@click.option("--cheats", is_flag=True, help="Add programs that try to cheat the grader.")
@root_option
@json_option
def export(
    out: Path,
    kind: str | None,
    difficulty: str | None,
    tag: str | None,
    language: str | None,
    cheats: bool,
    root: Path | None,
    as_json: bool,
) -> None:
    """Write OUT/problems.jsonl and OUT/submissions.jsonl: the problems with their tests, and all their solutions.

    These are the files that `microcoder eval grade` reads. A submission says in "announced" how it should end.

    \b
    Examples:
      microcoder problems export set --difficulty easy
      microcoder eval grade --problems set/problems.jsonl --submissions set/submissions.jsonl --out graded
    """
    chosen = [selection.with_solutions_in(entry, language) for entry in selection.select(root, kind, difficulty, tag)]
    programs = export_set(chosen, out, find_cheats() if cheats else ())
    if as_json:
        show_json({"out": out, "problems": len(chosen), "programs": programs})
        return
    written = counted(len(chosen), "problem"), counted(programs, "program")
    echo(f"{out}/problems.jsonl: {written[0]}   {out}/submissions.jsonl: {written[1]}")


@problems.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--seed", type=int, default=0, show_default=True, help="Decides which problem gets which fault.")
@root_option
@json_option
def raw(out: Path, seed: int, root: Path | None, as_json: bool) -> None:
    """Write the problems as raw records in publishers' schemas, with planted faults and a key.

    The faults are what real dumps have: HTML, other languages, missing images, tests cut short, wrong answers, several
    answers without a checker, copies, the same task under another story, problems of a benchmark, broken lines.

    \b
    Examples:
      microcoder problems raw raw
      microcoder data build raw/recipe.yaml --out dataset
      microcoder problems recall raw/key.jsonl dataset
    """
    entries = selection.all_problems(root)
    with safe_console(stderr=True).status(f"making the tests of {counted(len(entries), 'problem')}, once"):
        key = write_raw(entries, out, seed)
    planted = sum(bool(each.fault) for each in key)
    if as_json:
        show_json({"out": out, "records": len(key), "planted": planted})
        return
    echo(f"{out}: {counted(len(key), 'record')}, {planted} with a planted fault; {out}/key.jsonl lists them")


@problems.command()
@click.argument("key", type=click.Path(path_type=Path))
@click.argument("dataset", type=click.Path(path_type=Path))
@json_option
def recall(key: Path, dataset: Path, as_json: bool) -> None:
    """Count how many of the planted faults of KEY the build of DATASET has found.

    \b
    Example:
      microcoder problems recall raw/key.jsonl dataset
    """
    lines = measure(key, dataset)
    if as_json:
        show_json({"faults": [line.to_dict() for line in lines]})
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("planted", "what should happen", "did happen", "missed"):
        table.add_column(heading)
    for line in lines:
        should = f"{line.outcome} by {line.stage}" if line.stage else line.outcome
        cells = line.fault or "no fault", should, f"{line.found} of {line.planted}", ", ".join(line.missed)
        table.add_row(*map(literal, cells))
    result_console().print(table)
