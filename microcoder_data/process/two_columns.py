"""HackerRank shows some samples as a table: the input beside the function's arguments."""

from __future__ import annotations

import re

_HEAD = re.compile(r"(STDIN[ \t]{2,})Function[ \t]*\n[ \t]*-{3,}[ \t]+-{3,}[ \t]*(?:\n|\Z)")

_SECOND_CELL = re.compile(r"[ \t]{2,}|[ \t]+(?=[A-Za-z_][\w\[\]]*[ \t]+(?:=|size\b))")


def without_second_column(text: str) -> str:
    """A sample's input without the column that explains it. Text that is no such table is not changed.

    >>> without_second_column("STDIN   Function\\n-----   --------\\n2       t = 2\\n1 3     arr = [1, 3]\\n7")
    '2\\n1 3\\n7'
    """
    head = _HEAD.match(text) if text.startswith("STDIN") else None
    if not head:
        return text
    return "\n".join(_first_cell(line, len(head[1])) for line in text[head.end() :].split("\n"))


def _first_cell(line: str, width: int) -> str:
    """The cell as wide as its column; where it is wider, up to a gap or an argument's name."""
    fits = line[width - 1 : width].strip() == ""
    return (line[:width] if fits else _SECOND_CELL.split(line)[0]).rstrip()
