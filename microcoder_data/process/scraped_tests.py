"""The rule for tests that a scraper made of a page's blocks of code.

It pairs all blocks in turn: a figure, a piece of code or a table of the statement becomes an input, and the next block,
which is the first sample's input, becomes its answer. Where the samples were read in the same way, all that follows is
paired anew. HackerRank's tables of an input beside the function's arguments become inputs. Entities that stand for
signs are decoded: see `escaped_tests.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from microcoder_data.process.escaped_tests import unescape_tests
from microcoder_data.process.render import PROSE, whole_text
from microcoder_data.process.two_columns import is_table, without_second_column
from microcoder_data.rules import Outcome, changed, drop
from microcoder_data.schema import Row, new_test

MOST_TESTS, LONGEST, SHORTEST = 20, 5000, 6
"""A page shows no more samples, and no longer ones; blocks with fewer characters are equal to an input by chance."""
_BLOCK = re.compile(
    r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```|((?:^(?: {4}|[ ]{0,3}\t)[^\n]*\n?|^[ \t]*\n)+)", re.DOTALL | re.MULTILINE
)
_CODE = re.compile(r"\A>>>? ?\S|;[ \t]*//|\A[^\n]*(?:\([^\n]*\)|\w)[ \t]*\{[ \t]*$", re.MULTILINE)
"""A session of an interpreter, a statement with a comment, or the head of a function in braces: no input, even if the
block behind it is shown too."""


@dataclass(frozen=True)
class ScrapedTests:
    """Take tables apart that stand as inputs; replace tests that are blocks of the statement by its samples, or drop
    the row."""

    name: ClassVar[str] = "scraped_tests_v4"

    def __call__(self, row: Row) -> Outcome | None:
        tests = row["tests"]
        if row["kind"] != "stdin":
            return None
        escaped = unescape_tests(row)
        tables = sum(map(_take_apart, tests))
        wrong = _wrong(row) if len(tests) <= MOST_TESTS else []
        found = f"not an input and its answer, but blocks of the statement: {wrong[0]['input'][:60]!r}" if wrong else ""
        if wrong == tests[:1] and (pairs := _paired_anew(row)):
            row["samples"] = [{"input": given, "output": wanted, "explanation": None} for given, wanted in pairs]
            row["tests"] = [new_test(given, wanted, public=True, origin="sample") for given, wanted in pairs]
            return changed(f"samples begin behind the first block; were {found}", len(pairs), took_out=True)
        if not wrong or 2 * len(wrong) < len(tests):
            if not (tables or escaped):
                return None
            return changed(f"{tables} tables as inputs, {escaped} tests with entities or tags", took_out=True)
        inputs = {test["input"] for test in wrong}
        samples = [one for one in row["samples"] if not is_table(one["input"]) and one["input"] not in inputs]
        if not samples:
            return drop("tests_from_the_statement", found, len(wrong) / len(tests), 0.5)
        row["tests"] = [new_test(one["input"], one["output"], public=True, origin="sample") for one in samples]
        return changed(f"tests are the samples shown; were {found}", len(wrong), took_out=True)


def _take_apart(test: dict[str, Any]) -> bool:
    cell = without_second_column(test["input"])
    found = cell != test["input"]
    test["input"] = cell
    return found


def _wrong(row: Row) -> list[dict[str, Any]]:
    """Tests with a table in place of a text, or with a block of the statement as input whose answer is not there."""
    tests = [test for test in row["tests"] if not test["ref"] and len(test["input"]) <= LONGEST]
    wrong = [test for test in tests if is_table(test["input"]) or is_table(test["output"])]
    text = whole_text(row)
    if not tests or ("```" not in text and "\n\t" not in text and "\n    " not in text):
        return wrong
    parts = [f"    {row[part]}" for part in PROSE if row[part]]  # the first indentation of a part is gone
    blocks = {_squeezed(found[1] or found[2]) for part in (text, *parts) for found in _BLOCK.finditer(part)}
    whole = _squeezed(text)
    for test in tests:
        cut_out = len(key := _squeezed(test["input"])) >= SHORTEST and key in blocks
        if cut_out and (_CODE.search(test["input"]) or _squeezed(test["output"]) not in whole) and test not in wrong:
            wrong.append(test)
    if wrong:  # the pairs behind it may be a sample's answer with the next one's input
        inputs, answers = ({_squeezed(sample[side]) for sample in row["samples"]} for side in ("input", "output"))
        shifted = [
            test for test in tests if _squeezed(test["input"]) in answers and _squeezed(test["output"]) in inputs
        ]
        wrong += [test for test in shifted if test not in wrong]
    return wrong


def _paired_anew(row: Row) -> list[tuple[str, str]]:
    """The samples without their first side, if they are the tests; none where nothing is left."""
    sides = [sample[side] for sample in row["samples"] for side in ("input", "output")]
    if sides != [test[side] for test in row["tests"] for side in ("input", "output")]:
        return []
    return list(zip(sides[1::2], sides[2::2], strict=False))


def _squeezed(text: str) -> str:
    return "".join(text.split())
