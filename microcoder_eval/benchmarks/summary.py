"""What a benchmark adds to its run's summary, and the fingerprint of a file of samples."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from microcoder_eval.benchmarks.scores import Scores
from microcoder_eval.errors import InputError
from microcoder_eval.grading.grade_into import RunFigures
from microcoder_eval.reading.input_files import BadRecord


class NoSamples(InputError):
    """No sample is for any problem of the benchmark. `bad` holds the records that could not be used."""

    def __init__(self, message: str, bad: Sequence[BadRecord]) -> None:
        super().__init__(message)
        self.bad = bad


def benchmark_summary(
    scores: Scores, figures: RunFigures, bad: Sequence[BadRecord], problems: int, problems_without_samples: int
) -> dict[str, Any]:
    """The publisher's scores, the records that could not be used, and how much of the benchmark was answered."""
    return {
        "benchmark_scores": scores,
        "from_cache": figures.from_cache,
        "bad_input": [str(record) for record in bad],
        "wall_s": figures.wall_s,
        "problems": problems,
        "problems_without_samples": problems_without_samples,
    }


def fingerprint(path: Path) -> str:
    """A file's name and the start of its hash. It is one of a run's settings: a run resumes only with the same file."""
    return f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
