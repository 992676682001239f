"""The numbers of one file of a dataset: published rows, `dropped/`, or rows between the stages.

A part's numbers depend on nothing but its rows, the thresholds of `Fit` and this program. They are kept where
`File.kept` says, so that a build on a base counts only what is new: files, and row groups in which a row has changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pyarrow.parquet as pq

from microcoder_data.fitness import COLUMNS as FITNESS_COLUMNS
from microcoder_data.fitness import USES, Fit, lacking, strength_of
from microcoder_data.reasons import Reason
from microcoder_data.recipe import digest
from microcoder_data.remedies import keep_widest, remedy_of
from microcoder_data.report.account import SAMPLES_ONLY, UNKNOWN, Account
from microcoder_data.report.bins import STRENGTHS, TEST_SETS, TESTS, binned
from microcoder_data.report.fidelity_section import add_dropped, add_published
from microcoder_data.schema import Row, fields_of
from microcoder_eval.atomic import atomic_path

Numbers = dict[str, Any]
"""Numbers as `Account.add` takes them."""
Kind = Literal["published", "dropped", "collected", "processed"]
_COLLECTED = ["source", "platform", "contest_date", "difficulty", "tests_total"]
_OF_ENTRIES = {"tests": ("input", "output", "ref"), "provenance": ("rule", "outcome", "detail", "names")}
_PUBLISHED = [
    *_COLLECTED[:-1], "language", "license", "contamination", "problem_id",
    *(part for name in FITNESS_COLUMNS for part in fields_of(name, *_OF_ENTRIES.get(name, ()))),
]  # fmt: skip
_DROPPED = [
    "problem_id", "source", "location", "stage", "rule", "outcome", "reason", "statistic", "threshold", "detail",
    "names", "duplicate_of", "title", "language",
]  # fmt: skip


class File(NamedTuple):
    """A file to count."""

    path: str
    kind: Kind
    fit: Fit
    """The thresholds that the recipe names, or the usual ones."""
    version: str
    """The hash of the thresholds and of the program that counts."""
    sha256: str
    kept: str
    """Where its numbers are kept; empty for nowhere."""

    @property
    def key(self) -> str:
        """The hash of all that its numbers depend on."""
        return digest([self.version, self.kind, self.sha256])


def counted(file: File) -> list[Numbers]:
    """The numbers of each part of a file: of a row group that is published, or of the whole file."""
    earlier = _kept(file).get("parts", {})
    with pq.ParquetFile(file.path) as parquet:
        parts = {
            key: earlier[key] if key in earlier else _count(file, parquet, groups)
            for key, groups in _parts(file, parquet)
        }
    text = json.dumps({"key": file.key, "parts": parts}, default=str)
    if file.kept:
        with atomic_path(Path(file.kept)) as path:
            path.write_text(text, encoding="utf-8")
    return list(json.loads(text)["parts"].values())


def remembered(file: File) -> list[Numbers] | None:
    """What `counted` gave for the same file before, if that was kept."""
    kept = _kept(file)
    return list(kept["parts"].values()) if kept.get("key") == file.key else None


def _kept(file: File) -> dict[str, Any]:
    try:
        kept: dict[str, Any] = json.loads(Path(file.kept).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept


def _parts(file: File, parquet: pq.ParquetFile) -> Iterator[tuple[str, Iterable[int]]]:
    """The hash of all that the numbers of each part depend on, and the part's row groups."""
    groups = range(parquet.num_row_groups)
    if file.kind != "published":
        yield file.key, groups
        return
    hashes = iter(parquet.read(["row_sha256"], use_threads=False)[0].to_pylist())
    for group in groups:
        own = list(islice(hashes, parquet.metadata.row_group(group).num_rows))
        yield digest([file.version, own]), [group]


def _count(file: File, parquet: pq.ParquetFile, groups: Iterable[int]) -> Numbers:
    account = Account()
    columns, count = _COUNTING[file.kind]
    for group in groups:
        for row in parquet.read_row_group(group, columns, use_threads=False).to_pylist():
            count(account, row, file.fit)
    return account.plain()


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
        for lack in lacks:
            account.lacks[use, lack.cure] += 1
    add_published(account.losses, row)
    account.near_benchmarks += [(row["problem_id"], finding) for finding in row["contamination"] or []]


def _dropped(account: Account, entry: Row, fit: Fit) -> None:
    if entry["stage"] == "process":
        account.before["language"][entry["language"] or UNKNOWN] += 1
    add_dropped(account.losses, entry)
    account.add_example((entry["stage"], entry["rule"], entry["outcome"], entry["reason"]), entry)
    keep_widest(account.remedies, Reason(entry["outcome"], entry["rule"], entry["reason"]), remedy_of(entry))


def _collected(account: Account, row: Row, fit: Fit) -> None:
    counts = account.before
    for name in ("source", "platform"):
        counts[name][row[name] or UNKNOWN] += 1
    counts["year"][_year(row)] += 1
    counts["level"][_level(row)] += 1
    if row["tests_total"]:
        counts["tests"][binned(row["tests_total"], TESTS)] += 1


def _processed(account: Account, row: Row, fit: Fit) -> None:
    account.before["language"][row["language"] or UNKNOWN] += 1


def _test_set(said: Mapping[str, Any]) -> str:
    """The bin of a row's tests; those that have nothing but the statement's samples are a bin of their own."""
    tests, beyond = said.get("tests_kept") or 0, said.get("tests_beyond_samples") or 0
    return SAMPLES_ONLY if tests and not beyond else binned(tests, TEST_SETS)


def _year(row: Row) -> str:
    return str(row["contest_date"].year) if row["contest_date"] else UNKNOWN


def _level(row: Row) -> str:
    return (row["difficulty"] or {}).get("level") or UNKNOWN


_COUNTING: dict[Kind, tuple[list[str], Callable[[Account, Row, Fit], None]]] = {
    "published": (_PUBLISHED, _published),
    "dropped": (_DROPPED, _dropped),
    "collected": (_COLLECTED, _collected),
    "processed": (["language"], _processed),
}
