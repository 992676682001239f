"""A searchable table of many rows for a report page, with details for each row.

The page holds the rows as plain JSON. Details (programs, tests) are in compressed blocks, and a program that several
submissions share is stored once, so that ten thousand submissions make a page of a few megabytes.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from microcoder_eval.report.cells import VERDICT_TONES, last_line, reason
from microcoder_eval.report.explained import failed_tests, labels_of, shown_line
from microcoder_eval.report.page import Html, element, embedded_json, join
from microcoder_eval.runs.evidence import Evidence
from microcoder_eval.verdict import Excerpt, Grade, TestResult, Verdict

MOST_ROWS = 20_000
"""The most rows of a table; the rest is in the run's files only."""
CODE_CHARACTERS = 60_000
_DETAIL_CHARACTERS = 2_000
_EVIDENCE_CHARACTERS = 40_000_000
"""How much of a run's replies, inputs and outputs a table holds; the rest is in the run's folder."""
_MOST_TESTS = 200
"""The most tests of a submission that are listed."""
_BLOCK = 100
"""The items of a compressed block."""
_LEVEL = 3
"""The level of compression. From 4 on zlib takes twice as long, for blocks that are 3 % smaller."""


@dataclass(frozen=True)
class Column:
    """A column. Kinds: word, text (long), id (one line), verdict, number, share ([part, whole]), percent, points."""

    title: str
    kind: str = "word"
    filter: bool = False
    minor: bool = False
    """Not shown on narrow screens."""
    under: str = ""
    """If not empty, narrow screens show the value below the verdict (or else the second column), and this after it."""


class DetailPart(NamedTuple):
    """A part of a row's details that are shown as a document."""

    heading: str
    kind: str
    """prose (simple Markdown), code, table (rows of cells, the first row has the headings), or path (steps)."""
    content: Any
    folded: bool = False


@dataclass(frozen=True)
class Side:
    """One grade in a row's details. A row with two sides compares them."""

    grade: Grade
    name: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    statement: Excerpt | None = None


class SearchableTable:
    """Collects rows and their details; `html()` is the whole table.

    >>> rows_table = SearchableTable("problems", "problems", [Column("Problem"), Column("Change", "points")])
    >>> rows_table.add(["two-sum", 0.25])
    >>> "two-sum" in rows_table.html()
    True
    """

    def __init__(self, name: str, noun: str, columns: Sequence[Column]) -> None:
        self.name = name
        self.rows: list[Sequence[Any]] = []
        self._noun = noun
        self._columns = columns
        self._details = _Blocks(f"{name}-details")
        self._programs = _Blocks(f"{name}-code")
        self._program_of: dict[tuple[str, int | None], int] = {}
        self._statements = _Blocks(f"{name}-statements")
        self._statement_of: dict[str, int] = {}
        self._evidence_left = _EVIDENCE_CHARACTERS

    def add_document(self, row: Sequence[Any], parts: Sequence[DetailPart]) -> None:
        """Add a row whose details are a document: headings with text, code, tables or a path of steps."""
        self.rows.append(row)
        self._details.add([{"parts": [part._asdict() for part in parts]}])

    def add(self, row: Sequence[Any], sides: Sequence[Side] = ()) -> None:
        """Add a row, and the grades that its details show. Either all rows have grades or none."""
        self.rows.append(row)
        if sides:
            self._details.add([self._side(side) for side in sides])

    def html(self) -> Html:
        table = {
            "noun": self._noun,
            "columns": [column.__dict__ for column in self._columns],
            "rows": self.rows,
            "tones": {verdict.value: tone for verdict, tone in VERDICT_TONES.items()},
            "block": _BLOCK if self._details else None,
        }
        place = element("div", element("noscript", "This table needs JavaScript."), data_explorer=self.name)
        blocks = (self._details, self._programs, self._statements)
        return join(place, embedded_json(self.name, table), *(each.html() for each in blocks))

    def _side(self, side: Side) -> dict[str, Any]:
        grade = side.grade
        tests = _shown_tests(grade.tests)
        evidence = self._evidence(side)
        has_stderr = any(failure["stderr"] for failure in evidence["failures"])
        return {
            **evidence,
            "name": side.name,
            "verdict": grade.verdict.value,
            "passed": grade.passed,
            "total": grade.total,
            "detail": reason(grade) if has_stderr else _shortened(grade.detail),
            "notes": [_shortened(note) for note in grade.notes],
            "code": None if grade.code is None else self._program(grade.code),
            "groups": [[group.name, group.verdict.value, group.points, group.max_points] for group in grade.groups],
            "tests": [_test_row(test) for test in tests],
            "more_tests": len(grade.tests) - len(tests),
        }

    def _evidence(self, side: Side) -> dict[str, Any]:
        """The failed tests, the reply and the statement. Tests and reply are left out once the table is full."""
        evidence = side.evidence
        failures = [
            {
                "index": test.result.index,
                "given": _excerpt(test.given),
                "expected": _excerpt(test.expected),
            }
            | {"actual": _excerpt(test.actual), "stderr": _excerpt(test.result.stderr)}
            for test in failed_tests(side.grade, evidence)
            if test.given is not None or test.actual is not None or test.result.stderr is not None
        ]
        shown = {
            "failures": failures,
            "labels": labels_of(evidence),
            "reply": _excerpt(evidence.reply),
            "statement": None if side.statement is None else self._statement(side.statement),
            "failing": shown_line(side.grade),
            "fields": {str(name): str(value) for name, value in evidence.fields.items()},
            "left_out": False,
        }
        size = len(json.dumps([failures, shown["reply"]]))
        if size > self._evidence_left:
            return {**shown, "failures": [], "reply": None, "left_out": True}
        self._evidence_left -= size
        return shown

    def _statement(self, statement: Excerpt) -> int:
        if statement.text not in self._statement_of:
            self._statement_of[statement.text] = len(self._statement_of)
            self._statements.add(_excerpt(statement))
        return self._statement_of[statement.text]

    def _program(self, code: str) -> int:
        shown = code[:CODE_CHARACTERS], len(code) if len(code) > CODE_CHARACTERS else None
        if shown not in self._program_of:
            self._program_of[shown] = len(self._program_of)
            self._programs.add(shown)
        return self._program_of[shown]


class _Blocks:
    """Items in compressed blocks. The page unpacks a block when it shows one of its items."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._open: list[Any] = []
        self._closed: list[Html] = []

    def __bool__(self) -> bool:
        return bool(self._open or self._closed)

    def add(self, item: Any) -> None:
        self._open.append(item)
        if len(self._open) == _BLOCK:
            self._closed.append(self._packed())
            self._open = []

    def html(self) -> Html:
        return join(*self._closed, *([self._packed()] if self._open else []))

    def _packed(self) -> Html:
        packed = base64.b64encode(zlib.compress(json.dumps(self._open, separators=(",", ":")).encode(), _LEVEL))
        return element("script", Html(packed.decode()), type="text/plain", id=f"{self._name}-{len(self._closed)}")


def _excerpt(excerpt: Excerpt | None) -> list[Any] | None:
    return None if excerpt is None else [excerpt.text, excerpt.start, excerpt.size]


def _test_row(test: TestResult) -> list[Any]:
    costs = round(test.cpu_ms, 1), round(test.wall_ms, 1), test.memory_kb // 1024
    why = last_line(test.detail) if test.stderr else _shortened(test.detail)
    return [test.index, test.verdict.value, *costs, test.rung or "", why]


def _shown_tests(tests: Sequence[TestResult]) -> list[TestResult]:
    """At most _MOST_TESTS of the tests, in order; failed ones are kept before accepted ones."""
    if len(tests) <= _MOST_TESTS:
        return list(tests)
    chosen = sorted(tests, key=lambda test: (test.verdict is Verdict.ACCEPTED, test.index))[:_MOST_TESTS]
    return sorted(chosen, key=lambda test: test.index)


def _shortened(text: str) -> str:
    return text if len(text) <= _DETAIL_CHARACTERS else text[:_DETAIL_CHARACTERS] + " ..."
