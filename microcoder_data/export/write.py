"""Write a dataset in another format: the whole file or nothing, one row in memory at a time."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from microcoder_data.export import FORMAT_MODULES
from microcoder_data.export.format import Format, LeftOut, Record
from microcoder_data.report.dataset import rows
from microcoder_data.schema import Row, to_problem
from microcoder_data.shards import TestStore
from microcoder_eval import InputError, Problem
from microcoder_eval.atomic import atomic_path

GROUP_BYTES = 32 << 20
"""Rows are written to Parquet as soon as they take about this much memory."""


@dataclass
class Exported:
    """How many rows were written, why others were left out, and what the format could not express."""

    written: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    approximate: Counter[str] = field(default_factory=Counter)
    """Rows that were written although the format cannot express all of them."""


def export(directory: Path, to: str, out: Path) -> Exported:
    """Write the dataset in `directory` as the file `out`; raises InputError when no row can be written.

    >>> export(Path("dataset"), "verl", Path("train.parquet")).written           # doctest: +SKIP
    10000
    """
    form: Format = importlib.import_module(f"microcoder_data.export.{FORMAT_MODULES[to]}").FORMAT
    suffix = ".jsonl" if form.schema is None else ".parquet"
    if out.suffix != suffix:
        raise InputError(f"{out}: {to} is written as a {suffix} file: name it {out.with_suffix(suffix).name}")
    done = Exported()
    try:
        with atomic_path(out) as path, closing(_records(directory, form, done)) as records:
            _write_lines(path, records) if form.schema is None else _write_parquet(path, records, form.schema)
            if not done.written:
                reasons = "; ".join(f"{count} {reason}" for reason, count in done.left_out.most_common(3))
                way_out = "" if to in ("trl", "jsonl") else "; --to trl and --to jsonl take problems of every kind"
                raise InputError(f"{directory}: no row can be written as {to}: {reasons or 'it has none'}{way_out}")
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from None
    return done


def _records(directory: Path, form: Format, done: Exported) -> Generator[Record, None, None]:
    store = TestStore(directory / "tests")
    for row in rows(directory):
        row["tests"] = [store.load(test) for test in row["tests"]]
        try:
            problem = _problem(row)
            record = form.record(problem, row, done.written)
        except LeftOut as reason:
            done.left_out[str(reason)] += 1
            continue
        done.written += 1
        if form.case_sensitive_tool and problem.checker.kind == "case_insensitive":
            done.approximate[f"their checkers ignore letter case, but {form.case_sensitive_tool} does not"] += 1
        yield record


def _problem(row: Row) -> Problem:
    try:
        return to_problem(row)
    except InputError:
        raise LeftOut(f"not gradable (kind {row['kind']})") from None


def _write_lines(path: Path, records: Iterator[Record]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record) + "\n")


def _write_parquet(path: Path, records: Iterator[Record], schema: pa.Schema) -> None:
    pending: list[Record] = []
    size = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for record in records:
            pending.append(record)
            size += len(str(record))
            if size >= GROUP_BYTES:
                writer.write_table(pa.Table.from_pylist(pending, schema))
                pending, size = [], 0
        if pending:
            writer.write_table(pa.Table.from_pylist(pending, schema))
