"""Publish a finished build: its files under their published names, then the manifest, the card and the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from microcoder_data.pipeline.base import link
from microcoder_data.pipeline.manifest import make_manifest
from microcoder_data.pipeline.running import Running, read_json
from microcoder_data.pipeline.shard_task import Record
from microcoder_data.report.describe import describe
from microcoder_eval.atomic import sync, write_json

FOLDERS = ("data", "solutions", "dropped", "tests")
DECISIONS_OF = {"rate": "select"}
"""What a stage's decisions drop is published as `dropped/<stage>-...`. Rate's rules drop rows too, so its decisions,
which are the selection by level, have a name of their own."""


def publish(running: Running, directory: Path) -> dict[str, Any]:
    """Put the finished files under their published names; the manifest comes last."""
    running.progress("publish", 0, 1, 0)
    results = list(running.results.values())
    last = results[-1]
    wanted = _published(running)
    oversized = sorted({name for record in last.records for name in record["oversized"]})
    if not last.total("kept"):
        running.warnings.append("no row is left: the account says by which rules")
    manifest = make_manifest(
        running.recipe, running.inputs, results, wanted, oversized, running.options.limit, running.warnings
    )
    manifest_path = directory / "manifest.json"
    if read_json(manifest_path, None) != manifest:
        manifest_path.unlink(missing_ok=True)
    targets = {directory / name: path for name, (path, _) in wanted.items()}
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


def _published(running: Running) -> dict[str, tuple[Path, Record]]:
    """The build's file and its record for each published name."""
    results = list(running.results.values())
    wanted: dict[str, tuple[Path, Record]] = {}
    for kind, folder in (("rows", "data"), ("solutions", "solutions")):
        for number, (task, file) in enumerate(results[-1].files(kind)):
            wanted[f"{folder}/{number:05d}.parquet"] = (task.folder / file["path"], file)
    for result in results:
        for task, file in result.files("dropped"):
            wanted[f"dropped/{result.stage}-{task.name}.parquet"] = (task.folder / file["path"], file)
    for result in results:
        for task, file in result.files("compared"):  # what an earlier stage decided about the rows of this task
            by = DECISIONS_OF.get(task.decided, task.decided)
            wanted[f"dropped/{by}-{task.name}.parquet"] = (task.folder / file["path"], file)
    return wanted
