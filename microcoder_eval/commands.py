"""The commands `microcoder eval ...` and `microcoder doctor`: they parse options and print results.

`evaluate` is the group `eval`; packages that import this one add commands to it. The work of the commands is in
`grading/`, `benchmarks/`, `report/` and `doctor/`.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from microcoder_eval.benchmarks.commands import humaneval, livecodebench, mbpp
from microcoder_eval.command_line import CommandGroup, Stopped, echo, json_option, path_type, show_json
from microcoder_eval.command_options import (
    all_tests_option,
    fence_option,
    grading_options,
    isolation_option,
    kept_verdicts,
    layers_option,
    map_option,
    policy_option,
    tests_order_option,
)
from microcoder_eval.errors import InputError
from microcoder_eval.reading.field_map import FieldMap
from microcoder_eval.runs.evidence import evidence_of
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.service.commands import serve

__all__ = ["doctor", "evaluate", "home"]

HARNESSES = ("lm-eval", "lighteval", "inspect", "evalscope", "opencompass", "bigcode", "bigcodebench", "nemo-skills")


WORKFLOW = {
    "Grade": ("grade", "run", "generate"),
    "See why": ("show", "report", "diff"),
    "Published benchmarks": ("humaneval", "mbpp", "livecodebench"),
    "For other programs": ("serve",),
}


@click.group(name="eval", cls=CommandGroup, workflow=WORKFLOW)
def evaluate() -> None:
    """Grade programs and model replies."""


@evaluate.command()
@click.option(
    "--problems",
    type=path_type,
    required=True,
    help="The problems: JSON lines, JSON, YAML, CSV, Parquet (also .gz, .zst), a dataset's folder, or a folder with a "
    "folder or a file for each problem.",
)
@click.option(
    "--submissions",
    type=path_type,
    required=True,
    help="The submissions, in one of the same forms, or a folder of programs or notebooks named after their problems.",
)
@map_option
@click.option("--language", default="", help="The language of submissions that name none.  [default: python]")
@click.option(
    "--budget",
    "budget_s",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop after this long. What is graded is kept, and --resume continues.",
)
@click.option(
    "--from",
    "harness",
    type=click.Choice(HARNESSES),
    help="The submissions are a file of another harness; they are joined to problems by id or name.",
)
@click.option(
    "--engine",
    type=click.Choice(("local", "ray")),
    default="local",
    show_default=True,
    help="Where programs run: on this machine, or on every node of a Ray cluster (--workers is then for each node).",
)
@click.option(
    "--address",
    default="auto",
    show_default=True,
    help="ray: the cluster, such as auto, head:6379, or ray://head:10001.",
)
@click.option(
    "--node-cpus",
    type=click.FloatRange(0, min_open=True),
    help="ray: reserve this many CPUs of each node, and run as many tests there.  [default: reserve none, use all]",
)
@policy_option
@isolation_option
@all_tests_option
@fence_option
@tests_order_option
@grading_options
def grade(
    problems: Path,
    submissions: Path,
    harness: str | None,
    out: Path,
    maps: tuple[str, ...],
    cache: Path | None,
    no_cache: bool,
    as_json: bool,
    engine: str,
    address: str,
    node_cpus: float | None,
    **chosen: Any,
) -> None:
    """Grade a file of submissions.

    Writes OUT/grades.jsonl (a line as each submission ends), OUT/summary.json and OUT/report.html. The exit status is
    0 when everything was graded, 1 when some input was bad, some grade is JUDGE_ERROR, or the budget was spent, and 2
    for a wrong call. Fields of a submission that grading does not use (model, temperature) are kept: the report
    filters and compares by them. If no submission has an id, the submissions to each problem are numbered.

    \b
    Examples:
      microcoder eval grade --problems problems.jsonl --submissions replies.jsonl --out runs/first
      microcoder eval grade --problems tasks.json --submissions replies.csv --out runs/mine \\
          --map tests=cases --map input=stdin --map output=expected --map response=completion
      microcoder eval grade --problems problems.jsonl --submissions replies.jsonl --out runs/big --engine ray
    """
    from microcoder_eval.connection.cluster.cluster_grader import ClusterGrader
    from microcoder_eval.grading.grade_files import grade_files
    from microcoder_eval.grading.options import GradingOptions
    from microcoder_eval.languages.table import LANGUAGES, PYTHON, language_named
    from microcoder_eval.terminal import show_bad_records, show_summary

    if chosen["language"] and language_named(chosen["language"]) is None:
        raise InputError(f"--language {chosen['language']}: known are {', '.join((PYTHON, *LANGUAGES))}")
    if engine == "local" and (node_cpus is not None or address != "auto"):
        raise click.UsageError("--address and --node-cpus are for --engine ray")
    if engine == "ray" and cache is not None:
        raise click.UsageError("--cache is for --engine local: the nodes of a cluster share no file of verdicts")
    no_cache = no_cache or engine == "ray"
    if no_cache and chosen["tests_order"] == "kept":
        raise click.UsageError("--tests-order kept needs the file of verdicts: the order is kept there")
    cluster = partial(ClusterGrader, address, cpus=node_cpus) if engine == "ray" else None
    names = FieldMap.parse(maps)
    options = GradingOptions(cache=kept_verdicts(cache, no_cache), names=names, cluster=cluster, **chosen)
    try:
        summary, bad = grade_files(problems, submissions, out, options, harness)
    except KeyboardInterrupt:
        raise Stopped(f"stopped; what was graded is in {out}/grades.jsonl: continue with --resume") from None
    show_bad_records(bad)
    show_json(summary) if as_json else show_summary(summary, out)
    sys.exit(1 if bad or summary["judge_errors"] or summary.get("left_by_budget") else 0)


@evaluate.command()
@click.argument("file", type=path_type)
@click.option("--problem", "problem_file", type=path_type, required=True, help="A file with the problem in it.")
@click.option("--id", "name", help="Which problem to take when the file holds several.")
@click.option("--language", help="The language of the program.  [default: what the file's name says, otherwise Python]")
@policy_option
@map_option
@layers_option
@click.option("--first-failure", is_flag=True, help="Stop at the first test that fails.")
@json_option
def run(
    file: Path,
    problem_file: Path,
    name: str | None,
    language: str | None,
    policy: str,
    maps: tuple[str, ...],
    required_layers: tuple[str, ...],
    first_failure: bool,
    as_json: bool,
) -> None:
    """Grade one program and show every test, with the input and both outputs of those that failed.

    FILE is a program, or a model's reply (.md, .txt).

    \b
    Example:
      microcoder eval run solution.py --problem problems.jsonl --id two-sum
    """
    from microcoder_eval.grading.grade_program import grade_program, read_program_file
    from microcoder_eval.grading.options import GradingOptions
    from microcoder_eval.reading.input_files import read_problem
    from microcoder_eval.terminal import show_grade
    from microcoder_eval.terminal_explained import show_explained

    problem = read_problem(problem_file, name, FieldMap.parse(maps))
    options = GradingOptions(policy=policy, all_tests=not first_failure, required_layers=required_layers)
    submission = read_program_file(file, problem, language)
    result = grade_program(submission, problem, options)
    evidence = evidence_of(problem, submission, {}, result)
    if as_json:
        show_json({**result.to_dict(), "evidence": evidence.to_dict()})
    else:
        show_grade(result, problem)
        if not result.accepted:
            show_explained(result, evidence, None, heading=False)
    sys.exit(0 if result.accepted else 1)


@evaluate.command()
@click.argument("directory", metavar="RUN", type=path_type)
@click.argument("name", metavar="[ID]", required=False)
@click.option("--complete", is_flag=True, help="Show texts in full: read the problem again, and run the program again.")
@json_option
def show(directory: Path, name: str | None, complete: bool, as_json: bool) -> None:
    """Show why a submission of a run has its verdict: input, expected output, what it printed, the program, the reply.

    ID is PROBLEM/SUBMISSION, a problem (all its submissions are listed), or a submission. Without it, all submissions
    are listed, failures first.

    \b
    Examples:
      microcoder eval show runs/first
      microcoder eval show runs/first two-sum/3
      microcoder eval show runs/first two-sum/3 --complete
    """
    from microcoder_eval.grading.look_up import completed, find_submissions
    from microcoder_eval.terminal_explained import show_explained, show_list

    grading_run = GradingRun(directory)
    if next(grading_run.grades(), None) is None:
        raise InputError(f"{directory}: nothing is graded yet")
    if name is None and not as_json and not complete:
        show_list(grading_run.explained(), str(directory))
        return
    found = list(grading_run.explained()) if name is None else find_submissions(grading_run, name)
    if complete:
        if len(found) != 1:
            raise click.UsageError(f"--complete shows one submission; {name or 'the run'!r} names {len(found):,}")
        found = [completed(grading_run, *found[0])]
    if as_json:
        show_json({"submissions": [{**grade.to_dict(), "evidence": kept.to_dict()} for grade, kept in found]})
    elif len(found) == 1:
        grade, evidence = found[0]
        statement = grading_run.statements({grade.problem_id}).get(grade.problem_id)
        show_explained(grade, evidence, statement, complete)
    else:
        show_list(found, str(directory))


@evaluate.command()
@click.argument("directory", type=path_type)
@click.option(
    "--out", "--html", "html", type=path_type, help="Where to write the report.  [default: DIRECTORY/report.html]"
)
@json_option
def report(directory: Path, html: Path | None, as_json: bool) -> None:
    """Write the report of a grading run: one HTML file that works offline.

    \b
    Example:
      microcoder eval report runs/first
    """
    from microcoder_eval.report.run_report import write_run_report

    written = write_run_report(directory, html)
    show_json({"report": written}) if as_json else echo(written)


@evaluate.command()
@click.argument("before", type=path_type)
@click.argument("after", type=path_type)
@click.option("--out", "--html", "html", type=path_type, help="Also write the comparison as a page.")
@json_option
def diff(before: Path, after: Path, html: Path | None, as_json: bool) -> None:
    """Compare two grading runs: which verdicts changed, and how certain the change of the score is.

    Runs with submissions in common are compared on these. Other runs are compared problem by problem.

    \b
    Example:
      microcoder eval diff runs/first runs/second --out changes.html
    """
    from microcoder_eval.report.changes import compare_runs
    from microcoder_eval.report.changes_report import write_changes_report
    from microcoder_eval.terminal import show_changes

    first, second = GradingRun(before), GradingRun(after)
    changes = compare_runs(first, second)
    if html:
        write_changes_report(html, changes, first, second)
    show_json(changes.to_dict()) if as_json else show_changes(changes)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--all", "everything", is_flag=True, help="Show each layer, each attack and each toolchain.")
@json_option
def doctor(everything: bool, as_json: bool) -> None:
    """Attack the sandbox on this machine, layer by layer, and show what holds; list the languages' toolchains.

    Each layer is tried alone with an attack that it must stop. The same attack is run without the layer, to show that
    it would succeed. The exit status is 1 when a layer fails or the whole sandbox lets an attack through.

    \b
    Examples:
      microcoder doctor
      microcoder doctor --all
    """
    from microcoder_eval.doctor.examine import examine
    from microcoder_eval.doctor.terminal import show_examination, show_health, show_toolchains
    from microcoder_eval.languages.toolchain import examine_toolchains

    examination, toolchains = examine(), examine_toolchains()
    if as_json:
        show_json({**examination.to_dict(), "toolchains": [asdict(state) for state in toolchains]})
    elif everything:
        show_toolchains(toolchains)
        show_examination(examination)
    else:
        show_health(examination, toolchains)
    sys.exit(0 if examination.holds else 1)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=path_type, default=Path())
@json_option
def home(folder: Path, as_json: bool) -> None:
    """List all grading runs, datasets, training runs and pages below FOLDER on one page: FOLDER/index.html.

    \b
    Examples:
      microcoder home
      microcoder home runs
    """
    from microcoder_eval.report.home import write_home

    out, found = write_home(folder)
    if as_json:
        show_json({"page": out, "found": [{"kind": each.kind, "path": each.path, "says": each.says} for each in found]})
        return
    for each in found:
        echo(f"{each.kind:9} {each.path}" + (f"   {each.says}" if each.says else ""))
    echo(f"page: {out}")


for _command in (livecodebench, humaneval, mbpp, serve):
    evaluate.add_command(_command)
