"""Decisions about the rows of a shard, in a small file next to it. Rows without an entry are kept as they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from microcoder_data.rules import Outcome, dropped_entry, step
from microcoder_data.schema import ROW, Row
from microcoder_data.shards import read_columns
from microcoder_eval.atomic import atomic_path

SCHEMA = pa.schema(
    [
        ("index", pa.int32()),
        ("outcome", pa.string()),
        ("rule", pa.string()),
        ("reason", pa.string()),
        ("statistic", pa.float64()),
        ("threshold", pa.float64()),
        ("detail", pa.string()),
        ("fault", pa.string()),  # where this program failed on the row
        ("duplicate_of", pa.string()),
        ("into_shard", pa.string()),  # of a merged row: the place of the row that it is merged into
        ("into_index", pa.int32()),
        ("merged_from", pa.list_(pa.string())),  # of a row that stays: the shards of the rows merged into it
        ("merged_ids", pa.list_(pa.string())),
        ("contamination", ROW.field("contamination").type),
    ]
)


@dataclass
class Decisions:
    """The decisions about one shard, by the row's position."""

    by_index: dict[int, dict[str, Any]]

    @classmethod
    def load(cls, folder: Path, name: str) -> Decisions:
        return cls({entry["index"]: entry for entry in read_columns(cls.path(folder, name)).to_pylist()})

    def save(self, folder: Path, name: str) -> Path:
        entries = [self.by_index[index] for index in sorted(self.by_index)]
        target = self.path(folder, name)
        with atomic_path(target) as path:
            pq.write_table(pa.Table.from_pylist(entries, schema=SCHEMA), path, compression="zstd")
        return target

    @staticmethod
    def path(folder: Path, name: str) -> Path:
        return folder / f"{name}.decisions.parquet"

    def apply(self, index: int, row: Row, stage: str = "compare") -> dict[str, Any] | None:
        """Write the decision into the row. Returns the entry for `dropped/` if the row is dropped or merged.

        `stage` is the stage that decided.
        """
        entry = self.by_index.get(index)
        if entry is None:
            return None
        row["merged_ids"] = entry["merged_ids"] or row["merged_ids"]
        row["contamination"] = entry["contamination"] or row["contamination"]
        outcome = Outcome(
            entry["outcome"], entry["reason"] or "", entry["statistic"], entry["threshold"], entry["detail"],
            names=(entry["fault"],) if entry["fault"] else (),
        )  # fmt: skip
        if entry["outcome"] != "kept":
            row["provenance"].append(step(stage, entry["rule"], outcome))
        if entry["outcome"] in ("dropped", "merged"):
            return dropped_entry(row, stage, entry["rule"], outcome, entry["duplicate_of"])
        return None


def decision(index: int, outcome: str, **fields: Any) -> dict[str, Any]:
    """One decision with every column of the schema."""
    return {**dict.fromkeys(SCHEMA.names), "index": index, "outcome": outcome, **fields}
