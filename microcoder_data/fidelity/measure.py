"""Apply the rules of Process to a row, and measure what its text lost.

A build calls `apply_measured` instead of `apply_rules`. It keeps the text before and after every rule that changed it.
Only if the row lost something, these texts are compared too, to name the rule that lost it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from microcoder_data.compare.examples import by_input
from microcoder_data.fidelity.atoms import KINDS, NONE, Atoms, atoms, code_in_lines
from microcoder_data.fidelity.kept_words import keeps_words
from microcoder_data.fidelity.loss import (
    COLUMNS,
    EXCERPTS,
    NOTHING,
    WEIGHTS,
    Finding,
    Loss,
    compared,
    loses_any,
    loss_of,
    lost_samples,
)
from microcoder_data.process.fidelity import Fidelity
from microcoder_data.rules import Outcome, Rule, apply_rule, apply_rules, dropped_entry, guarded, step
from microcoder_data.schema import Row

if TYPE_CHECKING:
    from microcoder_data.llm import Client


class Change(NamedTuple):
    """A rule that changed a row, and the row's texts before and after."""

    rule: str
    took_out: bool
    """Whether what it removed does not count as lost: see `Outcome`."""
    before: Row
    after: Row


def apply_measured(row: Row, rules: Sequence[Rule], stage: str, client: Client | None = None) -> dict[str, Any] | None:
    """Like `apply_rules`; if the row lost text, that becomes one more step of its provenance."""
    fidelity = next((rule for rule in rules if isinstance(rule, Fidelity)), None)
    if fidelity is None:
        return apply_rules(row, rules, stage, client)
    before = shown(row)
    entry, changes = applied(row, rules, stage, client)
    if entry is not None or row["translator"]:
        return entry
    outcome = guarded(lambda: _loss(fidelity, *blamed(before, row, changes)))
    if outcome is None:
        return None
    row["provenance"].append(step(stage, fidelity.name, outcome))
    return dropped_entry(row, stage, fidelity.name, outcome) if outcome.outcome == "dropped" else None


def _loss(fidelity: Fidelity, loss: Loss, blame: tuple[str, ...]) -> Outcome | None:
    return fidelity.judged(loss.share, str(loss), blame) if loss.findings else None


def shown(row: Row) -> Row:
    """A copy of the row's texts and samples, which later rules do not change."""
    return {**{name: row[name] for name in COLUMNS}, "samples": [dict(sample) for sample in row["samples"]]}


def copy_of(row: Row) -> Row:
    """A copy of a row whose texts, samples, tests and provenance can be changed."""
    samples = [dict(sample) for sample in row["samples"]]
    return {**row, "samples": samples, "tests": [dict(test) for test in row["tests"]], "provenance": []}


def applied(
    row: Row, rules: Sequence[Rule], stage: str, client: Client | None = None
) -> tuple[dict[str, Any] | None, list[Change]]:
    """Apply the rules in order; returns the entry for `dropped/` or None, and the changes by rules that ask no
    model."""
    changes: list[Change] = []
    last = shown(row)
    for rule in rules:
        outcome = apply_rule(row, rule, stage, client)
        if outcome is None:
            continue
        if outcome.outcome == "dropped":
            return dropped_entry(row, stage, rule.name, outcome), changes
        if outcome.outcome in ("changed", "marked") and not getattr(rule, "asks", False):
            now = shown(row)
            if now != last:
                changes.append(Change(rule.name, outcome.took_out, last, now))
                last = now
    return None, changes


def replayed(before: Row, rules: Sequence[Rule]) -> list[Change]:
    """The changes that the rules make to a collected row, found on a copy."""
    repeatable = [rule for rule in rules if not isinstance(rule, Fidelity) and not getattr(rule, "asks", False)]
    return applied(copy_of(before), repeatable, "process")[1]


def blamed(before: Row, after: Row, changes: Sequence[Change]) -> tuple[Loss, tuple[str, ...]]:
    """What the row lost, without what rules were allowed to remove (`took_out`), and the names of the rules that lost
    it."""
    taken_out = [(change.before, change.after) for change in changes if change.took_out]
    if keeps_words(before, after, taken_out) and not lost_samples(before, after):
        return NOTHING, ()
    found = compared(before, after)
    if not found:
        return NOTHING, ()
    allowed: Atoms = dict.fromkeys(KINDS, NONE)
    mended = [one for one in changes if one.took_out and _values(one.before) != _values(one.after)]
    if mended:
        lines = [_lines_of_samples(one.before) - _lines_of_samples(one.after) for one in mended]
        allowed["lines of code"] = sum(lines, Counter())
        before = {**before, "samples": before["samples"] and _as_mended(before, mended[-1].after)}
        found = compared(before, after)
    for change in changes:
        if change.took_out and (removed := compared(*changed_parts(change.before, change.after))):
            allowed |= {kind: allowed[kind] + lost for kind, lost in removed.difference.items() if lost}
    gone = found.difference
    if not found.samples and not any(gone[kind] - allowed[kind] for kind in KINDS if found.lost[kind]):
        return NOTHING, ()  # known before the text's atoms are counted, which takes long
    loss = loss_of(found.before, found.lost, found.samples)
    if any(allowed.values()):
        loss = without(loss, _in_order_of(found.before, gone), allowed)
    if not loss.findings:
        return loss, ()
    others = [change for change in changes if not change.took_out]
    return loss, tuple(one.rule for one in others if loses_any(*changed_parts(one.before, one.after)))


def _values(row: Row) -> list[tuple[str | None, str | None]]:
    return [(one["input"], one["output"]) for one in row["samples"]]


def _as_mended(before: Row, after: Row) -> list[dict[str, Any]]:
    """The mended samples with the explanations as collected: later ones are parts of the statement, counted in it."""
    collected = by_input(before["samples"])
    found = [collected(one["input"] or "") or {} for one in after["samples"]]
    return [{**one, "explanation": was.get("explanation")} for one, was in zip(after["samples"], found, strict=True)]


def _lines_of_samples(row: Row) -> Counter[str]:
    return code_in_lines("\n".join(one[side] or "" for one in row["samples"] for side in ("input", "output")))


def changed_parts(before: Row, after: Row) -> tuple[Row, Row]:
    """The rows without the texts and samples that are equal: a rule changes few of them, and what it takes out of one
    is not found again in another."""
    equal: Row = dict.fromkeys((name for name in COLUMNS if before[name] == after[name]), "")
    if before["samples"] == after["samples"]:
        equal["samples"] = []  # the same object, so that samples are not compared
    return {**before, **equal}, {**after, **equal}


def _in_order_of(text: str, lost: Atoms) -> Atoms:
    """The lost atoms in the order in which the text has them: the first ones are shown."""
    return {
        kind: Counter({atom: lost[kind][atom] for atom in found if atom in lost[kind]})
        for kind, found in atoms(text).items()
    }


def without(loss: Loss, lost: Atoms, allowed: Atoms) -> Loss:
    """The loss without what rules were allowed to remove."""
    if not any(allowed.values()):
        return loss
    findings, before, after = [], 0.0, 0.0
    for finding in loss.findings:
        weight = WEIGHTS.get(finding.kind, 3.0)
        before += weight * finding.lost
        if finding.kind not in lost:
            findings.append(finding)
            after += weight * finding.lost
            continue
        rest = lost[finding.kind] - allowed[finding.kind]
        count = min(finding.lost, sum(rest.values()))
        if count:
            excerpts = tuple(rest)[:EXCERPTS] if finding.excerpts else ()
            findings.append(Finding(finding.kind, count, finding.of, excerpts))
            after += weight * count
    return Loss(tuple(findings), loss.share * after / before if before else 0.0) if findings else NOTHING
