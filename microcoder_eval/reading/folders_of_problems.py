"""The records of problems from a file or a folder: a folder or a file for each problem, or what `record_files` reads.
The records of submissions from a file, from a folder of programs, or from one of files of records.

    for place, where, record in open_problems(Path("problems")).records(): ...

Links that lead out of the folder are not followed: a folder that somebody else has made must not show the user's files.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.plain_files import read_plain
from microcoder_eval.reading.compressed import bare_name
from microcoder_eval.reading.problem_folder import folder_record, problem_folders
from microcoder_eval.reading.program_files import ProgramFolder, is_program, is_submission
from microcoder_eval.reading.record_files import RecordFile, holds_tables, open_records

_Record = Mapping[str, Any]
_ENDINGS = (".jsonl", ".ndjson", ".json", ".yaml", ".yml", ".csv", ".tsv")
_LONGEST_FILE = 1 << 28
_MOST_FILES = 1_000_000


def open_problems(path: Path) -> RecordFile:
    """The problems of a file, of a dataset's folder, or of a folder with a folder or a file for each problem."""
    if not path.is_dir() or holds_tables(path):
        return open_records(path)
    names = names_below(path)
    if folders := problem_folders(names):
        return _ProblemFolders(path, folders, names)
    if files := [name for name in names if bare_name(Path(name)).endswith(_ENDINGS)]:
        return _FilesOfRecords(path, files)
    raise InputError(
        f"{path}: no problem in this folder. A problem is a folder with a statement and tests (`sum/statement.md`, "
        "`sum/tests/1.in`, `sum/tests/1.out`) or a file of records (.json, .yaml, .jsonl, .csv)"
    )


def open_submissions(path: Path) -> RecordFile:
    """The submissions of a file, of a folder of programs and replies, or else of the files of records in a folder."""
    if path.is_file() and is_program(path):
        return ProgramFolder(path)
    if not path.is_dir() or holds_tables(path):
        return open_records(path)
    names = names_below(path)
    files = [name for name in names if bare_name(Path(name)).endswith(_ENDINGS)]
    return (
        ProgramFolder(path)
        if any(map(is_submission, names)) or not files
        else _FilesOfRecords(path, files, named=False)
    )


class _ProblemFolders:
    """Folders with one problem each. A place is the name of the folder."""

    def __init__(self, path: Path, folders: list[str], names: list[str]) -> None:
        self._path = path
        self._files: dict[str, list[str]] = {folder: [] for folder in folders}
        for name in names:
            if (folder := next((each for each in _above(name) if each in self._files), None)) is not None:
                self._files[folder].append(name[len(folder) :].lstrip("/"))

    def records(self) -> Iterator[tuple[str, str, _Record | str]]:
        for folder in self._files:
            try:
                record: _Record | str = self.read(folder)[0]
            except InputError as error:
                record = str(error)
            yield folder or self._path.name, folder, record

    def read(self, where: str) -> tuple[_Record, int]:
        inside, size = self._path / where, 0

        def read(name: str) -> bytes:
            nonlocal size
            content = read_plain(inside / name, _LONGEST_FILE)
            size += len(content)
            return content

        record = folder_record(where or self._path.resolve().name, self._files[where], read)
        record.pop("solutions", None)  # grading does not use them
        return record, size


class _FilesOfRecords:
    """Files of records below a folder. A place is a file and the record's place in it.

    named: the only record of a document has the file's name as its id, unless it has an id."""

    def __init__(self, path: Path, names: list[str], named: bool = True) -> None:
        self._files = {name: open_records(path / name) for name in names}
        self._names_one = {name for name, file in self._files.items() if named and _is_one(name, file)}

    def records(self) -> Iterator[tuple[str, tuple[str, Any], _Record | str]]:
        for name, file in self._files.items():
            for place, where, record in file.records():
                inner = place.removeprefix(Path(name).name)
                yield f"{name}{inner}", (name, where), record if isinstance(record, str) else self._named(name, record)

    def read(self, where: tuple[str, Any]) -> tuple[_Record, int]:
        name, inner = where
        record, size = self._files[name].read(inner)
        return self._named(name, record), size

    def _named(self, name: str, record: _Record) -> _Record:
        file = Path(name).name
        return {"id": Path(file[: len(bare_name(Path(name)))]).stem, **record} if name in self._names_one else record


def _is_one(name: str, file: RecordFile) -> bool:
    is_document = bare_name(Path(name)).endswith((".json", ".yaml", ".yml"))
    return is_document and len(list(itertools.islice(file.records(), 2))) == 1


def names_below(path: Path) -> list[str]:
    """The names of the plain files below a folder, without hidden ones and links that lead out."""
    root, found = path.resolve(), []
    for folder, directories, files in os.walk(path):
        directories[:] = sorted(each for each in directories if each[0] not in "._")
        for name in sorted(files):
            file = Path(folder, name)
            if name[0] != "." and file.is_file() and file.resolve().is_relative_to(root):
                found.append(file.relative_to(path).as_posix())
        if len(found) > _MOST_FILES:
            raise InputError(f"{path}: more than {_MOST_FILES:,} files")
    return found


def _above(name: str) -> Iterator[str]:
    """The folders that hold a file, the nearest first; "" is the last."""
    while name:
        name = name.rpartition("/")[0]
        yield name
