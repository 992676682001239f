"""Prints the results of the grading commands, one function for each. It reads no files and decides nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from microcoder_eval.command_line import literal, result_console, safe_console
from microcoder_eval.plural import counted
from microcoder_eval.printable import in_a_line
from microcoder_eval.problem import Problem
from microcoder_eval.reading.input_files import BadRecord
from microcoder_eval.runs.tally import Points
from microcoder_eval.suggest import pasted
from microcoder_eval.verdict import Grade, Verdict

if TYPE_CHECKING:
    from microcoder_eval.report.changes import Changes

SHOWN_BAD_RECORDS = 20
_OWN_TO_ONE = re.compile(r"'[^']*'|\d+")
"""What differs between messages of one kind: names, places and numbers."""
_SHOWN_CHANGES = 15
_MOST_DIFFICULTIES = 8
"""With more of them, such as ratings, a table of scores does not fit into a terminal."""
_MUCH_CPU_S = 5
"""More CPU time than this of programs that ran out of time, and the options that shorten it are named."""
_MOST_COMPARED = 4
"""Fields of the submissions by which a terminal compares; the page has all."""
_COLOURS = {Verdict.ACCEPTED.value: "green", Verdict.JUDGE_ERROR.value: "magenta"}


def show_summary(summary: Mapping[str, Any], out: Path) -> None:
    """The result of a run: the counts of verdicts, the rungs that accepted, where the files are.

    >>> show_summary(summary, Path("runs/first"))  # doctest: +SKIP
    """
    console = result_console()
    share = summary["accepted_share"]
    judged = summary["submissions"] - summary["judge_errors"]
    console.print(
        f"[bold]{summary['accepted']} of {judged} accepted[/]"
        + (f" ({share:.1%})" if share is not None else "")
        + f", {counted(summary['tests_run'], 'test')} in {summary['wall_s']:.1f} s, policy {literal(summary['policy'])}"
    )
    table = Table(box=None, show_header=False, padding=(0, 2))
    for verdict, count in summary["verdicts"].items():
        table.add_row(f"[{_COLOURS.get(verdict, 'red')}]{literal(verdict)}[/]", str(count))
    console.print(table)
    if summary.get("graded_before"):
        before = counted(summary["graded_before"], "submission")
        console.print(f"{before} graded before this run, whose time is not counted")
    if summary["from_cache"]:
        known, them = ("program was", "it") if summary["from_cache"] == 1 else ("programs were", "them")
        console.print(f"{summary['from_cache']} {known} known from earlier runs (--no-cache runs {them} again)")
    if summary.get("timed_out", {}).get("programs"):
        late = summary["timed_out"]
        who = "program ran" if late["programs"] == 1 else "programs ran"
        console.print(f"{late['programs']} {who} out of time, after {late['cpu_s']:,.1f} s of CPU time in all")
        if late["cpu_s"] > _MUCH_CPU_S:
            console.print(
                "  (less with a shorter `time_limit_s` in the problems; --budget SECONDS bounds the whole run)"
            )
    if summary.get("left_by_budget"):
        left = counted(summary["left_by_budget"], "submission")
        console.print(f"[yellow]{left} not graded within the budget; --resume goes on[/]")
    for said in summary.get("said", ()):
        console.print(f"[yellow]{literal(said)}[/]", soft_wrap=True)
    _show_fields(console, summary.get("fields") or {})
    if summary["acceptances_by_rung"]:
        rungs = ", ".join(f"{rung} {count}" for rung, count in summary["acceptances_by_rung"].items())
        console.print(f"accepted by: {literal(rungs)}")
    if "points" in summary:
        points = Points(**summary["points"])
        console.print(f"{points} points, in {counted(points.submissions, 'submission')} to problems with scoring")
    if summary["scores"]:
        _show_scores(console, summary["scores"])
    for name, counts in list(summary["compared_by"].items())[:_MOST_COMPARED]:
        console.print(literal(f"by {in_a_line(name, 60)}: {_compared(counts)}"), soft_wrap=True)
    if summary["judge_failed_on_output"]:
        failed = counted(summary["judge_failed_on_output"], "submission")
        console.print(f"{failed} wrong because a checker or an interactor failed on the output, and only on it")
    if summary["judge_errors"]:
        console.print(f"[magenta]{summary['judge_errors']} could not be graded (JUDGE_ERROR); --resume tries again[/]")
    console.print(
        f"grades: {out}/grades.jsonl   summary: {out}/summary.json   report: {out}/report.html",
        soft_wrap=True,
        markup=False,
    )
    if summary["accepted"] < summary["submissions"]:
        console.print(f"why the others failed: microcoder eval show {pasted(out)}", soft_wrap=True, markup=False)


def _compared(counts: Mapping[str, Mapping[str, int]]) -> str:
    """The accepted share of each value of a field.

    >>> _compared({"large": {"accepted": 3, "judged": 4}, "small": {"accepted": 0, "judged": 4}})
    'large 75.0% (3 of 4), small 0.0% (0 of 4)'
    """
    return ", ".join(
        f"{in_a_line(value, 60) or '(empty)'} {each['accepted'] / each['judged']:.1%} "
        f"({each['accepted']:,} of {each['judged']:,})"
        for value, each in counts.items()
    )


def _show_fields(console: Console, fields: Mapping[str, Any]) -> None:
    """Which fields of the files grading did not use."""
    for name, said in (
        ("kept", "kept of submissions (the page filters by those with few values)"),
        ("ignored", "not used of problems"),
    ):
        if fields.get(name):
            counted = ", ".join(f"{field} ({count:,})" for field, count in list(fields[name].items())[:_SHOWN_CHANGES])
            console.print(literal(f"{said}: {counted}"), soft_wrap=True)


def _show_scores(console: Console, scores: Mapping[str, Any]) -> None:
    """Scores over problems; nothing when they would only repeat the accepted share."""
    table, samples = scores["table"], scores["samples_per_problem"]
    if samples > 1:
        figures = {f"mean@{samples}": scores["mean_at_n"]}
        figures |= {f"pass@{k}": figure for k, figure in scores["pass_at_k"].items() if k != "1"}
        shown = (f"{name} {figure['value']:.1%} [dim]{_interval(figure)}[/]" for name, figure in figures.items())
        console.print("   ".join(shown), soft_wrap=True)
    if len(table) <= 2 and len(table["all"]) <= 2:  # one platform, one difficulty
        return
    if len(table["all"]) > _MOST_DIFFICULTIES:
        said = (
            f"mean@{samples}, all problems: {scores['mean_at_n']['value']:.1%} [dim]{_interval(scores['mean_at_n'])}[/]"
        )
        console.print(f"{said}; the page has it for each of {len(table['all']) - 1} difficulties", soft_wrap=True)
        return
    cells = Table(box=None, padding=(0, 3, 0, 0))
    cells.add_column(f"mean@{samples}")
    for difficulty in table["all"]:
        cells.add_column(literal(difficulty), justify="right")
    for platform, row in table.items():
        cells.add_row(literal(platform), *(_cell(row[name]) if name in row else "" for name in table["all"]))
    console.print(cells)


def _cell(estimate: Mapping[str, Any]) -> str:
    return f"{estimate['value']:.1%}\n[dim]{_interval(estimate)} of {estimate['problems']}[/]"


def _interval(estimate: Mapping[str, Any]) -> str:
    return "" if estimate["low"] is None else f"{100 * estimate['low']:.1f}-{100 * estimate['high']:.1f}"


def show_changes(changes: Changes) -> None:
    """What changed between two runs: the score, the verdicts, the problems that changed most."""
    console = result_console()
    console.print(
        f"before: [bold]{literal(changes.before_name)}[/], after: [bold]{literal(changes.after_name)}[/], "
        f"{changes.compared} {changes.paired_by}s in both"
        + (f", {changes.only_before} only before" if changes.only_before else "")
        + (f", {changes.only_after} only after" if changes.only_after else ""),
        soft_wrap=True,
    )
    for name, (old, new) in changes.settings.items():
        console.print(f"[yellow]other settings: {literal(name)} {literal(old)} -> {literal(new)}[/]", soft_wrap=True)
    change = changes.change
    interval = (
        "" if change.low is None else f" [dim](95 %: {100 * change.low:+.2f} to {100 * (change.high or 0):+.2f})[/]"
    )
    console.print(
        f"score {changes.before.value:.2%} -> {changes.after.value:.2%}, change [bold]{100 * change.value:+.2f}[/] "
        f"points{interval}, mean over {counted(change.problems, 'problem')}",
        soft_wrap=True,
    )
    if changes.judge_errors:
        console.print(f"[magenta]{changes.judge_errors} could not be graded (JUDGE_ERROR) and are left out[/]")
    if changes.verdicts:
        _show_moves(console, changes)
    if changes.problems:
        _show_problems(console, changes)
    if not changes.verdicts and not changes.problems:
        console.print("nothing changed")


def _show_moves(console: Console, changes: Changes) -> None:
    kinds = changes.kinds
    console.print(f"[green]gained {kinds['gained']}[/], [red]lost {kinds['lost']}[/], other {kinds['other']}")
    words = "gained: accepted in the run after only; lost: in the run before only; other: rejected for another reason"
    console.print(f"[dim]{words}[/]", soft_wrap=True)
    table = Table(box=None, show_header=False, padding=(0, 2))
    for before, after, count in changes.moves[:_SHOWN_CHANGES]:
        colours = (_COLOURS.get(verdict.value, "red") for verdict in (before, after))
        table.add_row(*(f"[{c}]{v}[/]" for c, v in zip(colours, (before, after), strict=True)), str(count))
    console.print(table)


def _show_problems(console: Console, changes: Changes) -> None:
    """The problems whose accepted share changed most, in either direction."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("problem", "before", "after", "change"):
        table.add_column(heading, justify="left" if heading == "problem" else "right")
    for problem in sorted(changes.problems, key=lambda problem: -abs(problem.change))[:_SHOWN_CHANGES]:
        shares = f"{problem.before:.0%}", f"{problem.after:.0%}", f"{problem.change:+.0%}"
        table.add_row(literal(problem.problem_id), *shares)
    console.print(table)
    if len(changes.problems) > _SHOWN_CHANGES:
        console.print(
            f"[dim]... and {counted(len(changes.problems) - _SHOWN_CHANGES, 'more problem')} (--json, --out)[/]"
        )


def show_bad_records(bad: Sequence[BadRecord]) -> None:
    """Records that could not be used, on standard error. Those that differ only in names and places are one line."""
    console = safe_console(stderr=True, soft_wrap=True)
    alike: dict[str, list[BadRecord]] = {}
    for record in bad:
        alike.setdefault(_OWN_TO_ONE.sub("", record.why), []).append(record)
    for records in list(alike.values())[:SHOWN_BAD_RECORDS]:
        more = f" [dim](and {len(records) - 1:,} more like this)[/]" if len(records) > 1 else ""
        console.print(f"[yellow]bad input:[/] {literal(str(records[0]))}{more}")
    left_out = sum(len(records) for records in list(alike.values())[SHOWN_BAD_RECORDS:])
    if left_out:
        console.print(f"[yellow]... and {counted(left_out, 'more bad record')} (summary.json has all)[/]")


def show_grade(grade: Grade, problem: Problem) -> None:
    """One submission: each test, then the verdict and its reason."""
    console = result_console()
    if grade.tests:
        table = Table(box=None, padding=(0, 2, 0, 0))
        for heading in ("test", "verdict", "CPU ms", "MiB", "rung or first difference"):
            table.add_column(heading, justify="right" if heading in ("test", "CPU ms", "MiB") else "left")
        for test in grade.tests:
            colour = _COLOURS.get(test.verdict.value, "red")
            reason = test.rung if test.verdict is Verdict.ACCEPTED else test.detail.strip().splitlines()[-1:]
            table.add_row(
                str(test.index),
                f"[{colour}]{test.verdict}[/]",
                f"{test.cpu_ms:.1f}",
                f"{test.memory_kb / 1024:.0f}",
                literal(reason if isinstance(reason, str) else "".join(reason or ())),
            )
        console.print(table)
    for group in grade.groups[:-1]:
        most = "" if group.max_points is None else f" of {group.max_points:g}"
        console.print(f"{literal(group.name)}: {group.points:g}{most} points, {group.verdict}")
    if grade.points is not None:
        most = "" if grade.max_points is None else f" of {grade.max_points:g}"
        console.print(f"[bold]{grade.points:g}{most} points[/]")
    colour = _COLOURS.get(grade.verdict.value, "red")
    console.print(
        f"[bold {colour}]{grade.verdict}[/]  {grade.passed} of {counted(grade.total, 'test')}, "
        f"problem {literal(problem.id)}"
    )
    if grade.detail:
        console.print(literal(grade.detail), soft_wrap=True)
    for note in grade.notes:
        console.print(f"[dim]{literal(note)}[/]")
