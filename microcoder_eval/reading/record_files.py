"""Files of records, whatever their form: JSON (lines too), YAML, CSV, Parquet, Arrow, a folder of programs.

    for place, where, record in open_records(Path("replies.json")).records(): ...

In place of a record that cannot be read, `records` gives the reason as text. JSON lines and Parquet are read record by
record, and `read(where)` reads one again. A document, CSV and a folder's list of files are kept in memory.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from microcoder_eval.arguments import parse_value, read_json
from microcoder_eval.errors import FieldError, InputError, first_line
from microcoder_eval.install_line import install_line
from microcoder_eval.plain_files import LONGEST, check_is_file
from microcoder_eval.reading.arrow_form import ArrowFiles
from microcoder_eval.reading.compressed import bare_name, open_unpacked
from microcoder_eval.reading.csv_form import WESTERN, csv_reader, encoding_of, refuse_twins
from microcoder_eval.reading.documents import read_values, records_in
from microcoder_eval.reading.other_forms import refuse_other_forms
from microcoder_eval.reading.problem_from_row import check_tests, is_problem_row, problem_record
from microcoder_eval.reading.program_files import ProgramFolder
from microcoder_eval.reading.yaml_form import LONGEST_YAML, read_yaml
from microcoder_eval.record_schema import is_argument, shown

_Record = Mapping[str, Any]
_BOM = b"\xef\xbb\xbf"
_ROWS_AT_ONCE = 256


class RecordFile(Protocol):
    """The records of a file or folder."""

    def records(self) -> Iterator[tuple[str, Any, _Record | str]]:
        """For each record its place in words, its place as `read` takes it, and the record or why it cannot be read."""
        ...

    def read(self, where: Any) -> tuple[_Record, int]:
        """Read a record again; returns it, and about how many bytes of memory keeping it would take."""
        ...


def is_table(path: Path) -> bool:
    return bare_name(path).endswith((".csv", ".tsv"))


def holds_tables(path: Path) -> bool:
    """Whether a folder holds Parquet or Arrow, so that its other files are about them."""
    return path.is_dir() and any(next(path.rglob(f"*{ending}"), None) for ending in (".parquet", ".arrow"))


def read_in_western_letters(path: Path) -> bool:
    """Whether a file is a table that is read as Windows-1252, because it is not UTF-8."""
    if not path.is_file() or not is_table(path):
        return False
    with open_unpacked(path) as file:
        return encoding_of(file) == WESTERN


def open_records(path: Path) -> RecordFile:
    """The records of a file or folder, whose form its name and its first bytes show."""
    if path.suffix.lower() == ".parquet" or (path.is_dir() and any(path.rglob("*.parquet"))):
        return _Parquet(path)
    if path.suffix.lower() == ".arrow" or holds_tables(path):
        return ArrowFiles(path, _from_row)
    if path.is_dir():
        return ProgramFolder(path)
    check_is_file(path)
    refuse_other_forms(path)
    if is_table(path):
        return _InMemory(path, _csv_records(path))
    document = _yaml_document(path) if bare_name(path).endswith((".yaml", ".yml")) else _document(path)
    return _Lines(path) if document is None else _InMemory(path, document)


class _Lines:
    """A JSON lines file. A place is a line number; a record is read again from its offset."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = open_unpacked(path)

    def records(self) -> Iterator[tuple[str, int, _Record | str]]:
        with open_unpacked(self._path) as file:
            offset = 0
            for number in itertools.count(1):
                try:
                    line = file.readline(LONGEST + 1)
                    if len(line) > LONGEST:  # a small archive may unpack to more than fits into memory
                        raise OSError(f"a line of more than {LONGEST >> 20} MiB")
                except OSError as error:  # the archive is cut off or damaged
                    yield f"{self._path.name}:{number}", offset, f"cannot be read from here on: {error}"
                    return
                if not line:
                    return
                if line.strip():
                    yield f"{self._path.name}:{number}", offset, parse_record(line.removeprefix(_BOM).rstrip())
                offset += len(line)

    def read(self, where: int) -> tuple[_Record, int]:
        self._file.seek(where)
        line = self._file.readline()
        return read_json(line.removeprefix(_BOM)), len(line)


class _InMemory:
    """Records that are in memory. A record is read again by its number."""

    def __init__(self, path: Path, records: list[Any]) -> None:
        self._name = path.name
        self._records = records

    def records(self) -> Iterator[tuple[str, int, _Record | str]]:
        for number, record in enumerate(self._records):
            place = f"{self._name}, record {number + 1}"
            if isinstance(record, _Unreadable):
                yield place, number, record.why
            else:
                yield place, number, record if isinstance(record, dict) else "not a JSON object"

    def read(self, where: int) -> tuple[_Record, int]:
        return self._records[where], 1  # it is in memory already


class _BrokenFile(InputError):
    """A file is damaged: nothing after this place can be read."""


class _Parquet:
    """Parquet: a file, a directory of shards, or a dataset with its shards in `data/`. A place is a group and a row."""

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow.parquet
        except ImportError:
            raise InputError(f"{path}: Parquet needs pyarrow: {install_line('data')}") from None
        shards = path / "data" if (path / "data").is_dir() else path
        files = sorted(shards.rglob("*.parquet")) if path.is_dir() else [path]
        if not files or not files[0].is_file():
            raise InputError(f"{path}: no such file, or no Parquet files in it")
        self._files = files
        self._parquet_file = pyarrow.parquet.ParquetFile
        self._raises = (pyarrow.ArrowException, ValueError, OSError, OverflowError, IndexError, RecursionError)

    def _open(self, file: Path) -> Any:
        check_is_file(file)
        try:
            return self._parquet_file(file)
        except self._raises as error:
            raise InputError(f"{file}: not Parquet: {first_line(error)}") from None

    def _rows(self, file: Path, opened: Any, group: int) -> Iterator[Any]:
        """The rows of a group, a few at a time, because a small file may claim to hold very many."""
        try:
            for batch in opened.iter_batches(_ROWS_AT_ONCE, row_groups=[group]):
                yield from batch.to_pylist()
        except self._raises as error:
            raise _BrokenFile(f"cannot be read from here on: {first_line(error)}") from None

    def records(self) -> Iterator[tuple[str, Any, _Record | str]]:
        for file in self._files:
            try:
                opened = self._open(file)
            except InputError as error:
                if len(self._files) == 1:
                    raise
                yield file.name, None, str(error)
                continue
            for group in range(opened.num_row_groups):
                yield from self._records_of(file, opened, group)

    def _records_of(self, file: Path, opened: Any, group: int) -> Iterator[tuple[str, Any, _Record | str]]:
        """The records of a group. What is damaged in it costs its rows from there on, and those of no other group."""
        rows = self._rows(file, opened, group)
        for row in itertools.count():
            place = f"{file.name}: row group {group}, row {row}"
            try:
                yield place, (file, group, row), _from_row(next(rows), file)
            except StopIteration:
                return
            except _BrokenFile as error:
                yield place, None, str(error)
                return
            except (InputError, OSError) as error:
                yield place, None, str(error)

    def read(self, where: tuple[Path, int, int]) -> tuple[_Record, int]:
        file, group, row = where
        record = next(itertools.islice(self._rows(file, self._open(file), group), row, None))
        return _from_row(record, file), len(str(record.get("tests")))


def parse_record(line: bytes) -> _Record | str:
    """The JSON object in a line, or why there is none."""
    try:
        record = read_json(line)
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start}"
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"
    except ValueError as error:
        return f"not JSON: {error}"
    except RecursionError:
        return "nested too deeply"
    return record if isinstance(record, dict) else "not a JSON object"


def _document(path: Path) -> list[Any] | None:
    """The records of a file that is one JSON value; None for JSON lines."""
    try:
        with open_unpacked(path) as file:
            first = file.readline(1 << 20).removeprefix(_BOM).strip()
            while not first and (line := file.readline(1 << 20)):
                first = line.strip()
            is_array, is_line = first[:1] == b"[", isinstance(parse_record(first), dict)
            lines = is_line and (".jsonl" in path.suffixes or file.readline(1))
            if lines or first[:1] not in (b"[", b"{"):
                return None
            file.seek(0)
            text = file.read(LONGEST + 1).removeprefix(_BOM)
    except OSError:  # a damaged archive: reported line by line
        return None
    if len(text) > LONGEST:
        return None
    try:
        value = read_values(text)
    except (ValueError, RecursionError) as error:
        if is_array and (bare_name(path).endswith(".json") or first == b"["):
            raise InputError(f"{path}: not JSON: {error}") from None
        return None
    records = records_in(value)
    if records is None and (is_array or not is_line):
        return [value]
    return records


def _yaml_document(path: Path) -> list[Any]:
    try:
        with open_unpacked(path) as file:
            text = file.read(LONGEST_YAML + 1)
        if len(text) > LONGEST_YAML:
            raise ValueError(f"more than {LONGEST_YAML >> 20} MiB of YAML; convert it to JSON")
        value = read_yaml(text)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not YAML: {error}") from None
    records = records_in(value)
    return [value] if records is None else records


def _csv_records(path: Path) -> list[Any]:
    csv.field_size_limit(1 << 28)
    found: list[Any] = []
    try:
        with open_unpacked(path) as file:
            encoding = encoding_of(file)
            file.seek(0)
            decoded = io.BufferedReader(_Bounded(file))
            text = io.TextIOWrapper(decoded, encoding=encoding, errors="surrogateescape", newline="")
            reader = csv_reader(text, bare_name(path), strict=True)
            if not _is_utf8(reader.fieldnames or []):
                raise InputError(f"{path}: not UTF-8: save it as CSV UTF-8")
            refuse_twins(reader, path)
            found.extend(map(_csv_record, reader))
    except (csv.Error, OSError) as error:
        if not found:
            raise InputError(f"{path}: not CSV: {error}") from None
        found.append(_Unreadable(f"cannot be read from here on: {error}"))
    return found


class _Unreadable(NamedTuple):
    """Stands for a row of CSV."""

    why: str


def _csv_record(row: Mapping[str, Any]) -> dict[str, Any] | _Unreadable:
    cells = {name: cell for name, cell in row.items() if cell is not None}
    if not all(_is_utf8(cell if isinstance(cell, list) else [cell]) for cell in cells.values()):
        return _Unreadable("not UTF-8")
    if any(cells.pop(None, ())):  # type: ignore[call-overload]  # where DictReader puts cells without a column
        return _Unreadable("more cells than the header has columns: is a text with a separator not in quotes?")
    return {name: _cell(cell) for name, cell in cells.items()}


def _is_utf8(texts: Iterable[str]) -> bool:
    """Whether texts that were decoded with "surrogateescape" were UTF-8."""
    try:
        for text in texts:
            text.encode()
    except UnicodeEncodeError:
        return False
    return True


class _Bounded(io.RawIOBase):
    """A file to read, which raises after LONGEST bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._left = LONGEST

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise OSError(f"larger than {LONGEST >> 20} MiB")
        buffer[: len(data)] = data
        return len(data)


def _cell(text: Any) -> Any:
    """The value of a cell of CSV: a list or an object of texts that is written as JSON or, by pandas, as Python.

    A list of numbers stays the text that it is, because a program may read it.
    """
    if isinstance(text, str) and text[:1] in "[{" and text.strip()[-1:] in ("]", "}"):
        found = parse_value(text)
        return found if _holds_text(found) else text
    return text


def _holds_text(value: Any) -> bool:
    """Whether a value is a text or an object, or a list that holds one."""
    if isinstance(value, dict):
        return True
    return isinstance(value, (list, tuple)) and any(
        isinstance(each, (str, dict)) or _holds_text(each) for each in value
    )


def _from_row(row: _Record, file: Path) -> dict[str, Any]:
    """A row without its empty fields; a problem's row as a problem's record, with its oversized tests read in."""
    record = {name: value for name, value in row.items() if value is not None}
    if is_problem_row(record) and isinstance(record["tests"], list):
        try:
            check_tests(record["tests"])
        except FieldError as error:
            raise InputError(f"problem {shown(record['problem_id'])}: {error}") from None
        record["tests"] = [_test(test, file) for test in record["tests"]]
        record.update(problem_record(record))
    return record


def _test(test: _Record, file: Path) -> _Record:
    """A test of a row; an oversized one is read from the dataset's folder `tests/`."""
    reference = test.get("ref")
    if not reference:
        return test
    if not is_argument(reference) or "/" in reference:
        raise InputError(f"{shown(reference)} is not the name of an oversized test")
    import zstandard

    sidecar = next(
        (p for p in (d / "tests" / f"{reference.split(':')[0]}.json.zst" for d in file.parents) if p.exists()), None
    )
    if sidecar is None:
        raise InputError(f"the oversized test {reference} is missing: no folder tests/ near the shards has it")
    try:
        with zstandard.open(sidecar, "rb") as stored:
            given, wanted = json.loads(stored.read(LONGEST))
    except (ValueError, TypeError, RecursionError, zstandard.ZstdError) as error:
        raise InputError(f"the oversized test {shown(reference)} is damaged: {error}") from None
    return {**test, "input": given, "output": wanted}
