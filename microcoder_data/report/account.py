"""What the report and the card show of a build: counts of rows before and after, and examples of dropped rows.

Read from the published files, and from the shards between the stages as long as `work/` is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.fitness import COLUMNS as FITNESS_COLUMNS
from microcoder_data.fitness import USES, Fit, lacking, strength_of
from microcoder_data.reasons import Reason
from microcoder_data.remedies import Remedy, remedies
from microcoder_data.report.bins import STRENGTHS, TEST_SETS, TESTS, binned
from microcoder_data.report.dataset import dropped, load_manifest, rows, work_shards
from microcoder_data.report.fidelity_section import Losses, losses
from microcoder_data.report.pass_rate_section import PassRates
from microcoder_data.report.strength_section import Strengths
from microcoder_data.schema import Row

EXAMPLES = 3
"""How many rows are shown for each reason."""
STATEMENT_CHARACTERS = 600
UNKNOWN = "unknown"
SAMPLES_ONLY = "samples only"
_BEFORE = ["source", "platform", "contest_date", "difficulty", "tests_total"]
_AFTER = [
    *_BEFORE[:-1], "language", "license", "contamination", "problem_id", *FITNESS_COLUMNS,
]  # fmt: skip
_DROPPED = [
    "problem_id", "source", "location", "stage", "rule", "outcome", "reason", "statistic", "threshold", "detail",
    "duplicate_of", "title", "statement",
]  # fmt: skip


@dataclass
class Account:
    """A build in numbers."""

    manifest: dict[str, Any]
    before: dict[str, Counter[str]] = field(default_factory=dict)
    """The collected rows by source, platform, year, language, level and tests. Empty without `work/`."""
    after: dict[str, Counter[str]] = field(default_factory=dict)
    """The same of the published rows, and more: kind, license, checker, status, strength."""
    fit: dict[str, Counter[str]] = field(default_factory=dict)
    """How many published rows of each source are fit for a use (reading, sft, rl), by use."""
    lacks: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """How many published rows are not fit for a use, by use, code and cure."""
    examples: dict[tuple[str, str, str, str], list[Row]] = field(default_factory=dict)
    """The first rows rejected, dropped or merged, by stage, rule, outcome and reason."""
    remedies: dict[Reason, Remedy] = field(default_factory=dict)
    """For each reason, the recipe's key and value that would keep the rows dropped for it."""
    strengths: Strengths = field(default_factory=Strengths)
    """How many right solutions the tests of published rows accept, and how many wrong programs they reject."""
    pass_rates: PassRates = field(default_factory=PassRates)
    """How often models solve the published rows."""
    losses: Losses = field(default_factory=Counter)
    """Rows that lost text in Process, by rule, source and outcome."""
    near_benchmarks: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Published rows that resemble a benchmark's problem: (id, finding)."""

    @property
    def stages(self) -> list[dict[str, Any]]:
        stages: list[dict[str, Any]] = self.manifest["stages"]
        return stages

    @property
    def executed(self) -> dict[str, int]:
        """What Verify ran, as counts by name; empty without execution."""
        counts: dict[str, int] = self.stages[-1].get("executed", {})
        return counts

    @property
    def not_executed(self) -> dict[str, int]:
        """How many rows had no solution run, by reason."""
        counts: dict[str, int] = self.stages[-1].get("not_executed", {})
        return counts

    def reasons(self) -> Iterator[tuple[str, str, str, str, int]]:
        """(stage, outcome, rule, reason, rows) for every reason, the most frequent first in each stage."""
        for stage in self.stages:
            for name, count in sorted(stage["reasons"].items(), key=lambda pair: (-pair[1], pair[0])):
                yield stage["stage"], *Reason.parse(name), count


def take_account(directory: Path) -> Account:
    """Read a finished build."""
    account = Account(load_manifest(directory))
    account.after = _counted(rows(directory, _AFTER), account)
    account.losses = losses(directory)
    account.before = _collected(directory, account)
    account.remedies = remedies(dropped(directory, _DROPPED))
    for entry in dropped(directory, _DROPPED):
        key = (entry["stage"], entry["rule"], entry["outcome"], entry["reason"])
        shown = account.examples.setdefault(key, [])
        if len(shown) < EXAMPLES:
            shown.append({**entry, "statement": (entry["statement"] or "")[:STATEMENT_CHARACTERS]})
    return account


def _counted(published: Iterator[Row], account: Account) -> dict[str, Counter[str]]:
    names = ("source", "platform", "year", "language", "level", "tests", "kind", "license", "checker", "status")
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*names, "test_sets", "strength")}
    account.fit = {use: Counter() for use in USES}
    settings = _fit_settings(account.manifest)
    for row in published:
        verification = row["verification"] or {}
        for name in ("source", "platform", "language", "kind", "license"):
            counts[name][row[name] or UNKNOWN] += 1
        counts["year"][_year(row)] += 1
        counts["level"][_level(row)] += 1
        counts["checker"][(row["checker"] or {}).get("kind") or "tokens"] += 1
        counts["status"][verification.get("status") or UNKNOWN] += 1
        if row["kind"] in ("stdin", "call"):
            counts["tests"][binned(verification.get("tests_kept") or 0, TESTS)] += 1
        counts["test_sets"][_test_set(verification)] += 1
        account.strengths.add(row)
        account.pass_rates.add(row)
        if (strength := strength_of(verification)) is not None:
            counts["strength"][binned(strength, STRENGTHS)] += 1
        for use in USES:
            lacks = lacking(row, use, settings)
            account.fit[use][row["source"]] += not lacks
            account.lacks.update((use, lack.code, lack.cure) for lack in lacks)
        account.near_benchmarks += [(row["problem_id"], finding) for finding in row["contamination"] or []]
    return counts


def _test_set(verification: Mapping[str, Any]) -> str:
    """The bin of a row's number of tests; rows with the statement's samples only have a bin of their own."""
    tests, beyond = verification.get("tests_kept") or 0, verification.get("tests_beyond_samples") or 0
    return SAMPLES_ONLY if tests and not beyond else binned(tests, TEST_SETS)


def _fit_settings(manifest: Mapping[str, Any]) -> Fit:
    """The thresholds of fitness in the recipe, or the defaults."""
    named = manifest["config"]["filter"].get("fit")
    return Fit(**named) if named else Fit()


def _collected(directory: Path, account: Account) -> dict[str, Counter[str]]:
    """Counts over the collected rows; their languages are known only after Process."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("source", "platform", "year", "level", "tests")}
    for row in work_shards(directory, "collect", _BEFORE):
        for name in ("source", "platform"):
            counts[name][row[name] or UNKNOWN] += 1
        counts["year"][_year(row)] += 1
        counts["level"][_level(row)] += 1
        if row["tests_total"]:
            counts["tests"][binned(row["tests_total"], TESTS)] += 1
    if not counts["source"]:
        return {}
    counts["language"] = Counter(row["language"] or UNKNOWN for row in work_shards(directory, "process", ["language"]))
    for entry in dropped(directory, ["stage", "language"]):
        if entry["stage"] == "process":
            counts["language"][entry["language"] or UNKNOWN] += 1
    return counts


def _year(row: Row) -> str:
    return str(row["contest_date"].year) if row["contest_date"] else UNKNOWN


def _level(row: Row) -> str:
    return (row["difficulty"] or {}).get("level") or UNKNOWN
