"""The rule that runs a row's solutions, and the rules of Verify with a grader behind them.

    with rules_with_grader(recipe.verify, store, workers=8) as (rules, attempts, ran):
        apply_rules(row, [*rules, *attempts], "verify")

If the grader can run no solution of a row (its language is missing, for example), the provenance says why and the
row's status stays `checked`.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from microcoder_data.rules import Outcome, Rule, drop, marked, rules_of
from microcoder_data.schema import Row, to_problem
from microcoder_data.shards import TestStore, test_bytes
from microcoder_data.verify import Verify
from microcoder_data.verify.attempt_rows import AttemptRows
from microcoder_data.verify.execution import Execution
from microcoder_data.verify.integrity import verification
from microcoder_data.verify.program_runner import ProgramRunner, programs
from microcoder_data.verify.row_steps import RowSteps
from microcoder_eval import GraderError, InputError

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client
    from microcoder_eval.connection import AnyGrader

LARGEST_BYTES = 256 << 20
"""Rows with more tests than this are not executed, because all tests of a row are held in memory."""


@dataclass
class Ran:
    """Counts of what was run for all rows, for the report. Safe to use from several threads."""

    counts: Counter[str] = field(default_factory=Counter)
    not_executed: Counter[str] = field(default_factory=Counter)
    """How many rows had no solution run, by the reason."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _row: threading.local = field(default_factory=threading.local)

    def count(self, **what: int) -> None:
        """Add to the counts."""
        self.add(what, {})

    def not_run(self, reason: str) -> None:
        """Count a row that had no solution run."""
        self.add({"rows not executed": 1}, {reason: 1})

    def add(self, counts: Mapping[str, int], not_executed: Mapping[str, int]) -> None:
        """Add to all counts, and to those of the row that this thread works on."""
        with self._lock:
            self.counts.update(counts)
            self.not_executed.update(not_executed)
        if (row := getattr(self._row, "ran", None)) is not None:
            row.counts.update(counts)
            row.not_executed.update(not_executed)

    @contextmanager
    def of_row(self) -> Iterator[Ran]:
        """Yields the counts of one row: what this thread counts inside the block."""
        self._row.ran = Ran()
        try:
            yield self._row.ran
        finally:
            self._row.ran = None


class RunSolutions:
    """The rule: the settings of execution, a grader and the store of oversized tests."""

    name: ClassVar[str] = Execution.name

    def __init__(self, settings: Execution, grader: AnyGrader, store: TestStore, ran: Ran | None = None) -> None:
        self._settings = settings
        self._grader = grader
        self._store = store
        self.ran = ran if ran is not None else Ran()

    def __call__(self, row: Row) -> Outcome | None:
        row["verification"] = row["verification"] or verification(row)
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
        runner = ProgramRunner(self._grader, problem, self._settings.row_seconds)
        return RowSteps(row, runner, rights, self._settings, self._count).run()

    def _not_run(self, reason: str) -> Outcome:
        self.ran.not_run(reason)
        return marked(f"not executed: {reason}")

    def _count(self, **what: int) -> None:
        self.ran.count(**what)


@contextmanager
def rules_with_grader(
    settings: Verify, store: TestStore, workers: int, client: Client | None = None, address: str = ""
) -> Iterator[tuple[list[Rule], list[Rule], Ran]]:
    """The rules of Verify in order, the rule of attempts, which comes after all others, and what they count.

    No grader is started where nothing is run; a dry client gives no attempt to grade.
    workers: how many programs run at the same time. client: the model for test making and attempts.
    address: the address of a grader elsewhere; empty: one is started here.
    """
    rules = rules_of(replace(settings, execution=None, make_tests=None, attempts=None))
    making, execution = settings.make_tests, settings.execution
    attempting = (settings.attempts, client) if settings.attempts is not None and client is not None else None
    ran = Ran()
    if making is None and execution is None and (attempting is None or attempting[1].dry):
        yield rules, [AttemptRows(*attempting, None, store)] if attempting else [], ran
        return
    from microcoder_eval.connection import open_grader  # most builds run no program

    try:
        grader = open_grader(address, workers=min(workers, os.cpu_count() or 1) if not address else None)
    except GraderError as error:
        which = "execution" if execution else "make_tests" if making else "attempts"
        raise InputError(f"verify.{which}: {error}") from None
    with grader:
        if making is not None:
            from microcoder_data.make_tests.rule import MakeTestsRule  # it loads much that few recipes need

            rules.insert(0, MakeTestsRule(making, grader, store, client, ran.count))
        if execution is not None:
            rules.append(RunSolutions(execution, grader, store, ran))
        yield rules, [AttemptRows(*attempting, grader, store, ran.count)] if attempting else [], ran
