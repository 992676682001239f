"""Fit the rules to a user's files: try the recipe on a sample, and relax rules that are about form only.

Rules are relaxed if they want what contests publish and a company may not: samples, sections, long statements, English,
a checker. Sections that few rows lack stay demanded. Rules against unsound rows are never relaxed: broken tests,
contradictions, lost text, formulas and figures that are missing, records without a statement. For each relaxed key, the
number of rows that it keeps is counted.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.config import from_mapping
from microcoder_data.engine import make_engine
from microcoder_data.own_files.look import Seen
from microcoder_data.pipeline.build import build
from microcoder_data.pipeline.running import Options
from microcoder_data.recipe import Recipe
from microcoder_data.remedies import Remedy, remedies, remedy_of
from microcoder_data.report.dataset import dropped
from microcoder_eval.languages.table import LANGUAGES, PYTHON
from microcoder_eval.languages.toolchain import ToolchainMissing, find_toolchain

_ROUNDS = 6
RECORDS_RUN, RECORD_S = 20, 20
"""How many records have their solutions run, and the CPU time for one of them."""
_RELAXED = (
    "process.completeness.samples", "process.completeness.sections", "process.completeness.min_tests",
    "process.language.keep", "filter.quality.min_words",
    "filter.quality.min_words_with_code", "filter.quality.max_characters", "filter.quality.min_letter_share",
    "filter.quality.max_repeated_line_share", "filter.relevance.need_checker", "filter.relevance.io",
    "filter.readability.min_readability", "filter.readability.min_completeness",
)  # fmt: skip
_UNSOUND = ("interactive",)
"""Reasons for which a row is dropped by a key that is relaxed for others: a dialogue shown as a sample is no test."""
_IF_COMMON = ("process.completeness.sections",)
"""Where fewer than a tenth of the rows lack these, they are no matter of the source's form: something is missing."""
WHY = {
    "process.completeness.samples": "show no sample",
    "process.completeness.sections": "do not say what is read and printed",
    "filter.relevance.need_checker": "may have several right answers and no checker: not fit for RL until they get one",
}


@dataclass
class Fitted:
    """Settings that fit, and the results of builds of the sample with them."""

    settings: dict[str, Any] = field(default_factory=dict)
    """The value of each key that was changed, by its dotted name."""
    rows: Counter[str] = field(default_factory=Counter)
    """How many rows of the sample each changed key keeps."""
    manifest: dict[str, Any] = field(default_factory=dict)
    remedies: dict[str, str] = field(default_factory=dict)
    """What would keep the rows that are still dropped, by reason."""
    execution: bool = False
    """Whether the files have solutions that can be run here."""
    execution_manifest: dict[str, Any] = field(default_factory=dict)
    """The manifest of a build of a few records that ran their solutions; empty when none can be run."""


def fit_rules(seen: Seen, limit: int) -> Fitted:
    """Find settings that fit the files. `limit`: how many records are tried."""
    fitted = Fitted()
    languages = [name for name, _ in seen.languages.most_common() if name != "unknown"]
    if languages and set(languages) != {"en"}:
        fitted.settings["process.language.keep"] = languages
        fitted.rows["process.language.keep"] = sum(seen.languages[name] for name in languages if name != "en")
    for _ in range(_ROUNDS):
        entries = _tried(seen, fitted, limit)
        chosen = {
            remedy.key: remedy
            for reason, remedy in remedies(entries).items()
            if remedy.key in _RELAXED and reason.reason not in _UNSOUND
        }
        counts = Counter(remedy_of(entry).key for entry in entries if entry["outcome"] != "merged")
        rare = [key for key in _IF_COMMON if 10 * counts[key] < seen.rows]
        chosen = {key: remedy for key, remedy in chosen.items() if key not in rare}
        if not chosen:
            break
        for key, remedy in chosen.items():
            fitted.settings[key] = _setting(remedy, fitted.settings.get(key))
            fitted.rows[key] += counts[key]
    fitted.execution = can_run(seen)
    if fitted.execution:
        fitted.execution_manifest = _build(
            seen, fitted, min(limit, RECORDS_RUN), {"mutants": 0, "strengthen": None, "row_seconds": RECORD_S}
        )[0]
    return fitted


def recipe_of(seen: Seen, fitted: Fitted, name: str) -> dict[str, Any]:
    """The recipe as a mapping."""
    source: dict[str, Any] = {"source": seen.source, "name": name, "path": seen.patterns}
    if seen.fields:
        source["fields"] = dict(seen.fields)
    if seen.one_test_a_record:
        source["one_test_a_record"] = True
    recipe: dict[str, Any] = {"name": name, "sources": [source]}
    for key, value in fitted.settings.items():
        stage, rule, setting = key.split(".")
        recipe.setdefault(stage, {}).setdefault(rule, {})[setting] = value
    if fitted.execution:
        recipe.setdefault("verify", {})["execution"] = {}
    return recipe


def _tried(seen: Seen, fitted: Fitted, limit: int) -> list[Mapping[str, Any]]:
    """Build the sample with the settings so far, and store the manifest in `fitted`; returns the entries of
    `dropped/`."""
    fitted.remedies.clear()
    fitted.manifest, entries = _build(seen, fitted, limit, None)
    return entries


def _build(
    seen: Seen, fitted: Fitted, limit: int, execution: Mapping[str, Any] | None
) -> tuple[dict[str, Any], list[Mapping[str, Any]]]:
    """Build the first `limit` records; returns the manifest and the entries of `dropped/`. `execution`: how to run
    solutions."""
    mapping = recipe_of(seen, fitted, "sample")
    mapping.setdefault("verify", {})["execution"] = execution
    recipe = from_mapping(Recipe, mapping, "the sample's recipe")
    with tempfile.TemporaryDirectory(prefix="microcoder-init-") as folder:
        engine = make_engine("local", 1, None)
        try:
            manifest = build(recipe, folder, engine, Options(limit=limit))
        finally:
            engine.close()
        assert manifest is not None
        columns = ["problem_id", "rule", "outcome", "reason", "statistic", "threshold", "names"]
        entries: list[Mapping[str, Any]] = list(dropped(Path(folder), columns))
    fitted.remedies |= {str(reason): str(remedy) for reason, remedy in remedies(entries).items()}
    return manifest, entries


def _setting(remedy: Remedy, before: Any) -> Any:
    """The value of a key after a remedy."""
    if isinstance(remedy.value, list):
        default = {"filter.relevance.io": ["stdio"], "process.language.keep": ["en"]}.get(remedy.key, [])
        return list(dict.fromkeys([*(before or default), *remedy.value]))
    return remedy.value


def can_run(seen: Seen) -> bool:
    """Whether there are solutions in a language that can be run here."""
    return any(name == PYTHON or _has_toolchain(name) for name in seen.solution_languages)


def _has_toolchain(language: str) -> bool:
    try:
        return language in LANGUAGES and bool(find_toolchain(language))
    except ToolchainMissing:
        return False
