"""Publish a finished build: its files under their published names, then the manifest, the card and the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from microcoder_data.pipeline.base import link
from microcoder_data.pipeline.manifest import make_manifest
from microcoder_data.pipeline.running import Running, read_json
from microcoder_data.pipeline.shard_task import TaskRecord
from microcoder_data.report.describe import describe
from microcoder_eval.atomic import sync, write_json

FOLDERS = ("data", "solutions", "dropped", "tests")
DECISIONS_OF = {"rate": "select"}
"""Rows that a stage's decisions drop are published as `dropped/<stage>-...`. Rate also drops rows by rules, so its
decisions (the selection by level) are published as `dropped/select-...`."""


def publish(running: Running, directory: Path) -> dict[str, Any]:
    """Put the finished files under their published names; the manifest comes last."""
    running.progress("publish", 0, 1, 0)
    results = list(running.results.values())
    last = results[-1]
    published = _published(running)
    oversized = sorted({name for record in last.records for name in record["oversized"]})
    manifest = make_manifest(
        running.recipe, running.inputs, results, published, oversized, running.options.limit, running.warnings
    )
    manifest_path = directory / "manifest.json"
    if read_json(manifest_path, {}) != manifest:
        manifest_path.unlink(missing_ok=True)
    targets = {directory / name: path for name, (path, _) in published.items()}
    targets |= {
        directory / "tests" / f"{name}.json.zst": running.work / "tests" / f"{name}.json.zst" for name in oversized
    }
    for target, path in targets.items():
        link(path, target)
    for parent in {target.parent for target in targets}:
        sync(parent)
    for folder in FOLDERS:
        for path in (directory / folder).glob("*"):
            if path not in targets:
                path.unlink()
    write_json(manifest_path, manifest)
    describe(directory, running.engine)
    running.progress("publish", 1, 1, manifest["rows"])
    return manifest


def _published(running: Running) -> dict[str, tuple[Path, TaskRecord]]:
    """For each published name, the build's file and its entry in the task's record."""
    results = list(running.results.values())
    published: dict[str, tuple[Path, TaskRecord]] = {}
    for kind, folder in (("rows", "data"), ("solutions", "solutions")):
        for number, (task, file) in enumerate(results[-1].files(kind)):
            published[f"{folder}/{number:05d}.parquet"] = (task.folder / file["path"], file)
    for result in results:
        for task, file in result.files("dropped"):
            published[f"dropped/{result.stage}-{task.name}.parquet"] = (task.folder / file["path"], file)
    for result in results:
        for task, file in result.files("compared"):  # rows of this task that an earlier stage's decisions drop
            by = DECISIONS_OF.get(task.decided, task.decided)
            published[f"dropped/{by}-{task.name}.parquet"] = (task.folder / file["path"], file)
    return published
