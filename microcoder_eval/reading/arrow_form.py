"""Arrow files, and folders that `datasets` wrote with `save_to_disk`: the rows, mapped into memory.

for place, where, record in ArrowFiles(Path("replies"), lambda row, file: row).records(): ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError, first_line
from microcoder_eval.install_line import install_line
from microcoder_eval.plain_files import check_is_file

SAVED = "data-*-of-*.arrow"
"""What `save_to_disk` calls its files. Beside them `map` and `filter` leave their results, which repeat the rows."""
_AT_ONCE = 256


class ArrowFiles:
    """An Arrow file (or stream), or all below a folder. A place is a file and a row."""

    def __init__(self, path: Path, record_of: Callable[[Mapping[str, Any], Path], Mapping[str, Any]]) -> None:
        try:
            import pyarrow.ipc
        except ImportError:
            raise InputError(f"{path}: Arrow needs pyarrow: {install_line('data')}") from None
        self._record_of = record_of
        files = sorted(path.rglob(SAVED)) or sorted(path.rglob("*.arrow")) or [path]
        self._tables = {file: _table(file, pyarrow) for file in files}

    def records(self) -> Iterator[tuple[str, Any, Mapping[str, Any] | str]]:
        for file, table in self._tables.items():
            for begin in range(0, table.num_rows, _AT_ONCE):
                for row, values in enumerate(table.slice(begin, _AT_ONCE).to_pylist(), start=begin):
                    try:
                        yield f"{file.name}: row {row}", (file, row), self._record_of(values, file)
                    except InputError as error:
                        yield f"{file.name}: row {row}", None, str(error)

    def read(self, where: tuple[Path, int]) -> tuple[Mapping[str, Any], int]:
        file, row = where
        record = self._record_of(self._tables[file].slice(row, 1).to_pylist()[0], file)
        return record, len(str(record.get("tests")))


def _table(file: Path, arrow: Any) -> Any:
    check_is_file(file)
    try:
        mapped = arrow.memory_map(str(file))
        try:
            table = arrow.ipc.open_stream(mapped).read_all()
        except arrow.ArrowInvalid:
            mapped.seek(0)
            table = arrow.ipc.open_file(mapped).read_all()
        table.validate(full=True)  # what a damaged file says of itself would be believed
    except (arrow.ArrowException, ValueError, OSError) as error:
        raise InputError(f"{file}: not Arrow: {first_line(error)}") from None
    return table
