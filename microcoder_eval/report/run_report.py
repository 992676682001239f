"""The report of one grading run: its scores, its verdicts, and every submission with the reason for its verdict."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.metrics import Estimate
from microcoder_eval.plural import counted
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.report.cells import VERDICT_TONES, interval_text, natural_order, percent, reason, verdict_badge
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
    table,
    write_page,
)
from microcoder_eval.report.run_tables import Explained, field_tables, problem_table
from microcoder_eval.report.searchable_table import MOST_ROWS, Column, SearchableTable, Side
from microcoder_eval.runs.field_tally import FieldTally
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.runs.tally import LOOSENESS, Scores, SlowTest, Tally, weakest_rung
from microcoder_eval.verdict import Grade, Verdict

_PLATFORM_NAMES = {"atcoder": "AtCoder", "leetcode": "LeetCode", "codeforces": "Codeforces", "codechef": "CodeChef"}
_MOST_COLUMNS = 8
_NO_ATTRIBUTES = ProblemAttributes()


def write_run_report(directory: Path, out: Path | None = None) -> Path:
    """Write the report of a run, by default as `report.html` in its directory.

    >>> write_run_report(Path("runs/first"))                                     # doctest: +SKIP
    PosixPath('runs/first/report.html')
    """
    run = GradingRun(directory)
    out = out or (directory if directory.is_dir() else directory.parent) / "report.html"
    write_page(out, run_report(run))
    return out


def run_report(run: GradingRun) -> str:
    """The page as HTML. The same grades give the same bytes, in whatever order the submissions ended.

    >>> html = run_report(GradingRun(Path("runs/first")))                        # doctest: +SKIP
    """
    tally, by_field = Tally(), FieldTally()

    def counted(explained: Explained) -> Explained:
        tally.add(explained[0])
        by_field.add(*explained)
        return explained

    listed = heapq.nsmallest(MOST_ROWS, map(counted, run.explained()), key=_failures_first)
    if not listed:
        nothing = section("Nothing was graded", note="bad_input in summary.json says why.")
        return page(f"Grades of {run.name}", nothing, lead=_settings(run))
    scores = tally.scores(run.attributes)
    rows = {(grade.problem_id, grade.submission_id): row for row, (grade, _) in enumerate(listed)}
    return page(
        f"Grades of {run.name}",
        figures(_figures(tally, scores)),
        *_score_table(scores),
        side_by_side(_verdicts(tally), _rungs(tally)),
        *field_tables(by_field),
        _submissions(listed, run, tally.submissions, by_field.names()),
        problem_table(tally, listed),
        _slow_tests(tally.slowest(), rows),
        lead=_settings(run),
    )


def _settings(run: GradingRun) -> str:
    shown = [f"{name} {run.settings[name]}" for name in ("policy", "isolation") if name in run.settings]
    if "all_tests" in run.settings:
        shown.append("all tests run" if run.settings["all_tests"] else "stopped at a program's first failure")
    return " · ".join(shown)


def _figures(tally: Tally, scores: Scores | None) -> list[Figure]:
    shown = []
    if scores:
        mean = "Accepted, mean over problems" if scores.samples == 1 else f"mean@{scores.samples}"
        shown.append(Figure(mean, percent(scores.mean.value), interval_text(scores.mean)))
        shown += [
            Figure(f"pass@{k}", percent(estimate.value), interval_text(estimate))
            for k, estimate in scores.pass_at_k.items()
            if k > 1
        ]
    shown.append(Figure("Accepted", f"{tally.accepted:,}", f"of {counted(tally.submissions, 'submission')}"))
    if tally.points.submissions:
        scored = f"{counted(tally.points.submissions, 'submission')} to problems with scoring"
        shown.append(Figure("Points", str(tally.points), scored))
    shown.append(Figure("Tests run", f"{tally.tests:,}", f"{counted(len(tally.shares()), 'problem')}"))
    if tally.judge_failed:
        shown.append(Figure("Judge failed", f"{tally.judge_failed:,}", "on this output only: a wrong answer", "odd"))
    if tally.judge_errors:
        shown.append(Figure("Not graded", f"{tally.judge_errors:,}", "JUDGE_ERROR, not in scores", "odd"))
    return shown


def _score_table(scores: Scores | None) -> list[Html]:
    if scores is None or (len(scores.table) <= 2 and len(scores.table["all"]) <= 2):  # one platform, one difficulty
        return []
    columns = list(scores.table["all"])
    rows = [
        [_PLATFORM_NAMES.get(platform, platform.capitalize()), *(_cell(row.get(column)) for column in columns)]
        for platform, row in scores.table.items()
    ]
    note = f"mean@{scores.samples} in per cent, with 95 % bootstrap intervals over problems and the number of problems."
    headings = ["Platform", *(column.capitalize() for column in columns)]
    if len(columns) > _MOST_COLUMNS:  # such as ratings: a line for each
        headings, *rows = map(list, zip(headings, *rows, strict=True))
        headings[0] = "Difficulty"
    return [section("Platform and difficulty", table(headings, rows, numbers=range(1, len(headings))), note=note)]


def _cell(estimate: Estimate | None) -> Html:
    if estimate is None:
        return Html("")
    notes = [
        element("span", note, class_="note") for note in (interval_text(estimate), f"of {estimate.problems:,}") if note
    ]
    return element("span", element("b", f"{100 * estimate.value:.1f}"), *notes)


def _verdicts(tally: Tally) -> Html:
    bars = [
        Bar(
            verdict.value,
            tally.verdicts[verdict.value],
            _share(tally.verdicts[verdict.value], tally),
            VERDICT_TONES[verdict],
        )
        for verdict in Verdict
        if tally.verdicts[verdict.value]
    ]
    return section("Verdicts", bar_chart("Verdicts", bars))


def _rungs(tally: Tally) -> Html:
    if not tally.rungs:
        return section("What acceptances rest on", element("p", "Nothing was accepted.", class_="note"))
    strictest_first = sorted(tally.rungs, key=lambda rung: (LOOSENESS.get(rung, len(LOOSENESS)), rung))
    bars = [Bar(rung or "none", tally.rungs[rung], f"{tally.rungs[rung]:,}") for rung in strictest_first]
    note = "The loosest comparison that a test of the submission needed, the strictest first."
    return section("What acceptances rest on", bar_chart("Acceptances by rung", bars), note=note)


def _share(count: int, tally: Tally) -> str:
    return f"{count:,}  ({100 * count / tally.submissions:.1f} %)"


def _failures_first(explained: Explained) -> tuple[Any, ...]:
    """A key that sorts failures before accepted submissions, and then by problem and submission."""
    grade = explained[0]
    return grade.accepted, natural_order(grade.problem_id), natural_order(grade.submission_id)


def _submissions(listed: list[Explained], run: GradingRun, total: int, fields: list[str]) -> Html:
    """The searchable table of submissions. Columns that would be empty are left out."""
    attributes = run.attributes
    statements = run.statements({grade.problem_id for grade, _ in listed})
    platforms = any(each.platform for each in attributes.values())
    difficulties = any(each.difficulty for each in attributes.values())
    scoring = any(grade.points is not None for grade, _ in listed)
    columns = [
        Column("Problem", "id"),
        Column("Submission", "id"),
        *([Column("Platform", filter=True, minor=True)] if platforms else []),
        *([Column("Difficulty", filter=True, minor=True)] if difficulties else []),
        Column("Verdict", "verdict", filter=True),
        *(Column(name, "word", filter=True, minor=True) for name in fields),
        *([Column("Points", "share")] if scoring else []),
        Column("Passed", "share", minor=True),
        Column("CPU ms", "number", minor=True, under="ms CPU"),
        Column("MiB", "number", minor=True),
        Column("Rung", filter=True, minor=True),
        Column("First difference", "text", minor=True, under=" "),
    ]
    rows_table = SearchableTable("submissions", "submissions", columns)
    for grade, evidence in listed:
        known = attributes.get(grade.problem_id, _NO_ATTRIBUTES)
        row = [
            grade.problem_id,
            _short(grade.problem_id, grade.submission_id),
            *([known.platform] if platforms else []),
            *([known.difficulty] if difficulties else []),
            grade.verdict.value,
            *(str(evidence.fields.get(name, "")) for name in fields),
            *([_points(grade)] if scoring else []),
            [grade.passed, grade.total],
            round(max((test.cpu_ms for test in grade.tests), default=0.0), 1),
            round(max((test.memory_kb for test in grade.tests), default=0) / 1024, 1),
            weakest_rung(grade) if grade.accepted else "",
            "" if grade.accepted else reason(grade),
        ]
        rows_table.add(row, [Side(grade, "", evidence, statements.get(grade.problem_id))])
    note = "Failures first. With early stop, tests not run count as not passed. CPU and MiB: the largest of any test."
    if total > len(listed):
        note = f"The first {len(listed):,} of {total:,}; all are in grades.jsonl. {note}"
    return section("Submissions", rows_table.html(), note=note)


def _short(problem: str, submission: str) -> str:
    """A submission's id without the problem's id, which has a column of its own."""
    return submission.removeprefix(f"{problem}/") or submission


def _points(grade: Grade) -> list[float | None] | str:
    return "" if grade.points is None else [grade.points, grade.max_points]


def _slow_tests(slowest: list[SlowTest], rows: Mapping[tuple[str, str], int]) -> Html:
    def name(slow: SlowTest) -> Html | str:
        row = rows.get((slow.problem_id, slow.submission_id))
        return slow.problem_id if row is None else element("a", slow.problem_id, href=f"#submissions/{row}")

    shown = [
        [
            name(slow),
            _short(slow.problem_id, slow.submission_id),
            slow.test,
            f"{slow.cpu_ms:,.0f}",
            f"{slow.wall_ms:,.0f}",
            verdict_badge(Verdict(slow.verdict)),
        ]
        for slow in slowest
    ]
    headings = ["Problem", "Submission", "Test", "CPU ms", "Wall ms", "Verdict"]
    summary = element("summary", "The slowest test of each submission, the slowest first.")
    return section("Slowest tests", element("details", summary, table(headings, shown, numbers=(2, 3, 4))))
