"""Sections that stand at the end of the statement and as parts of their own stand once afterwards."""

from __future__ import annotations

import pytest

from microcoder_data.process.repeated_sections import RepeatedSections
from microcoder_data.process.sections import Sections
from microcoder_data.rules import apply_rules
from microcoder_data.schema import Row, new_row

pytestmark = pytest.mark.fast

TASK = "Ann has some hats. Count those that are red."
READS = "The first line has the number of hats, $1 \\le n \\le 10^5$.\n\nThe second line has their colours."
PRINTS = "Print the number of red hats."


def row_with(statement: str, reads: str | None = READS, prints: str | None = PRINTS) -> Row:
    return new_row(kind="stdin", statement=statement, input_format=reads, output_format=prints)


@pytest.mark.parametrize(("reads", "prints"), [(READS, PRINTS), (READS, None), (f"{READS}\n", f"\n{PRINTS}\n")])
def test_the_end_of_the_statement_goes(reads: str, prints: str | None) -> None:
    end = "\n\n".join(part.strip() for part in (reads, prints) if part)
    row = row_with(f"{TASK}\n\n{end}\n", reads, prints)
    outcome = RepeatedSections()(row)
    assert outcome is not None and outcome.took_out
    assert (row["statement"], row["input_format"], row["output_format"]) == (TASK, reads, prints)


@pytest.mark.parametrize("heading", ["Output:", "**Output**", "## Output", "**Output Format:**\n"])
def test_the_heading_of_what_goes_is_not_left(heading: str) -> None:
    long = f"{PRINTS} Print them all in one line."
    row = row_with(f"{TASK}\n\n```\nhats\n```\n\n{heading}\n{long}", None, long)
    assert RepeatedSections()(row) is not None
    assert row["statement"] == f"{TASK}\n\n```\nhats\n```"


def test_a_part_under_its_heading_and_of_its_own_stands_once() -> None:
    row = row_with(f"{TASK}\n\nInput:\n{READS}\n\nOutput:\n{PRINTS} One.")
    apply_rules(row, [Sections(), RepeatedSections()], "process")
    assert (row["statement"], row["input_format"]) == (TASK, READS)
    assert row["output_format"] == f"{PRINTS}\n\n{PRINTS} One."


@pytest.mark.parametrize(
    "row",
    [
        row_with(TASK),
        row_with(TASK, None, None),
        row_with(f"{TASK}\n\n{READS}"),
        row_with(f"{TASK}\n\n{READS}\n\nPrint the number of blue hats."),
        row_with(f"{READS}\n\n{PRINTS}"),
        row_with(f"{TASK}\n\n{PRINTS}", None, PRINTS),
        row_with(f"{TASK} {READS}", READS, None),
        row_with(f"{TASK}\n\n```\n{READS}", READS, None),
        row_with(f"{TASK}\n\n~~~\n{READS}\n~~~", f"{READS}\n~~~", None),
        row_with(TASK, "1\n\n1", f"{PRINTS}\n\n{PRINTS}\n\n{PRINTS}"),
    ],
)
def test_other_statements_stay(row: Row) -> None:
    before = dict(row)
    assert RepeatedSections()(row) is None
    assert row == before
