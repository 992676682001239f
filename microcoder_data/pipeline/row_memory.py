"""What became of each row in Verify, so that a build with `--base` runs no program twice.

Next to a shard, `NAME.memory.json` lists rows by the hash of what Verify read: at which index the result is among the
shard's published, solution and dropped rows, and what was counted for it. When decisions about a few rows of a shard
have changed, a build with `--base` takes the results of the other rows from there. Only builds that run programs write
the file: other rules are cheap.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from microcoder_data.schema import Row
from microcoder_data.shards import read_shard
from microcoder_data.verify.run_solutions import Ran
from microcoder_eval.atomic import atomic_path


@dataclass
class Verified:
    """A row after Verify: the row, or its entry for `dropped/`, and what was counted for it."""

    row: Row | None = None
    entry: Row | None = None
    solutions: Row | None = None
    """The row of solutions/ for a row that stays, if it has solutions."""
    executed: dict[str, int] = field(default_factory=dict)
    not_executed: dict[str, int] = field(default_factory=dict)
    recalled: bool = False
    """Whether it comes from an earlier build: then the row already contains its hashes."""


def row_digest(row: Row) -> str:
    """The hash of all that Verify reads of a row."""
    return hashlib.sha256(json.dumps(row, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()


class RowMemory:
    """Remembers results for a later build, and recalls those of an earlier one."""

    def __init__(self, earlier: str) -> None:
        """`earlier`: the path, without ending, of the files of an earlier build's task; empty for none."""
        self._earlier = earlier
        self._written: dict[str, list[Any]] = {}
        self._counts = Counter[str]()
        self.recalled = 0

    def recall(self, digest: str) -> Verified | None:
        """The result of an earlier build for the row with this hash."""
        known = self._known.get(digest)
        if known is None:
            return None
        kind, position, solutions, executed, not_executed = known
        found = Verified(executed=executed, not_executed=not_executed, recalled=True)
        if kind == "dropped":
            found.entry = self._dropped[position]
        else:
            found.row = self._rows[position]
            found.solutions = self._solutions[solutions] if solutions is not None else None
        self.recalled += 1
        return found

    def remember(self, digest: str, result: Verified) -> None:
        """Note at which index the result will be; called in the order in which results are written."""
        kind = "dropped" if result.entry is not None else "rows"
        solutions = self._next("solutions") if result.solutions is not None else None
        self._written[digest] = [kind, self._next(kind), solutions, result.executed, result.not_executed]

    def save(self, path: Path, ran: Ran) -> bool:
        """Write the file, unless something was counted that belongs to no single row; returns whether it was
        written."""
        executed, not_executed = Counter[str](), Counter[str]()
        for _, _, _, counts, reasons in self._written.values():
            executed.update(counts)
            not_executed.update(reasons)
        if executed != ran.counts or not_executed != ran.not_executed:
            return False
        with atomic_path(path) as temporary:
            temporary.write_text(json.dumps(self._written, sort_keys=True), encoding="utf-8")
        return True

    def _next(self, kind: str) -> int:
        self._counts[kind] += 1
        return self._counts[kind] - 1

    @cached_property
    def _known(self) -> dict[str, list[Any]]:
        if not self._earlier:
            return {}
        try:
            known: dict[str, list[Any]] = json.loads(Path(f"{self._earlier}.memory.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return known

    @cached_property
    def _rows(self) -> list[Row]:
        return list(read_shard(Path(f"{self._earlier}.parquet")))

    @cached_property
    def _solutions(self) -> list[Row]:
        return list(read_shard(Path(f"{self._earlier}.solutions.parquet")))

    @cached_property
    def _dropped(self) -> list[Row]:
        return list(read_shard(Path(f"{self._earlier}.dropped.parquet")))
