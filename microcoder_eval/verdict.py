"""The results of grading: the verdict of a test, of a submission, and the grade that explains both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

MOST_EXCERPTS = 5
"""A grade keeps what the program printed for this many failed tests."""

TEXT, WHOLE, NUMBER, SWITCH, LIST = (str,), (int,), (int, float), (bool,), (list, tuple)
"""The types that a field of a record may have."""


class Verdict(str, Enum):
    """One word for how a test or a submission ended."""

    ACCEPTED = "ACCEPTED"
    WRONG_ANSWER = "WRONG_ANSWER"
    TIME_LIMIT = "TIME_LIMIT"
    MEMORY_LIMIT = "MEMORY_LIMIT"
    OUTPUT_LIMIT = "OUTPUT_LIMIT"
    RUNTIME_ERROR = "RUNTIME_ERROR"
    COMPILE_ERROR = "COMPILE_ERROR"
    NO_CODE = "NO_CODE"
    FORBIDDEN = "FORBIDDEN"
    JUDGE_ERROR = "JUDGE_ERROR"
    """The grader's own failure. Never a wrong answer and never a reward of 0: see `Grade.reward`."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Excerpt:
    """A part of a text, with its start and the size of the whole text, in characters.

    >>> Excerpt.of("abcdef", around=3, most=2)
    Excerpt(text='cd', start=2, size=6)
    """

    text: str
    start: int = 0
    size: int = 0

    @classmethod
    def of(cls, text: str, around: int = 0, most: int = 4096) -> Excerpt:
        """The whole text when it is short; otherwise `most` characters, of which half lie before `around`."""
        start = 0 if len(text) <= most else max(0, min(around - most // 2, len(text) - most))
        return cls(text[start : start + most], start, len(text))

    @property
    def is_whole(self) -> bool:
        return len(self.text) == self.size

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "start": self.start, "size": self.size}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Excerpt:
        _check(record, {"text": TEXT, "start": WHOLE, "size": WHOLE}, ("text", "start", "size"))
        return cls(record["text"], record["start"], record["size"])


@dataclass(frozen=True)
class Raised:
    """The exception that ended a Python program, as the program's own process reported it. It may be forged, so no
    verdict may depend on it. `line` is a line of the program, or None when none of its lines raised."""

    line: int | None = None
    exception: str = ""
    """The name of its class; empty when it is no plain name."""

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self)}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Raised:
        _check(record, {"line": WHOLE, "exception": TEXT}, ("exception",))
        return cls(record.get("line"), record["exception"])


@dataclass(frozen=True)
class TestResult:
    """How one test ended, what it cost, and why: the rung that accepted it or the first difference."""

    __test__ = False  # pytest: this is not a test class

    index: int
    verdict: Verdict
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    memory_kb: int = 0
    rung: str | None = None
    detail: str = ""
    points: float | None = None
    """The points that a checker gave, if it gives points."""
    judge_failed: bool = False
    """Whether this is a WRONG_ANSWER because the judge failed on this output but not on a right one."""
    endless: bool = False
    """Whether this is a TIME_LIMIT of a Python program that was ended early, because a loop of it could not end."""
    raised: Raised | None = None
    """The exception that ended the program, if one did and the program is Python."""
    output: Excerpt | None = field(default=None, compare=False)
    """What the program printed or returned on a test that was not accepted, around the first difference."""
    stderr: Excerpt | None = field(default=None, compare=False)
    """The end of what the program wrote to stderr on a test that was not accepted."""
    expected: Excerpt | None = field(default=None, compare=False)
    """The expected side of a comparison that failed in a test program."""

    def to_dict(self) -> dict[str, Any]:
        points = {} if self.points is None else {"points": self.points}
        return {
            "index": self.index,
            "verdict": self.verdict.value,
            "cpu_ms": round(self.cpu_ms, 3),
            "wall_ms": round(self.wall_ms, 3),
            "memory_kb": self.memory_kb,
            "rung": self.rung,
            "detail": self.detail,
            **points,
            **({"judge_failed": True} if self.judge_failed else {}),
            **({"endless": True} if self.endless else {}),
            **({} if self.raised is None else {"raised": self.raised.to_dict()}),
            **{name: part.to_dict() for name in _EXCERPTS if (part := getattr(self, name)) is not None},
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> TestResult:
        optional = "cpu_ms", "wall_ms", "memory_kb", "detail", "judge_failed", "endless"
        given = [name for name in optional if name in record]
        _check(record, _TEST_FIELDS, ("index", "verdict", *given))
        excerpts = {name: Excerpt.from_dict(record[name]) for name in _EXCERPTS if name in record}
        raised = Raised.from_dict(record["raised"]) if record.get("raised") is not None else None
        return cls(**{**record, **excerpts, "raised": raised, "verdict": Verdict(record["verdict"])})


_EXCERPTS = ("output", "stderr", "expected")
_TEST_FIELDS = {
    "index": WHOLE, "cpu_ms": NUMBER, "wall_ms": NUMBER, "memory_kb": WHOLE, "rung": TEXT, "detail": TEXT,
    "points": NUMBER, "judge_failed": SWITCH, "endless": SWITCH,
}  # fmt: skip
_GRADE_FIELDS = {
    "submission_id": TEXT, "problem_id": TEXT, "passed": WHOLE, "total": WHOLE, "tests": LIST, "detail": TEXT,
    "code": TEXT, "complete": SWITCH, "notes": LIST, "points": NUMBER, "max_points": NUMBER, "groups": LIST,
    "language": TEXT,
}  # fmt: skip


def _check(record: Any, fields: Mapping[str, tuple[type, ...]], needed: Iterable[str]) -> None:
    """Raise TypeError for a field of a wrong type: a record may come from an untrusted file or service."""
    if not isinstance(record, dict):
        raise TypeError("an object expected")
    for name, kinds in fields.items():
        value = record.get(name)
        if value is None:
            continue
        if type(value) not in kinds or ((kinds is NUMBER or kinds is WHOLE) and not -1e15 <= value <= 1e15):
            raise TypeError(f"{name}: not of its type")
    for name in needed:
        if record.get(name) is None:
            raise TypeError(f"{name}: is missing")


@dataclass(frozen=True)
class GroupResult:
    """The result of a group of tests of a scoring problem. In a grade, the last group is the whole problem."""

    name: str
    verdict: Verdict
    points: float
    max_points: float | None
    """None when there is no bound."""

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "verdict": self.verdict.value}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> GroupResult:
        _check(record, {"name": TEXT, "points": NUMBER, "max_points": NUMBER}, ("name", "points"))
        return cls(**{**record, "verdict": Verdict(record["verdict"])})


@dataclass(frozen=True)
class Grade:
    """The grade of one submission.

    >>> grade.verdict, grade.passed, grade.total        # doctest: +SKIP
    (Verdict.WRONG_ANSWER, 2, 3)
    >>> grade.reward                                    # doctest: +SKIP
    0.0
    """

    submission_id: str
    problem_id: str
    verdict: Verdict
    passed: int = 0
    total: int = 0
    tests: tuple[TestResult, ...] = ()
    detail: str = ""
    code: str | None = None
    """The program that was run, as extracted from the reply."""
    complete: bool = True
    """False when the reply was cut off before the end of its program. See `Submission.truncated`."""
    notes: tuple[str, ...] = field(default=())
    points: float | None = None
    """The program's points on a scoring problem. It is accepted when it gets all points."""
    max_points: float | None = None
    groups: tuple[GroupResult, ...] = ()
    language: str = "python"
    """The program's language."""
    raised: Raised | None = None
    """The exception of the failure that decided the verdict, or the SyntaxError of a COMPILE_ERROR."""

    @property
    def accepted(self) -> bool:
        return self.verdict is Verdict.ACCEPTED

    @property
    def judge_failed(self) -> bool:
        """Whether the judge failed on the program's output on any test, also one that did not decide the verdict."""
        return any(test.judge_failed for test in self.tests)

    @property
    def score(self) -> float:
        """The share of tests passed, or of points; 1.0 when accepted. With early stop, tests not run are not passed."""
        if self.accepted:
            return 1.0
        if self.points is not None and self.max_points:
            return min(1.0, max(0.0, self.points / self.max_points))
        return self.passed / self.total if self.total else 0.0

    @property
    def reward(self) -> float | None:
        """1.0 when accepted, 0.0 when not, and None when the grader itself failed."""
        if self.verdict is Verdict.JUDGE_ERROR:
            return None
        return 1.0 if self.accepted else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The interchange form: a line of `grades.jsonl`."""
        return {
            "submission_id": self.submission_id,
            "problem_id": self.problem_id,
            "verdict": self.verdict.value,
            "accepted": self.accepted,
            "passed": self.passed,
            "total": self.total,
            "score": round(self.score, 6),
            "tests": [test.to_dict() for test in self.tests],
            "detail": self.detail,
            "language": self.language,
            "code": self.code,
            "complete": self.complete,
            "notes": list(self.notes),
            **({} if self.raised is None else {"raised": self.raised.to_dict()}),
            **self._scored(),
        }

    def _scored(self) -> dict[str, Any]:
        if self.points is None:
            return {}
        groups = [group.to_dict() for group in self.groups]
        return {"points": self.points, "max_points": self.max_points, "groups": groups}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Grade:
        """The grade in a record; raises KeyError, TypeError or ValueError when the record is no grade."""
        _check(record, _GRADE_FIELDS, ("submission_id", "problem_id", "verdict", "passed", "total", "tests"))
        return cls(
            submission_id=record["submission_id"],
            problem_id=record["problem_id"],
            verdict=Verdict(record["verdict"]),
            passed=record["passed"],
            total=record["total"],
            tests=tuple(TestResult.from_dict(test) for test in record["tests"]),
            detail=record.get("detail") or "",
            code=record.get("code"),
            complete=record.get("complete") is not False,
            notes=tuple(map(str, record.get("notes") or ())),
            points=record.get("points"),
            max_points=record.get("max_points"),
            groups=tuple(GroupResult.from_dict(group) for group in record.get("groups") or ()),
            language=record.get("language") or "python",
            raised=Raised.from_dict(record["raised"]) if record.get("raised") is not None else None,
        )
