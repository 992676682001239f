"""The rule that compares samples with tests: the same input must have the same output.

A sample that is not among the tests becomes a public test (stdin). Where a sample contradicts a test, one of
the two is wrong, and nothing says which.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from microcoder_data.compare.examples import by_input, canonical
from microcoder_data.process.explanations import remark_of, together
from microcoder_data.process.several_answers import several_answers
from microcoder_data.rules import Outcome, changed, drop, kept, marked
from microcoder_data.schema import Row, new_test

SHOWN = 3
_EMPTY_LINE = re.compile(r"\r?\n[ \t\r]*\n")
_DOTS = re.compile(r"\s*(?:\.\.\.|…)\s*\Z")
_WORD = re.compile("[A-Za-z]{2}")
_SENTENCE = re.compile(r"\b[A-Za-z]{2,}(?: [^ .\n]+){4,}[.:](?=\s|\W?\Z)")
_INDENTED_NUMBERS = re.compile(r"[ \t][\d\s.+-]*")
_BLANK = re.compile(r"\b(?:blank|empty)[- ]?lines?\b", re.IGNORECASE)
SHOWN_BYTES = 2000
_VALUE = json.JSONDecoder()
_REPEATED_HEADING = re.compile(r"^\s*(?:Output|输出)\s*[:：]\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Samples:
    """Reconcile samples and tests."""

    name: ClassVar[str] = "samples_v11"
    contradiction: Literal["drop", "mark"] = "drop"
    """What becomes of a row whose sample and test give different answers to the same input."""
    add_to_tests: bool = True
    """Make samples that are not among the tests public tests."""

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] in ("call", "asserts"):
            for sample in row["samples"]:
                _separate_remark(sample)
        if row["kind"] not in ("stdin", "call"):
            return None
        if not row["samples"]:
            return _show_public_tests(row)
        if row["kind"] == "stdin":
            _close_up(row)
            _take_forms(row)
        find = by_input([test for test in row["tests"] if not test["ref"]])
        matched = 0
        contradiction = None
        for sample in row["samples"]:
            test = find(sample["input"])
            if test is None:
                continue
            matched += 1
            test["public"] = True
            if not _agree(sample["output"], test["output"]):
                contradiction = (
                    contradiction or f"{sample['output'][:60]!r} in the statement, {test['output'][:60]!r} in the tests"
                )
            elif row["kind"] == "stdin":
                _take_output(sample, test["output"])
        share = matched / len(row["samples"])
        if contradiction and row["checker"] is None and not several_answers(row):
            if self.contradiction == "drop":
                return drop("sample_contradicts_test", contradiction, share)
            return marked(contradiction, share)
        added = self._add(row, find) if matched < len(row["samples"]) and row["kind"] == "stdin" else 0
        return changed(f"{added} samples became tests", share) if added else kept(share)

    def _add(self, row: Row, find: Callable[[str], dict[str, Any] | None]) -> int:
        if not self.add_to_tests or not row["tests"]:
            return 0
        new = [sample for sample in row["samples"] if sample["input"] and find(sample["input"]) is None]
        extra = [new_test(sample["input"], sample["output"], public=True, origin="sample") for sample in new]
        row["tests"] = extra + row["tests"]
        return len(extra)


def _close_up(row: Row) -> None:
    """Take the empty lines out of samples whose every line a page has set apart, where no test has an empty line and
    the input format speaks of none."""
    tests = [test for test in row["tests"] if not test["ref"]]
    if _BLANK.search(row["input_format"] or ""):
        return
    for sample in row["samples"]:
        fewest = 3
        for side in ("input", "output"):
            lines = _EMPTY_LINE.split((sample[side] or "").strip("\n").rstrip())
            apart = len(lines) >= fewest and not any("\n" in line for line in lines)
            if side == "output" and not all(map(_is_value, lines)):
                continue  # a remark may follow the answer
            if apart and tests and not any(_EMPTY_LINE.search((test[side] or "").strip()) for test in tests):
                sample[side] = "\n".join(map(str.rstrip, lines))
                fewest = 2  # of an output, beside such an input


def _take_forms(row: Row) -> None:
    """Give sample and test one form: a sample among whose words a test stands becomes that test, lines that a page has
    indented lose their indentation, and a test gets back the blank lines of which the input format speaks."""
    tests = [test for test in row["tests"] if not test["ref"] and test["input"].strip()]
    spaced = _BLANK.search(row["input_format"] or "") is not None
    for sample in row["samples"]:
        shown = _filled_lines(sample["input"] or "")
        for test in tests:
            lines = _filled_lines(test["input"])
            if shown == lines:
                if _INDENTED_NUMBERS.fullmatch(sample["input"]) and test["input"][:1] not in " \t":
                    sample["input"] = test["input"].replace("\r\n", "\n")
                elif spaced and _EMPTY_LINE.search(sample["input"]) and not _EMPTY_LINE.search(test["input"]):
                    test["input"] = sample["input"]
            elif len(lines) > 2 * len(shown) > 2 and _same_characters(test, sample):
                test["input"] = sample["input"]  # a scraper has put each word on a line
            elif _is_among_sentences(lines, shown) and _is_inside(test["output"], sample["output"]):
                words = "\n\n".join(text for text in (sample["input"], sample["output"]) if text)
                sample["explanation"] = together(words, sample["explanation"])
                sample["input"], sample["output"] = (test[side].replace("\r\n", "\n") for side in ("input", "output"))
            else:
                continue
            break


def _same_characters(test: dict[str, Any], sample: dict[str, Any]) -> bool:
    """Whether both sides of a test are a sample's without white space; of another test, only the input may be."""
    return all("".join(test[side].split()) == "".join((sample[side] or "").split()) for side in ("input", "output"))


def _filled_lines(text: str) -> list[str]:
    """The lines with anything on them, each with single spaces."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _is_among_sentences(lines: list[str], longer: list[str]) -> bool:
    """Whether these lines are in others, one behind the other, and sentences are around them."""
    places = (at for at in range(len(longer) - len(lines) + 1) if longer[at : at + len(lines)] == lines)
    at = next(places, None)
    return at is not None and any(map(_SENTENCE.search, longer[:at] + longer[at + len(lines) :]))


def _is_inside(answer: str, shown: str) -> bool:
    inner, outer = ("\n".join(["", *_filled_lines(text), ""]) for text in (answer, shown))
    return inner in outer


def _is_value(line: str) -> bool:
    return "](" not in line and (len(line.split()) < 4 or _WORD.search(line) is None)


def _separate_remark(sample: dict[str, Any]) -> None:
    """Move text below a function's answer, or a comment behind it, to the explanation.

    >>> sample = {"output": "true\\nWe can sort it.", "explanation": None}
    >>> _separate_remark(sample)
    >>> sample
    {'output': 'true', 'explanation': 'We can sort it.'}
    >>> sample = {"output": "24 # sum of 21 + 3", "explanation": None}
    >>> _separate_remark(sample)
    >>> sample
    {'output': '24', 'explanation': 'sum of 21 + 3'}
    """
    text = _REPEATED_HEADING.sub("", sample["output"] or "")
    try:
        _, end = _VALUE.raw_decode(text)
    except (ValueError, RecursionError):
        return
    remark = text[end:]
    if not remark.strip():
        sample["output"] = text
    elif remark.lstrip(" \t").startswith(("\n", "# ")):
        sample["output"] = text[:end]
        sample["explanation"] = together(remark_of(remark), sample["explanation"])


def _take_output(sample: dict[str, Any], expected: str) -> None:
    """Replace the sample's output by the test's; a remark after the answer moves to the explanation."""
    answer, _, remark = sample["output"].partition("\n\n")
    if remark and canonical(answer) == canonical(expected) != canonical(sample["output"]):
        sample["explanation"] = together(remark.strip(), sample["explanation"])
    sample["output"] = expected.replace("\r\n", "\n")


def _show_public_tests(row: Row) -> Outcome | None:
    """Give a row without samples its first short public tests as samples."""
    public = [test for test in row["tests"] if test["public"] and not test["ref"]]
    short = [test for test in public if len(test["input"]) + len(test["output"]) <= SHOWN_BYTES][:SHOWN]
    if not short:
        return None
    row["samples"] = [
        {side: test[side].replace("\r\n", "\n") for side in ("input", "output")} | {"explanation": None}
        for test in short
    ]
    return changed(f"{len(short)} public tests are shown as samples")


def _agree(shown: str, expected: str) -> bool:
    """Whether a sample's output is the test's: the same tokens, or numbers that differ by rounding.

    If a sample ends in dots, it was cut: the text before the dots must be the beginning of the test's output. Text
    after the whole answer and an empty line is a remark.

    >>> _agree("", "5"), _agree("1", "12"), _agree("1 2 ...", "1 2 3"), _agree("7\\n\\nSince 3 + 4 = 7.", "7")
    (False, False, True, True)
    """
    ours, theirs = canonical(shown), canonical(expected)
    if ours == theirs or close(ours.split(), theirs.split()):
        return True
    cut = _DOTS.sub("", shown)
    if cut != shown and cut.strip():
        return f"{theirs} ".startswith(f"{canonical(cut)} ")
    answer, _, remark = shown.partition("\n\n")
    return bool(remark) and bool(theirs) and canonical(answer) == theirs


def close(ours: list[str], theirs: list[str]) -> bool:
    """Whether the tokens are equal, except for numbers that differ by rounding.

    >>> close(["1.5"], ["1.50000000000000000000"]), close(["15"], ["15000"])
    (True, False)
    """
    if len(ours) != len(theirs):
        return False
    for one, other in zip(ours, theirs, strict=True):
        if one != other:
            try:
                if abs(float(one) - float(other)) > 1e-3 * max(1.0, abs(float(other))) or "." not in one + other:
                    return False
            except ValueError:
                return False
    return True
