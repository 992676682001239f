"""`microcoder lab`: world, plan, run, page. The work is in `microcoder_rl/lab/`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from microcoder_eval.atomic import atomic_path
from microcoder_eval.command_line import (
    CommandGroup,
    echo,
    json_option,
    path_type,
    result_console,
    show_json,
    talk_options,
)
from microcoder_eval.errors import InputError
from microcoder_eval.plural import counted
from microcoder_rl.commands.messages import notifier, one_line_errors

CLAIMS = click.option("--claims", default="", metavar="NAMES", help="Such as C1, or M1-M6,K1.  [default: all]")
SEEDS = click.option(
    "--seeds", type=click.IntRange(1, 1000), help="Seeds of every arm.  [default: what the experiment says]"
)
OUT = click.option(
    "--out", type=path_type, default="runs/lab", show_default=True, help="Folder of results and warmed-up models."
)
LAB = click.option("--recipes", type=path_type, help="Folder of experiments.  [default: pipelines/lab]")


@click.group(cls=CommandGroup, extras=("data", "train"))
def lab() -> None:
    """Test the paper's 34 insights in a small world, with seeds and intervals."""


@lab.command()
@OUT
@LAB
@talk_options
@json_option
def world(out: Path, recipes: Path | None, quiet: bool, as_json: bool) -> None:
    """Measure the lab's world before any training. The first call warms a model up: half a minute.

    \b
    Example:
      microcoder lab world
    """
    with one_line_errors():
        from rich.table import Table

        from microcoder_rl.lab.experiment import load_lab
        from microcoder_rl.lab.one_run import Bench
        from microcoder_rl.lab.properties import measure
        from microcoder_rl.lab.world_config import WorldConfig

        bench = Bench(out, notifier(quiet, as_json))
        try:
            rows = measure(WorldConfig(), load_lab(recipes), bench)
        finally:
            bench.close()
        with atomic_path(out / "world.json") as path:
            path.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
        if as_json:
            show_json({"properties": [{**asdict(row), "holds": row.holds} for row in rows]})
        else:
            shown = Table("property", "value", "wanted", "for", "")
            for row in rows:
                held = "" if row.holds else "does not hold"
                shown.add_row(row.name, f"{row.value:.3f}", f"{row.least:g} to {row.most:g}", row.why, held)
            result_console().print(shown)
        missing = [row.name for row in rows if not row.holds]
        if missing:
            raise click.ClickException(f"the world lacks what the experiments need: {'; '.join(missing)}")


@lab.command()
@CLAIMS
@SEEDS
@OUT
@LAB
@json_option
def plan(claims: str, seeds: int | None, out: Path, recipes: Path | None, as_json: bool) -> None:
    """List the runs that claims need, what is done, and what the rest costs. Runs that claims share are counted once.

    \b
    Example:
      microcoder lab plan --claims M1-M6
    """
    from rich.table import Table

    from microcoder_rl.lab.experiment import load_lab
    from microcoder_rl.lab.results import Results, shipped_results
    from microcoder_rl.lab.runner import cpu_s, wanted

    known = load_lab(recipes)
    runs = wanted(known, known.chosen(claims), seeds)
    done = Results(out / "results.jsonl").read()
    todo = [each for each in runs if each.run not in done]
    recorded = Results(shipped_results()).read()
    seconds = cpu_s(todo, {**recorded, **done}.values())
    arms: dict[str, list[int]] = {}
    decides = {}
    for each in runs:
        name = f"{each.experiment}/{each.name}"
        arms.setdefault(name, []).append(each.run in done)
        decides[name] = " ".join(each.claims)
    if as_json:
        show_json({"runs": len(runs), "done": len(runs) - len(todo), "cpu_s": seconds, "decides": decides})
        return
    shown = Table("arm", "seeds", "done", "decides")
    for name, flags in arms.items():
        shown.add_row(name, str(len(flags)), str(sum(flags)), decides[name])
    result_console().print(shown)
    cost = f"{seconds / 60:.0f} CPU minutes" if seconds >= 120 else f"{seconds:.0f} CPU seconds"
    echo(f"runs to be done: {len(todo)} of {len(runs)}, about {cost}, and 20 CPU seconds for each model")


@lab.command()
@CLAIMS
@SEEDS
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Runs at the same time.")
@OUT
@LAB
@talk_options
@json_option
def run(claims: str, seeds: int | None, jobs: int, out: Path, recipes: Path | None, quiet: bool, as_json: bool) -> None:
    """Do the runs that claims need and that are not done yet. The same command resumes after a stop.

    \b
    Example:
      microcoder lab run --claims C1 --seeds 8
    """
    with one_line_errors("stopped; the same command continues where it was"):
        from microcoder_rl.lab.decide import decide
        from microcoder_rl.lab.experiment import load_lab
        from microcoder_rl.lab.results import Results
        from microcoder_rl.lab.runner import run_missing, wanted

        known = load_lab(recipes)
        chosen = known.chosen(claims)
        runs = wanted(known, chosen, seeds)
        differing = run_missing(recipes, runs, out, jobs=jobs, notify=notifier(quiet, as_json))
        store = Results(out / "results.jsonl")
        verdicts = {
            name: decide(known.claims[name][1], store.runs(known, known.claims[name][0])).verdict for name in chosen
        }
        if as_json:
            show_json({"results": store.path, "verdicts": verdicts, "differ_from_recorded": differing})
        else:
            for name, verdict in verdicts.items():
                echo(f"{name}: {verdict}")
            for line in differing:
                echo(f"differs from the recorded run: {line}")
        if differing:
            raise click.ClickException(f"{counted(len(differing), 'run')} gave other figures than recorded")


@lab.command()
@click.option("--results", type=path_type, help="A results.jsonl.  [default: the recorded one]")
@click.option("--out", type=path_type, default=".", show_default=True, help="Folder of the two pages.")
@LAB
@json_option
def page(results: Path | None, out: Path, recipes: Path | None, as_json: bool) -> None:
    """Write insights.md and insights_curves.html from results.

    The world's table comes from world.json in the same folder.

    \b
    Example:
      microcoder lab page --results runs/lab/results.jsonl --out runs/lab
    """
    from microcoder_rl.lab.experiment import load_lab
    from microcoder_rl.lab.page import WorldRow, write_pages
    from microcoder_rl.lab.results import Results, shipped_results

    if results and not results.is_file():
        raise InputError(f"{results}: no such file; `microcoder lab run` writes one")
    source = results or shipped_results()
    world_file = source.with_name("world.json")
    rows = json.loads(world_file.read_text(encoding="utf-8")) if world_file.is_file() else []
    written = write_pages(load_lab(recipes), Results(source), [WorldRow(**row) for row in rows], out)
    if as_json:
        show_json({"pages": list(written)})
    else:
        for path in written:
            echo(f"page: {path}")
