"""What scanning returns and readers take: an input file with its checksum, and the parts in which it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from microcoder_data.rules import Reject

Record = tuple[str, "dict[str, Any] | Reject"]
"""The location (`file:line`), and the record or why it cannot be read."""
Layout = Literal["lines", "whole", "groups", "package", "hub"]
"""How a part is cut: bytes of a text file, a whole file, row groups of a Parquet file, a problem package, rows of a
data set of the hub."""

MAX_RECORD_BYTES = 256 << 20


@dataclass(frozen=True)
class Part:
    """A piece of a source that one worker reads."""

    source: int
    """The position of the source in the recipe."""
    path: str
    layout: Layout
    start: int = 0
    """Its beginning and its end, in bytes, row groups or rows, by the layout."""
    end: int = 0
    first_line: int = 1
    """The line or row of its first record, counted from 1."""


@dataclass(frozen=True)
class Scanned:
    """An input file as the manifest records it, and the parts in which it is read."""

    path: str
    bytes: int
    sha256: str
    parts: tuple[Part, ...]
