"""Compare: duplicates among all rows, problems of benchmarks, selection by level.

A task for each shard writes the features by which its rows are compared. Then a reduction in parts decides about every
row (`compare/reduce.py`). The rows stay as Filter left them; the next stage that reads them applies the decisions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from microcoder_data.compare.benchmarks import PAPER_GRAM, BenchmarkIndex, build_index, load_index
from microcoder_data.compare.corpus import Corpus
from microcoder_data.compare.features import write_features
from microcoder_data.compare.judgements import NAME as JUDGEMENTS
from microcoder_data.compare.near_on_disk import NEAR
from microcoder_data.compare.reduce import decide
from microcoder_data.compare.settings import CONTAMINATION_RULE, DUPLICATES_RULE
from microcoder_data.config import to_mapping
from microcoder_data.pipeline.pooling import pool_settings, with_merged_rows
from microcoder_data.pipeline.process import STAGE as PROCESS
from microcoder_data.pipeline.rate import STAGE as RATE
from microcoder_data.pipeline.result import StageResult
from microcoder_data.pipeline.running import Running, read_json
from microcoder_data.pipeline.shard_files import described
from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord, finish
from microcoder_data.pipeline.stage import Stage
from microcoder_data.reading.files import find_files
from microcoder_data.reading.hub import hub_parts
from microcoder_data.reading.scanning import scan_whole
from microcoder_data.recipe import Recipe, digest
from microcoder_data.sources import reading_version
from microcoder_eval.atomic import write_json
from microcoder_eval.plural import counted

FEATURES_VERSION = "features_v9"
"""The version of what `compare/features.py` writes."""
INDEXED = "benchmarks.key.json"
"""The record of the benchmarks' index."""


class CompareStage(Stage):
    name = "compare"

    def rule_names(self, recipe: Recipe) -> list[str]:
        return [DUPLICATES_RULE, CONTAMINATION_RULE]

    def own_settings(self, recipe: Recipe) -> Any:
        return to_mapping(recipe.compare)

    def other_settings(self, recipe: Recipe) -> list[Any]:
        # The Process rules are applied to the benchmarks too.
        return [pool_settings(recipe), *([PROCESS.settings(recipe)] if recipe.compare.benchmarks else [])]

    def run(self, running: Running) -> StageResult:
        recipe, before = running.recipe, running.before
        if before.decided is not None:
            raise RuntimeError(
                f"{before.stage} left decisions that are not applied to its rows yet: Compare cannot read them"
            )
        indexed = _index_benchmarks(running, self)
        settings = [self.settings(recipe), [indexed["key"]] if indexed else [], FEATURES_VERSION]
        features = running.run_tasks(self.name, features_task, running.tasks(self.name, settings))
        keys = [record["key"] for _, record in features]
        key = _decisions_key(settings, keys)
        rows = {task.name: record["in"] for task, record in features}
        folder = running.work / self.name
        index = (str(folder), digest(self.settings(recipe))) if recipe.compare.benchmarks else None
        corpus = Corpus(
            str(folder), str(folder / "reduce"), tuple(rows), tuple(task.source for task, _ in features),
            tuple(rows.values()),
        )  # fmt: skip
        if running.base is not None:
            of_base = running.base.work / self.name
            corpus = replace(
                corpus, judged_before=str(of_base / JUDGEMENTS), known=_known_shards(of_base, settings, keys),
                near_before=str(of_base / NEAR),
            )  # fmt: skip

        def decided() -> TaskRecord:
            return decide(recipe.compare, corpus, index, running.engine, key=key, select=not RATE.needed(recipe))

        decisions = running.decide(self.name, key, rows, decided)
        if indexed:
            running.warnings += [
                f"benchmark {name}: {counted(count, 'record')} could not be read"
                for name, count in indexed["left_out"].items()
            ]
            faults = dict(Counter(decisions.record["faults"]) + Counter(indexed["faults"]))
            decisions = replace(decisions, record={**decisions.record, "faults": faults})
        return StageResult(
            self.name, [], before.shards, with_merged_rows(running, [task for task, _ in features], decisions)
        )


STAGE = CompareStage()


def _decisions_key(settings: Any, features: list[str]) -> str:
    """The hash of all that decisions depend on: the settings, and the keys of the shards' features."""
    return digest([settings, features])


def _known_shards(of_base: Path, settings: Any, features: list[str]) -> int:
    """How many of the first shards are all those that the base has compared with these settings; else 0."""
    record = read_json(of_base / "decisions.json", {})
    count = len(record.get("files", []))
    same = record.get("key") == _decisions_key(settings, features[:count])
    return count if same and (of_base / NEAR).is_file() else 0


def features_task(task: ShardTask) -> TaskRecord:
    """Write the features by which the rows of one shard are compared."""
    index = _index(task.recipe, task.folder)
    rows, paths = write_features(task.recipe.compare, index, shard=task.shard, folder=task.folder, name=task.name)
    return finish(task, {"key": task.key, "in": rows, "files": [described(path, "features", rows) for path in paths]})


def _index(recipe: Recipe, folder: Path) -> BenchmarkIndex | None:
    return load_index(str(folder), digest(STAGE.settings(recipe))) if recipe.compare.benchmarks else None


def _index_benchmarks(running: Running, stage: CompareStage) -> dict[str, Any]:
    """Index the benchmarks if their files or settings changed; returns the index's record: its key, which records were
    left out, faults. Empty without benchmarks."""
    recipe, compare = running.recipe, running.recipe.compare
    if not compare.benchmarks:
        return {}
    checksums = []
    for number, benchmark in enumerate(compare.benchmarks):
        if benchmark.source.dataset:
            checksums.append(hub_parts(0, benchmark.source).sha256)
        else:
            paths = find_files(benchmark.source, f"compare.benchmarks[{number}]")
            checksums += [scan_whole(path).sha256 for path in paths]
    key = digest([digest(stage.settings(recipe)), reading_version(), checksums])
    folder = running.work / stage.name
    record: dict[str, Any] = read_json(folder / INDEXED, {})
    if record.get("key") != key or not (folder / "benchmarks.npz").is_file():
        sizes = {compare.contamination.gram} | ({PAPER_GRAM} if compare.contamination.paper_grams else set())
        unread = build_index(compare.benchmarks, recipe.process, tuple(sorted(sizes)), folder)
        record = {"key": key, "left_out": dict(unread.records), "faults": dict(unread.faults)}
        write_json(folder / INDEXED, record)
    return record
