"""Programs and replies in files of their own: a folder of them, or one.

for place, file, record in ProgramFolder(Path("solutions")).records(): ...
program_record(Path("sum.ipynb"))           # {"code": ..., "language": "python"}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.languages.table import SUFFIXES, language_of_file
from microcoder_eval.reading.notebook import program_of_notebook

_REPLIES = (".md", ".txt")
_NOTEBOOK = ".ipynb"
_PROGRAMS = frozenset({".py", _NOTEBOOK, *SUFFIXES})
_LONGEST = 1 << 24


def is_program(path: Path) -> bool:
    """Whether a file's name is that of one program.

    >>> is_program(Path("sum.ipynb")), is_program(Path("replies.jsonl"))
    (True, False)
    """
    return path.suffix.lower() in _PROGRAMS


def is_submission(name: str) -> bool:
    """Whether a file's name is that of a program or of a reply. A README is neither: folders of records have one."""
    return Path(name).suffix.lower() in {*_REPLIES, *_PROGRAMS} and Path(name).stem.lower() != "readme"


def program_record(file: Path) -> dict[str, str]:
    """The fields of a submission in a file: `response` for Markdown and text, otherwise `code` and `language`.

    The suffix decides on the language; an unknown one means Python.
    """
    content, suffix = file.read_bytes(), file.suffix.lower()
    if suffix == _NOTEBOOK:
        return program_of_notebook(content)._asdict()
    kind = "response" if suffix in _REPLIES else "code"
    return {"language": language_of_file(suffix), kind: content.decode("utf-8", "backslashreplace")}


class ProgramFolder:
    """A folder of programs and replies, or one program. A record's `file` is the path below the folder; it names no
    problem yet.

    Links that lead out of the folder are refused: a folder that somebody else has made must not show the user's files.
    """

    def __init__(self, path: Path) -> None:
        known = {*_REPLIES, *_PROGRAMS}
        is_one = path.is_file()
        found = [path] if is_one else sorted(file for file in path.rglob("*") if file.is_file())
        self._path = path.parent if is_one else path
        self._resolved = self._path.resolve()
        self._files = [file for file in found if file.suffix.lower() in known and not file.name.startswith(".")]
        if not self._files:
            raise InputError(f"{path}: no program in this folder (known endings: {', '.join(sorted(known))})")

    def records(self) -> Iterator[tuple[str, Path, Mapping[str, Any] | str]]:
        for file in self._files:
            name = file.relative_to(self._path).as_posix()
            try:
                if not file.resolve().is_relative_to(self._resolved):
                    yield name, file, "a link that leads out of the folder"
                elif file.stat().st_size > _LONGEST:
                    yield name, file, f"larger than {_LONGEST >> 20} MiB"
                else:
                    yield name, file, self.read(file)[0]
            except OSError as error:
                yield name, file, f"cannot be read: {error.strerror}"
            except InputError as error:
                yield name, file, str(error)

    def read(self, where: Path) -> tuple[Mapping[str, Any], int]:
        record = {"file": where.relative_to(self._path).as_posix(), **program_record(where)}
        return record, sum(map(len, record.values()))
