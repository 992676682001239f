"""Turns a row of the dataset into the record of a problem: limits in seconds, files by name, groups with their tests.

It reads no files: `record_files` has loaded oversized tests before.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import FieldError, InputError, refuse
from microcoder_eval.problem import kind_of
from microcoder_eval.record_schema import (
    LIST,
    NAME,
    OBJECT,
    TEXT,
    FieldType,
    field_fault,
    is_number,
    object_fault,
    shown,
    wrong_type,
)

_FILES = FieldType("a list of files", lambda value: isinstance(value, (list, tuple)))
_MILLISECONDS = FieldType("a positive number", lambda value: is_number(value) and value >= 0)
ROW_FIELDS = {
    **dict.fromkeys(("kind", "statement", "entry_point", "starter_code", "test_code", "groups"), TEXT),
    "problem_id": NAME,
    "tests": LIST,
    "checker": OBJECT,
    "interactor": OBJECT,
    "time_limit_ms": _MILLISECONDS,
}
MADE_BY_A_BUILD = "statement_sha256"
"""A column that only the data pipeline writes."""
TEST_FIELDS = {"ref": TEXT, "groups": LIST}
FILE_FIELDS = {"name": TEXT, "text": TEXT}
MOST_NESTED = 50
"""How deep groups may be in groups."""


def is_problem_row(row: Mapping[str, Any]) -> bool:
    """Whether a mapping is a row of the dataset's schema, rather than a problem's record.

    >>> is_problem_row({"problem_id": "a", "tests": []}), is_problem_row({"id": "a", "tests": []})
    (True, False)
    """
    return "problem_id" in row and "tests" in row


def problem_record(row: Mapping[str, Any]) -> dict[str, Any]:
    """What `Problem.from_dict` reads; raises `InputError` for a row of other types.

    >>> problem_record({"problem_id": "a", "tests": [], "time_limit_ms": 1500})["time_limit_s"]
    1.5
    """
    refuse(object_fault(row, "a row as an object"))
    try:
        return _record(row)
    except FieldError as error:
        raise InputError(f"problem {shown(row.get('problem_id'))}: {error}") from None


def _record(row: Mapping[str, Any]) -> dict[str, Any]:
    refuse(field_fault(row, ROW_FIELDS))
    check_tests(row.get("tests"))
    tests, groups = _grouped(row)
    record = {
        "id": row.get("problem_id"),
        "kind": kind_of(row),
        "statement": row.get("statement"),
        "entry_point": row.get("entry_point"),
        "starter_code": row.get("starter_code"),
        "test_code": row.get("test_code"),
        "tests": [_test(test) for test in tests],
        "groups": groups,
        "checker": checker_record(row.get("checker"), "checker"),
        "interactor": checker_record(row.get("interactor"), "interactor"),
    }
    if row.get("time_limit_ms"):
        record["time_limit_s"] = row["time_limit_ms"] / 1000
    if row.get("memory_limit_mb"):
        record["memory_limit_mb"] = row["memory_limit_mb"]
    return record


def check_tests(tests: Any) -> None:
    """Raise `FieldError` unless a row's tests are objects with an input and an output."""
    if not isinstance(tests, (list, tuple)):
        raise FieldError(*wrong_type("tests", "a list", tests))
    for index, test in enumerate(tests):
        if not isinstance(test, Mapping) or "input" not in test or "output" not in test:
            raise FieldError(*wrong_type(f"tests[{index}]", 'an object with "input" and "output"', test))
        if len(test) > 2:
            refuse(field_fault(test, TEST_FIELDS, f"tests[{index}]"))


def checker_record(checker: Mapping[str, Any] | None, where: str = "checker") -> dict[str, Any] | None:
    """The column `checker` (or `interactor`) in the grader's form: only the fields that are set, files by name.

    >>> checker_record({"kind": "float", "abs": 1e-6, "code": None, "files": []})
    {'kind': 'float', 'abs': 1e-06}
    """
    if not checker or not checker.get("kind"):
        return None
    record = {name: copy.copy(value) for name, value in checker.items() if value is not None and value != []}
    if record.get("files"):
        refuse(field_fault(record, {"files": _FILES}, where))
        record["files"] = dict(_file(file, f"{where}.files[{at}]") for at, file in enumerate(record["files"]))
    return record


def _file(file: Any, where: str) -> tuple[str, str]:
    if not isinstance(file, Mapping) or file.get("name") is None or file.get("text") is None:
        raise FieldError(*wrong_type(where, 'an object with "name" and "text"', file))
    refuse(field_fault(file, FILE_FIELDS, where))
    return file["name"], file["text"]


def _test(test: Mapping[str, Any]) -> dict[str, Any]:
    record = {"input": test["input"], "output": test["output"]}
    return record if test.get("flags") is None else {**record, "flags": test["flags"]}


def _grouped(row: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Any]:
    """The tests, and the groups with the tests' numbers. A test of several groups is repeated, once for each group."""
    if not row.get("groups") or not any(test.get("groups") for test in row["tests"]):
        return row["tests"], None
    try:
        groups = json.loads(row["groups"])
    except (ValueError, RecursionError) as error:
        raise FieldError("groups", f"not JSON: {error}") from None
    if not isinstance(groups, (list, dict)):
        raise FieldError(*wrong_type("groups", "a list of groups, or an object,", groups))
    tests: list[dict[str, Any]] = []

    def filled(group: Any, path: str, name: str = "") -> dict[str, Any] | None:
        check_group(group, path)
        mine = [test for test in row["tests"] if any(one in (test.get("groups") or ()) for one in (path, name or path))]
        numbers = list(range(len(tests), len(tests) + len(mine)))
        tests.extend(mine)
        inner = [filled(part, f"{path}/{_group_name(part)}".lstrip("/")) for part in group.get("groups") or ()]
        parts = {"groups": [part for part in inner if part]} if any(inner) else {}
        return {**group, "tests": numbers, **parts} if numbers or parts else None

    if isinstance(groups, list):
        names = map(_group_name, groups)  # a test names a group of a list as packages do, or by its name alone
        listed = (filled(one, f"secret/{name}", name) for one, name in zip(groups, names, strict=True))
        groups = [one for one in listed if one]
    else:
        groups = filled(groups, "")
    whole = len({id(test) for test in tests}) == len(row["tests"])  # otherwise some tests are in no group
    return (tests, groups) if whole and groups else (row["tests"], None)


def check_group(group: Any, path: str) -> None:
    """Raise `FieldError` unless a group is an object whose inner groups are a list."""
    if path.count("/") > MOST_NESTED:
        raise FieldError("groups", f"nested deeper than {MOST_NESTED}")
    if not isinstance(group, Mapping):
        raise FieldError(*wrong_type(f"groups: {path}" if path else "groups", "an object", group))
    refuse(field_fault(group, {"groups": LIST}, f"groups: {path}" if path else "groups"))


def _group_name(group: Any) -> str:
    name = group.get("name") if isinstance(group, Mapping) else None
    if name is None or not NAME.accepts(name):
        raise FieldError("groups", 'a group has no "name"')
    return str(name)
