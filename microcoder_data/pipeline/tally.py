"""Count what happens to rows: how many are read and kept, and how many are dropped or merged for which reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from microcoder_data.faults import OWN_FAULTS
from microcoder_data.reasons import Reason
from microcoder_data.schema import Row


def account_of_reasons(reasons: Mapping[Reason, int]) -> dict[str, Any]:
    """The part of a record that says how many rows were dropped and merged, and why."""
    merged = sum(count for reason, count in reasons.items() if reason.outcome == "merged")
    return {
        "dropped": sum(reasons.values()) - merged,
        "merged": merged,
        "reasons": {str(reason): count for reason, count in sorted(reasons.items())},
    }


class Tally:
    """What happened to the rows of a task."""

    def __init__(self) -> None:
        self.read = self.kept = 0
        self.reasons: Counter[Reason] = Counter()
        self.touched: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        """Exceptions of this program, by rule and place: see `faults.py`."""

    def keep(self, row: Row, stage: str) -> None:
        """Count a kept row, and the rules of the stage that changed or marked it."""
        self.kept += 1
        for step in row["provenance"]:
            if step["stage"] == stage and step["outcome"] in ("changed", "marked"):
                self.touched[f"{step['rule']} {step['outcome']}"] += 1

    def keep_all(self, provenance: pa.ChunkedArray, stage: str) -> None:
        """Count kept rows by their column `provenance`, as `keep` counts one."""
        import pyarrow.compute as pc  # only a build on a base needs it, and it loads slowly

        self.kept += len(provenance)
        steps = pc.list_flatten(provenance.combine_chunks())
        counted = pc.and_(
            pc.equal(pc.struct_field(steps, "stage"), stage),
            pc.is_in(pc.struct_field(steps, "outcome"), pa.array(["changed", "marked"])),
        )
        steps = steps.filter(counted)
        names = pc.binary_join_element_wise(pc.struct_field(steps, "rule"), pc.struct_field(steps, "outcome"), " ")
        for one in pc.value_counts(names).to_pylist():
            self.touched[one["values"]] += one["counts"]

    def drop(self, entry: Row) -> None:
        self.reasons[Reason(entry["outcome"], entry["rule"], entry["reason"])] += 1
        if entry["reason"] in OWN_FAULTS:
            self.failed(entry["rule"], *entry["names"])

    def failed(self, rule: str, *places: str) -> None:
        """Count a fault of this program."""
        self.faults.update(f"{rule}, {place}" for place in places)

    def record(self, key: str, files: list[dict[str, Any]]) -> dict[str, Any]:
        """The account of a task."""
        return {
            "key": key,
            "in": self.read,
            "kept": self.kept,
            **account_of_reasons(self.reasons),
            "touched": dict(sorted(self.touched.items())),
            "faults": dict(sorted(self.faults.items())),
            "files": files,
        }
