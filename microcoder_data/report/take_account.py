"""The account of a finished build, file by file: each is counted once, by the engine's workers, and then remembered.

It is read from the published files, and from the shards between the stages while they are there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from microcoder_data.code_version import code_version
from microcoder_data.engine import Engine, make_engine
from microcoder_data.fitness import Fit
from microcoder_data.recipe import digest
from microcoder_data.report.account import Account
from microcoder_data.report.count_file import File, Kind, counted
from microcoder_data.report.dataset import load_manifest, work_files

COUNTS = "report"
"""The folder in `work/` where the counts of files are kept."""
_PUBLISHED: tuple[tuple[str, Kind], ...] = (("data/", "published"), ("dropped/", "dropped"))
_BETWEEN: tuple[tuple[str, Kind], ...] = (("collect", "collected"), ("process", "processed"))


def take_account(directory: Path, engine: Engine | None = None) -> Account:
    """Read a finished build."""
    account = Account(load_manifest(directory))
    files = list(_files(directory, account.manifest))
    parts = {position: part for position, file in enumerate(files) if (part := _remembered(file)) is not None}
    missing = [position for position in range(len(files)) if position not in parts]
    for number, part in (engine or make_engine("local", 1)).map(counted, [files[position] for position in missing]):
        parts[missing[number]] = part
    for position in range(len(files)):
        account.add(parts.pop(position))
    if not account.before["source"]:
        account.before = {}
    _forget_others(directory, files)
    return account


def _files(directory: Path, manifest: dict[str, Any]) -> Iterator[File]:
    """What is counted, in order."""
    named = manifest["config"]["filter"].get("fit")
    fit = Fit(**named) if named else Fit()
    version = digest([code_version("microcoder_data.report.count_file"), asdict(fit)])
    folder = directory / "work" / COUNTS

    def file(path: Path, kind: Kind, sha256: str) -> File:
        kept = folder / f"{digest([version, kind, sha256])}.json" if folder.parent.is_dir() else ""
        return File(str(path), kind, fit, str(kept))

    for place, kind in _PUBLISHED:
        for one in manifest["files"]:
            if one["path"].startswith(place):
                yield file(directory / one["path"], kind, one["sha256"])
    for stage, kind in _BETWEEN:
        for path, sha256 in work_files(directory, stage):
            yield file(path, kind, sha256)


def _remembered(file: File) -> dict[str, Any] | None:
    if not file.kept:
        return None
    try:
        part: dict[str, Any] = json.loads(Path(file.kept).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return part


def _forget_others(directory: Path, files: list[File]) -> None:
    """Remove the counts of files that are no longer there."""
    used = {file.kept for file in files}
    for path in (directory / "work" / COUNTS).glob("*.json"):
        if str(path) not in used:
            path.unlink()
