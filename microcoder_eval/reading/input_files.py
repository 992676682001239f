"""Reading problems and submissions from files of any form (see `record_files`), under any field names (`field_map`).

    problems = ProblemFile(Path("problems.jsonl"))
    submissions = [read.submission for read in read_submissions(Path("replies.jsonl"))]

A record that cannot be used becomes a `BadRecord` with its place and the reason. Memory holds an index of the problems
and those used last, so that a file of any size can be graded.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from microcoder_eval.arguments import read_json
from microcoder_eval.errors import InputError
from microcoder_eval.plain_files import read_plain
from microcoder_eval.plural import counted
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.reading.chat import replies_in
from microcoder_eval.reading.csv_form import is_decimal_comma
from microcoder_eval.reading.field_map import (
    PROBLEM_FIELDS,
    SUBMISSION_FIELDS,
    TEST_FIELDS,
    FieldMap,
    take,
    without_empty,
)
from microcoder_eval.reading.field_values import is_reply
from microcoder_eval.reading.folders_of_problems import open_problems, open_submissions
from microcoder_eval.reading.missing_fields import (
    Lack,
    benchmark_of,
    field_with_ids,
    harness_of,
    helpful,
    missing,
    options_of,
)
from microcoder_eval.reading.problem_from_row import MADE_BY_A_BUILD, ROW_FIELDS, is_problem_row
from microcoder_eval.reading.program_files import ProgramFolder
from microcoder_eval.reading.record_files import RecordFile, is_table, open_records, parse_record
from microcoder_eval.suggest import did_you_mean

_RECENT_BYTES = 256 << 20
"""About how much of the problems used last is kept in memory."""
_CHECKED_RECORDS = 200
"""How many records of a file are checked for fields with other names."""
_MOST_FIELDS = 24
"""The most other fields that are kept of a submission."""
_LONGEST_VALUE = 200
_NO_NAMES = FieldMap()


@dataclass(frozen=True)
class BadRecord:
    """A record that could not be used: where it is, and why."""

    place: str
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.why}"


@dataclass(frozen=True)
class ReadSubmission:
    """A submission, and the other fields of its record, such as `model` and `temperature`."""

    submission: Submission
    fields: Mapping[str, Any]


class ProblemFile:
    """The problems of a file, by id. Each is checked when the file is opened, and read again when it is needed.

    >>> problems = ProblemFile(Path("problems.jsonl"))                              # doctest: +SKIP
    >>> problems["two-sum"].kind                                                 # doctest: +SKIP
    'call'
    """

    def __init__(self, path: Path, names: FieldMap = _NO_NAMES) -> None:
        self._path = path
        self._names = names
        self._source = open_problems(path)
        self._is_table = is_table(path)
        self.bad: list[BadRecord] = []
        self.attributes: dict[str, ProblemAttributes] = {}
        """The attributes of the problems that have some."""
        self.ignored: Counter[str] = Counter()
        """How many records have each field that grading does not use."""
        self.decimal_commas: list[str] = []
        """The expected outputs in a table that are numbers with a comma."""
        self._where: dict[str, list[Any]] = {}
        self._recent: OrderedDict[str, tuple[Problem, int]] = OrderedDict()
        self._recent_bytes = 0
        self._ids_are_made = self._ids_must_be_made(path)
        unseen = {**names.of_problems}
        for number, (place, where, record) in enumerate(self._source.records(), start=1):
            if isinstance(record, str):
                self.bad.append(BadRecord(place, record))
                continue
            self._add(place, where if not self._ids_are_made else (number, where), record)
            for name in [name for name, source in unseen.items() if take(record, source) is not None]:
                del unseen[name]
        for name, source in unseen.items():
            if name in _OPTIONAL and len(self):  # the others are missed in any case
                raise InputError(f"--map {name}={source}: no record of {path} has it")

    def _ids_must_be_made(self, path: Path) -> bool:
        """Whether no problem has an id. Raises `NamesNeeded` for a file whose fields have other names."""
        found = _first_records(path, self._source.records())
        mapped, usable = _mapped(found, self._names.problem), 0
        for record in mapped:
            try:
                Problem.from_dict({"id": "?", **_with_tests(record)})
                usable += 1
            except InputError:
                pass
        lacks = missing(mapped, "problems") if mapped else []
        if usable:
            lacks = [lack for lack in lacks if lack.field == "problems.id"]
        if lacks and (harness := harness_of(found)):
            raise InputError(f"{path} is a file of {harness}, with replies: --problems takes the benchmark's own file")
        _refuse_names(path, lacks, benchmark_of(found))
        return bool(mapped) and not any("id" in record for record in mapped)

    def _add(self, place: str, where: Any, record: Mapping[str, Any]) -> None:
        try:
            mapped = self._mapped(where, record)
            problem = Problem.from_dict(mapped)
        except InputError as error:
            self.bad.append(BadRecord(place, str(error)))
            return
        is_row = is_problem_row(mapped)
        read = {*_READ_FIELDS, *(ROW_FIELDS if is_row else ()), *self._names.of_problems.values()}
        if self._is_table:
            self.decimal_commas += [str(test.output) for test in problem.tests if is_decimal_comma(str(test.output))]
        if not (is_row and MADE_BY_A_BUILD in mapped):  # whose other columns are for others, and no mistake
            self.ignored.update(name for name in mapped if name not in read and mapped[name] is not None)
        if problem.id in self._where and _is_single_test(record, mapped):
            self._where[problem.id].append(where)
        elif problem.id in self._where:
            self.bad.append(BadRecord(place, f"problem {problem.id!r} is there already; the first one is used"))
        else:
            self._where[problem.id] = [where]
            if attributes := ProblemAttributes.from_record(mapped):
                self.attributes[problem.id] = attributes

    def _mapped(self, where: Any, record: Mapping[str, Any]) -> Mapping[str, Any]:
        mapped = _with_tests(without_empty(self._names.problem(record), TEST_FIELDS))
        return {"id": str(where[0]), **mapped} if self._ids_are_made else mapped

    def __len__(self) -> int:
        return len(self._where)

    def __contains__(self, name: str) -> bool:
        return name in self._where

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __getitem__(self, name: str) -> Problem:
        if name in self._recent:
            self._recent.move_to_end(name)
            return self._recent[name][0]
        problem, size = self._read(self._where[name][0])
        for where in self._where[name][1:]:
            more, longer = self._read(where)
            problem, size = replace(problem, tests=problem.tests + more.tests), size + longer
        self._recent[name] = problem, size
        self._recent_bytes += size
        while self._recent_bytes > _RECENT_BYTES and len(self._recent) > 1:
            self._recent_bytes -= self._recent.popitem(last=False)[1][1]
        return problem

    def field_with(self, names: Collection[str]) -> str | None:
        """The field that holds such names in most of the first problems; None when none does.

        None also when the id holds them: then the names are right, and the problems cannot be used for another reason.
        """
        found = field_with_ids(names, _first_records(self._path, self._source.records()))
        return None if found == self._names.of_problems.get("id", "id") else found

    def helpful(self) -> list[Lack]:
        """The fields with other names that the problems can do without."""
        return helpful(_mapped(_first_records(self._path, self._source.records()), self._names.problem))

    def _read(self, where: Any) -> tuple[Problem, int]:
        record, size = self._source.read(where[1] if self._ids_are_made else where)
        return Problem.from_dict(self._mapped(where, record)), size


_OPTIONAL = frozenset(PROBLEM_FIELDS) - {"id", "tests", *TEST_FIELDS}
_READ_FIELDS = frozenset({*PROBLEM_FIELDS, "interactor", "groups", "problem_id"})


def read_problem(path: Path, name: str | None, names: FieldMap = _NO_NAMES) -> Problem:
    """One problem of a file: the one called `name`, or the only one. Also reads a .json file with a single problem.

    >>> read_problem(Path("problems.jsonl"), "two-sum").id                       # doctest: +SKIP
    'two-sum'
    """
    if path.suffix == ".json" and (single := _single_problem(path)) is not None:
        try:
            return Problem.from_dict(names.problem(single))
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
    problems = ProblemFile(path, names)
    known = list(problems)
    if name is None and len(known) == 1:
        return problems[known[0]]
    if name is None and not known and problems.bad:
        raise InputError(str(problems.bad[0]))
    if name is None:
        raise InputError(f"{path} holds {counted(len(known), 'problem')}: choose one with --id")
    if name not in problems:
        raise InputError(f"{path} has no problem {name!r}{did_you_mean(name, known)}")
    return problems[name]


def _single_problem(path: Path) -> Mapping[str, Any] | None:
    """The problem that a whole file is; None when the file holds several."""
    content = read_plain(path).removeprefix(b"\xef\xbb\xbf")
    try:
        value = read_json(content)
    except (ValueError, RecursionError):
        raise InputError(f"{path}: {parse_record(content)}") from None
    return value if isinstance(value, dict) and {"id", "tests"} & value.keys() else None


def read_records(path: Path) -> Iterator[tuple[str, Mapping[str, Any] | str]]:
    """Every record of a file or folder with its place. In place of a record that cannot be read there is the reason.

    >>> [place for place, record in read_records(Path("problems.jsonl"))]        # doctest: +SKIP
    ['problems.jsonl:1', 'problems.jsonl:2']
    """
    for place, _, record in open_records(path).records():
        yield place, record


def read_submissions(
    path: Path, names: FieldMap = _NO_NAMES, problems: Collection[str] = (), language: str = ""
) -> Iterator[ReadSubmission | BadRecord]:
    """The submissions of a file or folder in order, with a `BadRecord` for each that cannot be read.

    problems: the ids of the problems. A folder's files are matched with them by name. If there is only one problem,
    records that name none belong to it. If no record has an id, the submissions to each problem are numbered. language:
    that of the submissions that name none; empty: Python.
    """
    source = open_submissions(path)
    only = next(iter(problems), None) if len(problems) == 1 else None
    ids_are_made = _submission_ids_must_be_made(path, source, names, only, problems)
    numbers: Counter[str] = Counter()
    folder = (path if path.is_dir() else path.parent).resolve().name
    for place, _, record in _of_each_problem(source, problems):
        if isinstance(record, str):
            yield BadRecord(place, record)
            continue
        if isinstance(source, ProgramFolder):
            problem = only or _problem_of(record["file"], folder, problems)
            record = {"id": record["file"].removeprefix(f"{problem}/"), "problem_id": problem, **record}
            del record["file"]
        mapped = dict(without_empty(names.submission(record), ("code", "response")))
        if mapped.get("code") == "" and "response" in mapped:
            del mapped["code"]
        elif mapped.get("response") == "" and "code" in mapped:
            del mapped["response"]
        if language and mapped.get("language") is None:
            mapped["language"] = language
        if only is not None and mapped.get("problem_id") is None:
            mapped["problem_id"] = only
        for single in _single_replies(mapped):
            problem = str(single.get("problem_id"))
            if ids_are_made:
                single["id"] = str(numbers[problem])
            numbers[problem] += 1
            try:
                yield ReadSubmission(Submission.from_dict(single), _fields(single))
            except InputError as error:
                yield BadRecord(place, str(error))


def _submission_ids_must_be_made(
    path: Path, source: RecordFile, names: FieldMap, only: str | None, problems: Collection[str]
) -> bool:
    """Whether no submission has an id. Raises `NamesNeeded` for a file whose fields have other names."""
    if isinstance(source, ProgramFolder):
        return False
    found = _first_records(path, _of_each_problem(source, problems))
    if (harness := harness_of(found)) and not names.of_submissions:
        raise InputError(f"{path} is a file of {harness}: add --from {harness}")
    mapped = _mapped(found, names.submission)
    if mapped:
        _refuse_names(path, missing(mapped, "submissions", one_problem=only is not None, ids=problems))
    return bool(mapped) and not any("id" in record for record in mapped)


def _of_each_problem(source: RecordFile, problems: Collection[str]) -> Iterator[tuple[str, Any, Any]]:
    """The records with their places. One whose fields are called as problems is a reply, or several, to each."""
    for place, where, record in source.records():
        named = {} if isinstance(record, str) else {name: each for name, each in record.items() if name in problems}
        several = len(named) > 1 and 2 * len(named) > len(record) and all(map(is_reply, named.values()))
        if isinstance(record, str) or not several:
            yield place, where, record
            continue
        rest = {name: value for name, value in record.items() if name not in named}
        for name, reply in named.items():
            yield place, where, {**rest, "problem_id": name, "response": reply}


def _first_records(path: Path, records: Iterable[tuple[str, Any, Any]]) -> list[Mapping[str, Any]]:
    """The first records that can be read. A file in which none can is refused: it is of another kind."""
    read, unreadable = list[Mapping[str, Any]](), ""
    for number, (place, _, record) in enumerate(records, start=1):
        if isinstance(record, str):
            unreadable = unreadable or f"{place}: {record}"
        else:
            read.append(record)
        if read and number >= _CHECKED_RECORDS:
            break
    if unreadable and not read:
        raise InputError(f"{path}: no record can be read; the first: {unreadable}")
    return read


class NamesNeeded(InputError):
    """The fields of a file have other names."""

    def __init__(self, path: Path, lacks: Sequence[Lack], benchmark: str | None = None) -> None:
        self.lacks = list(lacks)
        self.likely = FieldMap.parse([lack.option for lack in lacks if lack.option])
        """The map of the fields that look like the missing ones."""
        self.benchmark = benchmark
        """The published benchmark that the file holds; None for any other file."""
        what = "".join(f"\n  {path}: {lack.what}" for lack in lacks)
        super().__init__(names_needed(what, options_of(lacks)))


def names_needed(what: str, options: str) -> str:
    """The message about fields that have other names.

    >>> print(names_needed("\\n  a.json: no field `tests`; `cases` looks like it", "--map tests=cases"))
    the fields have other names.
      a.json: no field `tests`; `cases` looks like it
    Add to the command, if these are the right ones:
      --map tests=cases
    """
    added = f"\nAdd to the command, if these are the right ones:\n  {options}" if options else ""
    return f"the fields have other names.{what}{added}"


def _refuse_names(path: Path, lacks: Sequence[Lack], benchmark: str | None = None) -> None:
    """Raise if a field is missing in all records."""
    if lacks:
        raise NamesNeeded(path, lacks, benchmark)


def _mapped(records: list[Any], map_one: Any) -> list[Mapping[str, Any]]:
    found = []
    for record in records:
        try:
            found.append(map_one(record))
        except InputError:
            found.append(record)
    return found


def _with_tests(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record with `input` and `output` of its own as a problem with this one test; any other record as it is."""
    if "tests" in record or "test_code" in record or not {"input", "output"} <= record.keys():
        return record
    rest = {name: value for name, value in record.items() if name not in ("input", "output")}
    return {**rest, "tests": [{"input": record["input"], "output": record["output"]}]}


def _is_single_test(record: Mapping[str, Any], mapped: Mapping[str, Any]) -> bool:
    """Whether a record is one test of a problem: it has one test, and no field holds a list or an object."""
    return len(mapped.get("tests") or ()) == 1 and not any(
        isinstance(value, (list, Mapping)) for value in record.values() if not isinstance(value, str)
    )


def _problem_of(file: str, folder: str, problems: Collection[str]) -> str:
    """The problem that a file below `folder` is for, by a folder's name, the file's name, or the beginning of that."""
    parts = file.split("/")
    stem = parts[-1].rsplit(".", 1)[0]
    for name in (*reversed(parts[:-1]), stem):
        if name in problems:
            return name
    begins = [name for name in problems if stem.startswith(name) and not stem[len(name) : len(name) + 1].isalnum()]
    unknown = folder if folder in problems else parts[-2] if len(parts) > 1 else stem
    return max(begins, key=len, default=unknown)


def _single_replies(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A record with several replies or programs as several records; a chat or a service's answer as its text."""
    field = "code" if isinstance(record.get("code"), list) else "response"
    replies = record.get(field)
    if isinstance(replies, str) or replies is None:
        yield record
        return
    texts = replies_in(replies)
    if texts is None:
        yield record  # refused with the field's name
        return
    for number, text in enumerate(texts):
        own = {"id": f"{record['id']}/{number}"} if "id" in record and len(texts) > 1 else {}
        yield {**record, **own, field: text}


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record's other fields: texts, cut to a length, and numbers."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if name in SUBMISSION_FIELDS or not isinstance(value, (str, int, float)) or len(found) >= _MOST_FIELDS:
            continue
        if not isinstance(value, int) or abs(value) < 1 << 63:
            found[name[:_LONGEST_VALUE]] = value[:_LONGEST_VALUE] if isinstance(value, str) else value
    return found
