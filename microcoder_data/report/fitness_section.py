"""The first lines of a dataset's card and report: number and strength of tests, and the share fit for each use."""

from __future__ import annotations

from collections import Counter

from microcoder_data.fitness import USES
from microcoder_data.report.account import SAMPLES_ONLY, Account
from microcoder_data.report.bins import STRENGTHS, TEST_SETS
from microcoder_eval.plural import counted
from microcoder_eval.report.cells import share
from microcoder_eval.report.page import Html, element, section, table

MEANING = {
    "reading": "the statement is intact",
    "sft": "and there is a right solution",
    "rl": "intact, the checker is known, and there are enough tests that reject wrong programs",
}
MOST_LACKS = 12


def in_words(account: Account) -> list[str]:
    """Two lines: the distribution of tests, and of their strength.

    The strength is the share of known-wrong solutions and of mutants on reached lines that the tests reject.
    """
    total = sum(account.after["test_sets"].values())
    if not total:
        return []
    tests = _listed(account.after["test_sets"], [SAMPLES_ONLY, *TEST_SETS.names], total)
    measured = sum(account.after["strength"].values())
    lines = [f"Tests a problem: {tests}."]
    if not measured:
        return [*lines, "Strength of tests: not measured, because no wrong program was run."]
    strengths = _listed(account.after["strength"], STRENGTHS.names, measured)
    how = "known-wrong solutions and mutants on reached lines, those that are likely right left out"
    return [*lines, f"Strength of tests (share of rejected {how}), of {counted(measured, 'problem')}: {strengths}."]


def headings() -> list[str]:
    """The headings of the table that `by_source` fills."""
    return ["source", "problems", *(f"fit for {use}" for use in USES)]


def by_source(account: Account) -> list[list[str]]:
    """For each source, and all together: the rows, and the share that is fit for each use."""
    sources = sorted(account.after["source"].items(), key=lambda pair: (-pair[1], pair[0]))
    lines = [
        [source, f"{count:,}", *(share(account.fit[use][source], count) for use in USES)] for source, count in sources
    ]
    total = sum(account.after["source"].values())
    return [*lines, ["all", f"{total:,}", *(share(sum(account.fit[use].values()), total) for use in USES)]]


def fitness(account: Account) -> list[Html]:
    """The section of the report; none without rows."""
    if not account.fit or not account.after["source"]:
        return []
    listed = [(use, cure, f"{count:,}") for (use, cure), count in account.lacks.most_common(MOST_LACKS)]
    parts = [element("p", line, class_="note") for line in in_words(account)]
    parts.append(table([heading.capitalize() for heading in headings()], by_source(account), numbers=(1, 2, 3, 4)))
    if listed:
        parts.append(table(["For", "Rows would need", "Rows"], listed, numbers=(2,)))
    note = "; ".join(f"{use}: {meaning}" for use, meaning in MEANING.items())
    return [section("What the rows are fit for", *parts, note=f"{note}.")]


def _listed(counts: Counter[str], names: list[str], total: int) -> str:
    return ", ".join(f"{name}: {counts[name]:,} ({share(counts[name], total)})" for name in names if counts[name])
