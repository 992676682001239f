"""A shard's bytes depend on its rows alone, however they come to the writer."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from microcoder_data import shards
from microcoder_data.schema import ROW, new_row
from microcoder_data.shards import RowRanges, ShardWriter, read_shard


def row(number: int) -> dict[str, Any]:
    """Rows with empty columns, records that are null, and tests of different lengths, of which some are none."""
    tests = [{"input": "é" * (number * 37 % 90), "output": str(test), "ref": None} for test in range(number % 4)]
    made = new_row(problem_id=f"p{number}", source="s", statement=f"Statement {number}.", kind="stdin", tests=tests)
    return {**made, "difficulty": {"level": "easy"} if number % 3 else None, "tags": ["a"] * (number % 3)}


def written(path: Path, pieces: list[Any]) -> bytes:
    writer = ShardWriter(path, ROW)
    for piece in pieces:
        writer.write_table(piece) if isinstance(piece, pa.Table) else writer.write(piece)
    writer.close()
    return path.read_bytes()


@pytest.mark.parametrize("group_bytes", [shards.GROUP_BYTES, 3000])
def test_rows_that_come_as_columns_give_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group_bytes: int
) -> None:
    monkeypatch.setattr(shards, "GROUP_BYTES", group_bytes)
    rows = [row(number) for number in range(200)]
    path = tmp_path / "one_by_one.parquet"
    wanted = written(path, rows)
    sizes = [pq.ParquetFile(path).metadata.row_group(group).num_rows for group in range(2)]
    assert sizes == [128, 72] or (group_bytes == 3000 and max(sizes) < 64)
    for cuts in ([0, 200], [0, 1, 127, 128, 129, 130, 200], [0, 7, 199, 200], list(range(201))):
        pieces: list[Any] = []
        for number, (start, stop) in enumerate(pairwise(cuts)):
            pieces += [RowRanges(path).read(start, stop)] if number % 2 == 0 else rows[start:stop]
        assert written(tmp_path / "mixed.parquet", pieces) == wanted, cuts


def test_ranges_of_rows_are_those_rows(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    written(path, [row(number) for number in range(150)])
    ranges, rows = RowRanges(path), list(read_shard(path))
    for start, stop in ((3, 9), (60, 131), (131, 132), (148, 150)):
        assert ranges.read(start, stop).to_pylist() == rows[start:stop]
