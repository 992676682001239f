"""What would keep a row that a rule drops: the key of the recipe that decides, and the value that lets the row through.

    remedy_of(entry)              # Remedy(key="process.completeness.samples", value="false", ...)

It reads a row's entry in `dropped/` and changes nothing. Where no key decides (a broken record, right solutions that
fail every test), it says what to mend in the data.
"""

from __future__ import annotations

import math
import typing
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from microcoder_data.compare.settings import CONTAMINATION_RULE, DUPLICATES_RULE
from microcoder_data.faults import RULE_FAILED, UNFORESEEN_RECORD
from microcoder_data.reasons import Reason
from microcoder_data.recipe import Recipe
from microcoder_data.rules import rule_name

How = Literal["set", "at_most", "at_least", "add", "off", "unlink", "data"]
"""`at_most`, `at_least`: the key is an upper or a lower bound of the entry's statistic. `add`: the key is a list.
`off`: the rule is switched off. `unlink`: two rows are no longer compared for what the key stands for, but they may be
for something else. `data`: no key decides, the data must be mended."""
Value = bool | int | float | str | list[str]


class Remedy(NamedTuple):
    """How a dropped row would be kept."""

    key: str
    """The key of the recipe; empty when no key decides."""
    value: Value
    """What to set it to, or to add to its list; when no key decides, what to mend in the data."""
    how: How = "set"

    def __str__(self) -> str:
        if self.how == "data":
            return str(self.value)
        if isinstance(self.value, list):
            return f"add {', '.join(self.value)} to {self.key}"
        if self.how == "unlink":
            return f"{self.key}: false ({_DUPLICATES}: false if they are merged for something else then)"
        return f"{self.key}: {str(self.value).lower() if isinstance(self.value, bool) else self.value}"


class _Rule(NamedTuple):
    """The remedy for one reason of a rule; `key` is a key of the rule's section."""

    key: str
    value: bool | str = ""
    how: How = "set"


_REMEDIES: dict[tuple[str, str], _Rule] = {
    ("completeness", "no_samples"): _Rule("samples", False),
    ("completeness", "no_input_section"): _Rule("sections", False),
    ("completeness", "no_output_section"): _Rule("sections", False),
    ("completeness", "missing_image"): _Rule("images", "ignore"),
    ("completeness", "too_few_tests"): _Rule("min_tests", how="at_least"),
    ("completeness", "truncated_tests"): _Rule("min_tests", how="at_least"),
    ("completeness", "no_statement"): _Rule("", "the record needs a statement", "data"),
    ("language", "language"): _Rule("keep", how="add"),
    ("samples", "sample_contradicts_test"): _Rule("contradiction", "mark"),
    ("scraped_tests", "tests_from_the_statement"): _Rule("", "its tests must not be blocks of its statement", "data"),
    ("text", "binary_text"): _Rule("max_binary_share", how="at_most"),
    ("markup", "nested_too_deeply"): _Rule("", "its statement must close its tags", "data"),
    ("fidelity", "text_lost"): _Rule("max_loss", how="at_most"),
    ("quality", "too_few_words"): _Rule("min_words", how="at_least"),
    ("quality", "too_few_words_with_code"): _Rule("min_words_with_code", how="at_least"),
    ("quality", "too_long"): _Rule("max_characters", how="at_most"),
    ("quality", "too_few_letters"): _Rule("min_letter_share", how="at_least"),
    ("quality", "repetitive"): _Rule("max_repeated_line_share", how="at_most"),
    ("quality", "markup_left"): _Rule("max_leftovers", how="at_most"),
    ("window", "no_date"): _Rule("dated_only", False),
    ("window", "too_old"): _Rule("since", False),
    ("window", "too_new"): _Rule("before", False),
    ("window", "level"): _Rule("levels", how="add"),
    ("window", "too_easy"): _Rule("min_rating", how="at_least"),
    ("window", "too_hard"): _Rule("max_rating", how="at_most"),
    ("window", "language"): _Rule("languages", how="add"),
    ("window", "license"): _Rule("licenses", how="add"),
    ("relevance", "needs_a_checker"): _Rule("need_checker", False),
    ("relevance", "interactive"): _Rule("io", "interactive", "add"),
    ("relevance", "file"): _Rule("io", "file", "add"),
    ("relevance", "output_only"): _Rule("io", "output_only", "add"),
    ("readability", "unreadable"): _Rule("min_readability", how="at_least"),
    ("readability", "incomplete"): _Rule("min_completeness", how="at_least"),
    ("tests", "too_few_tests"): _Rule("min_tests", how="at_least"),
    ("tests", "one_answer_fits_all"): _Rule("min_distinct_outputs", how="at_least"),
    ("test_integrity", "unsound_tests"): _Rule("max_broken_share", how="at_most"),
    ("test_integrity", "needs_a_checker"): _Rule("", "several answers are right: the record needs a checker", "data"),
    ("test_integrity", "no_tests"): _Rule("", "the record needs tests", "data"),
    ("test_integrity", "no_sound_tests"): _Rule("", "its tests must be mended as the detail says", "data"),
    ("gradable", "not_gradable"): _Rule("", "the record must be mended as the detail says", "data"),
    ("gradable", "test_code_does_not_parse"): _Rule("", "its test code must be Python", "data"),
    ("gradable", "checker_does_not_parse"): _Rule("", "its checker must be Python", "data"),
    ("gradable", "entry_point_not_in_starter_code"): _Rule("", "its starter code must define the entry point", "data"),
    ("execution", "no_reference"): _Rule("required", False),
    ("execution", "needs_checker"): _Rule("several_answers", "mark"),
    ("execution", "solutions_contradict_tests"): _Rule("max_dropped_share", how="at_most"),
    ("execution", "not_gradable"): _Rule("", "its tests must be ones that the grader can run: see the detail", "data"),
    ("execution", "sample_contradicts_test"): _Rule("", "its examples and its right solution must agree", "data"),
    ("execution", "too_few_solutions_agree"): _Rule("agreeing", how="at_least"),
    ("execution", "not_deterministic"): _Rule("", "its right solution must give the same answer twice", "data"),
    ("test_programs", "answer_in_statement"): _Rule("", "its statement must not hold the answer", "data"),
    ("test_programs", "tests_ignore_the_answer"): _Rule("", "its test program must judge the submission", "data"),
    ("test_programs", "not_deterministic"): _Rule("", "its tests must not depend on the machine", "data"),
    ("test_programs", "sample_contradicts_test"): _Rule("", "its examples and its tests must agree", "data"),
    ("test_programs", "incomplete"): _Rule("", "its statement must say what the tests pass", "data"),
    ("test_programs", "contradictory_statement"): _Rule("", "its statement and its tests must agree", "data"),
    ("test_programs", "needs_a_checker"): _Rule("need_checker", False),
    ("strength", "right_solutions_rejected"): _Rule("min_accepted", how="at_least"),
    ("strength", "strength_unknown"): _Rule("unknown", "keep"),
    ("strength", "weak_tests"): _Rule("min_rejected", how="at_least"),
    ("strength", "strength_uncertain"): _Rule("min_rejected_low", how="at_least"),
    ("pass_rate", "solved_too_rarely"): _Rule("lowest", how="at_least"),
    ("pass_rate", "solved_too_often"): _Rule("highest", how="at_most"),
    ("pass_rate", "pass_rate_unknown"): _Rule("unknown", "keep"),
    ("still_whole", "too_few_tests_left"): _Rule("", "its tests must be mended: solutions contradict them", "data"),
    ("fit", "too_few_tests"): _Rule("min_tests", how="at_least"),
    ("fit", "weak_tests"): _Rule("min_strength", how="at_least"),
    ("fit", "strength_unknown"): _Rule("enough_tests", how="at_least"),
}
_DUPLICATES = "compare.duplicates"
_LINKS = {
    "same_tests": "tests",
    "same_address": "addresses",
    "near_text": "near",
    "same_samples": "samples",
    "same_name": "samples",
}
"""Which key lets rows be compared for a reason. Equal texts always are."""


def remedy_of(entry: Mapping[str, Any]) -> Remedy:
    """What would keep a row, from its entry in `dropped/`.

    >>> remedy_of({"rule": "quality_v4", "outcome": "dropped", "reason": "too_few_words", "statistic": 9.0})
    Remedy(key='filter.quality.min_words', value=9, how='at_least')
    """
    rule, reason = rule_name(entry["rule"]), entry["reason"]
    if reason == "statement_too_large":
        return Remedy("sources.max_characters", _value(entry, "at_most"), "at_most")
    if reason in ("invalid_utf8", "broken_unicode"):
        return Remedy("", "its text must be saved as UTF-8", "data")
    if reason == UNFORESEEN_RECORD or (reason == RULE_FAILED and rule == rule_name(DUPLICATES_RULE)):
        return Remedy("", "nothing in the recipe: MicroCoder failed on it", "data")
    if entry["outcome"] == "rejected":
        return Remedy("", "the record must be mended, or its `fields` named in the recipe", "data")
    if rule == rule_name(DUPLICATES_RULE):
        return _of_duplicate(entry)
    if rule == rule_name(CONTAMINATION_RULE):
        return Remedy("compare.benchmarks", "without this benchmark (the row is in it)")
    if reason == "solutions_contradict_tests" and (entry.get("statistic") or 0) >= 1:
        return Remedy("", "its solution or its tests must be mended: they agree on no test", "data")
    place = key_of_rule(rule)
    remedy = _REMEDIES.get((rule, reason))
    if remedy is None:
        return Remedy(place, False, "off") if place else Remedy("", "the record must be mended", "data")
    if remedy.how == "data":
        return Remedy("", remedy.value, "data")
    key = f"{place}.{remedy.key}"
    value = remedy.value if remedy.value != "" else _value(entry, remedy.how)
    return Remedy(key, [str(value)] if remedy.how == "add" and not isinstance(value, list) else value, remedy.how)


def remedies(entries: Iterable[Mapping[str, Any]]) -> dict[Reason, Remedy]:
    """What would keep every row removed for a reason, by reason."""
    found: dict[Reason, Remedy] = {}
    for entry in entries:
        keep_widest(found, Reason(entry["outcome"], entry["rule"], entry["reason"]), remedy_of(entry))
    return found


def keep_widest(found: dict[Reason, Remedy], reason: Reason, remedy: Remedy) -> None:
    """Let the remedy of a reason keep this row too."""
    found[reason] = _widest(found[reason], remedy) if reason in found else remedy


@cache
def key_of_rule(rule: str) -> str:
    """The key of a rule in a recipe, by its name without the version.

    >>> key_of_rule("quality"), key_of_rule("test_integrity")
    ('filter.quality', 'verify.tests')
    """
    return _rule_keys().get(rule, "")


@cache
def _rule_keys() -> dict[str, str]:
    keys = {}
    for stage in ("process", "filter", "compare", "verify"):
        section = typing.get_type_hints(Recipe)[stage]
        for name, kind in typing.get_type_hints(section).items():
            for option in (kind, *typing.get_args(kind)):
                rule = vars(option).get("name") if isinstance(option, type) else None  # a rule's class names it
                if isinstance(rule, str):
                    keys[rule_name(rule)] = f"{stage}.{name}"
    return keys


def _value(entry: Mapping[str, Any], how: How) -> Value:
    """The value of the key that would just keep the row."""
    if how == "add":
        return list(entry["names"]) or ["?"]
    statistic = entry.get("statistic")
    if statistic is None:
        return "another value"
    return _number(statistic, math.floor if how == "at_least" else math.ceil)


def _number(statistic: float, rounded: Any) -> int | float:
    """A whole number, or one with three decimals, rounded to the side that keeps the row."""
    return int(statistic) if float(statistic).is_integer() else rounded(statistic * 1000) / 1000


def _widest(one: Remedy, other: Remedy) -> Remedy:
    """The remedy that keeps the rows of both."""
    if isinstance(one.value, list) and isinstance(other.value, list):
        return one._replace(value=list(dict.fromkeys([*one.value, *other.value])))
    bounds = one.how in ("at_most", "at_least") and one.key == other.key
    if bounds and isinstance(one.value, int | float) and isinstance(other.value, int | float):
        return one._replace(value=(max if one.how == "at_most" else min)(one.value, other.value))
    return one


def _of_duplicate(entry: Mapping[str, Any]) -> Remedy:
    if entry["reason"] == "id_conflict":
        return Remedy("sources", "a name for each source, or fields.problem_id with an id that is unique")
    link = _LINKS.get(entry["reason"])
    return Remedy(f"{_DUPLICATES}.{link}", False, "unlink") if link else Remedy(_DUPLICATES, False, "off")
