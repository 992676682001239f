"""The rule that chooses a checker by the statement's words: a tolerance, any case, any order.

Other problems with several right answers need a checker program; `several_answers` finds those problems.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from microcoder_data.phrases import Phrases
from microcoder_data.process.several_answers import (
    all_in_no_order,
    any_order_in_other_languages,
    parts_in_any_order,
    searchable,
    searchable_text,
    several_answers,
    unordered_inside,
)
from microcoder_data.rules import Outcome, changed, marked, rule_name
from microcoder_data.schema import Row, new_checker

_ERROR = Phrases(
    r"(?:absolute|relative)(?:\s+or\s+(?:absolute|relative))?\s+(?:error|difference|deviation|precision|accuracy)|"
    r"error[^.]{0,40}(?:at most|exceed|within|less)|within\s+\$?10|precision of|correct\s+(?:up\s+)?to\s+\$?10|"
    r"differs? from (?:the )?(?:\w+ )?(?:answer|value|result|output|one)s? by (?:at most|less than|no more than|not more than)|"
    r"(?:not|never) differ [^.]{0,40}by (?:more than|at most)",
    "error", "difference", "deviation", "within", "precision", "accuracy", "correct", "differ",
)  # fmt: skip
TESTS_LOOKED_AT = 8
_TOLERANCE = re.compile(r"10\s*(\^)?\s*\{?\s*[-−–]\s*\{?\s*(\d{1,2})|1e-(\d{1,2})|0?\.(0{1,11})1\b")
_DIFFERENCE = re.compile(r"difference|deviation")
"""What a statement may also be about: there `10 - 6` is no power."""
_ANY_CASE = Phrases(
    r"(?:letters?|characters?|answers?|output|print|words?|strings?|yes|no)\b[^.]{0,60}in any (?:letter )?(?:case|register)\b(?! of)|(?:any|either) letter case\b|"
    r"(?:print\w*|outputs?|answers?|yes)\b[^.]{0,80}\bupper(?:case)?[- ]or[- ]lower ?case|(?:letters?|characters?|output|print)\b[^.]{0,40} in (?:upper ?case or lower|lower ?case or upper) ?case|"
    r"\b(?:output|outputs|print|answers?|checker|judge|yes|no)\b[^.]{0,60}case[- ]insensitive\b(?![^.]{0,40}\b(?:input|search|comparison)\b)|arbitrary case|"
    r"\bchoose the (?:letter )?case\b[^.]{0,40}\b(?:each|every|any) letter\b",
    "in any case", "in any letter case", "in any register", "letter case", "or lower", "or-lower", "or upper", "case-insensitive",
    "case insensitive", "arbitrary case", "choose the",
)  # fmt: skip
_SPACES_COUNT = Phrases(
    r"\b(?:white ?spaces?|spaces|blanks)(?: characters)? (?:counts?|matters?|(?:is|are) (?:significant|compared))\b(?! (?:as|towards?|for)\b)|"
    r"\b(?:match(?:es|ed)?|agrees?|equals?|compared|identical)\b[^.]{0,60}\b(?:including|even|also) (?:in )?(?:all |the |every |any )?(?:leading |trailing )?(?:white ?spaces?|spaces|blanks)\b",
    "space", "blanks",
)  # fmt: skip
"""Searched only in the output format: elsewhere the words may be about the input."""
_CHOICE = re.compile(r"\b(?:any(?:one)?|one)\b|任[意何一]")
_ORDER = re.compile(r"order|顺序")
_OF_THE_LETTERS = re.compile(r"\balso\b|\bchecker\b")
"""`yEs would also be accepted` says how an answer may be written."""
_RETURNED_ANY_ORDER = Phrases(
    r"(?:return|answer|output|result|solution|list)[^.]{0,80}(?:in|with) (?:any (?:arbitrary )?|arbitrary |whatever )order(?! that (?:satisf|meet|fulfil))",
    "any order",
    "arbitrary order",
    "whatever order",
)


@dataclass(frozen=True)
class FindChecker:
    """Choose a checker by the statement's words; a checker that the source gave is kept."""

    name: ClassVar[str] = "checker_v13"

    def __call__(self, row: Row) -> Outcome | None:
        if row["checker"] is not None or row["kind"] not in ("stdin", "call"):
            return None
        text = searchable_text(row)
        checker = checker_from(text, row["kind"], _expected_values(row) if row["kind"] == "call" else ())
        if checker is None and (words := spaces_count(row)) and not several_answers(row):
            row["checker"] = new_checker("exact")
            return marked(f"guessed: exact, the statement says {words!r}")
        if checker is None:
            return None
        words = several_answers(row) or ""
        made = checker["kind"] == "case_insensitive" and words and not _OF_THE_LETTERS.search(words)
        about = _ORDER if checker["kind"] == "unordered" else _ERROR
        if (made or _CHOICE.search(words)) and not about.search(words):
            return None  # right answers differ in more than letter case, rounding or order
        row["checker"] = checker
        if checker["kind"] == "unordered" and not says_any_order(text):
            return marked("guessed: unordered, the statement asks for all and says nothing of their order")
        return changed(checker["kind"], checker["abs"])


def says_any_order(text: str) -> bool:
    """Whether the text says that the order does not matter; `text` comes from `searchable(...)`."""
    return bool(
        parts_in_any_order(text, _RETURNED_ANY_ORDER) or parts_in_any_order(text) or any_order_in_other_languages(text)
    )


def spaces_count(row: Row) -> str | None:
    """The words of the output format that say that spaces are compared, if the known answers still have all of theirs.

    A source that cuts the white space at the end of an answer may have cut more.

    >>> from microcoder_data.schema import new_row
    >>> spaces_count(new_row(output_format="Spaces count.", samples=[{"input": "1", "output": " x\\n"}]))
    'spaces count'
    """
    answers = [one["output"] for one in row["tests"] or row["samples"] or () if not one.get("ref")]
    if row["kind"] == "call" or not answers or not all(answer and answer.endswith("\n") for answer in answers):
        return None
    found = _SPACES_COUNT.search(searchable(row["output_format"] or ""))
    return found[0] if found else None


def has_guessed_checker(row: Row) -> bool:
    """Whether the row's checker was guessed, because the text does not say all: execution must confirm it."""
    name = rule_name(FindChecker.name)
    return any(step["outcome"] == "marked" and rule_name(step["rule"]) == name for step in row["provenance"] or ())


def checker_from(text: str, kind: str, answers: Sequence[Any] = ()) -> dict[str, Any] | None:
    """The checker that the text asks for, or None for the default (tokens). `answers` are those of a function's tests.

    >>> checker_from("Your absolute or relative error must not exceed 10^{-6}.", "stdin")["abs"]
    1e-06
    """
    text = searchable(text)
    if power := _tolerance(text):
        return new_checker("float", abs=10.0**-power, rel=10.0**-power)
    if _ANY_CASE.search(text):
        return new_checker("case_insensitive")
    answers = list(answers)
    if kind != "call" or (answers and all(isinstance(answer, str) for answer in answers)):
        return None  # the grader has no checker for the letters of a text in any order
    if says_any_order(text):
        return unordered(_lists(answers, nested=True) and unordered_inside(text))
    if _lists(answers) and all_in_no_order(text):
        return unordered(_lists(answers, nested=True) and unordered_inside(text))
    return None


def _tolerance(text: str) -> int | None:
    """The power of ten within which numbers are right: that of the first words about errors that have one near them.

    >>> _tolerance("the absolute difference is 10 - 4 = 6. the relative error is at most 10^{-9}.")
    9
    """
    error = _ERROR.search(text)
    while error:
        for found in _TOLERANCE.finditer(text, max(0, error.start() - 120), error.end() + 160):
            digits = found[2] or found[3]
            power = int(digits) if digits else len(found[4]) + 1
            if 1 <= power <= 12 and (found[1] or not found[2] or not _DIFFERENCE.search(error[0])):
                return power
        error = _ERROR.search_from(text, error.end())
    return None


def unordered(nested: bool) -> dict[str, Any]:
    """A checker of elements in any order; `nested`: inner lists may be in any order too."""
    return new_checker("unordered", of="elements", nested=nested or None)


def _expected_values(row: Row) -> list[Any]:
    """The expected values of a function's first tests."""
    found = []
    for test in row["tests"][:TESTS_LOOKED_AT]:
        if not test["ref"]:
            try:
                found.append(json.loads(test["output"]))
            except ValueError:
                continue
    return found


def _lists(answers: list[Any], nested: bool = False) -> bool:
    """Whether every answer is a list and one has several elements; with `nested`, whether they are lists of lists."""
    if not answers or not all(isinstance(answer, list) for answer in answers):
        return False
    if nested:
        return all(isinstance(part, list) for answer in answers for part in answer) and any(answers)
    return any(len(answer) > 1 for answer in answers)
