"""The settings of verification by execution: how many solutions are run, and what their results decide.

    agreement         right solutions against the tests: contradicted tests are dropped, or the whole row
    several answers   a checker that all right solutions pass, or `needs_checker`
    determinism       an accepted solution must be accepted a second time
    examples          a row whose text shows an example that a right solution contradicts is dropped
    time limit        scaled from the slowest agreeing solution
    strength          how many wrong solutions and mutants the tests reject
    strengthen        generated tests for the wrong programs that pass
    cap               which tests stay when a row has too many, and how many wrong programs pass the rest

Nothing is run here: `run_solutions.py` makes a rule out of these settings and a grader, `row_steps.py` has the steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from microcoder_data.verify.cap_by_strength import Cap
from microcoder_data.verify.strengthen import Strengthen
from microcoder_data.verify.time_limits import TimeLimits
from microcoder_eval import InputError


@dataclass(frozen=True)
class Execution:
    """Run the solutions. Off unless a recipe switches it on: it costs CPU time and needs Linux."""

    name: ClassVar[str] = "execution_v5"
    solutions: int = 5
    """At most this many right solutions of a row are run."""
    agreeing: int = 1
    """Drop a row if fewer solutions than this agree with its tests. Rows without solutions that can run are kept."""
    required: bool = False
    """Drop rows without a right solution that can be run."""
    max_dropped_share: float = 0.3
    """Drop a row if its solutions contradict more of its tests than this share."""
    several_answers: Literal["drop", "mark"] = "mark"
    """What happens to a row with several right answers for which no checker was found. A marked row has the status
    `needs_checker` and is not fit for RL."""
    patience: float = 5.0
    """Right solutions get this many times the time limit, up to the largest limit: the limit may be meant for C++."""
    time_limits: TimeLimits | None = field(default_factory=TimeLimits)
    wrong: int = 20
    """At most this many known-wrong solutions of a row are run."""
    mutants: int = 8
    """At most this many mutants of a right solution are made and run."""
    strengthen: Strengthen | None = field(default_factory=Strengthen)
    cap: Cap | None = None
    """Keep only some tests. Leave `filter.tests` at `choose: all` then, so that all tests are run first."""
    row_seconds: float = 300.0
    """CPU time for one row. Steps that need more are left out, and the provenance says so."""

    def __post_init__(self) -> None:
        if self.row_seconds <= 0 or self.patience < 1:
            raise InputError("row_seconds must be positive and patience at least 1")
        if self.solutions < 1 or min(self.agreeing, self.wrong, self.mutants) < 0:
            raise InputError("solutions must be at least 1, and agreeing, wrong and mutants not negative")
