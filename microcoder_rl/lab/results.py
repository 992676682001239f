"""The lab's results: one JSON line for each run, in a file that several processes may append to.

    store = Results(Path("runs/lab/results.jsonl"))
    store.add(record)
    store.runs(lab, "mask")                 # {"all": {0: record, 1: record, ...}, ...}

Each line is synced to disk. A process that is killed while it writes leaves half a line at the end; the next `add`
removes it. The arm's key and the seed identify a run; a second record of the same run is ignored.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from microcoder_data.shipped import pipelines
from microcoder_eval import InputError
from microcoder_eval.atomic import disk_is_full, no_space_for
from microcoder_rl.lab.experiment import Lab

Record = Mapping[str, Any]
LONG_LIMIT = 20
"""The length limit of the long evaluation: a reply that writes out all working fits into it."""
METRIC_NAMES = {
    "reward": "reward",
    "length": "length",
    "diversity": "diversity",
    "entropy": "entropy",
    "kl": "kl",
    "clip_share": "clip_share",
    "truncated": "cut",
    "mask_share": "masked",
}
"""From the trainer's name of a metric to its name in a record."""


def shipped_results() -> Path:
    """The results that come with the package."""
    return pipelines() / "lab" / "results.jsonl"


def versions() -> dict[str, str]:
    """What a run's figures depend on besides its settings."""
    import torch  # here, because reading results needs no torch

    found = {name: version(name) for name in ("microcoder", "torch", "numpy", "transformers")}
    return {**found, "cpu": torch.backends.cpu.get_cpu_capability()}


@dataclass(frozen=True)
class Results:
    """A file of records."""

    path: Path

    def add(self, record: Record) -> None:
        """Append a record and sync it to disk. Raises InputError when the disk is full."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(self.path, "a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.truncate(_end_of_lines(file))
                file.write(json.dumps(record, allow_nan=False).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if disk_is_full(error):
                raise no_space_for(self.path) from None
            raise

    def read(self) -> dict[tuple[str, int], Record]:
        """All records, by the key of the arm and the seed."""
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        found: dict[tuple[str, int], Record] = {}
        whole = text[: text.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                record = _checked(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise InputError(f"{self.path}: line {number} is not a record of a run") from None
            found.setdefault((record["arm"], record["seed"]), record)
        return found

    def runs(self, lab: Lab, experiment: str) -> dict[str, dict[int, Record]]:
        """The records of an experiment, by arm and seed. Raises InputError when the records of an arm do not have the
        same measures at the same steps."""
        known, config = self.read(), lab.experiments[experiment]
        found: dict[str, dict[int, Record]] = {}
        for name in config.arms:
            key, needed = lab.arm(experiment, name).key, config.measures(name)
            found[name] = {seed: record for (arm, seed), record in known.items() if arm == key}
            shapes = {seed: _shape(record) for seed, record in found[name].items()}
            usual = Counter(shapes.values()).most_common(1)
            for seed, shape in shapes.items():
                if shape != usual[0][0] or not needed <= shape[-1][1]:
                    raise InputError(f"{self.path}: the run {name} of {experiment} with seed {seed} lacks measures")
        return found


def _checked(record: Record) -> Record:
    """The record, checked because the file may come from somebody else: types are right and figures finite."""
    figures = [value for point in record["points"] for value in point.values() if value is not None]
    steps = [point["step"] for point in record["points"]]
    whole = [record["seed"], *steps]
    if type(record["arm"]) is not str or not steps or not all(type(value) is int for value in whole):
        raise ValueError
    if not all(type(value) in (int, float) and math.isfinite(value) for value in (*figures, record["cpu_s"])):
        raise ValueError
    return record


def _shape(record: Record) -> tuple[tuple[int, frozenset[str]], ...]:
    return tuple((point["step"], frozenset(point)) for point in record["points"])


def _end_of_lines(file: Any) -> int:
    """Where the last whole line ends."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - (1 << 16))
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return int(start + found + 1)
        end = start
    return 0
