"""Two tables of a grading run's page: scores by a field of the submissions (`model`), and one line for each problem."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from microcoder_eval.report.cells import natural_order, percent, reason, verdict_badge
from microcoder_eval.report.explained import compared_fields
from microcoder_eval.report.page import Html, element, join, section, table
from microcoder_eval.runs.evidence import Evidence
from microcoder_eval.runs.tally import Tally
from microcoder_eval.verdict import Grade, Verdict

Explained = tuple[Grade, Evidence]
_MOST_VALUES = 200
_FEW_VALUES = 12
_LONGEST_VALUE = 60
_MOST_PROBLEMS = 500
_FOLDED_FROM = 40


class FieldTally:
    """Counts accepted submissions by every value of every field that the submissions have besides their program."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
        self._too_many_values: set[str] = set()

    def add(self, grade: Grade, evidence: Evidence) -> None:
        if grade.verdict is Verdict.JUDGE_ERROR:
            return
        for name, value in evidence.fields.items():
            counts = self._counts[name]
            if name in self._too_many_values or (str(value) not in counts and len(counts) >= _MOST_VALUES):
                self._too_many_values.add(name)  # such as an id or a date, by which nothing can be compared
                continue
            accepted, judged = counts.get(str(value), (0, 0))
            counts[str(value)] = accepted + grade.accepted, judged + 1

    def names(self) -> list[str]:
        """The fields that are worth a column and a filter: short values, of which several submissions have the same."""
        return [name for name in self._counts if name not in self._too_many_values and _divides(self._counts[name])]

    def tables(self) -> dict[str, dict[str, tuple[int, int]]]:
        """For each field with few values: the accepted and the judged submissions of each value."""
        return {
            name: dict(self._counts[name])
            for name in compared_fields(self._counts)
            if name not in self._too_many_values
        }


def _divides(counts: Mapping[str, tuple[int, int]]) -> bool:
    """Whether the values of a field divide the submissions into groups; texts and ids do not."""
    submissions = sum(judged for _, judged in counts.values())
    several = len(counts) <= _FEW_VALUES or len(counts) * 4 <= submissions
    return len(counts) > 1 and several and max(map(len, counts)) <= _LONGEST_VALUE


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
                    for value, (accepted, judged) in sorted(counts.items(), key=_largest_share_first)
                ],
                numbers=(1, 2, 3),
                wide=False,
            ),
        )
        for name, counts in sorted(fields.tables().items())
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
    for grade, _ in listed:
        verdicts[grade.problem_id][grade.verdict] += 1
        if not grade.accepted:
            first.setdefault(grade.problem_id, grade)
    hardest = sorted(
        (name for name in shares if name in verdicts), key=lambda name: (shares[name], natural_order(name))
    )
    rows = [
        [
            element("a", name, href=f"#only/submissions/{name}"),
            percent(shares[name]),
            join(*(_counted(verdict, count) for verdict, count in verdicts[name].most_common())),
            reason(first[name]) if name in first else "",
        ]
        for name in hardest[:_MOST_PROBLEMS]
    ]
    shown = table(["Problem", "Accepted", "Verdicts", "First failure"], rows, numbers=(1,))
    more = f" The first {_MOST_PROBLEMS:,} of {len(hardest):,}." if len(hardest) > _MOST_PROBLEMS else ""
    summary = element("summary", f"{len(hardest):,} problems, the hardest first.{more} A name shows its submissions.")
    return section("Problems", element("details", summary, shown, open=len(hardest) < _FOLDED_FROM))


def _counted(verdict: Verdict, count: int) -> Html:
    return join(element("span", verdict_badge(verdict), f" {count:,}", class_="counted"), " ")


def _largest_share_first(item: tuple[str, tuple[int, int]]) -> tuple[float, str]:
    value, (accepted, judged) = item
    return -accepted / judged, value
