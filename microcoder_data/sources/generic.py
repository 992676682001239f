"""A user's own records. `fields` says where each column is; without it, the project's problem format is read.

    fields:
      problem_id: meta.qid          # dots go into objects, numbers into lists
      statement: body
      tests: cases                  # a list of objects ...
      test_input: in                #   ... and the names inside them (default input, output)
      test_output: out
      inputs: io.in                 # or two parallel lists instead of `tests`
      outputs: io.out               # `input*` is the list of input1, input2, ...; `Test * in` of `Test 1 in`, ...
      entry_point: function         # makes the problem a `call`; taken from a `class Solution` with one method
      checker: judge                # in the grader's form, {"kind": "float", "abs": 1e-6}
      interactor: other_end         # a path too; makes the problem `interactive`
      groups: subtasks              # of a scoring problem, in the grader's form, with the numbers of the tests
      solutions: programs           # texts, by language {"cpp": [...]}, or objects {"code", "language", "correct"}

In a chat, `messages.user` is the user's first turn and `messages.assistant` the assistant's last one. A problem of kind
`stdin` without tests gets its samples, or those that its statement shows, as tests.

Other keys are columns of the row: title, url, platform, contest_id, problem_index, slug, contest_date, time_limit,
memory_limit, difficulty, rating, tags, starter_code, test_code, input_format, output_format, notes,
constraints, language, license.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from microcoder_data.identity import place_of
from microcoder_data.process.boilerplate import without_site_lines
from microcoder_data.process.markup import to_markdown
from microcoder_data.process.page_lines import without_first_break
from microcoder_data.process.sections import samples_shown
from microcoder_data.process.text import repaired
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_checker, new_row, new_test, text_sha256
from microcoder_data.sources import columns
from microcoder_data.sources.called_function import is_call, method_of_solution, offered_function
from microcoder_eval import Checker, InputError
from microcoder_eval.languages.table import language_named
from microcoder_eval.problem import Interactor
from microcoder_eval.reading.chat import turn_of
from microcoder_eval.reading.field_map import test_list
from microcoder_eval.reading.tests_in_html import tests_in_html
from microcoder_eval.scoring import BadGroups, read_groups
from microcoder_eval.suggest import did_you_mean

TEXT_FIELDS = (
    "title", "url", "platform", "contest_id", "problem_index", "slug", "starter_code", "test_code", "license",
    "input_format", "output_format", "notes", "constraints", "language",
)  # fmt: skip
FIELDS = (
    "problem_id", "statement", "kind", "entry_point", "tests", "test_input", "test_output", "inputs", "outputs",
    "samples", "sample_inputs", "sample_outputs", "checker", "interactor", "groups", "time_limit",
    "memory_limit", "contest_date", "difficulty", "rating", "tags", "solutions", "split", *TEXT_FIELDS,
)  # fmt: skip
_ONE_SIDE = ("test_input", "test_output", "inputs", "outputs", "sample_inputs", "sample_outputs")
"""Columns that hold the inputs alone, or the outputs; in the project's own format both are in one list."""
_NAMES_OF_CODE = ("code", "source", "program", "solution", "content")
OWN_FORMAT = {
    **{name: name for name in FIELDS if name not in _ONE_SIDE},
    "problem_id": "id",
    "time_limit": "time_limit_s",
    "memory_limit": "memory_limit_mb",
}


def check_fields(spec: SourceSpec, where: str) -> None:
    """Refuse a mapping that names an unknown field, before anything is read."""
    for name in spec.fields:
        if name not in FIELDS:
            raise InputError(f"{where}: unknown field {name!r}{did_you_mean(name, FIELDS, or_list=True)}")


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    paths: Mapping[str, Any] = spec.fields or OWN_FORMAT
    values = {name: at(record, str(path)) for name, path in paths.items() if name not in ("test_input", "test_output")}
    statement = columns.statement_of(values, "statement")
    solutions = _solutions(values.get("solutions"))
    entry_point = columns.text(values, "entry_point") or None
    starter = columns.text(values, "starter_code")
    if isinstance(values.get("test_code"), list):
        values["test_code"] = "\n".join(columns.texts(values["test_code"], "test_code"))
    test_code = columns.text(values, "test_code") or None
    interactor = _program(values.get("interactor"), "interactor", Interactor)
    given_kind = columns.text(values, "kind")
    if not (given_kind or entry_point or test_code or interactor):
        program = next((one["code"] for one in solutions), "")
        entry_point = method_of_solution(starter or program)
        if entry_point is None and (function := offered_function(program)):
            first = _first_input(values, paths)  # what is no text is no standard input
            entry_point = function if not isinstance(first, str) or is_call(first, function) else None
    kind = given_kind or _kind_of(entry_point, test_code, interactor)
    if kind not in ("stdin", "call", "asserts", "interactive"):
        raise Reject("unknown_kind", f"{kind!r} is not stdin, call, asserts or interactive")
    if kind == "call" and not entry_point:
        raise Reject("no_entry_point", "a call problem needs entry_point")
    if kind == "interactive" and interactor is None:
        raise Reject("no_interactor", "an interactive problem needs interactor")
    _refuse_unpaired(record, str(paths.get("inputs", "")), str(paths.get("outputs", "")))
    tests, samples = _tests(values, paths, kind, entry_point or ""), _samples(values)
    if not tests and kind == "stdin":
        shown = samples or samples_shown(without_site_lines(to_markdown(repaired(statement))))
        given, wanted = ([one[side] for one in shown] for side in ("input", "output"))
        tests = columns.stdin_tests(given, wanted, "sample", public=True)
    url = columns.text(values, "url") or None
    place = place_of(url)
    row = new_row(
        problem_id=columns.text(values, "problem_id") or _id_of(statement, values),
        source="generic",
        statement=statement,
        kind=kind,
        entry_point=entry_point
        if kind == "asserts" or not entry_point
        else columns.entry_point_of(entry_point, starter),
        tests=tests,
        samples=samples,
        groups=_groups(values.get("groups"), tests),
        checker=_program(values.get("checker"), "checker", Checker),
        interactor=interactor,
        contest_date=columns.date(values.get("contest_date")),
        time_limit_ms=columns.milliseconds(values.get("time_limit")),
        memory_limit_mb=columns.megabytes(values.get("memory_limit")),
        tags=columns.texts(values.get("tags"), "tags"),
        difficulty=columns.difficulty(values.get("difficulty"), values.get("rating")),
        split=columns.text(values, "split") or None,
        solutions=solutions,
    )
    for name in TEXT_FIELDS:
        row[name] = columns.text(values, name) or None
    if place:
        for name in ("platform", "contest_id", "problem_index", "slug"):
            row[name] = row[name] or getattr(place, name)
    return row


def _id_of(statement: str, values: Mapping[str, Any]) -> str:
    """A hash of all parts of the statement: an easy and a hard version may differ in their input format alone."""
    parts = [statement, *(columns.text(values, name) for name in ("input_format", "output_format", "constraints"))]
    return text_sha256("\n".join(filter(None, parts)))[:16]


def _first_input(values: Mapping[str, Any], paths: Mapping[str, Any]) -> Any:
    """The input of the first test; an empty text when there is none."""
    listed = columns.decoded_or_same(values.get("inputs" if "inputs" in paths else "tests"))
    if not isinstance(listed, (list, tuple)) or not listed:
        return ""
    first = listed[0]
    if "inputs" not in paths:
        first = at(first, str(paths.get("test_input", "input") if isinstance(first, Mapping) else 0))
    return "" if first is None else first


def _kind_of(entry_point: str | None, test_code: str | None, interactor: Any) -> str:
    if interactor:
        return "interactive"
    return "asserts" if test_code else "call" if entry_point else "stdin"


def at(record: Any, path: str) -> Any:
    """The value at a dotted path, None when there is none. Objects written as text are parsed on the way.

    >>> at({"a": [{"b": 1}]}, "a.0.b"), at({"in_1": "x", "in_2": "y", "in_3": ""}, "in_*"), at({"No.": 7}, "No.")
    (1, ['x', 'y'], 7)
    """
    if isinstance(record, Mapping) and path in record:  # a table's heading may have a dot
        return record[path]
    value = record
    for name in path.split("."):
        if isinstance(value, str):
            value = columns.decoded(value, path)
        if isinstance(value, Mapping) and "*" in name and name not in value:
            value = list(_numbered(value, name).values()) or None
        elif isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, (list, tuple)) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        elif isinstance(value, list):
            value = turn_of(value, name)
        else:
            return None
    return value


def _numbered(record: Mapping[str, Any], pattern: str) -> dict[str, Any]:
    """The values of fields that are called like `pattern`, by number, without empty ones."""
    found = {number: value for name, value in record.items()
             if (number := number_at_star(pattern, name)) and not _is_empty(value)}  # fmt: skip
    return {number: found[number] for number in sorted(found, key=int)}


def number_at_star(pattern: str, name: str) -> str:
    """The digits that the name of a field has where `pattern` has a star; empty for another name.

    >>> number_at_star("input_*", "input_12"), number_at_star("Test * in", "Test 3 in"), number_at_star("in*", "inner")
    ('12', '3', '')
    """
    start, star, end = pattern.partition("*")
    if not star or not name.startswith(start) or not name.endswith(end):
        return ""
    found = name[len(start) : len(name) - len(end)]
    return found if found.isdecimal() else ""


def _is_empty(value: Any) -> bool:
    """Whether a cell of a table is empty; a missing number may be written as NaN."""
    return value is None or value == "" or (isinstance(value, float) and value != value)


def _refuse_unpaired(record: Mapping[str, Any], given: str, wanted: str) -> None:
    """Refuse a record in which `input3` has no `output3`: without their numbers, tests would be paired wrongly."""
    sides = [(path, _by_number(record, path)) for path in (given, wanted)]
    for (path, numbers), (other, others) in itertools.permutations(sides):
        if numbers is not None and others is not None and (alone := [one for one in numbers if one not in others]):
            raise Reject("tests_do_not_pair", f"{path.replace('*', alone[0])} without {other.replace('*', alone[0])}")


def _by_number(record: Mapping[str, Any], path: str) -> dict[str, Any] | None:
    """The values by number at a path such as `io.input*` or `Test * in`; None for another path."""
    owner, _, name = path.rpartition(".")
    found = columns.decoded_or_same(at(record, owner)) if owner else record
    return _numbered(found, name) if "*" in name and isinstance(found, Mapping) else None


def _tests(values: Mapping[str, Any], paths: Mapping[str, Any], kind: str, entry_point: str) -> list[dict[str, Any]]:
    if "inputs" in paths or "outputs" in paths:
        inputs = columns.decoded(values.get("inputs"), "inputs")
        outputs = columns.decoded(values.get("outputs"), "outputs")
        if kind == "call":
            return columns.call_tests(inputs, outputs, wrapped=False)
        return columns.stdin_tests(inputs, outputs)
    written = values.get("tests")
    try:
        found = columns.decoded(written, "tests")
    except Reject:
        found = tests_in_html(written) if isinstance(written, str) else None
        if found is None:
            raise
    if found is None:
        return []
    try:
        listed = test_list(found)
    except InputError:
        raise Reject("broken_tests", f"tests is a {type(found).__name__}, not a list") from None
    given, wanted = str(paths.get("test_input", "input")), str(paths.get("test_output", "output"))
    listed = [
        dict(zip((given, wanted), test, strict=True)) if isinstance(test, (list, tuple)) and len(test) == 2 else test
        for test in listed
    ]
    values_as_they_are = kind == "call" and _hold_values(
        [one for one in listed if isinstance(one, Mapping)], given, wanted
    )
    tests = []
    for test in listed:
        if not isinstance(test, Mapping):
            raise Reject("broken_tests", f"a test is a {type(test).__name__}, not an object")
        question, answer = at(test, given), at(test, wanted)
        if answer is None and kind == "interactive":
            answer = ""  # the interactor judges
        if question is None or (answer is None and kind != "call"):
            raise Reject("broken_tests", f"a test without {given if question is None else wanted}")
        if kind == "call":
            is_text = isinstance(answer, str) and not (values_as_they_are and not isinstance(question, str))
            value = answer if is_text else columns.encode_value(answer)
            if is_call(question, entry_point):
                question = question.strip()[len(entry_point) + 1 : -1]
            tests.append(new_test(columns.encode_arguments(question), value))
        else:
            tests.append(new_test(columns.stdin_text(question), columns.stdin_text(answer)))
        if isinstance(test.get("flags"), list):
            tests[-1]["flags"] = list(map(str, test["flags"]))
    if kind != "call":
        for test, sides in zip(
            tests, without_first_break([(one["input"], one["output"]) for one in tests]), strict=True
        ):
            test["input"], test["output"] = sides
    return tests


def _hold_values(tests: Sequence[Mapping[str, Any]], given: str, wanted: str) -> bool:
    """Whether the answers beside arguments that are no texts are values too: a text among them is one of letters then,
    not of JSON. It is so if one is no text, or no literal.

    >>> _hold_values([{"in": [0], "out": "0"}, {"in": [9], "out": "?"}], "in", "out")
    True
    >>> _hold_values([{"in": [0], "out": "0"}, {"in": [9], "out": "[9]"}], "in", "out")
    False
    """
    answers = [at(test, wanted) for test in tests if not isinstance(at(test, given), str)]
    return any(answer is not None and (not isinstance(answer, str) or not _is_literal(answer)) for answer in answers)


def _is_literal(text: str) -> bool:
    try:
        columns.decoded(text, "a test's answer")
    except Reject:
        return False
    return True


def _solutions(value: Any) -> list[dict[str, Any]]:
    """The column `solutions` from texts, from texts by language, or from objects: `code`, `language`, `correct`."""
    listed = columns.decoded(value, "solutions") if isinstance(value, str) and value.lstrip()[:1] == "[" else value
    if isinstance(value, str) and value.lstrip()[:1] == "{":  # a program may begin so too
        listed = columns.decoded_or_same(value)
    if isinstance(listed, Mapping):
        listed = list(_of_languages(listed)) if is_by_language(listed) else [listed]
    if not isinstance(listed, (list, tuple)) or not any(isinstance(one, Mapping) for one in listed):
        return columns.programs(listed, "solutions")
    solutions = []
    for one in listed:
        entry = one if isinstance(one, Mapping) else {"code": one}
        code = next((entry[name] for name in _NAMES_OF_CODE if isinstance(entry.get(name), str)), None)
        if code is None or entry.get("correct", True) not in (True, False, None):
            raise Reject("broken_solutions", 'a solution is a text or an object: {"code", "language", "correct"}')
        language = columns.text(entry, "language") or columns.text(entry, "lang") or "python"
        found = columns.programs([code], "solutions", language_named(language) or language)
        correct = entry.get("correct", True)
        solutions += [{**program, "correct": None if correct is None else bool(correct)} for program in found]
    return solutions


def is_program_record(value: Any) -> bool:
    """Whether a value is an object with a program and its language, or programs by language."""
    if not isinstance(value, Mapping):
        return False
    names = _NAMES_OF_CODE if {"language", "lang"} & value.keys() else ()
    return is_by_language(value) or any(isinstance(value.get(name), str) for name in names)


def is_by_language(value: Mapping[str, Any]) -> bool:
    """Whether an object holds programs by language: `{"python3": "print(1)", "cpp": ["int main() {}"]}`."""
    return bool(value) and all(
        language_named(str(name)) and all(isinstance(code, str) for code in _codes(codes))
        for name, codes in value.items()
    )


def _of_languages(programs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for language, codes in programs.items():
        for code in _codes(codes):
            yield {"code": code, "language": language}


def _codes(value: Any) -> Sequence[Any]:
    """The programs of one language; a table has an empty cell where there is none."""
    return [code for code in (value if isinstance(value, (list, tuple)) else [value]) if code is not None]


def _samples(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    sides = (columns.decoded(values.get(name), name) for name in ("sample_inputs", "sample_outputs"))
    listed = columns.decoded(values.get("samples"), "samples") or columns.stdin_tests(*sides)
    if not isinstance(listed, (list, tuple)):
        raise Reject("broken_samples", f"samples is a {type(listed).__name__}, not a list")
    for sample in listed:
        if not isinstance(sample, Mapping) or sample.get("input") is None or sample.get("output") is None:
            raise Reject("broken_samples", "a sample without input and output")
    shown = without_first_break(
        [(columns.stdin_text(one["input"]), columns.stdin_text(one["output"])) for one in listed]
    )
    return [
        {"input": given, "output": wanted, "explanation": columns.text(sample, "explanation") or None}
        for sample, (given, wanted) in zip(listed, shown, strict=True)
    ]


def _program(value: Any, name: str, record_type: type[Checker] | type[Interactor]) -> dict[str, Any] | None:
    """The row's column for a checker or interactor in the grader's form; None for an empty value."""
    record = columns.decoded(value, name) if isinstance(value, str) and value.lstrip()[:1] == "{" else value
    if record in (None, ""):
        return None
    if isinstance(record, str):
        record = {"kind": record}
    try:
        known = record_type.from_dict(record).to_dict()
    except InputError as error:
        raise Reject(f"broken_{name}", str(error)) from None
    known["files"] = [{"name": file, "text": body} for file, body in known.pop("files", {}).items()]
    return new_checker(known.pop("kind", None) or known.pop("language"), **known)


def _groups(value: Any, tests: list[dict[str, Any]]) -> str | None:
    """The groups of a scoring problem as JSON without tests; each test gets the names of its groups instead."""
    record = columns.decoded(value, "groups")
    if record in (None, [], {}):
        return None
    try:
        read_groups(record, len(tests))
    except BadGroups as error:
        raise Reject("broken_groups", str(error)) from None

    def with_parts(group: Mapping[str, Any], path: str) -> dict[str, Any]:
        for number in group.get("tests") or ():
            tests[number]["groups"] = [*(tests[number]["groups"] or ()), path]
        inner = []
        for number, part in enumerate(group.get("groups") or (), start=1):
            name = part.get("name") or str(number)
            inner.append(with_parts({**part, "name": name}, f"{path}/{name}".lstrip("/")))
        rest = {key: entry for key, entry in group.items() if key not in ("tests", "groups")}
        return {**rest, "groups": inner} if inner else rest

    if isinstance(record, Mapping):
        return json.dumps(with_parts(record, ""))
    names = [one.get("name") or str(number) for number, one in enumerate(record, start=1)]
    paths = ["sample" if name == "sample" else f"secret/{name}" for name in names]
    return json.dumps([with_parts({**one, "name": n}, path) for one, n, path in zip(record, names, paths, strict=True)])
