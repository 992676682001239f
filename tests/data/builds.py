"""Checksums of a finished build, for tests that compare builds."""

from __future__ import annotations

import hashlib
from pathlib import Path


def published(directory: Path) -> dict[str, str]:
    """The checksum of every published file, by its name."""
    return {
        str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and "work" not in path.relative_to(directory).parts and path.name != ".lock"
    }
