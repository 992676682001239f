"""The Row: one programming problem with its provenance, as one versioned Arrow schema.

Rows are plain dictionaries while rules work on them. Nothing here reads or writes files.

    stdin     tests are texts: standard input, standard output
    call      a test's input is one JSON value a line (or `name = value` lines), its output one JSON value
    asserts   `test_code` is the test program; `tests` is empty
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from microcoder_eval import Problem
from microcoder_eval.reading.problem_from_row import problem_record

SCHEMA_VERSION = 5

Row = dict[str, Any]

_text = pa.string()
_test = pa.struct(
    [
        ("input", _text),
        ("output", _text),
        ("public", pa.bool_()),
        ("origin", _text),  # official, generated, sample; made tests: rules, differences, model
        ("ref", _text),  # "<sha256>:<bytes>" of an oversized test in tests/<sha256>.json.zst; null when inline
        ("groups", pa.list_(_text)),  # of a scoring problem: the groups that the test belongs to
        ("flags", pa.list_(_text)),  # the checker's flags on this test; null: the checker's own flags
    ]
)
_files = pa.list_(pa.struct([("name", _text), ("text", _text)]))
_sample = pa.struct([("input", _text), ("output", _text), ("explanation", _text)])
_checker = pa.struct(
    [
        ("kind", _text),
        ("abs", pa.float64()),
        ("rel", pa.float64()),
        ("of", _text),
        ("nested", pa.bool_()),  # unordered elements: inner lists are in any order too
        ("code", _text),
        ("style", _text),
        ("flags", pa.list_(_text)),
        ("files", _files),
    ]
)
_difficulty = pa.struct(
    [
        ("native", _text),  # as the source writes it
        ("rating", pa.int32()),
        ("level", _text),  # easy, medium, hard
        ("predicted", pa.float32()),  # from 1 to 5
        ("predictor", _text),  # a model and its prompt, or the heuristic
        ("pass_rate", pa.float32()),
        ("pass_n", pa.int32()),
        ("pass_model", _text),
    ]
)
_verification = pa.struct(
    [
        ("status", _text),  # checked: without execution; executed: solutions agree with the tests; needs_checker
        ("tests_kept", pa.int32()),
        ("tests_beyond_samples", pa.int32()),  # of the kept ones, those that the statement does not show
        ("tests_dropped", pa.int32()),
        ("solutions_given", pa.int32()),  # right solutions that came with the row, in any language
        ("solutions_run", pa.int32()),
        ("solutions_ok", pa.int32()),
        ("agreement", pa.float32()),
        ("wrong_run", pa.int32()),  # known-wrong solutions, and how many of them the tests reject
        ("wrong_rejected", pa.int32()),
        ("mutants_run", pa.int32()),
        ("mutants_rejected", pa.int32()),
        ("mutants_equivalent", pa.int32()),  # survivors that answer every generated input as the right solution does
        ("mutants_unreached", pa.int32()),  # left out: on lines that no test reaches; null: the lines are not known
        ("tests_generated", pa.int32()),
        ("max_time_ms", pa.int32()),  # of the slowest agreeing solution, rounded up
        ("evaluator", _text),
    ]
)
_contamination = pa.struct([("benchmark", _text), ("item", _text), ("method", _text), ("score", pa.float64())])
_step = pa.struct(
    [
        ("stage", _text),
        ("rule", _text),  # name and version: words_v1
        ("outcome", _text),  # kept, changed, marked, dropped, merged
        ("statistic", pa.float64()),
        ("threshold", pa.float64()),
        ("detail", _text),
        (
            "names",
            pa.list_(_text),
        ),  # the rules that lost text; the row's language, level or license; where a rule failed
    ]
)
_solution = pa.struct(
    [
        ("language", _text),
        ("code", _text),
        ("correct", pa.bool_()),  # null when the publisher allows both outcomes
        ("origin", _text),
        ("name", _text),
        ("verdicts", pa.list_(_text)),  # those that the jury allows, by the grader's names, and PARTIAL
        ("files", _files),  # further sources of a program in several files
    ]
)

ROW = pa.schema(
    [
        pa.field("problem_id", _text, nullable=False),  # "<source>:<native id>", never a position
        pa.field("source", _text, nullable=False),
        ("source_revision", _text),
        ("location", _text),  # file:line of the record it came from
        ("url", _text),
        ("license", _text),
        ("split", _text),
        ("platform", _text),
        ("contest_id", _text),
        ("problem_index", _text),
        ("slug", _text),
        ("title", _text),
        ("contest_date", pa.date32()),
        ("language", _text),  # of the statement, BCP-47
        ("statement_original", _text),  # before translation
        ("translator", _text),
        pa.field("statement", _text, nullable=False),  # Markdown, without the parts below
        ("input_format", _text),
        ("output_format", _text),
        ("constraints", _text),
        ("notes", _text),
        ("samples", pa.list_(_sample)),
        ("answer_format", _text),
        pa.field("kind", _text, nullable=False),  # stdin, call, asserts, interactive
        ("io", _text),  # stdio, file, interactive, output_only
        ("entry_point", _text),
        ("starter_code", _text),
        ("test_code", _text),
        ("tests", pa.list_(_test)),
        ("tests_total", pa.int32()),  # before any cap
        ("groups", _text),  # of a scoring problem: the tree of its groups as JSON; tests name theirs
        ("checker", _checker),
        ("interactor", _checker),  # kind interactive: the judge's program that talks to the solution
        ("time_limit_ms", pa.int32()),
        ("memory_limit_mb", pa.int32()),
        ("tags", pa.list_(_text)),
        ("difficulty", _difficulty),
        ("verification", _verification),
        ("contamination", pa.list_(_contamination)),
        ("merged_ids", pa.list_(_text)),  # ids of the duplicates that were merged into this row
        ("statement_sha256", _text),
        ("tests_sha256", _text),
        ("row_sha256", _text),
        ("provenance", pa.list_(_step)),
    ],
    metadata={"microcoder_schema": str(SCHEMA_VERSION)},
)

SOLUTIONS = pa.schema(
    [pa.field("problem_id", _text, nullable=False), ("solutions", pa.list_(_solution))], metadata=ROW.metadata
)

WORK = ROW.append(pa.field("solutions", pa.list_(_solution))).append(pa.field("time_multiplier", pa.float32()))
"""A row between the stages: with its reference solutions, and with `time_multiplier`. Where a package names no time
limit, the limit is this many times the time of the slowest right solution."""

DROPPED = pa.schema(
    [
        ("problem_id", _text),  # null when the record names none
        pa.field("source", _text, nullable=False),
        ("location", _text),
        pa.field("stage", _text, nullable=False),
        pa.field("rule", _text, nullable=False),
        pa.field("outcome", _text, nullable=False),  # rejected, dropped, merged
        pa.field("reason", _text, nullable=False),
        ("statistic", pa.float64()),
        ("threshold", pa.float64()),
        ("detail", _text),
        ("names", pa.list_(_text)),  # as in provenance
        ("duplicate_of", _text),
        ("title", _text),
        ("url", _text),
        ("language", _text),  # null where it was dropped before its language was known
        ("statement", _text),
        ("provenance", pa.list_(_step)),
    ],
    metadata=ROW.metadata,
)

_EMPTY: Row = {field.name: [] if pa.types.is_list(field.type) else None for field in WORK}
_LISTS = [name for name, value in _EMPTY.items() if value == []]


def new_row(**fields: Any) -> Row:
    """A row with every column present; a column that does not exist is a programming error.

    >>> new_row(problem_id="mine:1", source="mine", statement="Add.", kind="stdin")["tests"]
    []
    """
    unknown = fields.keys() - _EMPTY.keys()
    if unknown:
        raise KeyError(f"no such column: {', '.join(sorted(unknown))}")
    row = dict(_EMPTY)
    for name in _LISTS:
        row[name] = []
    row.update(fields)
    return row


def new_test(input_text: str, expected: str, *, public: bool = False, origin: str = "official") -> dict[str, Any]:
    """One test of a row, with every field: a row is hashed with the fields that its file will hold."""
    return {
        "input": input_text, "output": expected, "public": public, "origin": origin, "ref": None, "groups": None,
        "flags": None,
    }  # fmt: skip


def fields_of(column: str, *fields: str) -> list[str]:
    """The column, or only these fields of its entries, as Parquet names them: less is read.

    >>> fields_of("tests", "input", "output"), fields_of("tests")
    (['tests.list.element.input', 'tests.list.element.output'], ['tests'])
    """
    return [f"{column}.list.element.{field}" for field in fields] or [column]


def text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def tests_sha256(row: Row) -> str | None:
    """A hash of the tests that does not depend on their order and white space; None when there are none.

    >>> a = new_row(tests=[new_test("1 2", "3"), new_test("2  2\\n", "4")])
    >>> b = new_row(tests=[new_test("2 2", "4"), new_test("1 2\\n", "3")])
    >>> tests_sha256(a) == tests_sha256(b)
    True
    """
    if row["test_code"]:
        return text_sha256(" ".join(row["test_code"].split()))
    if not row["tests"]:
        return None
    return text_sha256("\x1e".join(sorted(map(_test_key, row["tests"]))))


def _test_key(test: dict[str, Any]) -> str:
    if test["ref"]:
        return test["ref"]
    return " ".join(test["input"].split()) + "\x1f" + " ".join(test["output"].split())


def row_sha256(row: Row) -> str:
    """The hash of a published row's content; independent of file layout, engine and Parquet version."""
    content = {name: row[name] for name in _HASHED}
    for name, fields in _FIELDS_OF_LISTS.items():
        content[name] = _with_all_fields(content[name], fields)
    return text_sha256(json.dumps(content, sort_keys=True, ensure_ascii=False, default=str))


_HASHED = [name for name in ROW.names if name != "row_sha256"]
_FIELDS_OF_LISTS: dict[str, dict[str, None]] = {
    field.name: {inner.name: None for inner in field.type.value_type}
    for field in ROW
    if pa.types.is_list(field.type) and pa.types.is_struct(field.type.value_type)
}


def _with_all_fields(entries: Any, fields: dict[str, None]) -> Any:
    """The entries with all the fields that they have once read from a file: a reader hashes those too."""
    if not entries or set(map(len, entries)) == {len(fields)}:
        return entries
    return [{**fields, **entry} for entry in entries]


def logical_sha256(row_hashes: Iterable[str]) -> str:
    """One hash over a set of rows in any order: what two builds compare."""
    digest = hashlib.sha256()
    for row_hash in sorted(row_hashes):
        digest.update(row_hash.encode())
    return digest.hexdigest()


def fingerprint() -> str:
    """The hash of the schema itself."""
    return text_sha256(f"{SCHEMA_VERSION}\n{ROW.remove_metadata()}")


def to_problem(row: Row) -> Problem:
    """The row as the grader's `Problem`. Oversized tests must be loaded before (`shards.TestStore.load`).

    >>> row = new_row(problem_id="mine:1", source="mine", statement="Add.", kind="stdin", tests=[new_test("1", "2")])
    >>> to_problem(row).tests[0].output
    '2'
    """
    return Problem.from_dict(problem_record(row))


def new_checker(kind: str, **fields: Any) -> dict[str, Any]:
    """The column `checker` with every field.

    >>> new_checker("float", abs=1e-6, rel=1e-6)["of"] is None
    True
    """
    empty: dict[str, Any] = {
        "abs": None,
        "rel": None,
        "of": None,
        "nested": None,
        "code": None,
        "style": None,
        "flags": [],
        "files": [],
    }
    return {"kind": kind, **empty, **fields}
