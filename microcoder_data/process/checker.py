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
from microcoder_data.process.any_order import (
    all_in_no_order,
    any_order_in_other_languages,
    parts_in_any_order,
    unordered_inside,
)
from microcoder_data.process.searchable import searchable, with_explanations
from microcoder_data.process.several_answers import several_answers
from microcoder_data.rules import Outcome, changed, marked, rule_name
from microcoder_data.schema import Row, new_checker

_ERROR = Phrases(
    r"(?:absolute|relative)(?:\s+or\s+(?:absolute|relative))?\s+(?:error|difference|deviation|precision|accuracy)|"
    r"error[^.]{0,40}(?:at most|exceed|within|less)|within\s+\$?10|precision of|(?:correct|accurate|precise|exact)\s+(?:up\s+)?to\s+\$?10|"
    r"differs? from (?:the )?(?:\w+ )?(?:answer|value|result|output|one)s? by (?:at most|less than|no more than|not more than)|"
    r"(?:not|never) differ [^.]{0,40}by (?:more than|at most)|"
    r"erreur|fehler|(?:absolut|relativ)\w*[^.]{0,30} (?:fel|feil|fejl|villa|error|erro|fout)",
    "error", "difference", "deviation", "within", "precision", "accuracy", "correct", "accurate", "precise", "exact", "differ",
    "erreur", "fehler", "absolut", "relativ",
)  # fmt: skip
_ERROR_IN_OTHER_LETTERS = Phrases(
    r"誤差|误差|погрешност|похибк|bł[ąę]d", "誤差", "误差", "погрешност", "похибк", "błąd", "błęd"
)
_ABSOLUTE = re.compile(r"absolut|absolue|絶対|绝对|абсолют|bezwzgl")
_RELATIVE = re.compile(r"relativ|rélativ|相対|相对|относит|відносн|(?<!bez)względn")
_LARGER_OF = re.compile(r"/ ?\\?max|\\max")
"""`|a - b| / max(1, |b|)` is the absolute or the relative error."""
_DISTANCE = re.compile(r"\bwithin\b|\bdiffers?\b")
"""How far an answer may be from the right one, if nothing says that it is a relative distance."""
_SENTENCE_END = re.compile(r"\.(?= |$)|。")
TESTS_LOOKED_AT = 8
_TOLERANCE = re.compile(r"10\s*(\^)?\s*\{?\s*[-−–]\s*\{?\s*(\d{1,2})|1e-(\d{1,2})|0?\.(0{1,11})1\b")
_DIFFERENCE = re.compile(r"difference|deviation")
"""What a statement may also be about: there `10 - 6` is no power."""
_LETTERS = r"(?:the |each |every |any |all |your )?(?:individual )?(?:letters?|characters?|answers?|output|words?|strings?|symbols)"
_NO_MATTER = r"(?:(?:(?:does|do|will) ?(?:not|n't) matter)|(?:is|are) (?:not important|unimportant|irrelevant|ignored|not significant))"
_ANY_CASE = Phrases(
    r"(?:letters?|characters?|answers?|output|print|words?|strings?|yes|no)\b[^.]{0,60}in any (?:letter )?(?:case|register)\b(?! of)|(?:any|either) letter case\b|"
    r"(?:print\w*|outputs?|answers?|yes)\b[^.]{0,80}\bupper(?:case)?[- ]or[- ]lower ?case|(?:letters?|characters?|output|print)\b[^.]{0,40} in (?:upper ?case or lower|lower ?case or upper) ?case|"
    r"\b(?:output|outputs|print|answers?|checker|judge|yes|no)\b[^.]{0,60}case[- ]insensitive\b(?![^.]{0,40}\b(?:input|search|comparison)\b)|arbitrary case|"
    r"\bchoose the (?:letter )?case\b[^.]{0,40}\b(?:each|every|any) letter\b|"
    r"\b(?:can|may|could|allowed to|free to) (?:also )?(?:print|output|write|use|display)\b[^.]{0,60}\b(?:upper|lower)[- ]?(?:case)?(?:,? or |/)(?:in )?(?:the )?(?:upper|lower)[- ]?case\b|"
    r"\b(?:print|output|write|display)\b[^.]{0,60}\bin either (?:letter )?case\b|"
    rf"\bcase of {_LETTERS}[^.]{{0,40}} {_NO_MATTER}[^.]{{0,80}}\b(?:accept\w*|correct|valid|outputs?|answers?)\b|\bcase of {_LETTERS} in (?:the |your )?\W?(?:output|answers?|yes|no)\b[^.]{{0,20}} {_NO_MATTER}|"
    rf"\b(?:output|answers?|checker|judge|yes|no)\b[^.]{{0,60}} (?:case of {_LETTERS}|(?:letter |upper-? ?/ ?lower-? ?)?case|capitali[sz]ation)[^.,]{{0,20}} {_NO_MATTER}|"
    r"\b(?:output|answers?|checker|judge) (?:is|are) (?:not|n't) case[- ]sensitive|\bcase[- ]sensitive,? (?:while|but|whereas) the (?:output|answer) is not\b|"
    r"\b(?:outputs?|answers?)\b (?:is|are|will be) (?:compared|checked|accepted|judged|graded) [^.]{0,30}(?:regardless of|ignoring|irrespective of|without regard to) (?:the )?(?:letter )?(?:case|capitali[sz]ation)\b|"
    r"\b(?:yes|no)\b\W{1,8}(?:and|or)\W{1,4}(?:yes|no)\b\W{1,6}(?:will|are|would|is) (?:also )?(?:be )?(?:accepted|recogni[sz]ed|valid)\b",
    "any case", "letter case", "any register", "or lower", "or-lower", "or upper", "case or in", "-insens", "case ins", "case sens", "case-sens", "arbitrary case",
    "choose the", "upper/lower", "lower/upper", "either case", "case of", "case do", "case is", "capitali", "accepted", "compared ", "recogni",
)  # fmt: skip
_ANY_CASE_IN_OTHER_LANGUAGES = Phrases(
    # Chinese, Japanese
    r"(?:输出|答案|打印)[^。，]{0,20}(?:不区分大小写|忽略大小写|任意大小写|大小写(?:均可|皆可|都可|任意|不限|不敏感|无关))|"
    r"(?:大文字|小文字)[^。]{0,16}(?:いずれ|どちら)で[^。]{0,8}も(?:よい|良い|構|正)|出力[^。]{0,30}大文字[^。]{0,4}小文字[^。]{0,6}(?:区別(?:しない|しません|されない|されません)|問わない|問いません)|"
    # Russian, Ukrainian, German, Spanish, Portuguese, French
    r"(?:выв[оеё]\w+|печатать|ответ\w*)[^.]{0,80} (?:в (?:любом|произвольном) регистре|регистр[^.]{0,20} не (?:важен|имеет значения|учитывается))|(?:вив\w+|відповід\w+)[^.]{0,80} (?:у|в) (?:будь-якому|довільному) регістрі|"
    r"(?:ausgabe|antwort)\w*[^.]{0,60}groß-? ?(?:/|und|oder) ?kleinschreibung[^.]{0,20} (?:egal|keine rolle|ignoriert|nicht beachtet)|\b(?:puedes?|pode|peut|pouvez|podés) [^.]{0,60}(?:may[úu]sculas? o (?:en )?min[úu]sculas?|mai[úu]sculas? ou (?:em )?min[úu]sculas?|majuscules? ou (?:en )?minuscules?)",
    "大小写", "大文字", "小文字", "регистр", "регістр", "kleinschreibung", "minúscula", "minuscul",
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

    name: ClassVar[str] = "checker_v19"

    def __call__(self, row: Row) -> Outcome | None:
        if row["checker"] is not None or row["kind"] not in ("stdin", "call"):
            return None
        text = with_explanations(row)
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
        if checker["kind"] == "unordered" and not says_any_order(searchable(text)):
            return marked("guessed: unordered, the statement asks for all and says nothing of their order")
        return changed(checker["kind"], checker["abs"] or checker["rel"])


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
    if allowed := _tolerance(text):
        return new_checker("float", abs=allowed[0], rel=allowed[1])
    if _ANY_CASE.search(text) or (not text.isascii() and _ANY_CASE_IN_OTHER_LANGUAGES.search(text)):
        return new_checker("case_insensitive")
    answers = list(answers)
    if kind != "call" or (answers and all(isinstance(answer, str) for answer in answers)):
        return None  # the grader has no checker for the letters of a text in any order
    if says_any_order(text):
        return unordered(_lists(answers, nested=True) and unordered_inside(text))
    if _lists(answers) and all_in_no_order(text):
        return unordered(_lists(answers, nested=True) and unordered_inside(text))
    return None


def _tolerance(text: str) -> tuple[float, float] | None:
    """The absolute and the relative error within which numbers are right, by the first words about errors that have a
    power of ten near them. 0 where the sentence speaks of the other one only.

    >>> _tolerance("the absolute difference is 10 - 4 = 6. the absolute or relative error is at most 10^{-9}.")
    (1e-09, 1e-09)
    >>> _tolerance("the absolute error is at most 1e-4."), _tolerance("相対誤差が $10^{-6}$ 以下")
    ((0.0001, 0.0), (0.0, 1e-06))
    """
    errors = _ERROR
    error = errors.search(text)
    if error is None and not text.isascii():
        errors = _ERROR_IN_OTHER_LETTERS
        error = errors.search(text)
    while error:
        for found in _TOLERANCE.finditer(text, max(0, error.start() - 120), error.end() + 160):
            power = _power(found)
            if 1 <= power <= 12 and (found[1] or not found[2] or not _DIFFERENCE.search(error[0])):
                return _absolute_and_relative(text, error, found)
        error = errors.search_from(text, error.end())
    return None


def _power(found: re.Match[str]) -> int:
    digits = found[2] or found[3]
    return int(digits) if digits else len(found[4]) + 1


def _absolute_and_relative(text: str, error: re.Match[str], found: re.Match[str]) -> tuple[float, float]:
    """Both errors, of which the sentence with the number `found` may name one, or give a number for each."""
    start, end = _sentence(text, found.start(), found.end())
    if not (_ABSOLUTE.search(text, start, end) or _RELATIVE.search(text, start, end)):
        start, end = _sentence(text, min(error.start(), found.start()), max(error.end(), found.end()))
    absolute, relative = _ABSOLUTE.search(text, start, end), _RELATIVE.search(text, start, end)
    allowed = 10.0 ** -_power(found)
    if relative and not absolute:  # within 1e-5 of the right one, or with a relative error of 1e-5
        absolute = _DISTANCE.search(text, start, relative.start())
        absolute = absolute if absolute and _TOLERANCE.search(text, absolute.end(), relative.start()) else None
    if absolute and relative:
        return _said_behind(text, absolute, end, allowed), _said_behind(text, relative, end, allowed)
    if _LARGER_OF.search(text, start, end + 250):
        return allowed, allowed
    if relative:
        return 0.0, allowed
    return (allowed, 0.0) if absolute or _DISTANCE.search(error[0]) else (allowed, allowed)


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence of a place begins and ends, at most 160 characters away."""
    seen = max(0, start - 160)
    after = _SENTENCE_END.search(text, end, end + 160)
    return max((dot.end() for dot in _SENTENCE_END.finditer(text, seen, start)), default=seen), (
        after.start() if after else end + 160
    )


def _said_behind(text: str, word: re.Match[str], end: int, allowed: float) -> float:
    """The tolerance behind a word in its sentence, or else the only one."""
    number = _TOLERANCE.search(text, word.end(), end)
    return 10.0 ** -_power(number) if number and 1 <= _power(number) <= 12 else allowed


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
