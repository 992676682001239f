"""Count how many of the planted faults the build of a dataset has found, by the key that was written with them.

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

_LEFT_OF_HTML = re.compile(r"</?(?:p|div|h3|pre|ul|li|var|sup|em|br)\b|&(?:le|ge|lt|gt|nbsp|hellip|amp);")


@dataclass(frozen=True)
class Recall:
    """What became of the records with one fault. Records without a fault are "found" when they were kept."""

    fault: str
    stage: str
    outcome: str
    planted: int
    found: int
    missed: tuple[str, ...]
    """The locations of the others."""

    def to_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "missed": list(self.missed)}


def measure(key: Path, dataset: Path) -> list[Recall]:
    """Compare the key with a dataset that was built from the records: one line a fault, and one for the clean ones."""
    kept, gone = _kept(dataset), _gone(dataset)
    lines = read_key(key)
    result = []
    for fault, (stage, outcome) in FAULTS.items():
        planted = [line["location"] for line in lines if line["fault"] == fault]
        if outcome == "repaired":
            raw = {line["location"]: _Raw(key.parent, line) for line in lines if line["fault"] == fault}
            missed = [place for place in planted if place not in kept or not REPAIRED[fault](kept[place], raw[place])]
        elif outcome == "kept":
            missed = [place for place in planted if place not in kept]
        else:
            missed = [place for place in planted if gone.get(place) != (stage, outcome)]
        result.append(Recall(fault, stage, outcome, len(planted), len(planted) - len(missed), tuple(missed)))
    return result


@dataclass(frozen=True)
class _Raw:
    """A line of the key, and the folder of the raw record that it is about."""

    folder: Path
    line: dict[str, Any]

    def record(self) -> dict[str, Any]:
        path = self.folder / str(self.line["file"])
        try:
            record: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[self.line["line"] - 1])
        except (OSError, ValueError, IndexError):
            raise InputError(f"{path}: the raw records must be in the folder of the key") from None
        return record


def _no_html(row: dict[str, Any], raw: _Raw) -> bool:
    return not _LEFT_OF_HTML.search(row["statement"])


def _no_wrong_output(row: dict[str, Any], raw: _Raw) -> bool:
    """Whether the test with the changed answer is gone."""
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


def _no_cut_test(row: dict[str, Any], raw: _Raw) -> bool:
    inputs = [test["input"].rstrip() for test in row["tests"]]
    return not any(len(given) == CUT_AFTER + 3 and given.endswith("...") for given in inputs)


REPAIRED: dict[str, Callable[[dict[str, Any], _Raw], bool]] = {
    "html": _no_html,
    "cut_test": _no_cut_test,
    "wrong_output": _no_wrong_output,
}
"""Whether a kept row shows no trace of the fault any more."""


def _kept(dataset: Path) -> dict[str, dict[str, Any]]:
    columns = ["location", "statement", "tests"]
    return {row["location"]: row for row in _rows(dataset / "data", columns)}


def _gone(dataset: Path) -> dict[str, tuple[str, str]]:
    """The stage that took a record out, and whether it was merged or dropped (or rejected), by the record's place."""
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
