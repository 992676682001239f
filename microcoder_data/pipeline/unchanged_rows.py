"""Rows that the base has verified and about which the same was decided: their results are copied as columns.

Beside a shard, `NAME.places` says with a byte for each row that Verify read where its result is: among the published
rows, with solutions or without, or in `dropped/`. In a build on a base, decisions about a few rows of a shard may have
changed, or the rows merged into them. Those rows are verified, and the others copied. Where programs are run,
`row_memory.py` does this row by row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from microcoder_data.compare.decisions import Decisions
from microcoder_data.pipeline.shard_task import ShardTask
from microcoder_data.shards import RowRanges

COMPARED, DROPPED, ROW, ROW_WITH_SOLUTIONS = range(4)
"""What became of a row: decided on before, dropped by Verify, published."""
IN = {
    "parquet": (ROW, ROW_WITH_SOLUTIONS),
    "solutions.parquet": (ROW_WITH_SOLUTIONS,),
    "dropped.parquet": (DROPPED,),
    "compared.parquet": (COMPARED,),
}
"""Of which rows a file has results."""


@dataclass(frozen=True)
class Run:
    """Neighbouring rows of a shard that are copied, or a row that is verified."""

    start: int
    stop: int
    same: bool


class UnchangedRows:
    """A shard as the base has verified it."""

    def __init__(self, earlier: str, places: NDArray[np.uint8], changed: set[int]) -> None:
        self._earlier, self._places = earlier, places
        self.changed = sorted(changed)
        """The places of the rows that are verified again."""
        self._upto: dict[str, NDArray[np.int64]] = {}
        self._files: dict[str, RowRanges] = {}

    def runs(self) -> Iterator[Run]:
        """All rows of the shard, in order."""
        start = 0
        for place in [*self.changed, len(self._places)]:
            if start < place:
                yield Run(start, place, True)
            if place < len(self._places):
                yield Run(place, place + 1, False)
            start = place + 1

    def places(self, run: Run) -> bytes:
        """Where the results of the run's rows are."""
        return self._places[run.start : run.stop].tobytes()

    def results(self, run: Run, kind: str) -> pa.Table | None:
        """The results of the run's rows in the file of this kind, if there are any."""
        if kind not in self._upto:
            self._upto[kind] = np.cumsum([0, *np.isin(self._places, IN[kind])])
        start, stop = self._upto[kind][[run.start, run.stop]].tolist()
        if start == stop:
            return None
        if kind not in self._files:
            self._files[kind] = RowRanges(Path(f"{self._earlier}.{kind}"))
        return self._files[kind].read(start, stop)


def unchanged_rows(task: ShardTask) -> UnchangedRows | None:
    """The rows of the task that can be copied; None where no earlier build has verified the same rows."""
    if not task.same_rows or not task.decided:
        return None
    earlier = Path(task.same_rows)
    try:
        places = np.frombuffer(Path(f"{earlier}.places").read_bytes(), np.uint8)
        before = Decisions.load(earlier.parent.parent / task.decided, earlier.name).by_index
    except OSError:
        return None
    now = Decisions.load(Path(task.work) / task.decided, task.name).by_index
    giving = {name for entry in now.values() for name in entry["merged_from"] or ()}
    folders = earlier.parent.parent / task.decided, Path(task.work) / task.decided
    same = {name for name in giving if len({_rows_key(folder, name) for folder in folders}) == 1}
    changed = {
        place
        for place in before.keys() | now.keys()
        if before.get(place) != now.get(place) or not same.issuperset(now[place]["merged_from"] or ())
    }
    return UnchangedRows(task.same_rows, places, changed)


def _rows_key(folder: Path, name: str) -> str:
    """The hash of the rows that Compare read from a shard, and of its settings; empty where it read none."""
    path = folder / f"{name}.done.json"
    return str(json.loads(path.read_text(encoding="utf-8"))["key"]) if path.exists() else ""
