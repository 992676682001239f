"""Read a build's directory: manifest, published rows, dropped rows, and the shards between stages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from microcoder_data.schema import Row
from microcoder_data.shards import read_shard
from microcoder_eval import InputError


def load_manifest(directory: Path) -> dict[str, Any]:
    """The manifest of a finished build; raises InputError when there is none."""
    path = directory / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        unfinished = (directory / "work").is_dir()
        hint = "the build is not finished: run it again with --resume" if unfinished else "no dataset is here"
        raise InputError(f"{directory}: {hint}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    if not isinstance(manifest, dict) or "files" not in manifest:
        raise InputError(f"{path}: not a manifest of a build")
    return manifest


def rows(directory: Path, columns: list[str] | None = None) -> Iterator[Row]:
    """The published rows, in order; raises InputError where files of them are gone."""
    for file in load_manifest(directory)["files"]:
        if file["path"].startswith("data/") and not (directory / file["path"]).is_file():
            raise InputError(f"{directory} is no whole dataset: it lacks {file['path']}, which its manifest lists")
    for path in sorted((directory / "data").glob("*.parquet")):
        yield from read_shard(path, columns)


def dropped(directory: Path, columns: list[str] | None = None) -> Iterator[Row]:
    """The entries of all rows that were rejected, dropped or merged, stage by stage."""
    load_manifest(directory)
    for path in sorted((directory / "dropped").glob("*.parquet")):
        yield from read_shard(path, columns)


def work_files(directory: Path, stage: str) -> Iterator[tuple[Path, str]]:
    """The rows that a stage left, as far as the build's `work/` is still there: shards and checksums, in order."""
    folder = directory / "work" / stage
    for done in sorted(folder.glob("*.done.json")):
        for file in json.loads(done.read_text(encoding="utf-8"))["files"]:
            if file["kind"] == "rows":
                yield folder / file["path"], file["sha256"]
