"""What the report and the card show of a build: counts of rows before and after, and examples of dropped rows.

An account is made by adding up those of single files (`count_file.py`), so that none needs all rows at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from microcoder_data.faults import OWN_FAULTS, faults_of
from microcoder_data.fitness import USES
from microcoder_data.reasons import Reason
from microcoder_data.remedies import Remedy, keep_widest
from microcoder_data.report.fidelity_section import Losses
from microcoder_data.report.pass_rate_section import PassRates
from microcoder_data.report.strength_section import Strengths
from microcoder_data.schema import Row

EXAMPLES, FINDINGS = 3, 50
"""How many rows are shown for each reason, and how many that resemble a benchmark's problem."""
UNKNOWN = "unknown"
SAMPLES_ONLY = "samples only"
_BEFORE = ("source", "platform", "year", "level", "tests", "language")
_AFTER = (*_BEFORE, "kind", "license", "checker", "status", "test_sets", "strength")


class ReasonCount(NamedTuple):
    """How many rows a stage rejected, dropped or merged for one reason."""

    stage: str
    reason: Reason
    rows: int


def _counters(names: tuple[str, ...]) -> dict[str, Counter[str]]:
    return {name: Counter() for name in names}


@dataclass
class Account:
    """A build in numbers, or one file of it."""

    manifest: dict[str, Any] = field(default_factory=dict)
    """Empty for a single file."""
    before: dict[str, Counter[str]] = field(default_factory=lambda: _counters(_BEFORE))
    """The collected rows by source, platform, year, language, level and tests. Empty without `work/`."""
    after: dict[str, Counter[str]] = field(default_factory=lambda: _counters(_AFTER))
    """The same of the published rows, and more: kind, license, checker, status, strength."""
    fit: dict[str, Counter[str]] = field(default_factory=lambda: _counters(USES))
    """How many published rows of each source are fit for a use (reading, sft, rl), by use."""
    lacks: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many published rows are not fit for a use, by use and cure."""
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
    """The first published rows that resemble a benchmark's problem: (id, finding)."""

    @property
    def stages(self) -> list[dict[str, Any]]:
        stages: list[dict[str, Any]] = self.manifest["stages"]
        return stages

    @property
    def faults(self) -> list[str]:
        """Where this program failed on a row, in words, with a row for each rule."""
        examples = [
            f"{entry['problem_id'] or entry['location']}: {entry['detail']}"
            for (*_, reason), entries in self.examples.items()
            if reason in OWN_FAULTS
            for entry in entries[:1]
        ]
        return faults_of(self.stages) + examples

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

    def reasons(self) -> Iterator[ReasonCount]:
        """Every reason of every stage, the most frequent first in each stage."""
        for stage in self.stages:
            for name, count in sorted(stage["reasons"].items(), key=lambda pair: (-pair[1], pair[0])):
                yield ReasonCount(stage["stage"], Reason.parse(name), count)

    def add_example(self, key: tuple[str, str, str, str], entry: Row) -> None:
        """Show this entry of `dropped/`, if few are shown for its reason."""
        shown = self.examples.setdefault(key, [])
        if len(shown) < EXAMPLES:
            shown.append(entry)

    def plain(self) -> dict[str, Any]:
        """All counts as values that JSON holds."""
        return {
            "counts": {name: getattr(self, name) for name in ("before", "after", "fit")},
            "lacks": _listed(self.lacks),
            "examples": [[*key, entry] for key, entries in self.examples.items() for entry in entries],
            "remedies": [[*reason, *remedy] for reason, remedy in self.remedies.items()],
            "strengths": self.strengths.plain(),
            "pass_rates": [[*key, counts] for key, counts in self.pass_rates.by_model.items()],
            "losses": _listed(self.losses),
            "near_benchmarks": self.near_benchmarks,
        }

    def add(self, part: dict[str, Any]) -> None:
        """Add the counts of a part, as `plain` gives them; examples stay in the order in which parts are added."""
        for name, by_name in part["counts"].items():
            for what, counts in by_name.items():
                getattr(self, name)[what].update(counts)
        for name in ("lacks", "losses"):
            for *key, count in part[name]:
                getattr(self, name)[tuple(key)] += count
        for stage, rule, outcome, reason, entry in part["examples"]:
            self.add_example((stage, rule, outcome, reason), entry)
        for outcome, rule, reason, *remedy in part["remedies"]:
            keep_widest(self.remedies, Reason(outcome, rule, reason), Remedy(*remedy))
        self.strengths.add_part(part["strengths"])
        for model, source, counts in part["pass_rates"]:
            self.pass_rates.by_model.setdefault((model, source), Counter()).update(counts)
        for name, finding in part["near_benchmarks"][: FINDINGS - len(self.near_benchmarks)]:
            self.near_benchmarks.append((name, finding))


def _listed(counts: Counter[Any]) -> list[list[Any]]:
    return [[*key, count] for key, count in counts.items()]
