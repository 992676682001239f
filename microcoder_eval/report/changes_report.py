"""The page that shows what changed from one grading run to another."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from microcoder_eval.metrics import Estimate
from microcoder_eval.plural import counted
from microcoder_eval.report.cells import interval_text, percent, reason, verdict_badge
from microcoder_eval.report.changes import Changes, Key
from microcoder_eval.report.page import (
    Bar,
    Figure,
    Html,
    bar_chart,
    element,
    figures,
    page,
    section,
    side_by_side,
    write_page,
)
from microcoder_eval.report.searchable_table import MOST_ROWS, Column, SearchableTable, Side
from microcoder_eval.runs.evidence import Evidence
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.verdict import Grade, Verdict

_TONES = {"gained": "good", "lost": "bad", "other": "accent"}


def write_changes_report(out: Path, changes: Changes, before: GradingRun, after: GradingRun) -> None:
    """Write the page to `out`.

    >>> write_changes_report(Path("changes.html"), compare_runs(first, second), first, second)  # doctest: +SKIP
    """
    write_page(out, changes_report(changes, before, after))


def changes_report(changes: Changes, before: GradingRun, after: GradingRun) -> str:
    """The page as HTML. `before` and `after` are the runs that `changes` compares."""
    left_out = [
        f"{count:,} {changes.paired_by}s only {where}"
        for count, where in ((changes.only_before, "before"), (changes.only_after, "after"))
        if count
    ]
    settings = [f"{name} {old} → {new}" for name, (old, new) in changes.settings.items()]
    sections = [figures(_figures(changes))]
    if changes.verdicts:
        sections += [side_by_side(_kinds(changes), _moves(changes)), _submissions(changes, before, after)]
    sections.append(_problems(changes))
    which = f"{changes.before_name} is before, {changes.after_name} is after"
    lead = " · ".join([which, f"{changes.compared:,} {changes.paired_by}s in both", *left_out, *settings])
    return page(f"{changes.before_name} → {changes.after_name}", *sections, lead=lead)


def _figures(changes: Changes) -> list[Figure]:
    change = changes.change
    certain = change.low is not None and change.high is not None and (change.low > 0 or change.high < 0)
    tone = ("good" if change.value > 0 else "bad") if certain else ""
    shown = [
        Figure("Score before", percent(changes.before.value), interval_text(changes.before)),
        Figure("Score after", percent(changes.after.value), interval_text(changes.after)),
        Figure("Change, points", f"{100 * change.value:+.2f}", _points(change), tone),
    ]
    if changes.paired_by == "submission":
        shown.append(Figure("Gained", f"{changes.kinds['gained']:,}", "now accepted"))
        shown.append(Figure("Lost", f"{changes.kinds['lost']:,}", "no longer accepted"))
    if changes.judge_errors:
        shown.append(Figure("Not graded", f"{changes.judge_errors:,}", "JUDGE_ERROR, not in scores", "odd"))
    return shown


def _points(change: Estimate) -> str:
    """The interval of a change in points, and over how many problems it is."""
    if change.low is None or change.high is None:
        return f"over {change.problems:,} problem"
    return f"{100 * change.low:+.2f} to {100 * change.high:+.2f}, over {counted(change.problems, 'problem')}"


def _kinds(changes: Changes) -> Html:
    bars = [Bar(kind, changes.kinds[kind], f"{changes.kinds[kind]:,}", tone) for kind, tone in _TONES.items()]
    note = "Gained: now accepted. Lost: no longer accepted. Other: rejected in both runs, for another reason."
    return section("What the changes mean", bar_chart("Changes", bars), note=note)


def _moves(changes: Changes) -> Html:
    shown = changes.moves[:12]
    rows = (
        element("li", verdict_badge(before), "→", verdict_badge(after), element("b", f"{count:,}"))
        for before, after, count in shown
    )
    return section("How verdicts moved", element("ul", *rows, class_="moves"))


def _submissions(changes: Changes, before: GradingRun, after: GradingRun) -> Html:
    listed = changes.verdicts[:MOST_ROWS]
    keys = {(change.problem_id, change.submission_id) for change in listed}
    old, new = _chosen(before.explained(), keys), _chosen(after.explained(), keys)
    columns = [
        Column("Problem", "id"),
        Column("Submission", "id"),
        Column("Change", filter=True, minor=True),
        Column("Before", "verdict", filter=True),
        Column("After", "verdict", filter=True, minor=True, under="after"),
        Column("First difference", "text", minor=True, under=" "),
    ]
    rows_table = SearchableTable("submissions", "changed submissions", columns)
    for change in listed:
        key = change.problem_id, change.submission_id
        rejection = (old if change.after is Verdict.ACCEPTED else new)[key][0]
        row = [*key, change.kind, change.before.value, change.after.value, reason(rejection)]
        sides = [Side(old[key][0], "Before", old[key][1]), Side(new[key][0], "After", new[key][1])]
        rows_table.add(row, sides)
    cut = (
        f"The first {len(listed):,} of {len(changes.verdicts):,}, by problem."
        if len(keys) < len(changes.verdicts)
        else ""
    )
    note = "An opened row shows both programs; marked lines are in one of them only."
    return section("Changed submissions", rows_table.html(), note=f"{cut} {note}".strip())


def _problems(changes: Changes) -> Html:
    if not changes.problems:
        return section("Changed problems", element("p", "No problem's accepted share changed.", class_="note"))
    columns = [
        Column("Problem", "id"),
        Column("Before", "percent"),
        Column("After", "percent"),
        Column("Change, points", "points"),
    ]
    rows_table = SearchableTable("problems", "changed problems", columns)
    for problem in changes.problems[:MOST_ROWS]:
        rows_table.add([problem.problem_id, *(round(x, 4) for x in (problem.before, problem.after, problem.change))])
    return section(
        "Changed problems", rows_table.html(), note="Accepted share of a problem's samples, the largest decrease first."
    )


def _chosen(explained: Iterable[tuple[Grade, Evidence]], keys: set[Key]) -> dict[Key, tuple[Grade, Evidence]]:
    """The grades with these keys, each with its evidence."""
    return {key: pair for pair in explained if (key := (pair[0].problem_id, pair[0].submission_id)) in keys}
