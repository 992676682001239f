"""Find out what a user's files contain: which format they have, and what the first records have. It only reads.

seen = look([Path("problems.jsonl")], most=300)
seen.fields["statement"], seen.languages
"""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.fitness import count_tests
from microcoder_data.own_files.by_content import TRIED, group_place
from microcoder_data.own_files.infer_fields import NAMES, TESTS, infer_fields, names_of, plain, test_names
from microcoder_data.packages.files import MARKS, MARKS_OF, package_paths
from microcoder_data.process.language import detect
from microcoder_data.reading.files import FORMATS, PACKAGE_SOURCES, find_files, is_package
from microcoder_data.reading.one_test_a_record import problems_of_tests
from microcoder_data.reading.packages import package_records
from microcoder_data.reading.records import read_part
from microcoder_data.reading.scanning import ToScan, scan
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row
from microcoder_data.sources import SOURCES, adapter
from microcoder_data.sources.generic import OWN_FORMAT, at
from microcoder_eval import InputError
from microcoder_eval.plural import counted
from microcoder_eval.reading.arrow_form import SAVED
from microcoder_eval.reading.missing_fields import fields_of_a_test
from microcoder_eval.reading.record_files import read_in_western_letters
from microcoder_eval.suggest import did_you_mean, why_absent

_SIDES = ("test_input", "test_output")
"""Columns whose fields are in the tests, unless each record is one test."""
_PART_BYTES = 1 << 20
_PACKAGES_TRIED = 5
_NAMES_OF_GROUPS = ("problem", "task", "title", "question")
"""Further names of a problem in records that are one test each."""
_OWN_TESTS = ("tests", "test_code", "samples", "interactor")
"""Fields of which a record in the project's own format has one."""
_NAMES_OF_PUBLISHERS_TOO = ("test", "tests", "testlist")
"""Names of test programs that say less than a record that a publisher's adapter reads."""


@dataclass
class Seen:
    """What the files contain."""

    files: list[Path]
    patterns: list[str]
    """The files as a recipe names them."""
    source: str = "generic"
    fields: dict[str, str] = field(default_factory=dict)
    """The place in the record of each column; empty where the adapter knows the format."""
    one_test_a_record: bool = False
    unused: list[str] = field(default_factory=list)
    """Fields of the records that no column uses."""
    records: int = 0
    more: bool = False
    """Whether the files hold further records, which were not looked at."""
    rejected: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    tests: list[int] = field(default_factory=list)
    with_samples: int = 0
    with_solutions: int = 0
    solution_languages: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    """How many records repeat the statement of an earlier one, word for word."""

    @property
    def looked_at(self) -> str:
        """How many records were looked at, in words."""
        return f"{'the first ' * self.more}{counted(self.records, 'record')}"

    @property
    def rows(self) -> int:
        """How many records became rows."""
        return sum(self.kinds.values())

    def lines(self) -> list[str]:
        """The lines that describe the files."""
        mapped = ", ".join(f"{column} from `{place}`" for column, place in self.fields.items())
        what = f"fields: {mapped}" if mapped else f"format: {self.source} ({SOURCES[self.source]})"
        few, many = (min(self.tests), max(self.tests)) if self.tests else (0, 0)
        tests = f"{few} to {many}" if few < many else str(few)
        by_samples = bool(self.fields) and not TESTS & self.fields.keys()
        lines = [
            f"{self.looked_at} in {counted(len(self.files), 'file')}, {self.rows:,} readable",
            what,
            *([f"not used: {', '.join(self.unused)}"] if self.unused else []),
            f"kinds: {_counted(self.kinds)}; languages: {_counted(self.languages)}",
            f"tests: {tests} a problem; with a field for samples: {self.with_samples:,}",
            *(["no field holds tests: the samples are the tests (--field tests=NAME names others)"] * by_samples),
            f"with solutions: {self.with_solutions:,}"
            + (f" ({_counted(self.solution_languages)})" if self.solution_languages else ""),
        ]
        lines += [f"repeated statements: {self.repeated:,}"] if self.repeated else []
        lines += [f"read as Windows-1252, not UTF-8: {file}" for file in self.files if read_in_western_letters(file)]
        return lines + [f"not readable: {count:,} {reason}" for reason, count in self.rejected.most_common()]


def look(files: Sequence[Path], most: int, named: Mapping[str, str] | None = None) -> Seen:
    """Look at the first `most` records of the files. `named`: the fields of some columns, given by the user."""
    for file in files:
        if not file.exists():
            raise InputError(f"{file}: {why_absent(file)}")
    patterns = [pattern for file in files for pattern in patterns_of(file)]
    files = [Path(name) for pattern in patterns for name in sorted(glob.glob(pattern, recursive=True))]
    source = "generic"
    if all(is_package(str(file)) for file in files):
        source, files = _packages(patterns)
    seen = Seen(list(files), patterns, source)
    records = list(_read(seen, most))
    if seen.source == "generic":
        found = [record for record in records if isinstance(record, Mapping)]
        if not found:
            raise InputError(f"{files[0]}: {_why_none(records)}")
        _choose_format(seen, found, named or {})
    spec = SourceSpec(
        seen.source,
        path=tuple(map(str, files)),
        fields=dict(seen.fields),
        one_test_a_record=seen.one_test_a_record,
    )
    if seen.one_test_a_record:
        records = _joined(records, spec)
        seen.records = len(records)
    _count(seen, records, spec)
    return seen


def patterns_of(file: Path) -> list[str]:
    """A file, a problem package, or the files of records in any other folder, as a recipe names them."""
    escaped = glob.escape(str(file))
    if not file.is_dir() or any(package_paths(file, marks) for marks in (MARKS, *MARKS_OF.values())):
        return [escaped]
    endings = {inner.suffix for inner in file.rglob("*") if inner.is_file() and inner.suffix[1:].lower() in FORMATS}
    if ".arrow" in endings:  # the JSON beside it is about it: `datasets` wrote the folder
        return [f"{escaped}/**/{SAVED if any(file.rglob(SAVED)) else '*.arrow'}"]
    if not endings:
        raise InputError(
            f"{file}: a folder without folders of problems, problem packages or files of records ({', '.join(FORMATS)})"
        )
    return [f"{escaped}/**/*{ending}" for ending in sorted(endings)]


def _packages(patterns: Sequence[str]) -> tuple[str, list[Path]]:
    """The source that reads the first packages, and where the packages are."""
    of_first: tuple[str, list[Path]] | None = None
    for source in PACKAGE_SOURCES:
        spec = SourceSpec(source, path=tuple(patterns))
        try:
            found = find_files(spec, source)
        except InputError:  # no folder with the marks of this source
            continue
        of_first = of_first or (source, list(map(Path, found)))
        records = [record for file in found[:_PACKAGES_TRIED] for _, record in package_records(file, spec)]
        if any(isinstance(record, Mapping) and _converts(source, record, {}) for record in records):
            return source, list(map(Path, found))
    assert of_first is not None, "patterns_of gives no other folders"
    return of_first


def _choose_format(seen: Seen, records: Sequence[Mapping[str, Any]], named: Mapping[str, str]) -> None:
    """Choose the project's own format, fields by their names, or a publisher's format; an error if none fits."""
    head = records[:TRIED]
    own_tests = any(record.get(name) for record in head for name in _OWN_TESTS)  # else the names may be anybody's
    if not named and own_tests and all(_converts("generic", record, {}) for record in head):
        seen.unused = [name for name in names_of(records) if name not in OWN_FORMAT.values()]
        if not _tells_apart(records, "id") and (other := infer_fields(records)[0].get("problem_id")):
            own_fields = {column: name for column, name in OWN_FORMAT.items() if name in names_of(records)}
            seen.fields = {**own_fields, "problem_id": other}
            seen.unused = [name for name in seen.unused if name != other.partition(".")[0]]
        return
    for column, place in named.items():
        if column not in _SIDES and not any(_has(record, place) for record in records):
            near = did_you_mean(place, names_of(records), or_list=True)
            raise InputError(f"{seen.files[0]}: --field {column}={place}: no record has `{place}`{near}")
    fields, unused = infer_fields(records)
    fields = {**{column: place for column, place in fields.items() if place not in named.values()}, **named}
    if "tests" in named and not {"test_input", "test_output"} & named.keys():
        fields |= test_names(records, named["tests"])
    has_tests = TESTS & fields.keys()
    named_sides = {"test_input", "test_output"} <= named.keys()
    of_one_test = {"tests": "tests"} if named_sides else _fields_of_one_test(records, fields)
    if "statement" in fields and not has_tests and of_one_test:
        problems = _joined(records, SourceSpec("generic", path=("x",), fields={**fields, **of_one_test}))
        # records that are not joined may be questions with answers, which are no tests
        if named_sides or len(problems) < len(records):
            seen.one_test_a_record, head = True, problems[:TRIED]
            fields |= of_one_test
    unused = [name for name in unused if name not in fields.values()]
    own = "statement" in fields and any(_converts("generic", record, fields) for record in head)
    whole = TESTS & fields.keys()  # otherwise the samples are the tests
    vague = not named and plain(fields.get("test_code", "")) in _NAMES_OF_PUBLISHERS_TOO
    if not (own and whole) or vague:
        read = {
            name: sum(_converts(name, record, {}) for record in head)
            for name in SOURCES
            if name not in ("generic", *PACKAGE_SOURCES)
        }
        best = max(read, key=lambda name: read[name])
        if read[best] == len(head) or (not (own and whole) and 2 * read[best] > len(head)):
            seen.source = best
            return
    if own:
        no_ids = [name for name in unused if plain(name) in NAMES["problem_id"].split()] * ("problem_id" not in fields)
        seen.fields = fields
        seen.unused = [f"{name} (records share it, so it is no id)" if name in no_ids else name for name in unused]
        return
    existing = ", ".join(f"`{name}`" for name in names_of(records))
    if "statement" not in fields:
        question, answer = "which field is the statement?", "Name it: --field statement=NAME"
    elif whole:
        places = ", ".join(f"`{fields[column]}`" for column in sorted(whole))
        question = f"the tests at {places} cannot be read{_reason(head[0], fields)}."
        answer = (
            "Name where they are, and what a test calls its input and its output: --field tests=NAME "
            "--field test_input=NAME --field test_output=NAME"
        )
    else:
        question, answer = (
            "which field holds the tests?",
            (
                "Name it: --field tests=NAME (a list of objects), --field inputs=NAME --field outputs=NAME (two "
                "lists), --field test_input=NAME --field test_output=NAME (each record is one test) or --field "
                "test_code=NAME (assertions). A problem without tests cannot be graded, and makes no row; samples that "
                f"`{fields['statement']}` shows under headings would be tests, but it shows none"
            ),
        )
    raise InputError(f"{seen.files[0]}: {question} The fields are {existing}. {answer}")


def _has(record: Mapping[str, Any], place: str) -> bool:
    try:
        return at(record, place) is not None
    except Reject:  # the path goes into a text that is no JSON
        return False


def _tells_apart(records: Sequence[Mapping[str, Any]], name: str) -> bool:
    """Whether a field differs in most records: a record may be there twice."""
    return 2 * len({str(record.get(name)) for record in records}) > len(records)


def _why_none(records: Sequence[Any]) -> str:
    """Why no record of a file could be read."""
    rejects = Counter(record.reason for record in records if isinstance(record, Reject))
    first = next((record for record in records if isinstance(record, Reject)), None)
    if first is None:
        return "it holds no record"
    way_out = ". Save it as UTF-8: iconv -f WINDOWS-1252 -t UTF-8 FILE" if "invalid_utf8" in rejects else ""
    return f"no record could be read: {_counted(rejects)}; the first: {first}{way_out}"


def _fields_of_one_test(records: Sequence[Mapping[str, Any]], fields: Mapping[str, str]) -> dict[str, str]:
    """The columns of records that are one test each; empty for other records."""
    rest = [{name: each for name, each in record.items() if name not in fields.values()} for record in records[:TRIED]]
    texts = [{name: each for name, each in record.items() if isinstance(each, (str, int, float))} for record in rest]
    sides = fields_of_a_test(texts, by_order=False) if all(len(each) > 1 for each in texts) else None
    if sides is None:
        return {}
    names = {plain(name): name for name in reversed(list(rest[0])) if name not in sides}
    named = next((names[name] for name in (*NAMES["problem_id"].split(), *_NAMES_OF_GROUPS) if name in names), None)
    named = named or group_place(records, list(names.values()), str(fields.get("statement")))
    return {"tests": "tests", "test_input": sides[0], "test_output": sides[1]} | (
        {"problem_id": named} if named and "problem_id" not in fields else {}
    )


def _joined(records: Iterable[Any], spec: SourceSpec) -> list[Any]:
    return [record for _, record in problems_of_tests((("", record) for record in records), spec)]


def _converts(source: str, record: Mapping[str, Any], fields: Mapping[str, str]) -> bool:
    """Whether an adapter makes a row with statement and tests of a record."""
    try:
        row = adapter(source)(record, SourceSpec(source, path=("x",), fields=dict(fields)))
    except Exception:  # an adapter may fail in any way on a record of another format
        return False
    return bool((row["statement"] or "").strip()) and bool(row["tests"] or row["test_code"])


def _reason(record: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    """Why no row can be made of a record, as the end of a sentence."""
    try:
        adapter("generic")(record, SourceSpec("generic", path=("x",), fields=dict(fields)))
    except Reject as reject:
        return f": {reject}"
    return ""


def _read(seen: Seen, most: int) -> Iterable[Any]:
    spec = SourceSpec(seen.source, path=tuple(seen.patterns))
    for file in seen.files:
        for part in scan(ToScan(0, str(file), _PART_BYTES)).parts:
            for _, record in read_part(part, spec):
                if seen.records >= most:
                    seen.more = True
                    return
                seen.records += 1
                yield record


def _count(seen: Seen, records: Iterable[Any], spec: SourceSpec) -> None:
    statements: set[str] = set()
    to_row = adapter(seen.source)
    for record in records:
        if isinstance(record, Reject):
            seen.rejected[record.reason] += 1
            continue
        try:
            row = to_row(record, spec)
        except Reject as reject:
            seen.rejected[str(reject)] += 1
            continue
        except Exception as error:  # a build, too, rejects a record that the adapter did not foresee
            seen.rejected[f"{type(error).__name__}: {error}"] += 1
            continue
        _count_row(seen, row, statements)


def _count_row(seen: Seen, row: Row, statements: set[str]) -> None:
    """Count one row; `statements` are those seen before."""
    seen.kinds[row["kind"]] += 1
    seen.languages[detect(row["statement"])] += 1
    seen.tests.append(count_tests(row)[0])
    seen.with_samples += bool(row["samples"])
    seen.with_solutions += bool(row["solutions"])
    seen.solution_languages.update(sorted({solution["language"] for solution in row["solutions"]}))
    words = " ".join(row["statement"].lower().split())
    seen.repeated += words in statements
    statements.add(words)


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.most_common()) or "none"
