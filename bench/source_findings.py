"""What was found in each source of a built dataset, as the Markdown tables of docs/sources.md.

    python bench/source_findings.py DATASET

Everything is read from the dataset: published rows, and `dropped/` with the provenance of rows that were merged. A row
counts once for each finding.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset

Row = dict[str, Any]
_FINDINGS = (
    ("watermark", "changed", "a watermark was removed"),
    ("text", "changed", "Unicode was repaired (mojibake, zero-width and control characters, odd spaces)"),
    ("markup", "changed", "HTML, TeX or entities became Markdown"),
    ("exponents", "changed", "lost exponents were repaired"),
    ("exponents", "marked", "exponents may be lost: marked, no bound is read"),
    ("boilerplate", "changed", "boilerplate was removed"),
    ("sections", "changed", "the text was split into its parts"),
    ("checker", "changed", "the statement names a checker (tolerance, any case, any order)"),
    ("checker", "marked", "a checker was guessed: all of something, no word on the order"),
    ("escaped_tests", "changed", "entities and tags of the page stood in samples and tests"),
    ("scraped_tests", "changed", "tests that a scraper had cut out wrongly were mended"),
    ("relevance", "marked", "several answers are right, or outputs are scored, and there is no checker"),
    ("completeness", "changed", "links to figures that are not there were removed"),
    ("test_integrity", "changed", "broken tests were taken out"),
    ("fidelity", "marked", "something was lost on the way (numbers, words, code, a sample)"),
    ("pool", "changed", "a twin gave statement, tests or solutions"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("dataset", type=Path)
    options = parser.parse_args()
    rows = pyarrow.dataset.dataset(options.dataset / "data").to_table().to_pylist()
    gone = pyarrow.dataset.dataset(options.dataset / "dropped").to_table().to_pylist()
    by_source: dict[str, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for row in rows:
        by_source[row["source"]][0].append(row)
    for entry in gone:
        by_source[entry["source"]][1].append(entry)
    for source, (published, left) in sorted(by_source.items()):
        print(f"### {source}\n\n| | records |\n| --- | --- |")
        for title, count in findings(published, left):
            print(f"| {title} | {count:,} |")
        print()


def findings(published: list[Row], left: list[Row]) -> Iterator[tuple[str, int]]:
    """Each finding with the number of records that have it."""
    merged = [entry for entry in left if entry["outcome"] == "merged"]
    yield "read", len(published) + len(left)
    yield "published", len(published)
    yield "merged into a twin", len(merged)
    reasons = Counter(
        f"{'rejected' if entry['stage'] == 'collect' else 'dropped'}: `{entry['reason']}`"
        for entry in left
        if entry["outcome"] != "merged"
    )
    yield from reasons.most_common()
    steps = [{(_rule(step), step["outcome"]) for step in row["provenance"] or ()} for row in [*published, *merged]]
    for rule, outcome, title in _FINDINGS:
        if count := sum((rule, outcome) in some for some in steps):
            yield title, count
    for title, least, most in (("1 to 3 tests", 1, 3), ("4 to 15 tests", 4, 15), ("more tests", 16, 1 << 30)):
        if count := sum(least <= len(row["tests"]) <= most for row in published):
            yield title, count
    if count := sum(row["kind"] == "asserts" for row in published):
        yield "a test program instead of tests", count
    if count := sum(row["contest_date"] is not None for row in published):
        yield "with a date", count


def _rule(step: Row) -> str:
    return re.sub(r"_v\d+$", "", step["rule"])


if __name__ == "__main__":
    main()
