"""Read records of tables: Parquet, Arrow (file or stream), CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from microcoder_data.reading.parts import MAX_RECORD_BYTES, Part, Record
from microcoder_data.rules import Reject
from microcoder_eval import InputError
from microcoder_eval.errors import first_line
from microcoder_eval.reading.compressed import bare_name
from microcoder_eval.reading.csv_form import csv_reader, encoding_of, refuse_twins

ROWS_AT_ONCE = 64


def parquet_records(part: Part) -> Iterator[Record]:
    """The rows of the row groups of a part."""
    line = part.first_line
    name = Path(part.path).name
    try:
        with pq.ParquetFile(part.path) as file:
            for batch in file.iter_batches(batch_size=ROWS_AT_ONCE, row_groups=range(part.start, part.end)):
                for record in batch.to_pylist():
                    yield f"{name}:{line}", record
                    line += 1
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        raise InputError(f"{part.path}: broken Parquet file near row {line}: {first_line(error)}") from None


def arrow_records(path: str) -> Iterator[Record]:
    """The rows of an Arrow file or stream, mapped into memory."""
    line = 1
    name = Path(path).name
    try:
        with pa.memory_map(path) as file:
            try:
                reader = pa.ipc.open_file(file)
                batches = (reader.get_batch(index) for index in range(reader.num_record_batches))
            except pa.ArrowInvalid:
                file.seek(0)
                batches = iter(pa.ipc.open_stream(file))
            for batch in batches:
                for start in range(0, batch.num_rows, ROWS_AT_ONCE):
                    for record in batch.slice(start, ROWS_AT_ONCE).to_pylist():
                        yield f"{name}:{line}", record
                        line += 1
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        raise InputError(f"{path}: broken Arrow file near row {line}: {first_line(error)}") from None


def _lines(path: str, text: IO[str]) -> Iterator[str]:
    while line := text.readline(MAX_RECORD_BYTES + 1):
        if len(line) > MAX_RECORD_BYTES:
            raise InputError(f"{path}: has a line of over {MAX_RECORD_BYTES >> 20} MB")
        yield line


def csv_records(path: str, file: BinaryIO) -> Iterator[Record]:
    """The rows of a CSV file as mappings, each at its first line; one with other columns is a `Reject`."""
    csv.field_size_limit(MAX_RECORD_BYTES)
    name = Path(path).name
    encoding = encoding_of(file)
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, errors="surrogateescape", newline="")
    line_number = 0  # the reader's own leaves out what stands before the header, such as `sep=;`

    def lines() -> Iterator[str]:
        nonlocal line_number
        for line in _lines(path, text):
            line_number += 1
            yield line.replace("\0", "\ufffd")

    reader = csv_reader(lines(), bare_name(Path(path)), strict=True)
    first = 1
    try:
        refuse_twins(reader, path)
        first = line_number + 1
        for record in reader:
            if None in record or None in record.values():
                yield f"{name}:{first}", Reject("broken_csv", f"{len(reader.fieldnames or [])} columns expected")
            else:
                yield f"{name}:{first}", dict(record)
            first = line_number + 1
    except csv.Error as error:
        raise InputError(f"{path}: broken CSV near line {first}: {error}") from None
