"""The reduce half of Compare: decide about every row, from the features that `features.py` wrote for every shard.

    numbers      for a group of shards: shingles and tests of every row
    merges       which rows are merged into which: `components.py`
    hits         for a group: what its rows share with benchmarks, counted for the rows that they are merged into
    evidence     for a block of groups: the same of all groups, about its rows
    counted      for a group: how many rows have each n-gram of the benchmarks
    settled      for a group: the decisions of its shards
    selected     for a group: the same, also dropping rows of levels that have too many

No step holds more than its part, and the process that runs the steps no more than a bounded number of rows. The size of
a part never changes the result.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from microcoder_data.compare.benchmarks import BenchmarkIndex, load_index
from microcoder_data.compare.components import find_merges, table_slice
from microcoder_data.compare.contamination import gather, rows_with, verdict
from microcoder_data.compare.corpus import Array, Corpus, Steps, mapped, slices, unique_columns
from microcoder_data.compare.decisions import Decisions, decision
from microcoder_data.compare.features import KIND_BITS, SAME_ADDRESS
from microcoder_data.compare.judgements import keep_judgements
from microcoder_data.compare.select import Select
from microcoder_data.compare.settings import CONTAMINATION_RULE, DUPLICATES_RULE, Compare
from microcoder_data.compare.surplus import KEY, Candidate, first_dropped, sorted_keys, surplus
from microcoder_data.difficulty import levels
from microcoder_data.engine import Engine
from microcoder_data.faults import RULE_FAILED
from microcoder_data.reasons import Reason
from microcoder_data.shards import read_columns


@dataclass(frozen=True)
class DecidingSettings:
    """What the deciding steps need besides the corpus."""

    settings: Compare
    batches: int
    """The number of parts of the merges."""
    index: tuple[str, str] | None
    """The folder and the digest of the benchmarks' index."""

    def load_index(self) -> BenchmarkIndex | None:
        return load_index(*self.index) if self.index else None


def decide(
    settings: Compare, corpus: Corpus, index: tuple[str, str] | None, engine: Engine, *, key: str, select: bool
) -> dict[str, Any]:
    """Write the decisions about every shard next to its features; returns counts: see `counts_of`.

    `select`: also select by level, if that is set. `key` is the hash of everything that the result depends on.
    """
    if not select:
        settings = replace(settings, select=None)
    total: dict[str, Any] = {**no_counts(), "largest_component": 0}
    if not corpus.total:
        return total
    steps = Steps(corpus, engine, key)
    groups = len(corpus.groups)
    steps.run("numbers", read_numbers, groups)
    for position, name in enumerate(("shingles", "tests")):
        of_rows = corpus.for_rows(np.int32)
        for group, (low, high) in enumerate(pairwise(corpus.group_bounds)):
            of_rows[low:high] = corpus.load(f"numbers-{group:05d}.npy")[position]
        corpus.save(f"{name}.npy", of_rows)
    batches, largest = find_merges(steps, settings.duplicates) if settings.duplicates is not None else (0, 0)
    plan = DecidingSettings(settings, batches, index)
    found = plan.load_index()
    if found is not None:
        steps.run("hits", partial(move_hits, plan=plan), groups)
        steps.run("evidence", partial(gather_hits, plan=plan), len(corpus.block_bounds) - 1)
        steps.run("counted", partial(count_grams, plan=plan), groups)
        known = len(found.grams[settings.contamination.gram][0])
        in_rows = np.zeros(known, np.int64)
        for group in range(groups):
            in_rows += corpus.load(f"counted-{group:05d}.npy")
        corpus.save("in_rows.npy", in_rows)
    counts = steps.run("settled", partial(settle, plan=plan), groups)
    if settings.select is not None:
        dropped = first_dropped(
            settings.select, [corpus.load(f"candidates-{group:05d}.npy") for group in range(groups)]
        )
        counts = steps.run("selected", partial(select_group, select=settings.select, dropped=dropped), groups)
    keep_judgements(steps, batches)
    steps.clear()
    total["largest_component"] = largest
    for one in counts:
        add_counts(total, one)
    return total


def select_rated(settings: Select, paths: Sequence[Path], folder: Path) -> Iterator[Decisions]:
    """Select by level among the rows of these shards, which a model has rated; gives the decisions of each.

    folder: the rows' keys are there in a file without a name.
    """
    bases, ends = [0], [0]
    with tempfile.TemporaryFile(dir=folder) as file:
        for path in paths:
            rows = read_columns(path, columns=["problem_id", "contest_date", "difficulty"]).to_pylist()
            candidates = []
            for row, fact in enumerate(rows, bases[-1]):
                difficulty = fact["difficulty"] or levels.EMPTY
                values = (fact["problem_id"], difficulty["level"], difficulty["predicted"], fact["contest_date"])
                candidates.append(Candidate(row, *values))
            bases.append(bases[-1] + len(rows))
            keys = sorted_keys(settings, candidates)
            ends.append(ends[-1] + len(keys))
            file.write(keys.tobytes())
        file.flush()
        together = np.memmap(file, KEY, "r") if ends[-1] else np.empty(0, KEY)
    parts = [together[start:end] for start, end in pairwise(ends)]
    dropped = first_dropped(settings, parts)
    for base, part in zip(bases, parts, strict=False):
        decisions = Decisions({})
        for level, chosen in surplus(dropped, part).items():
            for index in (chosen - base).tolist():
                decisions.by_index[index] = _too_many(settings, level, index, {})
        yield decisions


def no_counts() -> dict[str, Any]:
    """How many rows are dropped or merged for which reason, how many are marked by which rule, and where this program
    failed: to be added to."""
    return {"reasons": Counter(), "marked": Counter(), "faults": Counter()}


def add_counts(total: dict[str, Any], counts: dict[str, Any]) -> None:
    for what in no_counts():
        total[what].update(counts[what])


def counts_of(decisions: Decisions) -> dict[str, Any]:
    """The counts of these decisions."""
    counts = no_counts()
    for entry in decisions.by_index.values():
        if entry["outcome"] in ("dropped", "merged"):
            counts["reasons"][str(Reason(entry["outcome"], entry["rule"], entry["reason"]))] += 1
        elif entry["outcome"] == "marked":
            counts["marked"][f"{entry['rule']} marked"] += 1
        if entry["fault"]:
            counts["faults"][f"{entry['rule']}, {entry['fault']}"] += 1
    return counts


def read_numbers(corpus: Corpus, part: int) -> None:
    """Write how many shingles and tests every row of a group has."""
    table = _facts(corpus, part, ["shingles", "tests"])
    corpus.save(f"numbers-{part:05d}.npy", np.stack([table[name].to_numpy() for name in ("shingles", "tests")]))


def move_hits(corpus: Corpus, part: int, plan: DecidingSettings) -> None:
    """Write what a group's rows share with benchmarks, as evidence about the rows that they are merged into."""
    index = plan.load_index()
    assert index is not None
    low, high = corpus.group_bounds[part : part + 2].tolist()
    target = np.arange(low, high)  # evidence about a merged row counts for the row that may take its text
    if plan.settings.duplicates is not None and plan.settings.duplicates.pool:
        for merge in _table_rows(corpus, plan, "merges", "row", low, high):
            target[merge["row"] - low] = merge["into"]
    found: dict[str, list[Array]] = defaultdict(lambda: [np.empty((2, 0), np.uint64)])
    for shard in corpus.groups[part]:
        first = int(corpus.bases[shard]) - low
        key, packed = mapped(corpus.feature(shard, "buckets.npy"))
        addresses = (packed >> KIND_BITS == SAME_ADDRESS) & np.isin(key, index.addresses[0])
        row = packed[addresses] & ((np.uint64(1) << KIND_BITS) - np.uint64(1))
        columns = {"addresses": np.stack([row, key[addresses]])}
        with np.load(corpus.feature(shard, "marks.npz"), allow_pickle=False) as marks:
            columns |= {name: marks[name] for name in marks.files}
        for name, array in columns.items():
            found[name].append(np.stack([target[array[0].astype(np.int64) + first].astype(np.uint64), array[1]]))
    for name in _evidence_names(index):
        corpus.save(f"{name}-{part:05d}.npy", unique_columns(np.concatenate(found[name], axis=1)))


def gather_hits(corpus: Corpus, part: int, plan: DecidingSettings) -> None:
    """Write the evidence about a block's rows, which all groups gave: a group then reads one file of each kind."""
    index = plan.load_index()
    assert index is not None
    low, high = corpus.block_bounds[part : part + 2].tolist()
    for name in _evidence_names(index):
        parts = [corpus.load(f"{name}-{group:05d}.npy") for group in range(len(corpus.groups))]
        together = unique_columns(np.concatenate(slices(parts, low, high), axis=1))
        corpus.save(f"{name}-block-{part:05d}.npy", together)


def count_grams(corpus: Corpus, part: int, plan: DecidingSettings) -> None:
    """Write how many rows of a group that are not merged have each n-gram of the benchmarks."""
    index = plan.load_index()
    assert index is not None
    low, high = corpus.group_bounds[part : part + 2].tolist()
    standing = np.ones(high - low, bool)
    standing[[merge["row"] - low for merge in _table_rows(corpus, plan, "merges", "row", low, high)]] = False
    hits = _hits_of_group(corpus, f"hits{plan.settings.contamination.gram}", low, high)
    corpus.save(f"counted-{part:05d}.npy", rows_with(plan.settings.contamination, index, hits, standing))


def settle(corpus: Corpus, part: int, plan: DecidingSettings) -> dict[str, Any]:
    """Write the decisions of a group's shards, and the candidates for a selection by level; returns counts."""
    settings, index = plan.settings, plan.load_index()
    low, high = corpus.group_bounds[part : part + 2].tolist()
    merges = _table_rows(corpus, plan, "merges", "row", low, high)
    facts = _facts(corpus, part, ["problem_id", "level", "predicted", "contest_date", "grams", "failed"])
    entries = _duplicates(corpus, plan, merges, low, high)
    for row, failed in enumerate(facts["failed"].to_pylist(), low):
        if failed:
            said = {"rule": DUPLICATES_RULE, "reason": RULE_FAILED, "detail": failed[0], "fault": failed[1]}
            entries[row] = decision(row, "dropped", **said)
    if index is not None:
        standing = np.ones(high - low, bool)
        standing[[merge["row"] - low for merge in merges]] = False
        evidence = gather(
            settings.contamination,
            settings.benchmarks,
            index,
            _hits_of_group(corpus, "addresses", low, high),
            _hits_of_group(corpus, "examples", low, high),
            {size: _hits_of_group(corpus, f"hits{size}", low, high) for size in index.grams},
            facts["grams"].to_numpy(),
            facts["contest_date"].to_pylist(),
            standing,
            np.asarray(corpus.load("in_rows.npy")),
        )
        for row, found in evidence.items():
            if found:
                entries[low + row] = _contaminated(settings, low + row, found, entries.get(low + row))
    if settings.select is not None:
        values = zip(
            *(facts[name].to_pylist() for name in ("problem_id", "level", "predicted", "contest_date")), strict=True
        )
        standing_rows = (
            Candidate(row, *fact)
            for row, fact in enumerate(values, low)
            if row not in entries or entries[row]["outcome"] not in ("dropped", "merged")
        )
        corpus.save(f"candidates-{part:05d}.npy", sorted_keys(settings.select, standing_rows))
    by_shard: dict[int, Decisions] = {shard: Decisions({}) for shard in corpus.groups[part]}
    for row, entry in entries.items():
        shard = int(corpus.shard_of(row))
        entry["index"] = row - int(corpus.bases[shard])
        by_shard[shard].by_index[entry["index"]] = entry
    return _saved(corpus, by_shard)


def select_group(corpus: Corpus, part: int, select: Select, dropped: dict[str, bytes]) -> dict[str, Any]:
    """Write the decisions of a group's shards again, with the rows that selection by level drops; returns counts."""
    by_shard = {shard: Decisions.load(Path(corpus.features), corpus.names[shard]) for shard in corpus.groups[part]}
    for level, chosen in surplus(dropped, corpus.load(f"candidates-{part:05d}.npy")).items():
        for row in chosen.tolist():
            shard = int(corpus.shard_of(row))
            index = row - int(corpus.bases[shard])
            decided = by_shard[shard].by_index
            decided[index] = _too_many(select, level, index, decided.get(index, {}))
    return _saved(corpus, by_shard)


def _saved(corpus: Corpus, by_shard: dict[int, Decisions]) -> dict[str, Any]:
    """Save the decisions; returns their counts."""
    total = no_counts()
    for shard, decisions in by_shard.items():
        decisions.save(Path(corpus.features), corpus.names[shard])
        add_counts(total, counts_of(decisions))
    return {what: dict(counts) for what, counts in total.items()}


def _duplicates(
    corpus: Corpus, plan: DecidingSettings, merges: list[dict[str, Any]], low: int, high: int
) -> dict[int, dict[str, Any]]:
    """The decisions about duplicates, by row."""
    settings = plan.settings
    near = settings.duplicates.near if settings.duplicates else None
    entries: dict[int, dict[str, Any]] = {}
    for merge in merges:
        conflict = merge["reason"] == "same_id"
        entry = decision(
            merge["row"],
            "dropped" if conflict else "merged",
            rule=DUPLICATES_RULE,
            reason="id_conflict" if conflict else merge["reason"],
            statistic=merge["jaccard"],
            threshold=near if merge["jaccard"] is not None else None,
            detail="another problem has this id: give the sources names, or map an id that is unique"
            if conflict
            else None,
            duplicate_of=merge["into_id"],
        )
        if not conflict:
            into = int(corpus.shard_of(merge["into"]))
            entry.update(into_shard=corpus.names[into], into_index=merge["into"] - int(corpus.bases[into]))
        entries[merge["row"]] = entry
    for one in _table_rows(corpus, plan, "apart", "row", low, high):
        if one["row"] in entries and entries[one["row"]]["outcome"] != "marked":
            entries[one["row"]]["fault"] = one["fault"]  # merged into another row than the one it failed on
            continue
        entries[one["row"]] = decision(
            one["row"],
            "marked",
            rule=DUPLICATES_RULE,
            detail=f"{one['reason']} as {one['other_id']}, not merged: {one['why']}",
            fault=one["fault"],
        )
    merged: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for merge in _table_rows(corpus, plan, "stays", "into", low, high):
        if merge["reason"] != "same_id":
            merged[merge["into"]].append((merge["row_id"], corpus.names[int(corpus.shard_of(merge["row"]))]))
    for row, ids_and_shards in merged.items():
        entry = entries.get(row) or decision(row, "kept")
        ids, shards = zip(*ids_and_shards, strict=True)
        entries[row] = {**entry, "merged_ids": sorted(ids), "merged_from": sorted(set(shards))}
    return entries


def _contaminated(
    settings: Compare, row: int, found: list[dict[str, Any]], before: dict[str, Any] | None
) -> dict[str, Any]:
    """The decision about a row with evidence of contamination."""
    dropping = verdict(settings.contamination, found)
    shown = dropping or found[0]
    kept = before or {}
    return decision(
        row,
        "dropped" if dropping else "marked",
        rule=CONTAMINATION_RULE,
        reason=f"in_benchmark_{shown['method']}" if dropping else "",
        statistic=shown["score"],
        threshold=settings.contamination.drop if dropping else settings.contamination.review,
        detail=": ".join(filter(None, [shown["benchmark"], shown["item"]])),
        merged_ids=kept.get("merged_ids") or [],
        merged_from=kept.get("merged_from"),
        contamination=found,
    )


def _too_many(settings: Select, level: str, index: int, before: dict[str, Any]) -> dict[str, Any]:
    """The decision about a row of a level that has too many."""
    return decision(
        index,
        "dropped",
        rule=settings.name,
        reason=f"too_many_{level}",
        detail=f"{level} rows may be {settings.shares[level]:g} of all",
        merged_ids=before.get("merged_ids"),
        merged_from=before.get("merged_from"),
        contamination=before.get("contamination"),
    )


def _facts(corpus: Corpus, part: int, columns: list[str]) -> pa.Table:
    return pa.concat_tables(
        [read_columns(corpus.feature(shard, "facts.parquet"), columns=columns) for shard in corpus.groups[part]]
    ).combine_chunks()


def _table_rows(
    corpus: Corpus, plan: DecidingSettings, table: str, column: str, low: int, high: int
) -> list[dict[str, Any]]:
    """The rows of a group in a table of all batches: `low <= column < high`, in order."""
    if not plan.batches:
        return []
    found: list[dict[str, Any]] = table_slice(
        corpus, f"{table}-block-{_block(corpus, low):05d}.arrow", column, low, high
    ).to_pylist()
    return found


def _hits_of_group(corpus: Corpus, name: str, low: int, high: int) -> tuple[Array, Array]:
    """What a group's rows and those merged into them share with benchmarks, each once; rows are counted from `low`."""
    (found,) = slices([corpus.load(f"{name}-block-{_block(corpus, low):05d}.npy")], low, high)
    rows, keys = found
    return rows.astype(np.int64) - low, keys


def _block(corpus: Corpus, row: int) -> int:
    return int(np.searchsorted(corpus.block_bounds, row, side="right")) - 1


def _evidence_names(index: BenchmarkIndex) -> list[str]:
    return ["addresses", "examples", *(f"hits{size}" for size in index.grams)]
