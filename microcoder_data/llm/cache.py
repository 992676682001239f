"""Cached answers on disk: one file each, named by the hash of the question. Several builds may share a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from microcoder_eval.atomic import write_json


class Cache:
    """A folder of answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self, key: str) -> dict[str, Any] | None:
        """The entry under `key`: `{"answer": ...}` or `{"useless": why}`; None for a missing or broken file."""
        try:
            entry = json.loads(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return entry if isinstance(entry, dict) and ("answer" in entry or "useless" in entry) else None

    def store(self, key: str, entry: dict[str, Any]) -> None:
        """Write the entry under `key`; raises OSError or InputError if the disk refuses it."""
        write_json(self._path(key), entry)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
