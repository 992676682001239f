"""The records in a document that is read as a whole: a JSON value, or several one after another.

    records_in({"problems": [{"id": "a"}]})                     # [{"id": "a"}]
    records_in({"a": {"tests": []}, "b": {"tests": []}})        # [{"id": "a", "tests": []}, {"id": "b", "tests": []}]

A document holds its records as a list, in one of its fields, or in an object from their ids.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from microcoder_eval.arguments import read_json
from microcoder_eval.reading.missing_fields import LOOKS_LIKE

_WRAPPERS = (
    "problems",
    "submissions",
    "replies",
    "data",
    "records",
    "items",
    "rows",
    "results",
    "tasks",
    "hits",
    "edges",
)
"""Names of the one field of a document that holds its records."""
_ENVELOPES = ("row", "_source", "node", "fields")
"""Names of the field with the record itself in an answer of datasets-server, Elasticsearch, GraphQL or Airtable."""
_OF_ONE_RECORD = frozenset({"id", "tests", "test_code"})
_OF_RECORDS = frozenset(
    name
    for field in ("id", "problem_id", "statement", "tests", "test_code", "response", "code")
    for name in (field, *LOOKS_LIKE[field])
)
_SIDES_OF_A_TEST = [frozenset({field, *LOOKS_LIKE[field]}) for field in ("input", "output")]
_BETWEEN = re.compile(r"[\s,]*")


def records_in(value: Any) -> list[Any] | None:
    """The records in a value; None for an object that is a record itself.

    >>> records_in({"a": "print(1)", "b": ["print(2)", "print(3)"]})[0]
    {'problem_id': 'a', 'response': 'print(1)'}
    """
    if isinstance(value, list):
        return _without_envelopes(value)
    if not isinstance(value, dict) or _OF_ONE_RECORD & value.keys():
        return None
    for name in _WRAPPERS:
        inner = records_in(value.get(name))
        if inner is not None and all(isinstance(each, dict) for each in inner):
            return inner
    is_record = _known_names(value) > 1
    lists = [each for each in value.values() if _is_list_of_objects(each) and not _is_test(each[0])]
    if len(lists) == 1 and (not is_record or _known_names(lists[0][0]) > 1):
        return _without_envelopes(lists[0])
    if is_record or not value:
        return None
    if all(isinstance(each, dict) for each in value.values()):
        return [{"id": name, **each} for name, each in value.items()]
    if all(_is_list_of_objects(each) and all(map(_is_test, each)) for each in value.values()):
        return [{"id": name, "tests": each} for name, each in value.items()]
    if len(value) > 1 and all(map(_is_replies, value.values())):
        return [{"problem_id": name, "response": each} for name, each in value.items()]
    return None


def read_values(text: bytes) -> Any:
    """A JSON value, or a list of the values that stand one after another, as `jq` writes them.

    >>> read_values(b'{"id": 1}'), read_values(b'{"id": 1}  {"id": 2}')
    ({'id': 1}, [{'id': 1}, {'id': 2}])
    """
    try:
        return read_json(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise
    decoded, decoder = text.decode(), json.JSONDecoder()
    found, position = [], 0
    while position < len(decoded):
        value, end = decoder.raw_decode(decoded, position)
        found.append(value)
        position = _BETWEEN.match(decoded, end).end()  # type: ignore[union-attr]
    return found


def _without_envelopes(records: list[Any]) -> list[Any]:
    """The records themselves, where each is a field of an object around it that names nothing of a record but an id.

    >>> _without_envelopes([{"row_idx": 0, "row": {"id": "a", "tests": "[{"}, "truncated_cells": ["tests"]}])
    [{'id': 'a'}]
    """
    for name in _ENVELOPES:
        if records and all(isinstance(each, dict) and isinstance(each.get(name), dict) for each in records):
            if any(_known_names(each) > ("id" in each) for each in records):
                return records
            return [_without_cut_cells(each[name], each.get("truncated_cells")) for each in records]
    return records


def _without_cut_cells(record: Mapping[str, Any], cut: Any) -> dict[str, Any]:
    """A record without the cells that datasets-server has cut: half of a field's text is not its value."""
    return {key: cell for key, cell in record.items() if not isinstance(cut, list) or key not in cut}


def _known_names(record: Mapping[str, Any]) -> int:
    return sum(str(name).lower() in _OF_RECORDS for name in record)


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _is_test(value: Mapping[str, Any]) -> bool:
    names = {str(name).lower() for name in value}
    return all(names & side for side in _SIDES_OF_A_TEST)


def _is_replies(value: Any) -> bool:
    """Whether a value is a reply, several, or the turns of a chat."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, (str, dict)) for each in value)
    return isinstance(value, str)
