"""The rule for tests that a scraper made of a page's blocks of code.

It pairs all blocks in turn: a figure, a piece of code or a table of the statement becomes an input, and the next block,
which is the first sample's input, becomes its answer. Where the samples were read in the same way, all that follows is
paired anew. An input that does not begin as the input format says is such a block too, as is one that repeats another
test and goes on with an arrow, where tests without arrows are beside it. HackerRank's tables of an input beside the
function's arguments become inputs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from microcoder_data.process.input_shape import shape_of
from microcoder_data.process.page_blocks import PageBlocks, squeezed
from microcoder_data.process.two_columns import is_table, without_second_column
from microcoder_data.rules import Outcome, changed, drop
from microcoder_data.schema import Row, new_test

MOST_TESTS, LONGEST, SHORTEST = 20, 5000, 6
"""A page shows no more samples, and no longer ones; blocks with fewer characters are equal to an input by chance."""
_CODE = re.compile(
    r"\A>>>? ?\S[^\n]*\n|\Aimport [\w.]+[ \t]*$|;[ \t]*//|\A[^\n]*(?:\([^\n]*\)|\w)[ \t]*\{[ \t]*$", re.MULTILINE
)
"""A session of an interpreter, an import, a statement with a comment, or the head of a function in braces: no input,
even if the block behind it is shown too. A scraper may put each word on a line, so the statement's block is searched
as well."""
_READS_CODE = re.compile(r"\b(?:code|programs?|snippets?|scripts?|source)\b", re.IGNORECASE)
_WORD = re.compile("[A-Za-z]{2}")
"""One block of numbers among several tests may be an example whose answer the text says in other words."""
_AN_INTEGER = re.compile(r"\s*[-+]?\d+[ \t\r]*(?:\n|\Z)")
_INTEGER = re.compile(r"[-+]?\d+")
_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
_A_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ARROW = re.compile(r"\s*(?:→|⇒|[-=]+>)")
_ENDS = ("input", "output")
_AROUND_PARTS = re.compile(r"[\s\"'`$*]+")
"""What a text may have around the parts of an answer."""


@dataclass(frozen=True)
class ScrapedTests:
    """Take tables apart that stand as inputs; replace tests that are blocks of the statement by its samples, or drop
    the row."""

    name: ClassVar[str] = "scraped_tests_v12"

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] != "stdin":
            return None
        tests = row["tests"]
        tables = sum(map(_take_apart, tests))
        page = PageBlocks(row)
        wrong, certain = _wrong(row, page) if len(tests) <= MOST_TESTS else ([], False)
        found = f"not an input and its answer, but blocks of the statement: {wrong[0]['input'][:60]!r}" if wrong else ""
        if wrong == tests[:1] and (pairs := _paired_anew(row)):
            row["samples"] = [{"input": given, "output": wanted, "explanation": None} for given, wanted in pairs]
            row["tests"] = [new_test(given, wanted, public=True, origin="sample") for given, wanted in pairs]
            return changed(f"samples begin behind the first block; were {found}", len(pairs), took_out=True)
        if odd := _against_the_format(row) if len(tests) <= MOST_TESTS else []:
            only_odd = not wrong
            wrong += [test for test in odd if test not in wrong]
            found = found or f"not as the input format says: {odd[0]['input'][:60]!r}"
            rest = [t for t in tests if not (_paired_late(t) or squeezed(t["output"]) in page.not_printed)]
            rest = [test for test in rest if test not in wrong]
            fits = shape_of(row["input_format"])
            shifted = fits is not None and any("\n" in test["output"] and fits(test["output"]) for test in odd + rest)
            rest = [] if shifted or any(map(_answers_the_next, rest)) else rest
            if rest and (only_odd or not row["samples"]):
                row["tests"] = rest
                return changed(f"taken out: {found}", len(tests) - len(rest), took_out=True)
        elif not wrong or not (
            certain or 2 * len(wrong) >= len(tests) or any(_WORD.search(test["input"]) for test in wrong)
        ):
            return changed("tables as inputs", tables, took_out=True) if tables else None
        inputs = {test["input"] for test in wrong}
        samples = [one for one in row["samples"] if not is_table(one["input"]) and one["input"] not in inputs]
        if not samples:
            return drop("tests_from_the_statement", found, len(wrong) / len(tests), 0.0)
        known = {squeezed(test["input"]): test for test in reversed(tests) if test not in wrong}
        row["tests"] = [
            known.get(squeezed(one["input"])) or new_test(one["input"], one["output"], public=True, origin="sample")
            for one in samples
        ]
        return changed(f"tests are the samples shown; were {found}", len(wrong), took_out=True)


def _take_apart(test: dict[str, Any]) -> bool:
    cell = without_second_column(test["input"])
    found = cell != test["input"]
    test["input"] = cell
    return found


def _wrong(row: Row, page: PageBlocks) -> tuple[list[dict[str, Any]], bool]:
    """Tests with a table in place of a text, or with a block of the statement as input whose answer is not there; and
    whether one of them shows that blocks of the statement were paired: both sides are, and another test is none."""
    tests = [test for test in row["tests"] if not test["ref"] and len(test["input"]) <= LONGEST]
    wrong = [test for test in tests if is_table(test["input"]) or is_table(test["output"])]
    plain = any(not (_ARROW.search(test["input"]) or _ARROW.search(test["output"])) for test in tests)
    shown = {(squeezed(sample["input"]), squeezed(sample["output"])) for sample in row["samples"]}
    repeated = [
        test
        for test in tests
        if plain
        and test not in wrong
        and _goes_on(test, tests)
        and (squeezed(test["input"]), squeezed(test["output"])) not in shown
    ]
    wrong += repeated
    certain = bool(repeated)
    if not tests or not page.may_have_any():
        return wrong, certain
    given = {squeezed(test["input"]) for test in tests}
    if not wrong and not page.may_show_any(given):
        return [], False  # known without a search for blocks, which takes long
    inputs, answers = ({pair[side] for pair in shown} for side in (0, 1))
    apart = any(squeezed(test[end]) not in page.every for test in tests for end in _ENDS)
    may_pair = apart or not (row["input_format"] or row["samples"])
    reads_code = _READS_CODE.search(row["input_format"] or "") is not None
    for test in tests:
        key, answer = squeezed(test["input"]), squeezed(test["output"])
        others = given - {key}
        if test in wrong:
            continue
        if _is_printed(key, page) and "\n" in test["input"].strip() and not {answer, key} & (inputs | others):
            wrong.append(test)
            certain = True
            continue
        both = may_pair and answer in page.not_printed
        long = len(key) >= SHORTEST or (both and len(key) + len(answer) > SHORTEST + 2)
        if not long or key not in page.examples or answer in others:
            continue
        paired = both and (key, answer) not in shown
        next_input = answer in inputs and (key, answer) not in shown
        certain = certain or (paired and apart)
        code = not reads_code and _is_code(test["input"], page.examples[key].text)
        if code or next_input or paired or not _has_its_answer(test, page, (key, answer) in shown):
            wrong.append(test)
    if wrong:  # the pairs behind it may be a sample's answer with the next one's input
        for test in tests:
            key, answer = squeezed(test["input"]), squeezed(test["output"])
            if key in answers and answer in inputs and (key, answer) not in shown and test not in wrong:
                wrong.append(test)
    return wrong, certain


def _is_printed(key: str, page: PageBlocks) -> bool:
    """Whether a text is only shown as what is printed."""
    return key in page.every and key not in page.not_printed


def _is_code(given: str, block: str) -> bool:
    return _CODE.search(given) is not None or _CODE.search(block.strip()) is not None


def _has_its_answer(test: dict[str, Any], page: PageBlocks, is_sample: bool) -> bool:
    """Whether the page says a test's answer: anywhere if it is a sample's, else behind the block."""
    if is_sample:
        return _in_one_form(test["output"]) in _in_one_form(page.text)
    return _is_said(test["output"], page.examples[squeezed(test["input"])].behind)


def _goes_on(test: dict[str, Any], tests: list[dict[str, Any]]) -> bool:
    """Whether a side of a test is another test's input or answer and, behind an arrow, what becomes of it."""
    for side in (test["input"].strip(), test["output"].strip()):
        arrow = _ARROW.search(side)
        before = squeezed(side[: arrow.start()]) if arrow else ""
        if before and any(before == squeezed(one[end]) for one in tests if one is not test for end in _ENDS):
            return True
    return False


def _is_said(answer: str, behind: str) -> bool:
    """Whether the text behind an example says its answer; a number is a word of its own there."""
    wanted, text = _in_one_form(answer), behind
    if _A_NUMBER.fullmatch(wanted):
        alike = re.sub(r"[\"'`$*]", " ", _DECIMAL.sub(_short, text))
        return re.search(rf"(?<![\w.-]){re.escape(wanted)}(?!\w|\.\d)", alike) is not None
    return wanted in _in_one_form(text)


def _against_the_format(row: Row) -> list[dict[str, Any]]:
    """Tests that do not begin as the input format says, where a test or a sample does."""
    if (fits := shape_of(row["input_format"])) is None:
        return []
    shown = {squeezed(sample["input"]) for sample in row["samples"]}
    tests = [test for test in row["tests"] if not test["ref"] and len(test["input"]) <= LONGEST]
    odd = [test for test in tests if not fits(test["input"])]
    samples_fit = [fits(sample["input"]) for sample in row["samples"]]
    if any(samples_fit) and not all(samples_fit):
        return []  # the format goes on with an exception: "only b may be replaced by a letter"
    as_said = len(odd) < len(row["tests"]) or any(samples_fit)
    return [test for test in odd if squeezed(test["input"]) not in shown] if as_said else []


def _paired_late(test: dict[str, Any]) -> bool:
    """Whether an answer looks like the next input: behind a lone block all pairs are of an answer and an input."""
    lines_read, lines_printed = (test[side].strip().count("\n") for side in ("input", "output"))
    return lines_read <= lines_printed != 0 and _AN_INTEGER.match(test["output"]) is not None


def _answers_the_next(test: dict[str, Any]) -> bool:
    """Whether input and answer begin with lines of as many integers, two or more: the answer is the next input."""
    first, answer = (f"{test[side].strip()}\n".partition("\n")[0].split() for side in ("input", "output"))
    return len(first) == len(answer) > 1 and all(map(_INTEGER.fullmatch, first + answer))


def _paired_anew(row: Row) -> list[tuple[str, str]]:
    """The samples without their first side, if they are the tests; none where nothing is left."""
    sides = [sample[side] for sample in row["samples"] for side in ("input", "output")]
    if sides != [test[side] for test in row["tests"] for side in ("input", "output")]:
        return []
    return list(zip(sides[1::2], sides[2::2], strict=False))


def _in_one_form(text: str) -> str:
    """A text as answers are looked for in it: `YES` and `**Yes**`, `6.199999` and `6.2` are one answer."""
    return _AROUND_PARTS.sub("", _DECIMAL.sub(_short, text)).lower()


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
