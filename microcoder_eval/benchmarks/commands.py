"""The commands that grade published benchmarks: `microcoder eval livecodebench`, `humaneval`, `mbpp`.

They parse options and print results; `microcoder_eval/commands.py` adds them to the group `eval`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from microcoder_eval.command_line import Stopped, path_type, show_json
from microcoder_eval.command_options import all_tests_option, grading_options, isolation_option, kept_verdicts
from microcoder_eval.problem import Policy

if TYPE_CHECKING:
    from microcoder_eval.reading.input_files import BadRecord


@click.command()
@click.argument("more_data", metavar="[DATA]...", nargs=-1, type=path_type)
@click.option(
    "--data",
    multiple=True,
    required=True,
    type=path_type,
    help="The benchmark's files test.jsonl, test2.jsonl, ..., or their directory.",
)
@click.option("--generations", type=path_type, required=True, help="A model's programs, as LiveCodeBench writes them.")
@click.option(
    "--policy",
    type=click.Choice([Policy.STRICT.value, Policy.CONTEST.value]),
    default=Policy.STRICT.value,
    show_default=True,
    help="strict: LiveCodeBench's own verdicts. contest: the verdicts of a contest judge.",
)
@click.option(
    "--differences/--no-differences",
    default=True,
    help="Also grade under the other policy, and list the cases where the two disagree.  [default: yes]",
)
@click.option("--release", help="release_v1 to release_v6, v1 to v6, or a slice such as v4_v6.  [default: all data]")
@click.option("--start-date", type=click.DateTime(["%Y-%m-%d"]), help="Take only contests from this day on.")
@click.option("--end-date", type=click.DateTime(["%Y-%m-%d"]), help="Take only contests up to this day.")
@click.option("--platform", help="Take only this platform: leetcode, atcoder or codeforces.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=6.0,
    show_default=True,
    help="The time limit of a test, in CPU seconds.",
)
@isolation_option
@all_tests_option
@grading_options
def livecodebench(
    more_data: tuple[Path, ...],
    data: tuple[Path, ...],
    generations: Path,
    differences: bool,
    release: str | None,
    start_date: datetime | None,
    end_date: datetime | None,
    platform: str | None,
    timeout: float,
    out: Path,
    cache: Path | None,
    no_cache: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Grade generations on LiveCodeBench (code generation).

    Under `strict` every verdict, and so the score, is LiveCodeBench's own: its comparison and its way of running
    programs, false accepts and false rejects included. `strict` always runs every test in a fresh process. The
    generations are also graded under the other policy (OUT/contest, or OUT/strict), and OUT/differences.html lists the
    cases where the two disagree, with the reason.

    GENERATIONS is what LiveCodeBench's custom evaluator takes, a list of {"question_id", "code_list"}, or what its
    runner writes (also its _eval_all file).

    \b
    Example:
      microcoder eval livecodebench --data lcb/ --release release_v5 --start-date 2024-08-01 \\
          --generations model.json --out runs/model
    """
    from microcoder_eval.benchmarks.livecodebench.grade_generations import grade_livecodebench
    from microcoder_eval.benchmarks.livecodebench.questions import QuestionWindow
    from microcoder_eval.grading.options import GradingOptions

    options = GradingOptions(cache=kept_verdicts(cache, no_cache), **chosen)
    window = QuestionWindow(release, start_date, end_date, platform)
    with _grading(out):
        summary, bad = grade_livecodebench(
            [*data, *more_data], generations, out, window, timeout, options, differences=differences
        )
    _finish(summary, bad, out, as_json)


def _functions_command(benchmark: str, title: str, example: str) -> click.Command:
    """A command for HumanEval or MBPP, with or without EvalPlus's tests."""

    @click.command(
        benchmark,
        help=f"Grade samples on {title}.\n\nDATA is the publisher's file, SAMPLES what EvalPlus takes: lines of "
        '{"task_id", "completion"} or {"task_id", "solution"}. Files with EvalPlus\'s inputs give two scores: one for '
        "the benchmark's own tests, and one for these and the extra tests together.\n\n\b\nExample:\n"
        f"  microcoder eval {benchmark} --data {example} --samples samples.jsonl --out runs/model",
    )
    @click.option("--data", required=True, type=path_type, help=f"The file of {title}: .jsonl or .json, also .gz.")
    @click.option("--samples", required=True, type=path_type, help="A model's programs: .jsonl, also .gz.")
    @click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        default=10.0,
        show_default=True,
        help="The time limit of a test with all its inputs, in CPU seconds.",
    )
    @click.option(
        "--extract", is_flag=True, help="The samples are whole replies of a model: take the program from each."
    )
    @grading_options
    def functions(
        data: Path,
        samples: Path,
        timeout: float,
        extract: bool,
        out: Path,
        cache: Path | None,
        no_cache: bool,
        as_json: bool,
        **chosen: Any,
    ) -> None:
        from microcoder_eval.benchmarks.functions.grade_samples import grade_functions
        from microcoder_eval.grading.options import GradingOptions

        options = GradingOptions(cache=kept_verdicts(cache, no_cache), **chosen)
        with _grading(out):
            summary, bad = grade_functions(benchmark, data, samples, out, timeout, options, from_replies=extract)
        _finish(summary, bad, out, as_json)

    return functions


humaneval = _functions_command("humaneval", "HumanEval or HumanEval+", "HumanEvalPlus.jsonl.gz")
mbpp = _functions_command("mbpp", "MBPP or MBPP+", "sanitized-mbpp.json")


@contextmanager
def _grading(out: Path) -> Iterator[None]:
    """Show the records that could not be used when nothing is left to grade; after Ctrl-C, name --resume."""
    from microcoder_eval.benchmarks.summary import NoSamples
    from microcoder_eval.terminal import show_bad_records

    try:
        yield
    except NoSamples as error:
        show_bad_records(error.bad)
        raise
    except KeyboardInterrupt:
        raise Stopped(f"stopped; what was graded is in {out}: continue with --resume") from None


def _finish(summary: dict[str, Any], bad: Sequence[BadRecord], out: Path, as_json: bool) -> NoReturn:
    """Print the result and end the command with its exit status."""
    from microcoder_eval.benchmarks.terminal import show_differences, show_scores
    from microcoder_eval.terminal import show_bad_records, show_summary

    show_bad_records(bad)
    if as_json:
        show_json(summary)
    else:
        show_scores(summary)
        show_summary(summary, out)
        if "differences" in summary:
            show_differences(summary["differences"], out)
    sys.exit(1 if bad or summary["judge_errors"] else 0)
