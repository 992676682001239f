"""Every reason for which a rule drops a row has a remedy: a key of the recipe that exists, or a word on the data."""

from __future__ import annotations

import dataclasses
import re
import typing
from pathlib import Path
from typing import Any

import pytest

import microcoder_data
from microcoder_data.compare.features import BUCKETS
from microcoder_data.recipe import Recipe
from microcoder_data.remedies import _REMEDIES, key_of_rule, remedies, remedy_of

pytestmark = pytest.mark.fast


def is_key(path: str) -> bool:
    """Whether a recipe has this key."""
    kinds: list[Any] = [Recipe]
    for name in path.split("."):
        hints = [typing.get_type_hints(kind)[name] for kind in kinds if name in typing.get_type_hints(kind)]
        kinds = [option for hint in hints for option in (hint, *typing.get_args(hint))]
        if not hints:
            return False
        kinds = [kind for kind in kinds if dataclasses.is_dataclass(kind)]
    return True


def entry(rule: str, reason: str, statistic: float | None = None, **more: object) -> dict[str, object]:
    return {
        "rule": f"{rule}_v1",
        "outcome": "dropped",
        "reason": reason,
        "statistic": statistic,
        "detail": None,
        "names": [],
        **more,
    }


def test_every_key_exists() -> None:
    for rule, reason in _REMEDIES:
        remedy = remedy_of(entry(rule, reason, 3.0))
        assert remedy.how == "data" or is_key(remedy.key), remedy


def test_every_reason_of_a_rule_is_known() -> None:
    """What the sources say in `drop("...")` beside what the table knows."""
    known = {reason for _, reason in _REMEDIES} | {"rule_failed", "not_a_programming_problem"}
    said = set()
    for file in Path(microcoder_data.__file__).parent.rglob("*.py"):
        said |= set(re.findall(r'(?<![\w.])drop(?:_named)?\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert said - known == set()


def test_every_way_in_which_rows_are_merged_has_a_key_that_exists() -> None:
    for reason in {*BUCKETS, "near_text"} - {"same_id"}:  # rows with one id are dropped
        remedy = remedy_of(entry("duplicates", reason, outcome="merged"))
        assert is_key(remedy.key) and remedy.value is False, reason
        assert (remedy.key == "compare.duplicates") == (reason == "same_text"), "equal texts are always compared"


def test_values_let_the_row_through_on_the_right_side() -> None:
    assert str(remedy_of(entry("quality", "too_few_words", 9.0))) == "filter.quality.min_words: 9"
    assert str(remedy_of(entry("quality", "too_few_letters", 0.3337))) == "filter.quality.min_letter_share: 0.333"
    assert str(remedy_of(entry("quality", "repetitive", 0.3337))) == "filter.quality.max_repeated_line_share: 0.334"
    assert str(remedy_of(entry("language", "language", names=["ru"]))) == "add ru to process.language.keep"
    assert str(remedy_of(entry("relevance", "not_a_programming_problem"))) == "filter.relevance: false"


def test_a_dataset_of_an_earlier_version_of_a_rule_has_the_same_remedies() -> None:
    assert str(remedy_of(entry("duplicates", "near_text", 0.8))).startswith("compare.duplicates.near: false")
    assert remedy_of(entry("contamination", "statement", 0.8)).key == "compare.benchmarks"


def test_a_reason_of_many_rows_has_the_value_that_keeps_all() -> None:
    entries = [entry("quality", "too_few_words", n) for n in (9.0, 4.0, 12.0)]
    entries += [entry("language", "language", names=[name]) for name in ("ru", "de", "ru")]
    found = [str(remedy) for remedy in remedies(entries).values()]
    assert found == ["filter.quality.min_words: 4", "add ru, de to process.language.keep"]


def test_a_rules_name_leads_to_its_key() -> None:
    assert [key_of_rule(name) for name in ("completeness", "tests", "test_integrity", "execution", "fit")] == [
        "process.completeness",
        "filter.tests",
        "verify.tests",
        "verify.execution",
        "filter.fit",
    ]
