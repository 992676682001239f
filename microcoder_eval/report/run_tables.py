"""Two tables of a grading run's page: scores by a field of the submissions (`model`), and one line for each problem."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from microcoder_eval.plural import counted
from microcoder_eval.report.cells import natural_order, percent, reason, verdict_badge
from microcoder_eval.report.page import Html, element, join, section, table
from microcoder_eval.runs.evidence import Evidence
from microcoder_eval.runs.field_tally import FieldTally
from microcoder_eval.runs.tally import Tally
from microcoder_eval.verdict import Grade, Verdict

Explained = tuple[Grade, Evidence]
_MOST_PROBLEMS = 500
_FOLDED_FROM = 40


def field_tables(fields: FieldTally) -> list[Html]:
    """A small table for each field that has a few values."""
    tables = [
        element(
            "div",
            element("h3", name),
            table(
                [name, "Accepted", "Submissions", "Share"],
                [
                    [value or "(empty)", f"{accepted:,}", f"{judged:,}", percent(accepted / judged)]
                    for value, (accepted, judged) in counts.items()
                ],
                numbers=(1, 2, 3),
                wide=False,
            ),
        )
        for name, counts in fields.tables().items()
    ]
    note = "By fields of the submissions. Submissions that could not be graded do not count."
    return [section("Compared by", element("div", *tables, class_="side-by-side"), note=note)] if tables else []


def problem_table(tally: Tally, listed: Sequence[Explained]) -> Html:
    """A line for each problem, the hardest first: its accepted share, its verdicts, its first failure.

    A problem's name links to its rows in the table of submissions.
    """
    shares = tally.shares()
    verdicts: dict[str, Counter[Verdict]] = defaultdict(Counter)
    first: dict[str, Grade] = {}
    row: dict[str, int] = {}
    for at, (grade, _) in enumerate(listed):
        verdicts[grade.problem_id][grade.verdict] += 1
        row.setdefault(grade.problem_id, at)
        if not grade.accepted:
            first.setdefault(grade.problem_id, grade)
    hardest = sorted(
        (name for name in shares if name in verdicts), key=lambda name: (shares[name], natural_order(name))
    )
    rows = [
        [
            element("a", name, href=f"#only/submissions/{row[name]}"),
            percent(shares[name]),
            join(*(_counted(verdict, count) for verdict, count in verdicts[name].most_common())),
            reason(first[name]) if name in first else "",
        ]
        for name in hardest[:_MOST_PROBLEMS]
    ]
    shown = table(["Problem", "Accepted", "Verdicts", "First failure"], rows, numbers=(1,))
    more = f" The first {_MOST_PROBLEMS:,} of {len(hardest):,}." if len(hardest) > _MOST_PROBLEMS else ""
    summary = element(
        "summary", f"{counted(len(hardest), 'problem')}, the hardest first.{more} A name shows its submissions."
    )
    return section("Problems", element("details", summary, shown, open=len(hardest) < _FOLDED_FROM))


def _counted(verdict: Verdict, count: int) -> Html:
    return join(element("span", verdict_badge(verdict), f" {count:,}", class_="counted"), " ")
