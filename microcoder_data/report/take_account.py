"""The account of a finished build, file by file: each is counted once, by the engine's workers, and then remembered.

It is read from the published files, and from the shards between the stages while they are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from microcoder_data.code_version import code_version
from microcoder_data.engine import Engine, make_engine
from microcoder_data.engine.short_work import for_short_work, seconds_to_copy
from microcoder_data.fitness import Fit
from microcoder_data.recipe import digest
from microcoder_data.report.account import Account
from microcoder_data.report.count_file import File, Kind, counted, remembered
from microcoder_data.report.dataset import load_manifest, work_files

COUNTS = "report"
"""The folder in `work/` where the counts of files are kept."""
_PUBLISHED: tuple[tuple[str, Kind], ...] = (("data/", "published"), ("dropped/", "dropped"))
_BETWEEN: tuple[tuple[str, Kind], ...] = (("collect", "collected"), ("process", "processed"))


def take_account(directory: Path, engine: Engine | None = None) -> Account:
    """Read a finished build."""
    account = Account(load_manifest(directory))
    files = list(_files(directory, account.manifest))
    found = {position: parts for position, file in enumerate(files) if (parts := remembered(file)) is not None}
    missing = [position for position in range(len(files)) if position not in found]
    seconds = sum(seconds_to_copy(files[position].path) for position in missing)
    engine = for_short_work(engine or make_engine("local", 1), seconds)
    for number, parts in engine.map(counted, [files[position] for position in missing]):
        found[missing[number]] = parts
    for position in range(len(files)):
        for part in found.pop(position):
            account.add(part)
    if not account.before["source"]:
        account.before = {}
    _forget_others(directory, files)
    return account


def _files(directory: Path, manifest: dict[str, Any]) -> Iterator[File]:
    """What is counted, in order."""
    named = manifest["config"]["filter"].get("fit")
    fit = Fit(**named) if named else Fit()
    version = digest([code_version("microcoder_data.report.count_file"), asdict(fit)])
    work = directory / "work"

    def file(name: str, path: Path, kind: Kind, sha256: str) -> File:
        kept = str(work / COUNTS / f"{name}.json") if work.is_dir() else ""
        return File(str(path), kind, fit, version, sha256, kept)

    for place, kind in _PUBLISHED:
        for one in manifest["files"]:
            if one["path"].startswith(place):
                yield file(one["path"], directory / one["path"], kind, one["sha256"])
    for stage, kind in _BETWEEN:
        for path, sha256 in work_files(directory, stage):
            yield file(f"{stage}/{path.name}", path, kind, sha256)


def _forget_others(directory: Path, files: list[File]) -> None:
    """Remove the counts of files that are no longer there."""
    used = {file.kept for file in files}
    for path in (directory / "work" / COUNTS).rglob("*.json"):
        if str(path) not in used:
            path.unlink()
