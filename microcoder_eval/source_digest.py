"""A digest of this package's own source: what was made before an upgrade is not mixed with what is made after it."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent


@cache
def source_digest() -> str:
    """The digest, taken once in a process: what it has imported stays the same when the files change."""
    digest = hashlib.sha256()
    for source in sorted(PACKAGE.rglob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()
