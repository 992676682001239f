"""Grades a file of submissions against a file of problems: the work of `microcoder eval grade`."""

from __future__ import annotations

import contextlib
import itertools
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.grader import refuse_unsupported
from microcoder_eval.grading.grade_into import GradingItem, RunFigures, SubmissionKey, grade_into
from microcoder_eval.grading.options import GradingOptions
from microcoder_eval.reading.field_map import FieldMap
from microcoder_eval.reading.harness_files import read_harness
from microcoder_eval.reading.input_files import (
    BadRecord,
    NamesNeeded,
    ProblemFile,
    ReadSubmission,
    names_needed,
    read_submissions,
)
from microcoder_eval.reading.missing_fields import Lack, options_of
from microcoder_eval.reading.record_files import read_in_western_letters

_NAMED = 5
_LOOKED_AT = 500
"""How many submissions are looked at for the problems' names."""


def grade_files(
    problem_file: Path, submission_file: Path, out: Path, options: GradingOptions, harness: str | None = None
) -> tuple[dict[str, Any], list[BadRecord]]:
    """Grade what is not graded yet into `out`; return the summary and the records that could not be used.

    harness: the other harness that has written the submissions, if one has (see `runs.harness_files`).

    >>> grade_files(Path("problems.jsonl"), Path("replies.jsonl"), Path("runs/a"), GradingOptions())  # doctest: +SKIP
    """
    if harness:
        problems = ProblemFile(problem_file, options.names)
    else:
        problems = _open_both(problem_file, submission_file, out, options)
    found = _Found(
        submission_file.resolve().name, problem_file.resolve().name, list(problems.bad), known=_Ids(problems)
    )

    def submissions() -> Iterator[ReadSubmission | BadRecord]:
        if harness:
            return read_harness(harness, submission_file, problems)
        return read_submissions(submission_file, options.names, _Ids(problems), options.language)

    total = sum(1 for _ in submissions())
    for file, count in ((problem_file, len(problems) + len(found.bad)), (submission_file, total)):
        if not count:
            raise InputError(f"{file}: is empty")

    def items(done: set[SubmissionKey]) -> Iterator[GradingItem]:
        return _items(problems, submissions(), done, found)

    def summarize(figures: RunFigures) -> dict[str, Any]:
        return {
            "problems": len(problems),
            "bad_input": [str(record) for record in found.all()],
            "left_out": {"foreign": found.foreign.total(), "duplicate": len(found.twins)},
            "said": _said(problem_file, submission_file, problems),
            "fields": {"kept": dict(found.fields), "ignored": dict(problems.ignored)},
            "from_cache": figures.from_cache,
            "graded_before": figures.graded_before,
            "wall_s": figures.wall_s,
        }

    summary = grade_into(
        out,
        options,
        items,
        total=total,
        attributes=problems.attributes,
        summarize=summarize,
        sources={"problems": str(problem_file.resolve()), "names": options.names.to_dict()},
    )
    found.names_are_in = problems.field_with(found.foreign)
    return summary, found.all()


def _said(problem_file: Path, submission_file: Path, problems: ProblemFile) -> list[str]:
    """What the user should know of how the files were read."""
    said = [
        f"{file.name}: not UTF-8, so read as Windows-1252; where its letters are wrong, save it as CSV UTF-8"
        for file in (problem_file, submission_file)
        if read_in_western_letters(file)
    ]
    if commas := problems.decimal_commas:
        said.append(
            f"{problem_file.name}: expected outputs with a decimal comma: {len(commas):,}, such as {commas[0].strip()};"
            " a program that prints a point there is wrong"
        )
    return said


def _holds_problems(file: Path, names: FieldMap) -> bool:
    try:
        return len(ProblemFile(file, names)) > 0
    except InputError:
        return False


def _open_both(problem_file: Path, submission_file: Path, out: Path, options: GradingOptions) -> ProblemFile:
    """The problems. When fields have other names, the error names those of both files."""
    lacks: list[tuple[Path, Lack]] = []
    benchmark, names, problems = None, options.names, None
    try:
        problems = ProblemFile(problem_file, names)
    except NamesNeeded as needed:
        lacks += ((problem_file, lack) for lack in needed.lacks)
        benchmark = needed.benchmark
        with contextlib.suppress(InputError):
            problems = ProblemFile(problem_file, names.joined(needed.likely))
    ids: Collection[str] = _Ids(problems) if problems is not None else ()
    called: list[str] = []
    try:
        called = _called(submission_file, names, ids, options.language)
    except NamesNeeded as needed:
        lacks += ((submission_file, lack) for lack in needed.lacks)
        with contextlib.suppress(InputError):
            called = _called(submission_file, names.joined(needed.likely), ids, options.language)
    foreign = called if not any(name in ids for name in called) else []
    if problems is not None and foreign and (key := problems.field_with(set(foreign))):
        what = f"no problem is called {foreign[0]!r}, as {submission_file.name} says; `{key}` has such names"
        lacks = [lack for lack in lacks if lack[1].field != "problems.id"]
        lacks.insert(0, (problem_file, Lack(what, "problems.id", key)))
    if problems is not None and lacks:
        lacks += ((problem_file, lack) for lack in problems.helpful())
    if problems is None and _holds_problems(submission_file, names):
        raise InputError(f"{submission_file} holds problems: are --problems and --submissions swapped?")
    if problems is not None and _without_a_reply(lacks) and _holds_problems(submission_file, names):
        raise InputError(f"{submission_file} holds problems, and no submissions to them")
    if problems is None or lacks:
        said = "".join(f"\n  {path}: {lack.what}" for path, lack in lacks)
        if problems is not None and not len(problems) and problems.bad:
            said += f"\nNo problem can be used then: {problems.bad[0]}"
        asked = names_needed(said, options_of([lack for _, lack in lacks]))
        raise InputError(asked + _as_published(benchmark, problem_file, submission_file, out))
    return problems


def _without_a_reply(lacks: Iterable[tuple[Path, Lack]]) -> bool:
    """Whether submissions hold neither a reply nor a program, nor a field that looks like one."""
    return any(lack.field in ("response", "code") and lack.source is None for _, lack in lacks)


def _called(file: Path, names: FieldMap, ids: Collection[str], language: str) -> list[str]:
    """What the first submissions call their problems."""
    first = itertools.islice(read_submissions(file, names, ids, language), _LOOKED_AT)
    return [read.submission.problem_id for read in first if isinstance(read, ReadSubmission)]


def _as_published(benchmark: str | None, problems: Path, submissions: Path, out: Path) -> str:
    """The end of an error about a benchmark's own file: the command that grades it, if there is one."""
    if benchmark is None or ".jsonl" not in problems.suffixes:
        return ""
    given = {"humaneval": "--samples", "livecodebench": "--generations"}[benchmark]
    words = ["--data", str(problems), given, str(submissions), "--out", str(out)]
    command = shlex.join(["microcoder", "eval", benchmark, *words])
    return f"\n{problems} is a file of a published benchmark. To grade as its publisher does:\n  {command}"


@dataclass
class _Found:
    """What the files held besides gradable submissions, counted while they are read."""

    submissions: str
    problems: str
    bad: list[BadRecord]
    foreign: Counter[str] = field(default_factory=Counter)
    """How many submissions each missing problem has."""
    twins: list[tuple[str, str, str]] = field(default_factory=list)
    """Place, id and problem of the submissions that repeat an id."""
    fields: Counter[str] = field(default_factory=Counter)
    """How many submissions have each field that grading does not use."""
    first_foreign: BadRecord | None = None
    known: Collection[str] = ()
    """The names of the problems."""
    names_are_in: str | None = None
    """The field of the problems that holds what these submissions call their problems."""

    def all(self) -> list[BadRecord]:
        """The records that were left out. Many with the same cause are one record."""
        return [*self.bad, *self._foreign(), *self._twins()]

    def _foreign(self) -> list[BadRecord]:
        count = self.foreign.total()
        if count <= 1:
            return [self.first_foreign] if self.first_foreign else []
        names = _listed(self.foreign)
        problems = "a problem" if len(self.foreign) == 1 else f"{len(self.foreign):,} problems"
        why = f"{count:,} submissions are for {problems} that {self.problems} does not have: {names}"
        if key := self.names_are_in:
            why += f"; its field `{key}` has such names: --map problems.id={key}"
        else:
            why += f"; it has {_listed(self.known)}"
        return [BadRecord(self.submissions, why)]

    def _twins(self) -> list[BadRecord]:
        if not self.twins:
            return []
        place, name, problem = self.twins[0]
        if len(self.twins) == 1:
            return [BadRecord(place, f"submission {name!r} for {problem!r} is there already")]
        why = (
            f"{len(self.twins):,} submissions have an id that another one for the same problem has; the first is graded"
        )
        return [BadRecord(self.submissions, f"{why} (such as {name!r} for {problem!r}, {place})")]


class _Ids(list[str]):
    """The ids of the problems, with a fast `in`."""

    def __init__(self, problems: ProblemFile) -> None:
        super().__init__(problems)
        self._known = frozenset(self)

    def __contains__(self, name: object) -> bool:
        return name in self._known


def _listed(names: Collection[str]) -> str:
    """The first names, quoted."""
    return ", ".join(map(repr, itertools.islice(names, _NAMED))) + ", ..." * (len(names) > _NAMED)


def _items(
    problems: ProblemFile,
    submissions: Iterator[ReadSubmission | BadRecord],
    done: set[SubmissionKey],
    found: _Found,
) -> Iterator[GradingItem]:
    """The submissions that are not done; what cannot be graded is added to `found`."""
    seen: set[SubmissionKey] = set()
    for number, read in enumerate(submissions, start=1):
        if isinstance(read, BadRecord):
            found.bad.append(read)
            continue
        submission = read.submission
        key = (submission.id, submission.problem_id)
        place = f"{found.submissions}, record {number}"
        if key in seen:
            found.twins.append((place, *key))
        elif submission.problem_id not in problems:
            found.foreign[submission.problem_id] += 1
            why = f"submission {submission.id!r}: no problem {submission.problem_id!r}"
            found.first_foreign = found.first_foreign or BadRecord(place, why)
        else:
            found.fields.update(read.fields.keys())
            problem = problems[submission.problem_id] if key not in done else None
            try:
                if problem is not None:
                    refuse_unsupported(problem, submission)
                    yield GradingItem(problem, submission, fields=read.fields)
            except InputError as error:
                found.bad.append(BadRecord(place, str(error)))
        seen.add(key)
