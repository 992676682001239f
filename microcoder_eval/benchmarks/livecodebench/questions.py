"""LiveCodeBench's files (`test.jsonl`, `test2.jsonl`, ...): which questions are graded, and each as a `Problem`.

Memory holds an index of the questions. The tests of a question are read when it is graded, because all six files
together are several gigabytes when unpacked.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from microcoder_eval.arguments import read_json
from microcoder_eval.benchmarks.livecodebench.private_tests import unpack
from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.reading.input_files import BadRecord
from microcoder_eval.suggest import why_absent

MEMORY_LIMIT_MB = 4096  # LiveCodeBench sets none; its authors mention 4 GB
FILE = re.compile(r"test([2-9]?)\.jsonl(\.gz)?")
WINDOW = re.compile(r"release_v(?P<last>\d)|v(?P<only>\d)|v(?P<from>\d)_v(?P<to>\d)")


@dataclass(frozen=True)
class Question:
    """A question without its tests, and where its record is."""

    id: str
    platform: str
    difficulty: str
    date: datetime
    file: Path
    offset: int


@dataclass(frozen=True)
class QuestionWindow:
    """Which questions of the data are graded; None sets no bound."""

    release: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    platform: str | None = None

    def __str__(self) -> str:
        bounds = (self.release, self.start, self.end, self.platform)
        return " ".join(str(bound) for bound in bounds if bound) or "all"


class Questions:
    """The questions of some files inside a window of releases and dates, by id, in LiveCodeBench's order.

    >>> questions = Questions([Path("test.jsonl")], release="release_v1")        # doctest: +SKIP
    >>> questions.problem("1873_A", timeout_s=6).kind                            # doctest: +SKIP
    'stdin'
    """

    def __init__(
        self,
        paths: Sequence[Path],
        release: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        platform: str | None = None,
    ) -> None:
        self.bad: list[BadRecord] = []
        self.outside: set[str] = set()
        """The ids of questions that are in the files and outside the window."""
        found: dict[str, Question] = {}
        files = _files(paths)
        window = _window(files, release)
        for file in files:
            for number, question in self._read(file):
                inside = (
                    file in window
                    and (start is None or start <= question.date)
                    and (end is None or question.date <= end)
                    and platform in (None, question.platform)
                )
                if question.id in found or question.id in self.outside:
                    why = f"question {question.id!r} is there already; the first one is used"
                    self.bad.append(BadRecord(f"{file.name}:{number}", why))
                elif inside:
                    found[question.id] = question
                else:
                    self.outside.add(question.id)
        self._questions = dict(sorted(found.items()))

    def __len__(self) -> int:
        return len(self._questions)

    def __iter__(self) -> Iterator[str]:
        return iter(self._questions)

    def __contains__(self, name: str) -> bool:
        return name in self._questions

    def __getitem__(self, name: str) -> Question:
        return self._questions[name]

    @property
    def attributes(self) -> dict[str, ProblemAttributes]:
        return {
            name: ProblemAttributes(question.platform, question.difficulty)
            for name, question in self._questions.items()
        }

    def problem(self, name: str, timeout_s: float) -> Problem:
        """The question with its tests as a problem; an `InputError` says why it cannot be graded."""
        question = self._questions[name]
        with _open(question.file) as lines:
            lines.seek(question.offset)
            record = json.loads(lines.readline())
        try:
            tests = [*_tests(record, "public_test_cases"), *_tests(record, "private_test_cases")]
            function = (json.loads(record.get("metadata") or "{}") or {}).get("func_name")
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(f"question {name!r}: {error}") from None
        if function:
            tests = [{"input": _arguments(test["input"]), "output": _value(test["output"])} for test in tests]
        starter = record.get("starter_code") or ""
        owner = "Solution." if "class Solution" in starter else ""
        return Problem.from_dict(
            {
                "id": name,
                "kind": "call" if function else "stdin",
                "entry_point": f"{owner}{function}" if function else None,
                "starter_code": starter,
                "statement": record.get("question_content") or "",
                "tests": tests,
                "time_limit_s": timeout_s,
                "memory_limit_mb": MEMORY_LIMIT_MB,
            }
        )

    def _read(self, file: Path) -> Iterator[tuple[int, Question]]:
        offset = 0
        with _open(file) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    try:
                        yield number, _question(json.loads(line), file, offset)
                    except (ValueError, TypeError, RecursionError) as error:
                        self.bad.append(BadRecord(f"{file.name}:{number}", f"not a LiveCodeBench question: {error}"))
                offset += len(line)


def _question(record: Any, file: Path, offset: int) -> Question:
    """The question of a record; a `ValueError` says what the record lacks."""
    missing = {"question_id", "contest_date", "public_test_cases"} - set(record if isinstance(record, Mapping) else ())
    if missing:
        raise ValueError(f"no {', '.join(sorted(missing))}")
    platform, difficulty = (str(record.get(name) or "").lower() for name in ("platform", "difficulty"))
    date = datetime.fromisoformat(record["contest_date"])
    return Question(str(record["question_id"]), platform, difficulty, date.replace(tzinfo=None), file, offset)


def _tests(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The tests in the field `name`; a `ValueError` says why they cannot be read."""
    field = record.get(name)
    tests = unpack(field) if isinstance(field, str) and field else field or []
    try:
        pairs = [(test["input"], test["output"]) for test in tests]
    except (TypeError, KeyError):
        raise ValueError(f"{name}: a test has no input or no output") from None
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        raise ValueError(f"{name}: a test's input or output is not text")
    return [{"input": given, "output": wanted} for given, wanted in pairs]


def _arguments(text: str) -> Any:
    """The arguments of a call, one JSON value a line. Other text is returned for the grader to read."""
    try:
        return [read_json(line) for line in text.split("\n")]
    except (ValueError, RecursionError):
        return text


def _value(text: str) -> Any:
    """An expected value in JSON. Other text is returned for the grader to read."""
    try:
        return read_json(text)
    except (ValueError, RecursionError):
        return text


def _files(paths: Sequence[Path]) -> list[Path]:
    """The files named, and those of the directories named."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if FILE.fullmatch(file.name))
            if not inside:
                raise InputError(f"{path}: no LiveCodeBench files (test.jsonl, test2.jsonl, ...) in it")
            files += inside
        elif path.is_file():
            files.append(path)
        else:
            raise InputError(f"{path}: {why_absent(path)}")
    return files


def _window(files: list[Path], release: str | None) -> list[Path]:
    """The files of a release: `release_v3` is the first three, `v3` the third alone, `v2_v4` the second to fourth."""
    if release in (None, "release_latest"):
        return files
    window = WINDOW.fullmatch(release or "")
    if window is None:
        raise InputError(
            f"unknown release {release!r}; known: release_v1 to release_v6, v1 to v6, slices such as v4_v6"
        )
    only = window["only"]
    first, last = int(only or window["from"] or 1), int(only or window["to"] or window["last"])
    numbered: dict[int, Path] = {}
    for file in files:
        name = FILE.fullmatch(file.name)
        if name is None:
            raise InputError(
                f"{file}: --release chooses files by their names (test.jsonl, test2.jsonl, ...): rename it, or leave "
                "out --release"
            )
        numbered[int(name[1] or 1)] = file
    wanted = range(first, last + 1)
    missing = [f"test{number if number > 1 else ''}.jsonl" for number in wanted if number not in numbered]
    if missing or not wanted:
        raise InputError(
            f"release {release} needs {', '.join(missing) or 'at least one file'}: give --data its directory"
        )
    return [numbered[number] for number in wanted]


def _open(file: Path) -> IO[bytes]:
    return gzip.open(file, "rb") if file.suffix == ".gz" else open(file, "rb")  # type: ignore[return-value]
