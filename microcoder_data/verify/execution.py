"""Verify by execution: run a row's solutions, and let what they do decide about its tests, limits and checker.

    agreement         the right solutions against the tests: contradicted tests go, or the row
    several answers   a checker that all right solutions pass, or `needs_checker`
    determinism       an accepted solution must be accepted again
    time limit        scaled from the slowest agreeing solution
    strength          how many wrong solutions and mutants the tests reject
    strengthen        generated tests against those that get through
    cap               the tests that stay, and what that costs

What the grader cannot run (a language, an interactor) is named and left as it is: the row stays `checked`.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from microcoder_data.rules import Outcome, Rule, drop, marked
from microcoder_data.schema import Row, to_problem
from microcoder_data.shards import TestStore, test_bytes
from microcoder_data.verify.bench import Bench, programs
from microcoder_data.verify.caps import Cap
from microcoder_data.verify.examination import Examination
from microcoder_data.verify.strengthen import Strengthen
from microcoder_data.verify.tests import verification
from microcoder_data.verify.time_limits import TimeLimits
from microcoder_eval import Grader, GraderError, InputError

LARGEST_BYTES = 256 << 20
"""Rows with more tests than this are not executed: they would have to be held in memory whole."""


@dataclass(frozen=True)
class Execution:
    """Run the solutions. Off unless a recipe switches it on: it costs CPU time and needs Linux."""

    name: ClassVar[str] = "execution_v2"
    solutions: int = 5
    """At most so many right solutions of a row are run."""
    agreeing: int = 1
    """Drop a row if fewer solutions than this agree with its tests. Rows without solutions that can run are kept."""
    required: bool = False
    """Drop rows without a right solution that can be run."""
    max_dropped_share: float = 0.3
    """Drop a row if its solutions contradict more of its tests than this share."""
    several_answers: Literal["drop", "mark"] = "drop"
    """What becomes of a row with several right answers for which no checker was found."""
    patience: float = 5.0
    """Right solutions get this many times the time limit, up to the largest limit: theirs may have been for C++."""
    time_limits: TimeLimits | None = field(default_factory=TimeLimits)
    wrong: int = 20
    """At most so many known-wrong solutions of a row are run."""
    mutants: int = 8
    """So many mutants of a right solution are made and run."""
    strengthen: Strengthen | None = field(default_factory=Strengthen)
    cap: Cap | None = None
    """Keep only so many tests. Leave `filter.tests` at `choose: all` then, so that all tests are run first."""
    row_seconds: float = 300.0
    """CPU time for one row; what is not done by then is left out, and the row says so."""

    def __post_init__(self) -> None:
        if self.row_seconds <= 0 or self.patience < 1:
            raise InputError("row_seconds must be positive and patience at least 1")
        if self.solutions < 1 or min(self.agreeing, self.wrong, self.mutants) < 0:
            raise InputError("solutions must be at least 1, and agreeing, wrong and mutants not negative")

    def __call__(self, row: Row) -> Outcome | None:
        raise TypeError("execution needs a grader: see `with_grader`")


class Executed:
    """The rule: `Execution` with a grader and the store of oversized tests."""

    name: ClassVar[str] = Execution.name

    def __init__(self, settings: Execution, grader: Grader, store: TestStore) -> None:
        self._settings = settings
        self._grader = grader
        self._store = store
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        """What was run over all rows, for the report."""

    def __call__(self, row: Row) -> Outcome | None:
        row["verification"] = row["verification"] or verification("checked", len(row["tests"]), 0)
        if sum(map(test_bytes, row["tests"])) > LARGEST_BYTES:
            return self._not_run("its tests are too large to be executed")
        try:
            tests = [self._store.load(test) for test in row["tests"]]
            problem = to_problem({**row, "tests": tests, "groups": None})  # every test counts, and keeps its number
        except InputError as error:
            return self._not_run(str(error))
        rights, skipped = programs(row, problem, correct=True, most=self._settings.solutions)
        if not rights:
            reason = skipped or "it has no right solution"
            return drop("no_reference", reason) if self._settings.required else self._not_run(reason)
        bench = Bench(self._grader, problem, self._settings.row_seconds)
        return Examination(row, bench, rights, self._settings, self._count).run()

    def _not_run(self, reason: str) -> Outcome:
        self._count(**{"rows not executed": 1, f"not executed: {reason}": 1})
        return marked(f"not executed: {reason}")

    def _count(self, **what: int) -> None:
        with self._lock:
            self.counts.update(what)


@contextmanager
def with_grader(rules: Sequence[Rule], store: TestStore, workers: int) -> Iterator[tuple[list[Rule], Counter[str]]]:
    """The rules with execution made ready to run `workers` programs at a time, and its counts; no grader without it."""
    settings = next((rule for rule in rules if isinstance(rule, Execution)), None)
    if settings is None:
        yield list(rules), Counter()
        return
    try:
        grader = Grader(workers=min(workers, os.cpu_count() or 1))
    except GraderError as error:
        raise InputError(f"verify.execution: {error}") from None
    with grader:
        executed = Executed(settings, grader, store)
        yield [executed if rule is settings else rule for rule in rules], executed.counts
