"""`--map FIELD=NAME`: reads records with other field names as problems and submissions.

    names = FieldMap.parse(["tests=cases", "input=stdin", "response=choices.0.message.content"])
    names.problem({"id": "a", "cases": [{"stdin": "1", "output": "1"}]})["tests"]

A name may be a path through objects and lists, with dots. Tests may be in several fields: `tests=public,private`.
Nothing is guessed: `missing_fields.py` suggests names, and the user chooses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.arguments import parse_value
from microcoder_eval.errors import InputError
from microcoder_eval.ground_truth import unwrapped
from microcoder_eval.problem import kind_of
from microcoder_eval.reading.tests_in_html import tests_in_html
from microcoder_eval.reading.tests_on_lines import tests_on_lines
from microcoder_eval.suggest import did_you_mean

PROBLEM_FIELDS = (
    *("id", "statement", "tests", "input", "output", "kind", "entry_point", "starter_code", "test_code", "checker"),
    *("time_limit_s", "memory_limit_mb", "platform", "difficulty"),
)
SUBMISSION_FIELDS = ("id", "problem_id", "response", "code", "language")
TEST_FIELDS = ("input", "output")
_NUMBERS = ("time_limit_s", "memory_limit_mb")
_FILES = ("problems", "submissions")
_SIDES = frozenset({"input", "output", "stdin", "stdout", "expected", "expected_output", "answer", "in", "out", "args"})
"""Names in one test: an object without them has a test in each field, `{"1 2": "3"}`."""


@dataclass(frozen=True)
class FieldMap:
    """Which field of a record is which field of a problem or a submission.

    >>> FieldMap.parse(["problem_id=task"]).submission({"id": 1, "task": "a", "code": ""})["problem_id"]
    'a'
    """

    of_problems: Mapping[str, str] = field(default_factory=dict)
    of_submissions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, options: Sequence[str]) -> FieldMap:
        """Read `FIELD=NAME`. `problems.FIELD` and `submissions.FIELD` are for one file; `FIELD` is for both."""
        maps: dict[str, dict[str, str]] = {"problems": {}, "submissions": {}}
        for option in options:
            name, separator, source = option.partition("=")
            file, dot, bare = name.rpartition(".")
            fields = {"problems": PROBLEM_FIELDS, "submissions": SUBMISSION_FIELDS}
            if not separator or not source.strip():
                raise InputError(f"--map {option}: write FIELD=NAME, such as --map tests=cases")
            if dot and file not in _FILES:
                raise InputError(f"--map {option}: {file!r} is neither `problems` nor `submissions`")
            files = [which for which in ([file] if dot else _FILES) if bare in fields[which]]
            if not files:
                known = sorted({*fields["problems"], *fields["submissions"]})
                raise InputError(f"--map {option}: no field {bare!r}{did_you_mean(bare, known, or_list=True)}")
            for which in files:
                maps[which][bare] = source.strip()
        return cls(maps["problems"], maps["submissions"])

    def joined(self, other: FieldMap) -> FieldMap:
        """Both maps as one. Where both map a field, this map wins."""
        return FieldMap({**other.of_problems, **self.of_problems}, {**other.of_submissions, **self.of_submissions})

    def to_dict(self) -> dict[str, dict[str, str]]:
        return {"problems": dict(self.of_problems), "submissions": dict(self.of_submissions)}

    def problem(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """A problem's record under the grader's names."""
        mapped = self._problem(record)
        numbers = {name: _as_number(mapped[name]) for name in _NUMBERS if isinstance(mapped.get(name), str)}
        return {**mapped, **numbers} if numbers else mapped

    def _problem(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        named = dict(self.of_problems)
        if not named and _is_plain(record) and not _are_assertions(record.get("tests")):
            return _with_kind(record)
        if "," in named.get("tests", ""):
            record = _with_tests_of(record, named.pop("tests").split(","))
        mapped = _renamed(record, {name: source for name, source in named.items() if name not in TEST_FIELDS})
        if _are_assertions(mapped.get("tests")):
            mapped = _renamed(mapped, {"test_code": "tests"})
        tests = mapped.get("tests")
        if tests is None and "test_code" not in mapped:
            tests = self._tests_in_own_fields(record)
        mapped = dict(_with_kind(mapped))
        if isinstance(mapped.get("test_code"), list):
            mapped["test_code"] = "\n".join(map(str, mapped["test_code"]))
        if tests is not None:
            kind = mapped.get("kind")
            mapped["tests"] = [self._test(test, kind) for test in test_list(tests)]
        return mapped

    def submission(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """A submission's record under the grader's names."""
        return _renamed(record, self.of_submissions) if self.of_submissions else record

    def _tests_in_own_fields(self, record: Mapping[str, Any]) -> list[Any] | None:
        """The tests in the fields `input` and `output` of the record: one test, or parallel lists; None without."""
        given, wanted = (take(record, self.of_problems.get(name, name)) for name in TEST_FIELDS)
        if given is None or wanted is None:
            return None
        if isinstance(given, list) and isinstance(wanted, list) and len(given) == len(wanted):
            return [list(pair) for pair in zip(given, wanted, strict=True)]
        return [[given, wanted]]

    def _test(self, test: Any, kind: Any) -> Any:
        if isinstance(test, (list, tuple)) and len(test) == 2:
            test = dict(zip(TEST_FIELDS, test, strict=True))
        elif isinstance(test, Mapping):
            test = _renamed(test, {name: self.of_problems[name] for name in TEST_FIELDS if name in self.of_problems})
        if not isinstance(test, Mapping) or kind == "call":
            return test
        return {name: _as_text(value, kind) if name in TEST_FIELDS else value for name, value in test.items()}


def _are_assertions(tests: Any) -> bool:
    """Whether tests are a test program as text, or a list of assertions.

    >>> _are_assertions("def check(f):\\n    assert f(1) == 2"), _are_assertions([{"input": "assert", "output": ""}])
    (True, False)
    """
    texts = tests if isinstance(tests, list) and tests else [tests]
    return all(isinstance(text, str) and re.search(r"^\s*assert\b", text, re.MULTILINE) for text in texts)


def _with_kind(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record with the kind that its fields show, unless it names one or they show none."""
    kind = kind_of(record)
    return record if record.get("kind") or kind == "stdin" else {**record, "kind": kind}


def _is_plain(record: Mapping[str, Any]) -> bool:
    """Whether the record's tests are objects with texts, or no tests of programs that read and print."""
    tests = record.get("tests")
    if record.get("kind", "stdin") != "stdin" or record.get("entry_point") or record.get("test_code") or not tests:
        return True
    return isinstance(tests, list) and all(
        isinstance(test, Mapping) and all(isinstance(test.get(name), str) for name in TEST_FIELDS) for test in tests
    )


def _with_tests_of(record: Mapping[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """The record with the tests of several fields in one."""
    found = [value for value in (take(record, field) for field in fields) if value is not None]
    rest = {name: value for name, value in record.items() if name not in fields}
    return {**rest, "tests": [test for value in found for test in test_list(value)]}


def _renamed(record: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The record with each field in `names` taken from its source: a field's name or a dotted path."""
    moved = {source for source in names.values() if "." not in source}
    kept = {name: value for name, value in record.items() if name not in moved and name not in names}
    found = {name: take(record, source) for name, source in names.items()}
    return {**kept, **{name: value for name, value in found.items() if value is not None}}


def take(record: Any, source: str) -> Any:
    """The value at a name or a dotted path, which leads into JSON in a text too; None when nothing is there."""
    if isinstance(record, Mapping) and source in record:
        return record[source]
    for step in source.split("."):
        if isinstance(record, str):
            record = parse_value(record) if record.lstrip()[:1] in ("{", "[") else None
        if isinstance(record, Mapping):
            record = record.get(step)
        elif isinstance(record, list) and step.isdecimal() and int(step) < len(record):
            record = record[int(step)]
        else:
            return None
    return record


def without_empty(record: Mapping[str, Any], texts: Collection[str]) -> dict[str, Any]:
    """The record without empty texts, which empty cells of a table give; those of the fields `texts` stay.

    >>> without_empty({"response": "", "language": ""}, ("response",))
    {'response': ''}
    """
    return {name: value for name, value in record.items() if value != "" or name in texts}


def test_list(tests: Any) -> list[Any]:
    """Tests as a list of objects or pairs: from JSON in a text, parallel lists of inputs and outputs, outputs by input.

    >>> test_list({"inputs": ["1", "2"], "outputs": ["3", "4"]}), test_list({"1 2": "3"})
    ([['1', '3'], ['2', '4']], [['1 2', '3']])
    >>> test_list("1 2 -> 3\\n4 5 -> 9")
    [['1 2', '3'], ['4 5', '9']]
    """
    if isinstance(tests, str):
        found = parse_value(tests)
        if isinstance(found, str):
            found = tests_in_html(tests) or tests_on_lines(tests.splitlines())
            if found is None:
                raise InputError(
                    "tests: a text that is neither JSON, a Python literal, lines `input -> output`, nor HTML with Input"
                    " and Output above a <pre> each"
                )
        tests = found
    if isinstance(tests, Mapping):
        given, wanted = (tests.get(name) for name in ("inputs", "outputs"))
        if not isinstance(given, list) or not isinstance(wanted, list):
            given, wanted = (tests.get(name) for name in TEST_FIELDS)
        if isinstance(given, list) and isinstance(wanted, list) and len(given) == len(wanted):
            results = unwrapped(wanted) if tests.get("fn_name") else wanted
            return [list(pair) for pair in zip(given, results, strict=True)]
        if all(isinstance(each, (str, int, float)) for each in tests.values()) and not _SIDES & {*map(str, tests)}:
            return [[given, wanted] for given, wanted in tests.items()]
        return grouped_tests(tests) or [tests]
    if not isinstance(tests, (list, tuple)):
        raise InputError("tests: a list expected")
    if tests and all(isinstance(each, str) for each in tests):
        return tests_on_lines(tests) or list(tests)
    return list(tests)


def grouped_tests(tests: Any) -> list[Any] | None:
    """The tests of an object that holds nothing but lists of them, under names; None for another value.

    A column of Parquet or Arrow has None for a group that a problem lacks.

    >>> grouped_tests({"public": [{"input": "1", "output": "2"}], "hidden": [{"input": "3", "output": "4"}], "x": None})
    [{'input': '1', 'output': '2'}, {'input': '3', 'output': '4'}]
    >>> grouped_tests({"args": [{"n": 1}], "expected": [{"n": 2}]})  # one test
    """
    if not isinstance(tests, Mapping) or _SIDES & {*map(str, tests)}:
        return None
    groups = [group for group in tests.values() if group is not None]
    if not all(isinstance(group, list) for group in groups):
        return None
    found = [test for group in groups for test in group]
    return found if found and all(isinstance(test, Mapping) for test in found) else None


def _as_number(text: str) -> Any:
    """A number in a cell of a table, with a point or a comma; any other text is returned for the grader to check.

    >>> _as_number("1,5"), _as_number("256"), _as_number("2 s")
    (1.5, 256, '2 s')
    """
    if not re.fullmatch(r"\s*\d{1,9}([.,]\d{1,9})?\s*", text):
        return text
    number = float(text.replace(",", "."))
    return int(number) if number.is_integer() else number


def _as_text(value: Any, kind: Any) -> Any:
    """A number as its text, and a list of lines as lines. Any other value is returned for the grader to check: so is a
    list of numbers where no kind is named, because these may be the arguments of a function."""
    if type(value) in (int, float, bool):
        return str(value)
    lines = isinstance(value, list) and all(type(line) in (str, int, float) for line in value)
    if lines and (kind or not value or any(isinstance(line, str) for line in value)):
        return "\n".join(map(str, value))
    return value
