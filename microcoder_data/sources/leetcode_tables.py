"""Tables of statements whose HTML was stripped: a cell on each line, an empty line between rows."""

from __future__ import annotations

import re

LONGEST_CELL = 60
_GAP = re.compile(r"(\n(?:[ \t]*\n)+)")
_ROW_OF_HTML = "\n\n\n"
"""Between paragraphs there is one empty line; between the rows of a stripped table are often two."""
_NO_CELL = re.compile(r"[.:;]\s*\Z|^\s*(?:-\s|\d+[.)]\s|(?:Input|Output|Example|Constraints)\b)")


def with_tables(text: str) -> str:
    """The text with rows of equally many cells as Markdown tables.

    >>> print(with_tables("Explanation:\\n\\ni\\nSum\\n\\n0\\n2\\n\\n1\\n5\\n\\nThe sum is 7."))
    Explanation:
    <BLANKLINE>
    | i | Sum |
    | --- | --- |
    | 0 | 2 |
    | 1 | 5 |
    <BLANKLINE>
    The sum is 7.
    """
    pieces = _GAP.split(text)
    paragraphs, gaps = [piece.split("\n") for piece in pieces[::2]], [*pieces[1::2], ""]
    shown: list[str] = []
    start = 0
    plain: list[str] = []  # the lines of the paragraph above, if it is no table
    while start < len(paragraphs):
        end = _end_of_table(paragraphs, gaps, start)
        if end == start:
            plain = paragraphs[start]
            shown += ["\n".join(plain), gaps[start]]
            start += 1
            continue
        rows = paragraphs[start:end]
        width = len(rows[0])
        if len(plain) >= width and all(map(_is_cell, plain[-width:])):
            rows = [plain[-width:], *rows]
            shown[-2:] = ["\n".join(plain[:-width]), "\n\n" if plain[:-width] else ""]
        shown += [_markdown(rows), gaps[end - 1]]
        plain = []
        start = end
    return "".join(shown)


def _end_of_table(paragraphs: list[list[str]], gaps: list[str], start: int) -> int:
    """Behind the last row of the table that begins here; the same place if none does."""
    width, gap = len(paragraphs[start]), gaps[start]
    end = start
    while end < len(paragraphs) and len(paragraphs[end]) == width and all(map(_is_cell, paragraphs[end])):
        end += 1
        if gaps[end - 1] != gap:
            break
    return end if width > 1 and end - start >= (2 if gap == _ROW_OF_HTML else 3) else start


def _is_cell(line: str) -> bool:
    return 0 < len(line) <= LONGEST_CELL and not _NO_CELL.search(line)


def _markdown(rows: list[list[str]]) -> str:
    head, *rest = [[cell.strip().replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rest])
