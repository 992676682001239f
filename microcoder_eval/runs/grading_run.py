"""A grading run read back from its directory: its settings, its problems' attributes, its grades one by one.

It only reads; `run_directory` writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.plain_files import read_object
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.runs.evidence import Evidence
from microcoder_eval.suggest import why_absent
from microcoder_eval.verdict import Excerpt, Grade

_IDS = re.compile(rb'\{"submission_id": ("(?:[^"\\]|\\.)*"), "problem_id": ("(?:[^"\\]|\\.)*")')
"""How each line that `run_directory` writes begins. A line's ids can be read without parsing all of it."""


def names_of(submission: str, problem: str) -> tuple[str, str, str]:
    """The names by which a user can choose a submission, the most exact first.

    >>> names_of("3", "two-sum")
    ('two-sum/3', 'two-sum', '3')
    """
    return f"{problem}/{submission}", problem, submission


class GradingRun:
    """What `microcoder eval grade` wrote, finished or not. The path may also be a file of grades alone.

    >>> run = GradingRun(Path("runs/first"))                                            # doctest: +SKIP
    >>> sum(grade.accepted for grade in run.grades())                            # doctest: +SKIP
    2
    """

    def __init__(self, path: Path) -> None:
        self._file = path / "grades.jsonl" if path.is_dir() else path
        if not path.exists():
            raise InputError(f"{path}: {why_absent(path, 'file or folder')}")
        if not self._file.is_file():
            raise InputError(f"{path}: not a grading run: there is no {self._file.name}")
        self.path = path
        self.name = path.resolve().name if path.is_dir() else path.name
        self.settings: dict[str, Any] = self._record("run.json")
        self.attributes = {
            problem: self._read_attributes(problem, known) for problem, known in self._record("problems.json").items()
        }

    def grades(self) -> Iterator[Grade]:
        """The grades in the order of the file. An incomplete last line, which a killed run leaves, is skipped."""
        for grade, _ in self.explained():
            yield grade

    def explained(self, name: str | None = None) -> Iterator[tuple[Grade, Evidence]]:
        """The grades, each with its evidence; with a name, only those of submissions with this name (`names_of`)."""
        with open(self._file, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                if name is not None and (ids := _ids(line)) is not None and name not in names_of(*ids):
                    continue
                try:
                    record = json.loads(line)
                    found = Grade.from_dict(record), Evidence.from_dict(record.get("evidence") or {})
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    if line.endswith(b"\n"):
                        raise InputError(f"{self._file}, line {number}: not a grade") from None
                    continue
                yield found

    def names(self) -> Iterator[tuple[str, str]]:
        """The ids of each submission and its problem, read without parsing the grades."""
        with open(self._file, "rb") as lines:
            yield from (ids for line in lines if (ids := _ids(line)) is not None)

    def statements(self, wanted: Collection[str]) -> dict[str, Excerpt]:
        """The statements of the problems in `wanted` that the run has kept."""
        file = self._file.parent / "statements.jsonl"
        if not self.path.is_dir() or not file.is_file():
            return {}
        found = {}
        with open(file, "rb") as lines:
            for line in lines:
                try:
                    record = json.loads(line)
                    if record["problem_id"] in wanted:
                        found[record["problem_id"]] = Excerpt.from_dict(record["statement"])
                except (ValueError, KeyError, TypeError, RecursionError):
                    continue  # an incomplete line, which a killed run leaves
        return found

    def _read_attributes(self, problem: str, known: Any) -> ProblemAttributes:
        if not isinstance(known, dict):
            raise InputError(f"{self.path / 'problems.json'}: {problem!r} is not a JSON object")
        return ProblemAttributes.from_record(known)

    def _record(self, name: str) -> dict[str, Any]:
        file = self._file.parent / name
        if not self.path.is_dir() or not file.exists():
            return {}
        return read_object(file)


def _ids(line: bytes) -> tuple[str, str] | None:
    """The ids at the beginning of a line; None when it begins otherwise."""
    found = _IDS.match(line)
    if found is None:
        return None
    submission, problem = (json.loads(each) for each in found.groups())
    return submission, problem
