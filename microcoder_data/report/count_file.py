"""The numbers of one file of a dataset: published rows, `dropped/`, or rows between the stages.

    counted(File("data/00000.parquet", "published", Fit()))

The part of a file depends on nothing but the file, the thresholds of `Fit` and this program. So it is kept where
`File.kept` says, and a build on a base counts only the files that are new.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from microcoder_data.fitness import COLUMNS as FITNESS_COLUMNS
from microcoder_data.fitness import USES, Fit, lacking, strength_of
from microcoder_data.reasons import Reason
from microcoder_data.remedies import keep_widest, remedy_of
from microcoder_data.report.account import SAMPLES_ONLY, UNKNOWN, Account
from microcoder_data.report.bins import STRENGTHS, TEST_SETS, TESTS, binned
from microcoder_data.report.fidelity_section import add_dropped, add_published
from microcoder_data.schema import Row
from microcoder_data.shards import read_shard
from microcoder_eval.atomic import atomic_path

Kind = Literal["published", "dropped", "collected", "processed"]
_COLLECTED = ["source", "platform", "contest_date", "difficulty", "tests_total"]
_PUBLISHED = [*_COLLECTED[:-1], "language", "license", "contamination", "problem_id", *FITNESS_COLUMNS]
_DROPPED = [
    "problem_id", "source", "location", "stage", "rule", "outcome", "reason", "statistic", "threshold", "detail",
    "duplicate_of", "title", "language",
]  # fmt: skip


class File(NamedTuple):
    """A file to count."""

    path: str
    kind: Kind
    fit: Fit
    """The thresholds that the recipe names, or the usual ones."""
    kept: str = ""
    """Where its part is kept; empty for nowhere."""


def counted(file: File) -> dict[str, Any]:
    """The numbers of a file, as `Account.add` takes them."""
    account = Account()
    if file.kind == "published":
        for row in read_shard(Path(file.path), _PUBLISHED):
            _published(account, row, file.fit)
    elif file.kind == "dropped":
        for entry in read_shard(Path(file.path), _DROPPED):
            _dropped(account, entry)
    elif file.kind == "collected":
        for row in read_shard(Path(file.path), _COLLECTED):
            _collected(account, row)
    else:
        for row in read_shard(Path(file.path), ["language"]):
            account.before["language"][row["language"] or UNKNOWN] += 1
    text = json.dumps(account.plain(), default=str)
    if file.kept:
        with atomic_path(Path(file.kept)) as path:
            path.write_text(text, encoding="utf-8")
    part: dict[str, Any] = json.loads(text)
    return part


def _published(account: Account, row: Row, fit: Fit) -> None:
    counts, said = account.after, row["verification"] or {}
    for name in ("source", "platform", "language", "kind", "license"):
        counts[name][row[name] or UNKNOWN] += 1
    counts["year"][_year(row)] += 1
    counts["level"][_level(row)] += 1
    counts["checker"][(row["checker"] or {}).get("kind") or "tokens"] += 1
    counts["status"][said.get("status") or UNKNOWN] += 1
    if row["kind"] in ("stdin", "call"):
        counts["tests"][binned(said.get("tests_kept") or 0, TESTS)] += 1
    counts["test_sets"][_test_set(said)] += 1
    account.strengths.add(row)
    account.pass_rates.add(row)
    if (strength := strength_of(said)) is not None:
        counts["strength"][binned(strength, STRENGTHS)] += 1
    for use in USES:
        lacks = lacking(row, use, fit)
        account.fit[use][row["source"]] += not lacks
        account.lacks.update((use, lack.cure) for lack in lacks)
    add_published(account.losses, row)
    account.near_benchmarks += [(row["problem_id"], finding) for finding in row["contamination"] or []]


def _dropped(account: Account, entry: Row) -> None:
    if entry["stage"] == "process":
        account.before["language"][entry["language"] or UNKNOWN] += 1
    add_dropped(account.losses, entry)
    account.add_example((entry["stage"], entry["rule"], entry["outcome"], entry["reason"]), entry)
    if entry["outcome"] != "merged":  # another row stands for it
        reason = Reason(entry["outcome"], entry["rule"], entry["reason"])
        keep_widest(account.remedies, reason, remedy_of(entry))


def _collected(account: Account, row: Row) -> None:
    counts = account.before
    for name in ("source", "platform"):
        counts[name][row[name] or UNKNOWN] += 1
    counts["year"][_year(row)] += 1
    counts["level"][_level(row)] += 1
    if row["tests_total"]:
        counts["tests"][binned(row["tests_total"], TESTS)] += 1


def _test_set(said: Mapping[str, Any]) -> str:
    """The bin of a row's tests; those that have nothing but the statement's samples are a bin of their own."""
    tests, beyond = said.get("tests_kept") or 0, said.get("tests_beyond_samples") or 0
    return SAMPLES_ONLY if tests and not beyond else binned(tests, TEST_SETS)


def _year(row: Row) -> str:
    return str(row["contest_date"].year) if row["contest_date"] else UNKNOWN


def _level(row: Row) -> str:
    return (row["difficulty"] or {}).get("level") or UNKNOWN
