"""Find the rule that leaves a row that cannot be written: with half a surrogate pair, or a value of another type.

Shards are written many rows at a time. Where that fails, the task runs once more, and each row is checked behind every
rule: the rule fails on that row, as if it had raised an exception.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pyarrow as pa

from microcoder_data.conversion import SCHEMA_ERRORS
from microcoder_data.process.fidelity import Fidelity
from microcoder_data.rules import Outcome, Rule
from microcoder_data.schema import WORK, Row

Result = TypeVar("Result")


def run_writable(run: Callable[[Callable[[Sequence[Rule]], list[Rule]]], Result]) -> Result:
    """What `run` returns. It gets a function through which its rules must go: they are checked where that is needed."""
    try:
        return run(list)
    except SCHEMA_ERRORS:
        return run(_checked)


def _checked(rules: Sequence[Rule]) -> list[Rule]:
    checked: list[Any] = [rule if isinstance(rule, Fidelity) else _Checked(rule) for rule in rules]
    return checked


class _Checked:
    """A rule that raises an exception where it leaves a row that cannot be written; the row is then as it was."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def __call__(self, row: Row) -> Outcome | None:
        return self._checked(self._rule, row)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._rule, name)
        return functools.partial(self._checked, found) if name == "ask" else found

    def _checked(self, act: Callable[..., Outcome | None], row: Row, *others: Any) -> Outcome | None:
        before = dict(row)
        outcome = act(row, *others)
        try:
            pa.RecordBatch.from_pylist([row], schema=WORK)
        except SCHEMA_ERRORS:
            row.clear()
            row.update(before)
            raise
        return outcome
