"""manifest.json: what a dataset was made from, how many rows went and why, and checksums of what was published.

It holds no times, no paths of this machine and no number of workers: equal datasets have equal manifests.
"""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from microcoder_data.config import to_mapping
from microcoder_data.pipeline.result import StageResult
from microcoder_data.pipeline.stage import stages_of
from microcoder_data.reading.parts import Scanned
from microcoder_data.recipe import Recipe, digest
from microcoder_data.schema import SCHEMA_VERSION, fingerprint

HASH_BYTES, HASHES_AT_ONCE = 32, 500_000


def make_manifest(
    recipe: Recipe,
    inputs: Sequence[Scanned],
    results: Sequence[StageResult],
    files: Mapping[str, tuple[Path, dict[str, Any]]],
    oversized: Sequence[str],
    limit: int | None,
    warnings: Sequence[str],
) -> dict[str, Any]:
    """The manifest of a finished build."""
    last = results[-1]
    return {
        "name": recipe.name,
        "schema_version": SCHEMA_VERSION,
        "schema_fingerprint": fingerprint(),
        "config": {key: value for key, value in to_mapping(recipe).items() if key != "grader"},  # it changes no row
        "config_sha256": digest([stage.settings(recipe) for stage in stages_of(recipe)]),
        "limit": limit,
        "made_with": {name: _version(name) for name in ("microcoder", "pyarrow", "numpy")},
        "inputs": [
            {"file": Path(item.path).name, "source": _source(recipe, item), "bytes": item.bytes, "sha256": item.sha256}
            for item in inputs
        ],
        "stages": [
            {
                "stage": result.stage,
                **{what: result.total(what) for what in ("in", "kept", "dropped", "merged")},
                "reasons": result.reasons(),
                "touched": result.reasons("touched"),
                **{what: counts for what in ("faults", "executed", "not_executed") if (counts := result.reasons(what))},
            }
            for result in results
        ],
        "warnings": list(warnings),
        "rows": last.total("kept"),
        "logical_sha256": _logical_sha256([task.folder / file["path"] for task, file in last.files("hashes")]),
        "files": [
            {"path": name, **{what: file[what] for what in ("rows", "bytes", "sha256")}}
            for name, (_, file) in sorted(files.items())
        ],
        "oversized_tests": list(oversized),
    }


def _logical_sha256(paths: Sequence[Path]) -> str:
    """The hash over all row hashes in order. Each file is sorted, so one range of hashes is read from all files at a
    time."""
    total = sum(path.stat().st_size for path in paths) // HASH_BYTES
    parts = min(256, 1 + total // HASHES_AT_ONCE)
    digest = hashlib.sha256()
    for part in range(parts):
        low, high = (bytes([256 * bound // parts]) if bound < parts else None for bound in (part, part + 1))
        digest.update("".join(sorted(name for path in paths for name in _between(path, low or b"", high))).encode())
    return digest.hexdigest()


def _between(path: Path, low: bytes, high: bytes | None) -> Iterator[str]:
    """The hashes of a file from `low` to below `high`, as hexadecimal text."""
    with open(path, "rb") as file:
        count = path.stat().st_size // HASH_BYTES

        def at(place: int) -> bytes:
            file.seek(place * HASH_BYTES)
            return file.read(HASH_BYTES)

        start = bisect.bisect_left(range(count), low, key=at)
        end = count if high is None else bisect.bisect_left(range(count), high, key=at)
        file.seek(start * HASH_BYTES)
        for _ in range(end - start):
            yield file.read(HASH_BYTES).hex()


def _source(recipe: Recipe, item: Scanned) -> str | None:
    if not item.parts:
        return None
    spec = recipe.sources[item.parts[0].source]
    return spec.name or spec.source


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
