"""The user's options for a grading run, whatever is graded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_eval.any_grader import AnyGrader
from microcoder_eval.reading.field_map import FieldMap


@dataclass(frozen=True)
class GradingOptions:
    """The options of a grading run. `settings` are those that change verdicts.

    >>> GradingOptions(policy="strict").settings
    {'policy': 'strict', 'isolation': 'test', 'all_tests': False}
    """

    policy: str = "contest"
    isolation: str = "test"
    all_tests: bool = False
    workers: int | None = None
    """Tests that run at the same time; None means one for each CPU."""
    resume: bool = False
    """Continue the run that the directory holds."""
    required_layers: Sequence[str] = ()
    """Sandbox layers without which nothing is run."""
    quiet: bool = False
    """Show no progress bar."""
    cache: Path | None = None
    """The file that keeps verdicts between runs; None keeps none."""
    cache_mb: float = 512
    budget_s: float | None = None
    """The time after which nothing more is started; `resume` grades the rest."""
    names: FieldMap = field(default_factory=FieldMap)
    """The names that the files use for fields."""
    language: str = ""
    """The language of the submissions that name none; empty: Python."""
    require_fence: bool = False
    """Take programs from the fenced blocks of replies only."""
    tests_order: str = "learnt"
    """In which order a program's tests run (see `Grader`)."""
    cluster: Callable[..., AnyGrader] | None = None
    """Makes a cluster's grader from the settings; None: a `Grader` on this machine."""

    @property
    def settings(self) -> dict[str, Any]:
        """What `run.json` records: a run is continued only under the same settings."""
        newer: dict[str, Any] = {}  # recorded only if set, so that runs of earlier versions can be resumed
        if self.require_fence:
            newer["require_fence"] = True
        if self.tests_order != "learnt":
            newer["tests_order"] = self.tests_order
        return {"policy": self.policy, "isolation": self.isolation, "all_tests": self.all_tests, **newer}
