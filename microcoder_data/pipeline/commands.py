"""The commands that build: `microcoder data build`, and one for each stage. Heavy imports are inside the commands."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from microcoder_data.faults import OUR_FAULT
from microcoder_data.pipeline.progress import StageProgress
from microcoder_data.pipeline.stages import STAGES
from microcoder_eval.command_line import Stopped, echo, json_option, show_json, talk_options
from microcoder_eval.plural import counted
from microcoder_eval.suggest import pasted

if TYPE_CHECKING:
    from microcoder_data.pipeline.running import Running
    from microcoder_data.recipe import Recipe

logger = logging.getLogger(__name__)
Command = TypeVar("Command", bound=Callable[..., Any])


def build_options(command: Command) -> Command:
    """The options that all commands that build share."""
    options = [
        click.argument("recipe", type=click.Path(path_type=Path)),
        click.option("--out", required=True, type=click.Path(path_type=Path), help="The dataset's directory."),
        click.option(
            "--engine",
            default="local",
            show_default=True,
            metavar="[local|ray]",
            help="Where the work is done: in processes of this machine, or on a Ray cluster.",
        ),
        click.option("--address", help="ray: an existing cluster, such as auto or ray://head:10001."),
        click.option(
            "--workers", type=int, help="Processes; 1 works in the command's own.  [default: one for each core]"
        ),
        click.option("--limit", type=click.IntRange(min=1), help="Take only the first N records of each source."),
        click.option("--strict", is_flag=True, help="Stop at the first record that cannot become a row."),
        talk_options,
        json_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command("build")
@build_options
@click.option("--from-stage", type=click.Choice(list(STAGES)), help="Run this stage and the later ones again.")
@click.option("--resume", is_flag=True, help="Continue a build; finished shards are not built again.")
@click.option(
    "--base", type=click.Path(path_type=Path), help="Reuse the finished work of this dataset; run only what differs."
)
@click.option("--dry-run", is_flag=True, help="Only estimate how many calls and tokens of a language model it needs.")
def build_command(
    resume: bool, from_stage: str | None, base: Path | None, dry_run: bool, as_json: bool, **options: Any
) -> None:
    """Build RECIPE into a dataset.

    A build that was stopped, even by kill -9, is continued with --resume and gives the same bytes.

    \b
    Examples:
      microcoder data build pipelines/data/quick.yaml --out datasets/quick
      microcoder data build recipe.yaml --out datasets/mine --resume --workers 8
      microcoder data build more.yaml --out datasets/more --base datasets/mine
    """
    if dry_run:
        _dry_run(as_json=as_json, **options)
        return
    chosen: dict[str, Any] = {"resume": resume, "from_stage": from_stage or "collect", "until": "verify", "base": base}
    built, unanswered = _run(**chosen, **options)
    manifest = built.manifest
    assert manifest is not None
    _say_first(built)
    if as_json:
        show_json(_account(manifest, options["out"]))
    else:
        _show_result(manifest, options["out"])
    _exit_if_bad(built, unanswered)


def _show_result(manifest: Mapping[str, Any], out: Path) -> None:
    """What was built, where its pages are, and what to do next."""
    show_account(manifest["stages"], _remedies(out))
    echo(f"{counted(manifest['rows'], 'row')} in {out}, logical hash {manifest['logical_sha256'][:16]}")
    echo(f"page: {out}/report.html   card: {out}/README.md")
    if manifest["rows"]:
        dataset = pasted(out)
        echo(f"next: microcoder data inspect {dataset}")
        echo(f"      microcoder data why ID --in {dataset}")
        echo(f"      microcoder data export {dataset} --to trl --out train.parquet")


def _say_first(built: Running) -> None:
    """What the user must know before the account."""
    for fault in built.faults:
        echo(f"{OUR_FAULT}: {fault}", err=True)
    for warning in built.warnings:
        echo(f"warning: {warning}", err=True)


def _exit_if_bad(built: Running, unanswered: int) -> None:
    """Exit with status 1: the build ran to its end, but no row is left, this program failed on a row, or the model left
    questions unanswered (server or budget)."""
    if unanswered or built.faults or not built.before.total("kept"):
        click.get_current_context().exit(1)


def _account(manifest: dict[str, Any], out: Path) -> dict[str, Any]:
    return {"out": out, **{key: manifest[key] for key in ("rows", "logical_sha256", "stages", "warnings")}}


def stage_command(stage: str, summary: str) -> click.Command:
    """The command that runs the build up to this stage."""

    @click.command(
        stage,
        help=f"{summary}\n\nEarlier stages are run first where they are not finished.\n\n\b\nExample:\n"
        f"  microcoder data {stage} recipe.yaml --out datasets/mine",
    )
    @build_options
    def run_stage(as_json: bool, **options: Any) -> None:
        built, unanswered = _run(resume=True, from_stage="collect", until=stage, **options)
        manifest = built.manifest
        _say_first(built)
        if as_json:
            show_json({"stage": stage, **(_account(manifest, options["out"]) if manifest else {"out": options["out"]})})
        else:
            rows = counted(built.before.total("kept"), "row")
            echo(f"{stage} is finished in {options['out']}: {rows}")
        _exit_if_bad(built, unanswered)

    command: click.Command = run_stage
    return command


STAGE_COMMANDS = [stage_command(stage, summary) for stage, summary in STAGES.items()]


def _run(
    recipe: Path, out: Path, engine: str, address: str | None, workers: int | None, quiet: bool, **options: Any
) -> tuple[Running, int]:
    """Build; returns the build, and how many questions another run may get answered."""
    from microcoder_data.engine import make_engine
    from microcoder_data.llm import Client
    from microcoder_data.pipeline.build import ANSWERS, run_stages
    from microcoder_data.pipeline.running import Options
    from microcoder_data.pipeline.stage import asks_model
    from microcoder_data.recipe import load_recipe

    loaded = load_recipe(recipe)
    running = make_engine(engine, workers, address)
    logger.info("%s: %d sources, engine %s, %d workers", recipe, len(loaded.sources), engine, running.workers)
    client = Client(loaded.llm, out / ANSWERS) if asks_model(loaded) else None
    try:
        with StageProgress(quiet) as progress:
            built = run_stages(loaded, out, running, Options(**options), progress.show, client, progress.say)
        return built, client.account.to_retry if client else 0
    except KeyboardInterrupt:
        raise Stopped(f"stopped; continue with --resume (finished shards are kept in {out})") from None
    finally:
        running.close()
        if client:
            client.close()
            for line in client.account.lines():
                echo(line, err=True)
            if client.account.to_retry:
                echo("run again with --resume to ask the unanswered questions again", err=True)


def _dry_run(
    recipe: Path,
    out: Path,
    engine: str,
    address: str | None,
    workers: int | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Build in a temporary folder up to the last stage that asks; the client only counts questions that the cache
    lacks."""
    from microcoder_data.engine import make_engine
    from microcoder_data.llm import Client
    from microcoder_data.pipeline.build import ANSWERS, build
    from microcoder_data.pipeline.running import Options
    from microcoder_data.pipeline.stage import asks_model
    from microcoder_data.recipe import load_recipe

    loaded = load_recipe(recipe)
    if not asks_model(loaded):
        show_json({"steps": {}}) if as_json else echo("No rule of this recipe asks a language model.")
        return
    running = make_engine(engine, workers, address)
    with tempfile.TemporaryDirectory() as folder, Client(loaded.llm, out / ANSWERS, dry=True) as client:
        try:
            with StageProgress(quiet) as progress:
                until = "rate"
                if loaded.verify.attempts is not None:
                    loaded, until = _without_programs(loaded), "verify"
                build(loaded, folder, running, Options(until=until, **options), progress.show, client)
        finally:
            running.close()
    steps = client.account.steps
    if as_json:
        show_json({"steps": {name: asdict(step) for name, step in sorted(steps.items())}})
        return
    for name, step in sorted(steps.items()):
        echo(
            f"{name:16} {step.questions:>8} questions, {step.cached:>8} answered by the cache; {step.calls:>8} calls, "
            f"about {step.prompt_tokens} tokens of prompts, at most {step.answer_tokens} of answers"
        )
    tokens = sum(step.prompt_tokens + step.answer_tokens for step in steps.values())
    calls = counted(sum(step.calls for step in steps.values()), "call")
    echo(f"{calls} and at most about {tokens:,} tokens, before retries")


def _without_programs(recipe: Recipe) -> Recipe:
    """The recipe without the rules that run programs or need their results: a dry run counts attempts at all other
    rows."""
    verify = replace(recipe.verify, make_tests=None, execution=None)
    return replace(recipe, verify=verify, filter=recipe.filter.at_once())


def _remedies(out: Path) -> dict[str, str]:
    """What would keep the rows dropped for a reason, by the reason as the manifest writes it."""
    from microcoder_data.report.take_account import take_account

    return {str(reason): str(remedy) for reason, remedy in take_account(out).remedies.items()}


def show_account(stages: list[dict[str, Any]], keep: Mapping[str, str] | None = None) -> None:
    """Print how many rows each stage read, kept, dropped and merged, and why; `keep` has a remedy for each reason."""
    echo(f"{'stage':8} {'in':>9} {'kept':>9} {'dropped':>9} {'merged':>9}")
    for stage in stages:
        echo(f"{stage['stage']:8} {stage['in']:>9} {stage['kept']:>9} {stage['dropped']:>9} {stage['merged']:>9}")
        for reason, count in sorted(stage["reasons"].items(), key=lambda pair: -pair[1]):
            remedy = (keep or {}).get(reason)
            echo(f"         {count:>9} {reason}" + (f"   to keep: {remedy}" if remedy else ""))
