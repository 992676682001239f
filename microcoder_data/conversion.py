"""Convert records to rows. A record that cannot become a row is rejected, with a reason and its location."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from microcoder_data.faults import UNFORESEEN_RECORD, place_of, text_of
from microcoder_data.process.text import text_parts
from microcoder_data.reading.parts import Part
from microcoder_data.reading.records import read_part
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import DETAIL_CHARACTERS, Reject
from microcoder_data.schema import DROPPED, WORK, Row, tests_sha256, text_sha256
from microcoder_data.shards import TestStore, test_bytes
from microcoder_data.sources import adapter
from microcoder_eval import InputError

MAX_ID_CHARACTERS = 200
_ID_COLUMNS = ("problem_id", "id", "task_id", "question_id", "slug", "name")
_REJECT_ENTRY: Row = dict.fromkeys(DROPPED.names)


def rows_of(
    parts: Iterable[Part], spec: SourceSpec, store: TestStore, limit: int | None, strict: bool
) -> Iterator[tuple[Row | None, Row | None]]:
    """For each record either (row, None) or (None, entry for dropped/)."""
    to_row = adapter(spec.source)
    name = spec.name or spec.source
    taken = 0
    for part in parts:
        for location, record in read_part(part, spec):
            if limit is not None and taken >= limit:
                return
            taken += 1
            try:
                if isinstance(record, Reject):
                    raise record
                row = _converted(record, to_row, spec)
                row.update(problem_id=f"{name}:{row['problem_id']}", source=name, location=location)
                _check(row, spec.max_characters)
                store.move_out(row)
                row["statement_sha256"], row["tests_sha256"] = text_sha256(row["statement"]), tests_sha256(row)
            except Reject as found:
                reject = found
            except OSError:  # the store cannot write: no fault of the record's
                raise
            except Exception as error:
                reject = _unforeseen(error)
            else:
                yield row, None
                continue
            if strict:
                raise InputError(f"{location}: {reject} (--strict)")
            yield None, _rejected_entry(record, name, location, reject, _guessed_id(record, spec))


def _converted(record: Mapping[str, Any], to_row: Callable[..., Row], spec: SourceSpec) -> Row:
    """The adapter's row, completed by what the recipe says about the source."""
    try:
        row = to_row(record, spec)
    except Reject:
        raise
    except Exception as error:  # a record that the adapter did not foresee must not stop the build
        raise _unforeseen(error) from None
    row.update(spec.constants)
    if spec.levels and row["difficulty"] and (level := spec.levels.get(str(row["difficulty"]["native"]))):
        row["difficulty"]["level"] = level
    row["license"] = spec.license or row["license"]
    row["split"] = row["split"] or spec.split or "train"
    row["source_revision"] = spec.revision
    row["tests_total"] = len(row["tests"])
    return row


def _unforeseen(error: Exception) -> Reject:
    return Reject(UNFORESEEN_RECORD, text_of(error), names=(place_of(error),))


def _check(row: Row, max_characters: int) -> None:
    """Reject a row that no later stage can use or whose texts are too long to be a statement.

    In solutions, characters that cannot be encoded become `?`.
    """
    if not row["tests"] and not row["test_code"]:
        raise Reject("no_tests", "the record has no test")
    length = sum(len(part[column] or "") for part, column in text_parts(row))
    if length > max_characters:
        raise Reject(
            "statement_too_large", f"{length} characters, the source's max_characters is {max_characters}", length
        )
    texts = [row["problem_id"], row["statement"], row["title"], row["starter_code"], row["test_code"]]
    for test in row["tests"]:
        texts += (test["input"], test["output"])
    for text in texts:
        if text and not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                found = "bytes that are not UTF-8" if text[error.start] >= "\udc80" else "a lone surrogate"
                raise Reject("broken_unicode", f"{found} at character {error.start}") from None
    for program in row["solutions"]:
        program["code"] = program["code"].encode("utf-8", "replace").decode()


def _guessed_id(record: Any, spec: SourceSpec) -> str | None:
    """The record's id, guessed from its columns without the adapter: `data why` finds a rejected record by it."""
    if not isinstance(record, Mapping):
        return None
    for name in (spec.fields.get("problem_id"), *_ID_COLUMNS):
        value = record.get(name)
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
            return _encodable(f"{spec.name or spec.source}:{value}"[:MAX_ID_CHARACTERS])
    return None


def _rejected_entry(record: Any, source: str, location: str, reject: Reject, problem_id: str | None) -> Row:
    """The entry of a rejected record for `dropped/`."""
    statement = ""
    if isinstance(record, Mapping):  # its first long text stands for the statement
        statement = next((value for value in record.values() if isinstance(value, str) and len(value) > 40), "")
    return {
        **_REJECT_ENTRY,
        "problem_id": problem_id,
        "source": source,
        "location": location,
        "stage": "collect",
        "rule": "adapter_v1",
        "outcome": "rejected",
        "reason": reject.reason,
        "statistic": reject.statistic,
        "names": list(reject.names),
        "detail": _encodable(reject.detail)[:DETAIL_CHARACTERS] or None,
        "statement": _encodable(statement[:500]) or None,
        "provenance": [],
    }


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def shard_bytes(row: Row) -> int:
    """About how many bytes a row takes in a shard. Collect cuts shards by it."""
    return 500 + len(row["statement"]) + sum(test_bytes(test) for test in row["tests"] if not test["ref"])


SCHEMA_ERRORS = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, UnicodeEncodeError, OverflowError)
"""What Arrow raises for a row that does not fit the schema."""


def split_by_schema(rows: list[Row], strict: bool) -> tuple[list[Row], list[Row]]:
    """The rows that fit the schema, and entries for `dropped/` of those that do not (a column of the wrong type)."""
    fit, entries = [], []
    for row in rows:
        try:
            pa.RecordBatch.from_pylist([row], schema=WORK)
            fit.append(row)
        except SCHEMA_ERRORS as error:
            if strict:
                raise InputError(f"{row['location']}: does not fit the schema: {error} (--strict)") from None
            broken = isinstance(error, UnicodeEncodeError)
            reject = Reject("broken_unicode" if broken else "does_not_fit_schema", str(error))
            entries.append(
                _rejected_entry(
                    {"statement": str(row["statement"])}, row["source"], row["location"], reject, row["problem_id"]
                )
            )
    return fit, entries
