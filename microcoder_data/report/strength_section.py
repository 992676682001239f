"""The part of a dataset's report about the strength of tests: rates with intervals, made tests, the weakest rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from microcoder_data.rates import Rate, true_negative, true_positive
from microcoder_data.rules import rule_name
from microcoder_data.schema import Row
from microcoder_eval.plural import counted
from microcoder_eval.report.page import Html, element, section, table

WEAKEST = 15
WAYS = ("rules", "differences", "model")


@dataclass
class Strengths:
    """The rates of all published rows."""

    right: dict[str, Counter[str]] = field(default_factory=dict)
    """By source: how many right solutions were accepted (`part`) of how many (`whole`), over how many `rows`."""
    wrong: dict[str, Counter[str]] = field(default_factory=dict)
    """The same for wrong programs and how many were rejected."""
    weakest: list[tuple[float, str, Rate, str]] = field(default_factory=list)
    """(lower end of the interval, id, rate, what would help), the weakest first."""

    def add(self, row: Row) -> None:
        """Count one published row."""
        accepted, rejected = true_positive(row["verification"]), true_negative(row["verification"])
        for rates, rate in ((self.right, accepted), (self.wrong, rejected)):
            counts = rates.setdefault(row["source"], Counter())
            counts["part"] += rate.part
            counts["whole"] += rate.whole
            counts["rows"] += bool(rate.whole)
        if rejected.whole and rejected.part < rejected.whole:
            self.weakest.append((rejected.interval[0], row["problem_id"], rejected, cure(row)))
            self.weakest = sorted(self.weakest)[:WEAKEST]

    def plain(self) -> dict[str, Any]:
        """All counts as values that JSON holds."""
        return {"right": self.right, "wrong": self.wrong, "weakest": self.weakest}

    def add_part(self, part: dict[str, Any]) -> None:
        """Add the counts of some other rows, as `plain` gives them."""
        for name, rates in (("right", self.right), ("wrong", self.wrong)):
            for source, counts in part[name].items():
                rates.setdefault(source, Counter()).update(counts)
        self.weakest += [(low, name, Rate(*rate), helps) for low, name, rate, helps in part["weakest"]]
        self.weakest = sorted(self.weakest)[:WEAKEST]


def cure(row: Row) -> str:
    """What would make the tests of a weak row stronger: a key of the recipe, or what test making lacked."""
    making = next((step for step in row["provenance"] or [] if rule_name(step["rule"]) == "make_tests"), None)
    if making is None:
        return "verify.make_tests"
    if making["outcome"] == "marked":
        return f"what test making lacked ({(making['detail'] or '')[:140]})"
    return "more rounds of make_tests, or its way `model`, against the programs that pass"


def strength(strengths: Strengths, executed: dict[str, int]) -> list[Html]:
    """The section; none where nothing was run."""
    parts = []
    sources = sorted(
        source for source, counts in strengths.wrong.items() if counts["whole"] or strengths.right[source]["whole"]
    )
    if sources:
        lines = [(source, *_rates(strengths, [source])) for source in sources]
        if len(sources) > 1:
            lines.append(("all", *_rates(strengths, sources)))
        parts.append(table(["Source", "Right solutions accepted", "Wrong programs rejected"], lines, wide=True))
    parts += _made(executed)
    if strengths.weakest:
        rows = [(name, str(rate), helps) for _, name, rate, helps in strengths.weakest]
        parts.append(element("h3", "Weakest rows"))
        parts.append(table(["Problem", "Wrong programs rejected", "What would help"], rows, wide=True))
    note = "Shares with Wilson's interval of 95 %. Wrong programs: known-wrong solutions, and mutants on reached lines."
    return [section("Strength of tests", *parts, note=note)] if parts else []


def _rates(strengths: Strengths, sources: list[str]) -> tuple[str, str]:
    shown = []
    for rates in (strengths.right, strengths.wrong):
        part, whole = (sum(rates[source][name] for source in sources) for name in ("part", "whole"))
        shown.append(str(Rate(part, whole)))
    return shown[0], shown[1]


def _made(executed: dict[str, int]) -> list[Html]:
    """What test making did: the share of wrong programs rejected before it, by each way's tests, and after it."""
    whole = executed.get("made: wrong programs run", 0)
    if not executed.get("made: rows tried"):
        return []
    rows = [("the tests that were there", "", str(Rate(executed.get("made: rejected before", 0), whole)))]
    for way in WAYS:
        if tests := executed.get(f"made: tests by {way}", 0):
            alone = Rate(executed.get(f"made: rejected by {way}", 0), whole)
            rows.append((f"made by {way}", f"{tests:,}", str(alone)))
    rows.append(("all together", "", str(Rate(executed.get("made: rejected after", 0), whole))))
    tried, got = executed["made: rows tried"], executed.get("made: rows with tests", 0)
    said = f"Test making tried {counted(tried, 'problem')} and made tests for {got:,}."
    return [
        element("h3", "Made tests"),
        element("p", said, class_="note"),
        table(["Tests", "Number", "Wrong programs rejected"], rows, numbers=(1,)),
    ]
