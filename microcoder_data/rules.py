"""What a rule is, and how a list of rules is applied to a row.

A rule is a frozen dataclass: its fields are its settings, `name` is its name and version, and calling it on a row
either changes the row in place, or returns an `Outcome` with the statistic that it is based on, or both.
"""

from __future__ import annotations

import dataclasses
import math
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from microcoder_data.faults import RULE_FAILED, place_of, text_of
from microcoder_data.schema import Row
from microcoder_eval import GraderError, InputError

if TYPE_CHECKING:
    from microcoder_data.llm import Client

DETAIL_CHARACTERS = 1500
ONE_AT_A_TIME = threading.Lock()
"""Rows wait for a model in threads. Rules that ask nothing take this lock: they use libraries that are not
thread-safe."""


class Outcome(NamedTuple):
    """What a rule found. `reason` is set only when the row is to be dropped."""

    outcome: str
    """kept, changed, marked or dropped."""
    reason: str = ""
    statistic: float | None = None
    threshold: float | None = None
    detail: str | None = None
    """For people; no program reads it."""
    took_out: bool = False
    """The rule removed or rewrote text that is not part of the problem. The fidelity rule does not count it as lost."""
    names: tuple[str, ...] = ()
    """What the outcome is about, by name: the rules that lost text, the row's language, level or license, or the place
    in this program where a rule failed."""


def drop(
    reason: str,
    detail: str | None = None,
    statistic: float | None = None,
    threshold: float | None = None,
    names: tuple[str, ...] = (),
) -> Outcome:
    return Outcome("dropped", reason, statistic, threshold, detail, names=names)


def drop_named(reason: str, name: str | None) -> Outcome:
    """Drop a row for its language, level or license."""
    return drop(reason, name, names=(name,) if name else ())


def changed(detail: str | None = None, statistic: float | None = None, took_out: bool = False) -> Outcome:
    return Outcome("changed", "", statistic, None, detail, took_out)


def marked(
    detail: str | None = None,
    statistic: float | None = None,
    threshold: float | None = None,
    took_out: bool = False,
) -> Outcome:
    return Outcome("marked", "", statistic, threshold, detail, took_out)


def kept(statistic: float | None = None, threshold: float | None = None, detail: str | None = None) -> Outcome:
    return Outcome("kept", "", statistic, threshold, detail)


class Rule(Protocol):
    """What is called on every row of a stage."""

    name: ClassVar[str]
    """Name and version, such as `words_v1`. A change of behaviour is a new version."""

    def __call__(self, row: Row) -> Outcome | None: ...

    # A rule may also have `ask(row, client)`. It is called instead when the recipe has a language model. A rule whose
    # settings can switch the questions off also has a property `asks`.


class Reject(Exception):
    """Raised for a record that cannot become a row: `reason` is a fixed name, `detail` says what was found, `statistic`
    what was counted."""

    def __init__(
        self, reason: str, detail: str = "", statistic: float | None = None, names: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.names = names
        self.reason = reason
        self.detail = detail
        self.statistic = statistic


def rules_of(stage: Any) -> list[Rule]:
    """The rules of a stage's settings, in the order in which they are declared; switched-off ones are absent."""
    return [rule for field in dataclasses.fields(stage) if (rule := getattr(stage, field.name)) is not None]


def asks(rule: Rule) -> bool:
    """Whether a rule asks a language model when the recipe has one."""
    return hasattr(rule, "ask") and getattr(rule, "asks", True)


def apply_rules(row: Row, rules: Sequence[Rule], stage: str, client: Client | None = None) -> dict[str, Any] | None:
    """Apply the rules in order. Returns the entry for `dropped/` when one drops the row, else None."""
    for rule in rules:
        outcome = apply_rule(row, rule, stage, client)
        if outcome is not None and outcome.outcome == "dropped":
            return dropped_entry(row, stage, rule.name, outcome)
    return None


def apply_rule(row: Row, rule: Rule, stage: str, client: Client | None = None) -> Outcome | None:
    """Apply one rule, and write what it found into the row's provenance.

    A rule that raises an exception does not stop the build: see `guarded`.
    """
    outcome = guarded(lambda: _outcome(rule, row, client))
    if outcome is not None:
        row["provenance"].append(step(stage, rule.name, outcome))
    return outcome


def guarded(find: Callable[[], Outcome | None]) -> Outcome | None:
    """What `find` returns; a row on which it raises an exception is dropped as `rule_failed` with the error."""
    try:
        return find()
    except GraderError as error:  # the machine's failure, not the row's
        raise InputError(f"programs cannot be run: {error}") from None
    except Exception as error:
        return drop(RULE_FAILED, text_of(error), names=(place_of(error),))


def _outcome(rule: Rule, row: Row, client: Client | None) -> Outcome | None:
    """Call the rule; with a client, its `ask` if it has one."""
    if client is None:
        return rule(row)
    if asks(rule):
        return rule.ask(row, client)  # type: ignore[attr-defined]
    with ONE_AT_A_TIME:
        return rule(row)


def rule_name(rule: str) -> str:
    """The name of a rule without its version.

    >>> rule_name("make_tests_v2")
    'make_tests'
    """
    return rule.rpartition("_v")[0]


def step(stage: str, rule: str, outcome: Outcome) -> dict[str, Any]:
    """One entry of the column `provenance`."""
    detail = outcome.detail
    if outcome.reason:
        detail = f"{outcome.reason}: {detail}" if detail else outcome.reason
    return {
        "stage": stage,
        "rule": rule,
        "outcome": outcome.outcome,
        "statistic": _finite(outcome.statistic),
        "threshold": _finite(outcome.threshold),
        "detail": detail[:DETAIL_CHARACTERS] if detail else None,
        "names": list(outcome.names),
    }


def dropped_entry(row: Row, stage: str, rule: str, outcome: Outcome, duplicate_of: str | None = None) -> dict[str, Any]:
    """The row as `dropped/` keeps it: with its provenance, without its tests."""
    return {
        "problem_id": row["problem_id"],
        "source": row["source"],
        "location": row["location"],
        "stage": stage,
        "rule": rule,
        "outcome": outcome.outcome,
        "reason": outcome.reason or outcome.outcome,
        "statistic": _finite(outcome.statistic),
        "threshold": _finite(outcome.threshold),
        "detail": outcome.detail[:DETAIL_CHARACTERS] if outcome.detail else None,
        "names": list(outcome.names),
        "duplicate_of": duplicate_of,
        "title": row["title"],
        "url": row["url"],
        "language": row["language"],
        "statement": row["statement"],
        "provenance": row["provenance"],
    }


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(float(value), 6)
