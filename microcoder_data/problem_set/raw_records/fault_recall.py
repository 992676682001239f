"""Count how many planted faults the build of a dataset has found. The key that was written with them lists them.

for line in measure(Path("raw/key.jsonl"), Path("dataset")):
    print(line.fault or "no fault", line.found, "of", line.planted)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_data.problem_set.raw_records.plant_faults import CUT_AFTER, FAULTS, read_key
from microcoder_eval import InputError

_HTML_TAG_OR_ENTITY = re.compile(r"</?(?:p|div|h3|pre|ul|li|var|sup|em|br)\b|&(?:le|ge|lt|gt|nbsp|hellip|amp);")


@dataclass(frozen=True)
class Recall:
    """What happened to the records with one fault. Records without a fault count as found when they were kept."""

    fault: str
    stage: str
    outcome: str
    planted: int
    found: int
    missed: tuple[str, ...]
    """The locations of the planted faults that were not found."""

    def to_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "missed": list(self.missed)}


def measure(key: Path, dataset: Path) -> list[Recall]:
    """Compare the key with a dataset built from the records; gives one `Recall` for each fault and one for no fault."""
    kept, removed = _kept(dataset), _removed(dataset)
    lines = read_key(key)
    result = []
    for fault, (stage, outcome) in FAULTS.items():
        planted = [line["location"] for line in lines if line["fault"] == fault]
        if outcome == "repaired":
            raw = {line["location"]: _RawRecord(key.parent, line) for line in lines if line["fault"] == fault}
            missed = [
                location
                for location in planted
                if location not in kept or not REPAIRED[fault](kept[location], raw[location])
            ]
        elif outcome == "kept":
            missed = [location for location in planted if location not in kept]
        else:
            missed = [location for location in planted if removed.get(location) != (stage, outcome)]
        result.append(Recall(fault, stage, outcome, len(planted), len(planted) - len(missed), tuple(missed)))
    return result


@dataclass(frozen=True)
class _RawRecord:
    """A line of the key, and the folder with its raw record."""

    folder: Path
    line: dict[str, Any]

    def record(self) -> dict[str, Any]:
        path = self.folder / str(self.line["file"])
        try:
            record: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[self.line["line"] - 1])
        except (OSError, ValueError, IndexError):
            raise InputError(f"{path}: the raw records must be in the folder of the key") from None
        return record


def _no_html(row: dict[str, Any], raw: _RawRecord) -> bool:
    return not _HTML_TAG_OR_ENTITY.search(row["statement"])


def _no_wrong_output(row: dict[str, Any], raw: _RawRecord) -> bool:
    """Whether the test with the changed answer was removed."""
    given, wanted = recorded_tests(raw.record())[raw.line["test"]]
    return not any(
        (test["input"].strip(), test["output"].strip()) == (given.strip(), wanted.strip()) for test in row["tests"]
    )


def recorded_tests(record: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The tests of a raw record, in its order."""
    if "input_output" in record:
        pairs = json.loads(record["input_output"])
        return list(zip(pairs["inputs"], pairs["outputs"], strict=True))
    parts = [record[name] for name in ("public_tests", "private_tests")]
    return [pair for part in parts for pair in zip(part["input"], part["output"], strict=True)]


def _no_cut_test(row: dict[str, Any], raw: _RawRecord) -> bool:
    inputs = [test["input"].rstrip() for test in row["tests"]]
    return not any(len(given) == CUT_AFTER + 3 and given.endswith("...") for given in inputs)


REPAIRED: dict[str, Callable[[dict[str, Any], _RawRecord], bool]] = {
    "html": _no_html,
    "cut_test": _no_cut_test,
    "wrong_output": _no_wrong_output,
}
"""For each fault that is repaired: whether a kept row has no trace of it."""


def _kept(dataset: Path) -> dict[str, dict[str, Any]]:
    columns = ["location", "statement", "tests"]
    return {row["location"]: row for row in _rows(dataset / "data", columns)}


def _removed(dataset: Path) -> dict[str, tuple[str, str]]:
    """The stage that removed a record, and `merged` or `dropped` (also if rejected), by the record's location."""
    rows = _rows(dataset / "dropped", ["location", "stage", "outcome"])
    return {r["location"]: (r["stage"], "merged" if r["outcome"] == "merged" else "dropped") for r in rows}


def _rows(folder: Path, columns: list[str]) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    files = sorted(folder.glob("*.parquet"))
    if not files and folder.name == "data":
        raise InputError(f"{folder.parent}: no dataset here: expected data/*.parquet")
    rows: list[dict[str, Any]] = []
    for file in files:
        rows += pq.read_table(file, columns=columns).to_pylist()
    return rows
