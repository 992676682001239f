"""Prints why a submission failed: input, expected and actual output with the difference marked, the program, the reply.

Everything shown was written by programs and models: it passes through `printable`.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from microcoder_eval.command_line import literal, result_console
from microcoder_eval.plural import counted
from microcoder_eval.printable import in_a_line, printable, visible
from microcoder_eval.report.cells import natural_order, reason
from microcoder_eval.report.explained import (
    FailedTest,
    differing_spans,
    failed_tests,
    labels_of,
    paired_lines,
    shown_line,
)
from microcoder_eval.runs.evidence import LONGEST_PROGRAM, Evidence
from microcoder_eval.runs.field_tally import FieldTally
from microcoder_eval.suggest import pasted
from microcoder_eval.verdict import Excerpt, Grade, Verdict

_COLOURS = {Verdict.ACCEPTED: "green", Verdict.JUDGE_ERROR: "magenta"}
_MOST_LINES = 25
_MOST_FAILURES = 3
_MOST_LISTED = 40
_MOST_FIELDS = 3
_LONGEST_LINE = 300


def show_list(explained: Iterable[tuple[Grade, Evidence]], run: str) -> None:
    """Submissions, one on each line, failures first, with the id that `eval show` takes. Only the shown are kept.

    Fields that tell submissions apart, such as `model`, have a column.
    """
    console = result_console()
    total = itertools.count()
    by_field = FieldTally()

    def counted(each: tuple[Grade, Evidence]) -> tuple[Grade, Evidence]:
        by_field.add(*each)
        next(total)
        return each

    order = heapq.nsmallest(_MOST_LISTED, map(counted, explained), key=_failures_first)
    left_out = next(total) - len(order)
    names = list(by_field.tables())[:_MOST_FIELDS]
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("problem/submission", "verdict", "passed", *(in_a_line(name, 30) for name in names), "why"):
        table.add_column(literal(heading), overflow="fold")
    for grade, evidence in order:
        verdict = f"[{_COLOURS.get(grade.verdict, 'red')}]{grade.verdict}[/]"
        name = f"{grade.problem_id}/{grade.submission_id}"
        told_apart = (literal(in_a_line(evidence.fields.get(name, ""), 30)) for name in names)
        why = literal(printable(reason(grade), 90))
        table.add_row(literal(name), verdict, f"{grade.passed}/{grade.total}", *told_apart, why)
    console.print(table)
    if left_out:
        console.print(f"[dim]... and {left_out:,} more (--json lists all)[/]")
    console.print(
        f"[dim]one of them: microcoder eval show {literal(pasted(run))} PROBLEM/SUBMISSION[/]", soft_wrap=True
    )


def _failures_first(explained: tuple[Grade, Evidence]) -> tuple[Any, ...]:
    grade = explained[0]
    return grade.accepted, natural_order(grade.problem_id), natural_order(grade.submission_id)


def show_explained(
    grade: Grade, evidence: Evidence, statement: Excerpt | None, complete: bool = False, heading: bool = True
) -> None:
    """One submission with the reason for its verdict. `complete`: cut nothing."""
    console = result_console()
    if heading:
        colour = _COLOURS.get(grade.verdict, "red")
        name = f"{literal(grade.submission_id)} for problem {literal(grade.problem_id)}"
        passed = f"{grade.passed} of {counted(grade.total, 'test')} passed"
        console.print(f"[bold {colour}]{grade.verdict}[/]  {name}: {passed}", soft_wrap=True)
    if evidence.fields:
        console.print(Text(" · ".join(f"{k} {v}" for k, v in printed_fields(evidence.fields).items()), "dim"))
    failures = failed_tests(grade, evidence)
    if not failures and grade.detail:
        _block(console, "why", Excerpt.of(grade.detail, 0, len(grade.detail)), complete)
    for failure in failures if complete else failures[:_MOST_FAILURES]:
        show_failure(console, failure, complete, labels_of(evidence))
    if not complete and len(failures) > _MOST_FAILURES:
        console.print(f"[dim]... and {len(failures) - _MOST_FAILURES} more failed tests (--complete)[/]")
    if grade.code is not None:
        _program(console, grade, complete)
    if evidence.reply is not None and (grade.code is None or complete):
        _block(console, "reply, as it came", evidence.reply, complete)
    for note in grade.notes if grade.verdict is not Verdict.NO_CODE else ():
        console.print(Text(f"  how the program was found: {printable(note)}", "dim"))
    if statement is not None:
        _block(console, "statement", statement, complete)


def show_failure(console: Console, failure: FailedTest, complete: bool, labels: tuple[str, str, str]) -> None:
    """One failed test: what went in, what should have come out, and what did."""
    result = failure.result
    heading = Text.assemble("\n", (f"test {result.index}  ", "bold"), (str(result.verdict), "red"))
    heading.append(f"  {result.cpu_ms:,.0f} ms CPU, {result.memory_kb / 1024:,.0f} MiB")
    console.print(heading)
    lines = result.detail.strip().splitlines()
    if lines:
        console.print(Text(printable(lines[-1], _LONGEST_LINE)), soft_wrap=True)
    if failure.given is not None:
        _block(console, labels[0], failure.given, complete)
    if failure.expected is not None and failure.actual is not None:
        _sides(console, failure.expected, failure.actual, complete)
    elif failure.expected is not None:
        _block(console, labels[1], failure.expected, complete)
    elif failure.actual is not None:
        _block(console, labels[2], failure.actual, complete, from_end=True)
    if result.stderr is not None:
        _block(console, "stderr, its end", result.stderr, complete, from_end=True)


def printed_fields(fields: Mapping[str, Any]) -> dict[str, str]:
    """A submission's other fields, safe to print."""
    return {in_a_line(name, 60): in_a_line(value, 100) for name, value in fields.items()}


def _sides(console: Console, expected: Excerpt, actual: Excerpt, complete: bool) -> None:
    pairs = paired_lines(expected.text, actual.text)
    first = next((i for i, (wanted, got) in enumerate(pairs) if wanted != got), 0)
    start = 0 if complete else max(0, first - _MOST_LINES // 2)
    chosen = pairs if complete else pairs[start : start + _MOST_LINES]
    for name, side, excerpt in (("expected", 0, expected), ("got", 1, actual)):
        _heading(console, name, excerpt)
        if start:
            console.print(f"    [dim]... {counted(start, 'line')} that are the same[/]")
        empty = not excerpt.text.strip()
        for pair in () if empty else chosen:
            line, other = pair[side], pair[1 - side]
            if line is not None:
                console.print(_marked(line, other, side, complete), soft_wrap=True)
        if empty:
            console.print("    [dim](nothing)[/]")
        if len(pairs) > start + len(chosen):
            console.print("    [dim]... more lines (--complete)[/]")


def _marked(line: str, other: str | None, side: int, complete: bool) -> Text:
    style = ("bold green", "bold red")[side]
    if other is None:
        return Text.assemble("    ", (printable(line, _LONGEST_LINE), style))
    start, end = differing_spans(*((line, other) if side == 0 else (other, line)))[side]
    if line == other:
        return Text("    " + _cut(line, 0, complete))
    if not complete and start > _LONGEST_LINE // 2:
        cut = start - _LONGEST_LINE // 2
        line, start, end = line[cut:], start - cut, end - cut
        before = "..."
    else:
        before = ""
    shown = line if complete else line[:_LONGEST_LINE]
    marked = visible(shown[start:end]) or ("∅" if len(line) <= start else "")
    return Text.assemble(
        "    ", before, visible(shown[:start]), (marked, f"{style} underline"), visible(shown[max(start, end) :])
    )


def _cut(line: str, start: int, complete: bool) -> str:
    return visible(line[start:]) if complete else printable(line[start:], _LONGEST_LINE)


def _heading(console: Console, name: str, excerpt: Excerpt) -> None:
    part = "" if excerpt.is_whole else f"  from character {excerpt.start:,} of {excerpt.size:,}"
    console.print(Text.assemble("  ", (name, "cyan"), (part, "dim")))


def _block(console: Console, name: str, excerpt: Excerpt, complete: bool, from_end: bool = False) -> None:
    _heading(console, name, excerpt)
    lines = excerpt.text.rstrip("\n").split("\n")
    shown = lines if complete else lines[-_MOST_LINES:] if from_end else lines[:_MOST_LINES]
    for line in shown:
        console.print(Text("    " + _cut(line, 0, complete)), soft_wrap=True)
    if len(shown) < len(lines):
        console.print(f"    [dim]... {counted(len(lines) - len(shown), 'more line')} (--complete)[/]")


def _program(console: Console, grade: Grade, complete: bool) -> None:
    begins = "  its beginning, all that a run keeps" if len(grade.code or "") >= LONGEST_PROGRAM else ""
    console.print(Text.assemble("\n  ", ("program", "cyan"), (f"  {grade.language}{begins}", "dim")))
    failing = shown_line(grade)
    lines = (grade.code or "").rstrip("\n").split("\n")
    around = max(0, min((failing or 1) - _MOST_LINES // 2, len(lines) - 2 * _MOST_LINES))
    first = 0 if complete or len(lines) <= 2 * _MOST_LINES else around
    shown = lines if complete else lines[first : first + 2 * _MOST_LINES]
    for number, line in enumerate(shown, start=first + 1):
        mark, style = ("->", "bold red") if number == failing else ("  ", "")
        console.print(Text(f" {mark} {number:>4}  {_cut(line, 0, complete)}", style), soft_wrap=True)
    if len(shown) < len(lines):
        console.print(f"    [dim]lines {first + 1} to {first + len(shown)} of {len(lines):,} (--complete)[/]")
