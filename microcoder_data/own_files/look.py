"""Find out what a user's files contain: which field is which column, and what the first records have. It only reads.

seen = look([Path("problems.jsonl")], most=300)
seen.fields["statement"], seen.languages
"""

from __future__ import annotations

import ast
import glob
import json
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.fitness import count_tests
from microcoder_data.own_files.by_content import (
    TRIED,
    group_place,
    id_place,
    is_id,
    parallel_places,
    statement_place,
    tests_place,
    turn_place,
    values_at,
)
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
from microcoder_data.sources.columns import unfenced
from microcoder_data.sources.generic import at, is_by_language, number_at_star
from microcoder_eval import InputError
from microcoder_eval.reading.missing_fields import fields_of_a_test
from microcoder_eval.reading.record_files import read_in_western_letters
from microcoder_eval.reading.tests_in_html import tests_in_html
from microcoder_eval.suggest import similar_path

_PART_BYTES = 1 << 20
_PACKAGES_TRIED = 5
_MARKUP = re.compile(r"(?<=.)(html|markdown|md|latex|tex)$")
"""The end of a field's name that says how its text is written: `description_html`."""
NAMES: dict[str, str] = {
    "problem_id": "id problemid qid taskid questionid uid key slug number code name",
    "title": "title name heading",
    "statement": "statement text body description problem prompt question task content problemstatement markdown "
    "instruction instructions",
    "tests": "tests testcases cases hiddentests privatetests testlist iopairs io checks examples sampleio tests.cases",
    "inputs": "inputs input testinputs io.inputs inputoutput.inputs",
    "outputs": "outputs output testoutputs expectedoutputs io.outputs inputoutput.outputs",
    "samples": "samples sampletests publictests sampleios sampleio",
    "sample_inputs": "sampleinputs sampleinput demoinputs demoinput exampleinputs exampleinput",
    "sample_outputs": "sampleoutputs sampleoutput demooutputs demooutput exampleoutputs exampleoutput",
    "solutions": "solutions solution solutioncode referencesolution code referencesolutions canonicalsolution "
    "reference programs",
    "entry_point": "entrypoint functionname fnname function funcname method",
    "starter_code": "startercode template stub signature boilerplate skeleton",
    "test_code": "testcode unittests testlist assertions asserts test tests",
    "checker": "checker judge",
    "time_limit": "timelimit timelimits timelimitseconds timelimitsec limits.seconds limits.time timeout",
    "memory_limit": "memorylimit memorylimitmb limits.memory limits.mb",
    "difficulty": "difficulty level hardness",
    "rating": "rating",
    "tags": "tags topics labels skills categories",
    "url": "url link",
    "license": "license licence",
    "input_format": "inputformat inputspecification inputspec inputdescription",
    "output_format": "outputformat outputspecification outputspec outputdescription",
    "constraints": "constraints",
    "notes": "notes note hint",
}
"""Names of fields for each column, the clearest first, as `_plain` writes them."""
_NUMBERED = re.compile(r"(.*\D)\d{1,3}(\D*)")
_OF_TESTS = ("test", "case")
"""Parts of a name that says that a numbered field is of tests, whatever its other words mean."""
_LOWEST_RATING = 400
"""Ratings begin here on every site; stars that readers give are fewer."""
_NAMES_OF_GROUPS = ("problem", "task", "title", "question")
"""Further names of a problem in records that are one test each."""
_NAMES_OF_PUBLISHERS_TOO = ("test", "tests", "testlist")
"""Names of test programs that say less than a record that a publisher's adapter reads."""
TESTS = frozenset({"tests", "inputs", "test_code"})
"""A problem has one of these columns."""
FIELDS_TO_NAME = (*NAMES, "test_input", "test_output")
_NOT_RIGHT = ("wrong", "bug", "broken", "starter", "template", "stub", "student", "attempt", "test", "import", "setup")
"""A field whose name contains one of these does not hold right solutions."""
_SAYS_PYTHON = re.compile(
    r"^\s*(?:def|class|import|from|for|while|if|print|return)\b|\bprint\(|\binput\(", re.MULTILINE
)


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
    def rows(self) -> int:
        """How many records became rows."""
        return sum(self.kinds.values())

    def lines(self) -> list[str]:
        """The lines that describe the files."""
        mapped = ", ".join(f"{column} from `{place}`" for column, place in self.fields.items())
        what = f"fields: {mapped}" if mapped else f"format: {self.source} ({SOURCES[self.source]})"
        few, many = (min(self.tests), max(self.tests)) if self.tests else (0, 0)
        by_samples = bool(self.fields) and not TESTS & self.fields.keys()
        lines = [
            f"{self.records:,} records in {len(self.files)} file{'s' * (len(self.files) > 1)}, {self.rows:,} readable",
            what,
            *([f"not used: {', '.join(self.unused)}"] if self.unused else []),
            f"kinds: {_counted(self.kinds)}; languages: {_counted(self.languages)}",
            f"tests: {few} to {many} a problem; with a field for samples: {self.with_samples:,}",
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
            raise InputError(f"{file}: no such file{similar_path(file)}")
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
            raise InputError(f"{files[0]}: no record could be read")
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


def infer_fields(records: Sequence[Mapping[str, Any]]) -> tuple[dict[str, str], list[str]]:
    """The place in the record of each column, and the fields that no column uses.

    >>> infer_fields([{"qid": 1, "body": "Add.", "cases": [{"in": "1", "out": "1"}], "team": "x"}])[0]["test_input"]
    'in'
    """
    places = _places(records)
    named = {_plain(place.rpartition(".")[2]): place for place in places if "." in place}
    named |= {_plain(place): place for place in reversed(list(places))}
    named = {_MARKUP.sub("", name): place for name, place in named.items()} | named
    fields: dict[str, str] = {}
    for column, names in NAMES.items():
        for name in names.split():
            place = named.get(name)
            if place is not None and place not in fields.values() and _fits_most(column, place, records):
                fields[column] = place
                break
    if "tests" in fields or not {"inputs", "outputs"} <= fields.keys():
        fields.pop("inputs", None)
        fields.pop("outputs", None)

    top = _names(records)

    def free() -> list[str]:
        return [place for place in top if not any(_is_of(place, each) for each in fields.values())]

    if "solutions" not in fields and (programs := _programs_place(records, free())):
        fields["solutions"] = programs
    if not TESTS & fields.keys():
        fields |= _numbered_tests(records) or _tests_by_content(records, free())
    if "statement" not in fields and (prose := statement_place(records, free())):
        fields["statement"] = prose
    for column, speaker in (("statement", "user"), ("solutions", "assistant")):
        if column not in fields and (turns := turn_place(records, top, speaker)):
            fields[column] = turns
    has_tests = TESTS & fields.keys()  # what differs in records of one test may be its input
    if "problem_id" not in fields and has_tests and (differs := id_place(records, free())):
        fields["problem_id"] = differs
    if "tests" in fields and "test_input" not in fields:
        fields |= _test_names(records, fields["tests"])
    taken = {name for name in places for place in fields.values() if _is_of(name, place)}
    inner = {place.partition(".")[0] for place in fields.values()}
    return fields, [place for place in top if place not in taken and place not in inner]


def _is_of(name: str, place: str) -> bool:
    """Whether a place is this field, or is all numbered fields of this name."""
    return name == place or bool(number_at_star(place, name))


def _numbered_tests(records: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The columns of tests in fields such as `input1`, `output1`, `input2`, or `Test 1 in`, `Test 1 out`."""
    numbered = (_NUMBERED.fullmatch(str(name)) for record in records[:TRIED] for name in record)
    patterns = {f"{match[1]}{match[2]}".strip("_- "): f"{match[1]}*{match[2]}" for match in numbered if match}
    of_tests = {name: each for name, each in patterns.items() if any(word in name.lower() for word in _OF_TESTS)}
    sides = fields_of_a_test([dict.fromkeys(patterns, "1")], by_order=False)
    if sides is None and len(of_tests) == 2:
        given, wanted = of_tests
        sides = given, wanted
    return {"inputs": patterns[sides[0]], "outputs": patterns[sides[1]]} if sides else {}


def _tests_by_content(records: Sequence[Mapping[str, Any]], places: Sequence[str]) -> dict[str, str]:
    """The columns of tests under names that say nothing."""
    if place := tests_place(records, places):
        return {"tests": place}
    if lists := parallel_places(records, places):
        return {"inputs": lists[0], "outputs": lists[1]}
    return {}


def _programs_place(records: Sequence[Mapping[str, Any]], places: Sequence[str]) -> str | None:
    """The only place whose values are mostly Python programs, or programs by language; None without."""
    found = []
    for place in places:
        texts = [text for record in records[:TRIED] if (text := at(record, place))]
        words = _plain(place.rpartition(".")[2])
        if not any(word in words for word in _NOT_RIGHT) and 2 * sum(map(_is_program, texts)) > len(texts):
            found.append(place)
    return found[0] if len(found) == 1 else None


def _is_program(text: Any) -> bool:
    if isinstance(text, Mapping):
        return is_by_language(text)
    if isinstance(text, list) and text:
        return _is_program(text[0])
    if not isinstance(text, str) or not _SAYS_PYTHON.search(text):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            ast.parse(unfenced(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _choose_format(seen: Seen, records: Sequence[Mapping[str, Any]], named: Mapping[str, str]) -> None:
    """Choose the project's own format, fields by their names, or a publisher's format; an error if none fits."""
    head = records[:TRIED]
    if not named and all(_converts("generic", record, {}) for record in head):
        return
    fields, unused = infer_fields(records)
    fields = {**{column: place for column, place in fields.items() if place not in named.values()}, **named}
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
    vague = not named and _plain(fields.get("test_code", "")) in _NAMES_OF_PUBLISHERS_TOO
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
        seen.fields, seen.unused = fields, unused
        return
    existing = ", ".join(f"`{name}`" for name in _names(records))
    if "statement" not in fields:
        question, answer = "which field is the statement?", "Name it: --field statement=NAME"
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


def _fields_of_one_test(records: Sequence[Mapping[str, Any]], fields: Mapping[str, str]) -> dict[str, str]:
    """The columns of records that are one test each; empty for other records."""
    rest = [{name: each for name, each in record.items() if name not in fields.values()} for record in records[:TRIED]]
    texts = [{name: each for name, each in record.items() if isinstance(each, (str, int, float))} for record in rest]
    sides = fields_of_a_test(texts, by_order=False) if all(len(each) > 1 for each in texts) else None
    if sides is None:
        return {}
    names = {_plain(name): name for name in reversed(list(rest[0])) if name not in sides}
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


def _read(seen: Seen, most: int) -> Iterable[Any]:
    spec = SourceSpec(seen.source, path=tuple(seen.patterns))
    for file in seen.files:
        for part in scan(ToScan(0, str(file), _PART_BYTES)).parts:
            for _, record in read_part(part, spec):
                if seen.records >= most:
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
    seen.solution_languages.update({solution["language"] for solution in row["solutions"]})
    words = " ".join(row["statement"].lower().split())
    seen.repeated += words in statements
    statements.add(words)


def _places(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The fields of the records and of objects in them, each with its first value that is not empty."""
    found: dict[str, Any] = {}
    for record in records:
        for name, value in record.items():
            _put(found, str(name), value)
            inner = _opened(value)
            if isinstance(inner, Mapping):
                for key, item in inner.items():
                    _put(found, f"{name}.{key}", item)
    return found


def _names(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of the records' own fields, not of those in them."""
    return list(dict.fromkeys(str(name) for record in records for name in record))


def _put(found: dict[str, Any], place: str, value: Any) -> None:
    if place not in found or found[place] in (None, "", []):
        found[place] = value


def _opened(value: Any) -> Any:
    """The value, parsed if it is JSON in a string."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _plain(place: str) -> str:
    """A name in lower case without spaces, dashes and underscores."""
    return "".join(letter for letter in place.lower() if letter not in " _-")


def _fits_most(column: str, place: str, records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether most values at a place have the type of a column; ids differ in every record."""
    values = values_at(records, place)
    if column == "problem_id" and not is_id(records, place):
        return False
    return 2 * sum(_fits(column, value) for value in values) > len(values)


def _fits(column: str, value: Any) -> bool:
    """Whether a value has the type of a column."""
    value = _opened(value)
    if column == "tests":
        if isinstance(value, Mapping):  # outputs by input
            return bool(value) and all(isinstance(each, (str, int, float)) for each in value.values())
        if isinstance(value, str):
            return tests_in_html(value) is not None
        return isinstance(value, list) and (not value or isinstance(value[0], (Mapping, list, tuple)))
    if column in ("inputs", "outputs"):
        return isinstance(value, list)
    if column == "samples":
        return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)
    if column in ("sample_inputs", "sample_outputs"):
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if column == "rating":
        return isinstance(value, (int, float)) and value >= _LOWEST_RATING
    if column == "test_code":
        texts = value if isinstance(value, list) else [value]
        return bool(texts) and all(isinstance(each, str) and "assert" in each for each in texts)
    if column in ("statement", "title", "entry_point", "starter_code", "url"):
        return isinstance(value, str)
    if column == "problem_id":
        return isinstance(value, (str, int)) and len(str(value)) < 120
    if column == "solutions":
        return isinstance(value, (str, list)) or (isinstance(value, Mapping) and is_by_language(value))
    return not isinstance(value, Mapping) or column in ("checker", "difficulty")


def _test_names(records: Sequence[Mapping[str, Any]], place: str) -> dict[str, str]:
    """What the objects of `tests` call input and output, where it is not that."""
    lists = [value for value in values_at(records, place) if isinstance(value, list)]
    tests = [test for listed in lists for test in listed if isinstance(test, Mapping)]
    sides = zip(("input", "output"), fields_of_a_test(tests) or ("input", "output"), strict=True)
    return {f"test_{side}": name for side, name in sides if name != side}


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.most_common()) or "none"
