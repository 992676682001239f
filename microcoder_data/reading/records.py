"""Read the records of a part of a source, in order, from a file of any format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from microcoder_data.reading.files import format_of
from microcoder_data.reading.hub import hub_records
from microcoder_data.reading.json_records import json_lines, json_records, yaml_records
from microcoder_data.reading.one_test_a_record import problems_of_tests
from microcoder_data.reading.packages import package_records
from microcoder_data.reading.parts import Part, Record
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.reading.tables import arrow_records, csv_records, parquet_records
from microcoder_eval import InputError
from microcoder_eval.reading.compressed import open_unpacked


def read_part(part: Part, spec: SourceSpec) -> Iterator[Record]:
    """The records of a part, in order."""
    records = _records(part, spec)
    return problems_of_tests(records, spec) if spec.one_test_a_record else records


def _records(part: Part, spec: SourceSpec) -> Iterator[Record]:
    if part.layout == "hub":
        yield from hub_records(part, spec)
        return
    if part.layout == "package":
        yield from package_records(part.path, spec)
        return
    format_name = format_of(part.path)
    try:
        if part.layout == "lines":
            yield from _lines(part)
        elif part.layout == "groups":
            yield from parquet_records(part)
        elif format_name == "arrow":
            yield from arrow_records(part.path)
        else:
            with open_unpacked(Path(part.path)) as file:
                if format_name in ("csv", "tsv"):
                    yield from csv_records(part.path, file)
                elif format_name in ("yaml", "yml"):
                    yield from yaml_records(part.path, file)
                elif format_name == "json":
                    yield from json_records(part.path, file)
                else:
                    yield from json_lines(part.path, file, 1)
    except OSError as error:
        raise InputError(f"{part.path}: the file is cut short or broken: {error}") from None


def _lines(part: Part) -> Iterator[Record]:
    with open(part.path, "rb") as file:
        file.seek(part.start)
        yield from json_lines(part.path, file, part.first_line, part.end - part.start)
