"""The options that several grading commands share, each described once.

    @click.command()
    @policy_option
    @grading_options
    def mine(policy: str, **options: Any) -> None: ...

`grading_options` gives the command `out`, `workers`, `resume`, `cache`, `no_cache`, `cache_mb`, `required_layers`,
`quiet` and `as_json`; `kept_verdicts` turns the two cache options into one path.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from microcoder_eval.boundary.layers import LAYERS
from microcoder_eval.command_line import json_option, path_type, talk_options
from microcoder_eval.problem import Policy
from microcoder_eval.scheduling.grader_arguments import ISOLATIONS
from microcoder_eval.scheduling.test_order import ORDERS

_Command = TypeVar("_Command", bound=Callable[..., Any])


class _LayerNames(click.ParamType):
    """Names of sandbox layers separated by commas, as a tuple."""

    name = "LAYERS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        names = value if isinstance(value, tuple) else tuple(name.strip() for name in value.split(",") if name.strip())
        for name in names:
            if name not in LAYERS:
                self.fail(f"unknown layer {name!r}; known: {', '.join(LAYERS)}", param, ctx)
        return names


policy_option = click.option(
    "--policy",
    type=click.Choice([policy.value for policy in Policy]),
    default=Policy.CONTEST.value,
    show_default=True,
    help="Which rungs of the comparison ladder may accept an answer.",
)
isolation_option = click.option(
    "--isolation",
    type=click.Choice(ISOLATIONS),
    default="test",
    show_default=True,
    help="test: every test gets a fresh process. submission: all tests of a program share one, and a program that is "
    "not accepted runs again under test.",
)
tests_order_option = click.option(
    "--tests-order",
    type=click.Choice(ORDERS),
    default="learnt",
    show_default=True,
    help="given: tests run as the problem lists them. learnt: tests that most of the earlier programs failed come "
    "first, long ones last. kept: as learnt, and earlier runs count too; the order is in the file of verdicts "
    "(--cache).",
)
all_tests_option = click.option(
    "--all-tests", is_flag=True, help="Run all tests instead of stopping at a program's first failure."
)
fence_option = click.option(
    "--require-fence",
    is_flag=True,
    help="Take programs from fenced blocks of replies only. A reply without one is NO_CODE.",
)
map_option = click.option(
    "--map",
    "maps",
    multiple=True,
    metavar="FIELD=NAME",
    help="What your files call a field, such as tests=cases or response=choices.0.message.content; may be repeated. "
    "problems.id=NAME and submissions.id=NAME say which file is meant.",
)
layers_option = click.option(
    "--require-sandbox",
    "required_layers",
    type=_LayerNames(),
    metavar="LAYERS",
    default=(),
    help="Refuse to run without these sandbox layers, separated by commas. `microcoder doctor` lists them.",
)


def grading_options(command: _Command) -> _Command:
    """Add the options of a command that grades into a directory: --out, --workers, --resume, the cache options, ..."""
    options = [
        click.option("--out", type=path_type, required=True, help="The directory for grades, summary and report."),
        click.option(
            "--workers",
            type=click.IntRange(1),
            help="How many tests run at the same time.  [default: one for each CPU]",
        ),
        click.option("--resume", is_flag=True, help="Continue a run that was stopped."),
        click.option(
            "--cache",
            type=path_type,
            help="The file of verdicts from earlier runs. What it holds is not run again."
            "  [default: ~/.cache/microcoder/...]",
        ),
        click.option("--no-cache", is_flag=True, help="Run everything, and keep no verdicts."),
        click.option(
            "--cache-mb",
            type=click.FloatRange(1),
            default=512,
            show_default=True,
            help="The largest size of the file of verdicts.",
        ),
        layers_option,
        talk_options,
        json_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


def kept_verdicts(cache: Path | None, no_cache: bool) -> Path | None:
    """The verdict file to use according to --cache and --no-cache; None for no file.

    >>> kept_verdicts(Path("verdicts"), no_cache=False)
    PosixPath('verdicts')
    """
    from microcoder_eval.scheduling.verdict_cache import default_path

    if cache is not None and no_cache:
        raise click.UsageError("--cache and --no-cache contradict each other")
    return None if no_cache else cache or default_path()
