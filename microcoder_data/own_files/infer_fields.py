"""Which field of somebody's records is which column, by the fields' names and by what they hold.

fields, unused = infer_fields([{"qid": 1, "body": "Add.", "cases": [{"in": "1", "out": "1"}]}])
fields["test_input"]        # "in"
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_data.own_files.by_content import (
    TRIED,
    id_place,
    is_id,
    parallel_places,
    statement_place,
    tests_place,
    turn_place,
    values_at,
)
from microcoder_data.sources.columns import date, unfenced
from microcoder_data.sources.generic import at, is_program_record, number_at_star
from microcoder_eval.reading.field_map import grouped_tests
from microcoder_eval.reading.missing_fields import fields_of_a_test
from microcoder_eval.reading.tests_in_html import tests_in_html

_MARKUP = re.compile(r"(?<=.)(html|markdown|md|latex|tex|json)$")
"""The end of a field's name that says how its text is written: `description_html`."""
_OF_A_JUDGE = ("checker", "interactor", "validator", "generator")
"""Parts of the names of objects whose inner fields are not the problem's: `checker.code` is no solution."""
NAMES: dict[str, str] = {
    "problem_id": "id problemid qid taskid questionid uid key slug number taskno problemno code name",
    "title": "title name heading",
    "statement": "statement text body description problem prompt question task content problemstatement markdown "
    "instruction instructions",
    "tests": "tests testcases cases hiddentests privatetests privatetestcases hiddentestcases testlist iopairs io "
    "checks examples sampleio tests.cases",
    "inputs": "inputs input testinputs io.inputs inputoutput.inputs",
    "outputs": "outputs output testoutputs expectedoutputs io.outputs inputoutput.outputs",
    "samples": "samples sampletests publictests publictestcases sampleios sampleio",
    "sample_inputs": "sampleinputs sampleinput demoinputs demoinput exampleinputs exampleinput",
    "sample_outputs": "sampleoutputs sampleoutput demooutputs demooutput exampleoutputs exampleoutput",
    "solutions": "solutions solution solutioncode referencesolution code referencesolutions canonicalsolution "
    "reference programs",
    "entry_point": "entrypoint functionname fnname function funcname method",
    "starter_code": "startercode starter template stub signature boilerplate skeleton",
    "test_code": "testcode testprogram unittests testlist assertions asserts test tests testcases",
    "checker": "checker judge",
    "interactor": "interactor",
    "time_limit": "timelimit timelimits timelimitseconds timelimitsec limits.seconds limits.time timeout",
    "memory_limit": "memorylimit memorylimitmb limits.memory limits.mb",
    "difficulty": "difficulty level hardness",
    "rating": "rating",
    "contest_date": "contestdate date releasedate published publishedat",
    "tags": "tags topics labels skills categories",
    "url": "url link",
    "license": "license licence",
    "input_format": "inputformat inputspecification inputspec inputdescription",
    "output_format": "outputformat outputspecification outputspec outputdescription",
    "constraints": "constraints",
    "notes": "notes note hint",
}
"""Names of fields for each column, the clearest first, as `plain` writes them."""
_LEAST_SHARE_OF_IDS = 0.95
"""Files hold some problems twice, under the same id."""
_NUMBERED = re.compile(r"(.*\D)\d{1,3}(\D*)")
_OF_TESTS = ("test", "case")
"""Parts of a name that says that a numbered field is of tests, whatever its other words mean."""
_LOWEST_RATING = 400
"""Ratings begin here on every site; stars that readers give are fewer."""
TESTS = frozenset({"tests", "inputs", "test_code"})
"""A problem has one of these columns."""
_NOT_RIGHT = ("wrong", "bug", "broken", "starter", "template", "stub", "student", "attempt", "test", "import", "setup")
"""A field whose name contains one of these does not hold right solutions."""
_SAYS_PYTHON = re.compile(
    r"^\s*(?:def|class|import|from|for|while|if|print|return)\b|\bprint\(|\binput\(", re.MULTILINE
)


def infer_fields(records: Sequence[Mapping[str, Any]]) -> tuple[dict[str, str], list[str]]:
    """The place in the record of each column, and the fields that no column uses.

    >>> infer_fields([{"qid": 1, "body": "Add.", "cases": [{"in": "1", "out": "1"}], "team": "x"}])[0]["test_input"]
    'in'
    """
    records = list({repr(record): record for record in records}.values())  # else the id of a repeated one looks shared
    places = _places(records)
    inner = [place for place in places if "." in place and not _is_of_a_judge(place)]
    named = {plain(place.rpartition(".")[2]): place for place in inner}
    named |= {plain(place): place for place in reversed(list(places))}
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

    top = names_of(records)

    def free() -> list[str]:
        return [place for place in top if not any(_is_of(place, each) for each in fields.values())]

    if "solutions" not in fields and (programs := _programs_place(records, free())):
        fields["solutions"] = programs
    if not TESTS & fields.keys():
        fields |= _numbered_tests(records) or _lists_in_an_object(records, free()) or _tests_by_content(records, free())
    for where in (free(), inner):  # `content` may hold a text for each language
        if "statement" not in fields and (prose := statement_place(records, where)):
            fields["statement"] = prose
    for column, speaker in (("statement", "user"), ("solutions", "assistant")):
        if column not in fields and (turns := turn_place(records, top, speaker)):
            fields[column] = turns
    has_tests = TESTS & fields.keys()  # what differs in records of one test may be its input
    if "problem_id" not in fields and has_tests and (differs := id_place(records, free())):
        fields["problem_id"] = differs
    if "tests" in fields and "test_input" not in fields:
        fields |= test_names(records, fields["tests"])
    taken = {name for name in places for place in fields.values() if _is_of(name, place)}
    opened = {place.partition(".")[0] for place in fields.values()}
    return fields, [place for place in top if place not in taken and place not in opened]


def _is_of_a_judge(place: str) -> bool:
    outer = plain(place.partition(".")[0])
    return outer == "judge" or any(word in outer for word in _OF_A_JUDGE)


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


def _lists_in_an_object(records: Sequence[Mapping[str, Any]], places: Sequence[str]) -> dict[str, str]:
    """The columns of tests in an object of two lists: `{"io": {"in": [...], "out": [...]}}`."""
    for place in places:
        value = next(map(_opened, values_at(records, place)), None)
        named = [name for name, inner in value.items() if isinstance(inner, list)] if isinstance(value, Mapping) else []
        sides = fields_of_a_test([dict.fromkeys(named, "1")], by_order=False)
        if sides and parallel_places(records, found := [f"{place}.{side}" for side in sides]):
            return dict(zip(("inputs", "outputs"), found, strict=True))
    return {}


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
        words = plain(place.rpartition(".")[2])
        if not any(word in words for word in (*_NOT_RIGHT, *_OF_A_JUDGE)) and 2 * sum(map(_is_program, texts)) > len(
            texts
        ):
            found.append(place)
    return found[0] if len(found) == 1 else None


def _is_program(text: Any) -> bool:
    if isinstance(text, Mapping):
        return is_program_record(text)
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


def names_of(records: Sequence[Mapping[str, Any]]) -> list[str]:
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


def plain(place: str) -> str:
    """A name in lower case without spaces, dashes and underscores."""
    return "".join(letter for letter in place.lower() if letter not in " _-")


def _fits_most(column: str, place: str, records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether most values at a place have the type of a column; ids differ in every record."""
    values = values_at(records, place)
    if column == "problem_id" and not is_id(records, place, _LEAST_SHARE_OF_IDS):
        return False
    return 2 * sum(_fits(column, value) for value in values) > len(values)


def _fits(column: str, value: Any) -> bool:
    """Whether a value has the type of a column."""
    value = _opened(value)
    if column == "tests":
        if isinstance(value, Mapping):  # outputs by input
            of_inputs = bool(value) and all(isinstance(each, (str, int, float)) for each in value.values())
            return of_inputs or grouped_tests(value) is not None
        if isinstance(value, str):
            return tests_in_html(value) is not None
        return isinstance(value, list) and (not value or isinstance(value[0], (Mapping, list, tuple)))
    if column in ("inputs", "outputs"):
        return isinstance(value, list)
    if column == "samples":
        return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)
    if column in ("sample_inputs", "sample_outputs"):
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if column == "contest_date":
        return date(value) is not None
    if column == "rating":
        return isinstance(value, (int, float)) and value >= _LOWEST_RATING
    if column == "test_code":
        texts = value if isinstance(value, list) else [value]
        return bool(texts) and all(isinstance(each, str) and "assert" in each for each in texts)
    if column in ("statement", "title", "entry_point", "starter_code", "url"):
        return isinstance(value, str)
    if column == "problem_id":
        return isinstance(value, (str, int)) and len(str(value)) < 120
    if column == "interactor":
        return isinstance(value, Mapping) and isinstance(value.get("code"), str)
    if column == "solutions":
        return isinstance(value, (str, list)) or is_program_record(value)
    return not isinstance(value, Mapping) or column in ("checker", "difficulty")


def test_names(records: Sequence[Mapping[str, Any]], place: str) -> dict[str, str]:
    """What the objects of `tests` call input and output, where it is not that."""
    values = (grouped_tests(value) or value for value in values_at(records, place))
    lists = [value for value in values if isinstance(value, list)]
    tests = [test for listed in lists for test in listed if isinstance(test, Mapping)]
    named = {str(name) for test in tests for name in test}
    alone = [*named, "output"] if len(named) == 1 else ("input", "output")  # an interactive problem's have no output
    sides = zip(("input", "output"), fields_of_a_test(tests) or alone, strict=True)
    return {f"test_{side}": name for side, name in sides if name != side}
