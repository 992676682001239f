"""Run the checks and print them for `microcoder problems check`: a line for each problem, then a summary."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.status import Status

from microcoder_data.problem_set.check_problem import ProblemCheck, SolutionCheck, check_all
from microcoder_eval import Grader
from microcoder_eval.command_line import literal, safe_console, show_json
from microcoder_eval.plural import counted


def run_check(folders: Sequence[Path], workers: int | None, quiet: bool, as_json: bool) -> bool:
    """Check the problems and print the results; returns whether all problems are right."""
    workers = workers or len(os.sched_getaffinity(0))
    console = safe_console(soft_wrap=True)
    reports: list[ProblemCheck] = []
    with Grader(workers=workers) as grader, _progress(len(folders)) as progress:
        for report in check_all(folders, grader, workers):
            reports.append(report)
            if not as_json and not (quiet and report.ok):
                _show(report, console)
            progress(len(reports))
    reports.sort(key=lambda report: report.slug)
    good = all(report.ok for report in reports)
    if as_json:
        show_json({"ok": good, "problems": [report.to_dict() for report in reports]})
    else:
        _show_summary(reports, console)
    return good


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """Yields a function that shows on a terminal's standard error how many problems are done."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    with Status(f"0 of {counted(total, 'problem')}", console=safe_console(stderr=True)) as status:
        yield lambda done: status.update(f"{done} of {counted(total, 'problem')}")


def _show(report: ProblemCheck, console: Console) -> None:
    right = [each for each in report.solutions if each.solution.role == "right" and not each.not_run]
    slowest = max((each.cpu_s for each in right), default=0.0)
    mark = "[green]right[/]" if right else "[yellow]untried[/]"
    if not report.ok:
        mark = "[bold red]WRONG[/]"
    console.print(
        f"{mark}  [bold]{literal(report.slug)}[/]  {counted(report.tests, 'test')}, "
        f"{counted(len(right), 'right solution')} in at most "
        f"{slowest:.2f} s of {report.time_limit_s:g} s"
    )
    for fault in report.faults:
        console.print(f"       [red]{literal(fault)}[/]")
    for each in report.solutions:
        if each.verdict is not None and each.solution.role != "right" and not each.fault:
            reason = each.solution.reason or "right, but slow"
            console.print(f"       [dim]{literal(each.solution.name)}: {each.verdict}: {literal(reason)}[/]")
    _show_not_run(report.not_run, console)


def _show_not_run(solutions: Sequence[SolutionCheck], console: Console) -> None:
    for reason in dict.fromkeys(each.not_run for each in solutions):
        names = ", ".join(each.solution.name for each in solutions if each.not_run == reason)
        console.print(f"       [yellow]not run: {literal(names)}: {literal(reason)}[/]")


def _show_summary(reports: Sequence[ProblemCheck], console: Console) -> None:
    bad = sum(not report.ok for report in reports)
    solutions = [each for report in reports for each in report.solutions]
    run = [each for each in solutions if not each.not_run]
    rejected = sum(each.solution.role == "wrong" and not each.fault for each in run)
    accepted = sum(each.solution.role != "wrong" and not each.fault for each in run)
    console.print(
        f"\n{counted(len(reports), 'problem')}, {counted(sum(report.tests for report in reports), 'test')}: "
        f"{counted(accepted, 'right solution')} accepted, {rejected} wrong ones rejected"
    )
    if len(run) < len(solutions):
        left = counted(len(solutions) - len(run), "solution")
        console.print(f"[yellow]not run, because the grader cannot run them here: {left}[/]")
    console.print(f"[bold red]wrong: {counted(bad, 'problem')}[/]" if bad else "[green]nothing is wrong[/]")
