"""What would keep a row that a rule drops: the key of the recipe that decides, and the value that lets the row through.

    remedy_of(entry)              # Remedy(key="process.completeness.samples", value="false", ...)

It reads what `dropped/` says of a row, and changes nothing. Where no key decides (a broken record, tests that the
right solutions contradict everywhere), it says what to mend in the data.
"""

from __future__ import annotations

import math
import re
import typing
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from microcoder_data.compare.settings import CONTAMINATION_RULE, DUPLICATES_RULE
from microcoder_data.reasons import Reason
from microcoder_data.recipe import Recipe

How = Literal["set", "at_most", "at_least", "add", "off", "data"]
_TAGS = re.compile(r"_v\d+$")


class Remedy(NamedTuple):
    """How a dropped row would be kept."""

    key: str
    """The key of the recipe; empty when no key decides."""
    value: str
    """What to set it to, or to add to its list; when no key decides, what to mend in the data."""
    how: How = "set"

    def __str__(self) -> str:
        if self.how == "data":
            return self.value
        return f"add {self.value} to {self.key}" if self.how == "add" else f"{self.key}: {self.value}"


class _Says(NamedTuple):
    """`at_most`: the key is an upper bound of the statistic, `at_least` a lower one."""

    key: str
    value: str = ""
    how: How = "set"


_KEYS: dict[tuple[str, str], _Says] = {
    ("completeness", "no_samples"): _Says("samples", "false"),
    ("completeness", "no_input_section"): _Says("sections", "false"),
    ("completeness", "no_output_section"): _Says("sections", "false"),
    ("completeness", "missing_image"): _Says("images", "ignore"),
    ("completeness", "too_few_tests"): _Says("min_tests", how="at_least"),
    ("completeness", "truncated_tests"): _Says("min_tests", how="at_least"),
    ("completeness", "no_statement"): _Says("", "the record needs a statement", "data"),
    ("language", "language"): _Says("keep", how="add"),
    ("samples", "sample_contradicts_test"): _Says("contradiction", "mark"),
    ("text", "binary_text"): _Says("max_binary_share", how="at_most"),
    ("fidelity", "text_lost"): _Says("max_loss", how="at_most"),
    ("quality", "too_few_words"): _Says("min_words", how="at_least"),
    ("quality", "too_long"): _Says("max_characters", how="at_most"),
    ("quality", "too_few_letters"): _Says("min_letter_share", how="at_least"),
    ("quality", "repetitive"): _Says("max_repeated_line_share", how="at_most"),
    ("quality", "markup_left"): _Says("max_leftovers", how="at_most"),
    ("window", "no_date"): _Says("dated_only", "false"),
    ("window", "too_old"): _Says("since", "false"),
    ("window", "too_new"): _Says("before", "false"),
    ("window", "level"): _Says("levels", how="add"),
    ("window", "too_easy"): _Says("min_rating", how="at_least"),
    ("window", "too_hard"): _Says("max_rating", how="at_most"),
    ("window", "language"): _Says("languages", how="add"),
    ("window", "license"): _Says("licenses", how="add"),
    ("relevance", "needs_a_checker"): _Says("need_checker", "false"),
    ("relevance", "interactive"): _Says("io", "interactive", "add"),
    ("relevance", "file"): _Says("io", "file", "add"),
    ("relevance", "output_only"): _Says("io", "output_only", "add"),
    ("readability", "unreadable"): _Says("min_readability", how="at_least"),
    ("readability", "incomplete"): _Says("min_completeness", how="at_least"),
    ("tests", "too_few_tests"): _Says("min_tests", how="at_least"),
    ("tests", "one_answer_fits_all"): _Says("min_distinct_outputs", how="at_least"),
    ("test_integrity", "unsound_tests"): _Says("max_broken_share", how="at_most"),
    ("test_integrity", "no_tests"): _Says("", "the record needs tests", "data"),
    ("test_integrity", "no_sound_tests"): _Says("", "its tests must be mended as the detail says", "data"),
    ("gradable", "not_gradable"): _Says("", "the record must be mended as the detail says", "data"),
    ("gradable", "test_code_does_not_parse"): _Says("", "its test code must be Python", "data"),
    ("gradable", "checker_does_not_parse"): _Says("", "its checker must be Python", "data"),
    ("gradable", "entry_point_not_in_starter_code"): _Says("", "its starter code must define the entry point", "data"),
    ("execution", "no_reference"): _Says("required", "false"),
    ("execution", "needs_checker"): _Says("several_answers", "mark"),
    ("execution", "solutions_contradict_tests"): _Says("max_dropped_share", how="at_most"),
    ("execution", "too_few_solutions_agree"): _Says("agreeing", how="at_least"),
    ("execution", "not_deterministic"): _Says("", "its right solution must give the same answer twice", "data"),
    ("test_programs", "tests_ignore_the_answer"): _Says("", "its test program must judge the submission", "data"),
    ("test_programs", "not_deterministic"): _Says("", "its tests must not depend on the machine", "data"),
    ("test_programs", "sample_contradicts_test"): _Says("", "its examples and its tests must agree", "data"),
    ("test_programs", "incomplete"): _Says("", "its statement must say what the tests pass", "data"),
    ("test_programs", "contradictory_statement"): _Says("", "its statement and its tests must agree", "data"),
    ("test_programs", "needs_a_checker"): _Says("need_checker", "false"),
    ("strength", "right_solutions_rejected"): _Says("min_accepted", how="at_least"),
    ("strength", "strength_unknown"): _Says("unknown", "keep"),
    ("strength", "weak_tests"): _Says("min_rejected", how="at_least"),
    ("strength", "strength_uncertain"): _Says("min_rejected_low", how="at_least"),
    ("pass_rate", "solved_too_rarely"): _Says("lowest", how="at_least"),
    ("pass_rate", "solved_too_often"): _Says("highest", how="at_most"),
    ("pass_rate", "pass_rate_unknown"): _Says("unknown", "keep"),
    ("still_whole", "too_few_tests_left"): _Says("", "its tests must be mended: solutions contradict them", "data"),
    ("fit", "too_few_tests"): _Says("min_tests", how="at_least"),
    ("fit", "weak_tests"): _Says("min_strength", how="at_least"),
    ("fit", "strength_unknown"): _Says("enough_tests", how="at_least"),
}
_FINDINGS = {
    "same_tests": "tests",
    "same_address": "addresses",
    "near": "near",
}


def remedy_of(entry: Mapping[str, Any]) -> Remedy:
    """What would keep a row, from its entry in `dropped/`.

    >>> remedy_of({"rule": "quality_v2", "outcome": "dropped", "reason": "too_few_words", "statistic": 9.0})
    Remedy(key='filter.quality.min_words', value='9', how='at_least')
    """
    rule, reason = _TAGS.sub("", entry["rule"]), entry["reason"]
    if entry["outcome"] == "rejected":
        return Remedy("", "the record must be mended, or its `fields` named in the recipe", "data")
    if entry["rule"] == DUPLICATES_RULE:
        return _of_duplicate(entry)
    if entry["rule"] == CONTAMINATION_RULE:
        return Remedy("compare.benchmarks", "without this benchmark (the row is in it)")
    if reason == "solutions_contradict_tests" and (entry.get("statistic") or 0) >= 1:
        return Remedy("", "its solution or its tests must be mended: they agree on no test", "data")
    place = key_of_rule(rule)
    says = _KEYS.get((rule, reason))
    if says is None:
        return Remedy(place, "false", "off") if place else Remedy("", "the record must be mended", "data")
    if says.how == "data":
        return Remedy("", says.value, "data")
    key = f"{place}.{says.key}"
    if reason == "too_few_words" and entry.get("threshold") == _LEAST_WITH_CODE:
        key = f"{place}.min_words_with_code"
    return Remedy(key, says.value or _value(entry, says.how), says.how)


def remedies(entries: Iterable[Mapping[str, Any]]) -> dict[Reason, Remedy]:
    """What would keep every row dropped for a reason, by reason. Merged rows are left out: another stands for them."""
    found: dict[Reason, Remedy] = {}
    for entry in entries:
        if entry["outcome"] == "merged":
            continue
        reason, remedy = Reason(entry["outcome"], entry["rule"], entry["reason"]), remedy_of(entry)
        keep_widest(found, reason, remedy)
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
                    keys[_TAGS.sub("", rule)] = f"{stage}.{name}"
    return keys


_LEAST_WITH_CODE = 4


def _value(entry: Mapping[str, Any], how: How) -> str:
    statistic = entry.get("statistic")
    if how == "add":
        return str(entry.get("detail") or "?")
    if statistic is None:
        return "another value"
    return _number(statistic, math.floor if how == "at_least" else math.ceil)


def _number(statistic: float, rounded: Any) -> str:
    """A whole number, or one of three digits on the side that keeps the row."""
    return str(int(statistic)) if float(statistic).is_integer() else f"{rounded(statistic * 1000) / 1000:g}"


def _widest(one: Remedy, other: Remedy) -> Remedy:
    if one.how in ("at_most", "at_least") and one.key == other.key:
        choose = max if one.how == "at_most" else min
        try:
            return choose(one, other, key=lambda remedy: float(remedy.value))
        except ValueError:
            return one
    if one.how == "add":
        return one._replace(value=", ".join(dict.fromkeys([*one.value.split(", "), *other.value.split(", ")])))
    return one


def _of_duplicate(entry: Mapping[str, Any]) -> Remedy:
    if entry["reason"] == "id_conflict":
        return Remedy("sources", "a name for each source, or fields.problem_id with an id that is unique")
    part = next((key for found, key in _FINDINGS.items() if found in entry["reason"]), "")
    return Remedy(f"compare.duplicates.{part}" if part else "compare.duplicates", "false", "off")
