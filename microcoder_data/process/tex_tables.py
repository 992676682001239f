"""Convert TeX tables to Markdown. Rules are left out; a cell over several columns is followed by empty ones."""

from __future__ import annotations

import re
from collections.abc import Callable

from microcoder_data.process.tex_arguments import group_at, replace_commands

_BEGIN = re.compile(r"\\begin\{(tabular\*?|tabularx|tabulary|longtable|tabu)\}(?:\[[^\]]*\])?")
_WIDTH_FIRST = ("tabular*", "tabularx", "tabulary")
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|hhline\{[^{}]*\}|(?:cline|cmidrule)(?:\([^)]*\))?\{[^{}]*\}|endhead|endfirsthead|endfoot|"
    r"rowcolor(?:\[[^\]]*\])?\{[^{}]*\})(?![A-Za-z])"
)  # fmt: skip
_ROW_END = re.compile(r"\\\\(?:\[[^\]]*\])?|\\tabularnewline(?![A-Za-z])")
_CELL_END = re.compile(r"(?<!\\)&")


def tables_to_markdown(text: str, cell: Callable[[str], str], keep: Callable[[str], str]) -> str:
    """The text with its tables as Markdown. `cell` converts one cell's TeX. `keep` returns a placeholder
    for a finished table, so that later steps do not change it.

    >>> tables_to_markdown(r"\\begin{tabular}{ll} a & b \\\\ \\hline 1 & 2 \\\\ \\end{tabular}", str.strip, str).strip()
    '| a | b |\\n| --- | --- |\\n| 1 | 2 |'
    """
    pieces, end = [], 0
    for found in _BEGIN.finditer(text):
        if found.start() < end:
            continue
        closing = text.find(f"\\end{{{found[1]}}}", found.end())
        start = _after_groups(text, found.end(), 2 if found[1] in _WIDTH_FIRST else 1)
        if closing < start:
            continue
        table = _markdown(text[start:closing], cell)
        pieces += [text[end : found.start()], f"\n\n{keep(table)}\n\n" if table else "\n\n"]
        end = closing + len(f"\\end{{{found[1]}}}")
    return "".join([*pieces, text[end:]])


def _after_groups(text: str, at: int, count: int) -> int:
    for _ in range(count):
        group = group_at(text, at)
        if group is None:
            break
        at = group[1]
    return at


def _markdown(body: str, cell: Callable[[str], str]) -> str:
    """The body of one table as Markdown; empty for a table without content."""
    body = replace_commands(body, "noalign", 1, lambda *_: "")
    ruled: list[int] = []
    rows: list[list[str]] = []
    for raw in _ROW_END.split(body):
        without_rules = _RULE.sub("", raw)
        if rows and without_rules != raw:
            ruled.append(len(rows))  # there is a rule before this row
        cells = [one for part in _CELL_END.split(without_rules) for one in _spread(part)]
        cells = [" ".join(cell(one).replace("|", "\\|").split()) for one in cells]
        if any(cells):
            rows.append(cells)
    if not rows:
        return ""
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    if 1 not in ruled or len(rows) == 1:
        rows.insert(0, [""] * width)
    rows.insert(1, ["---"] * width)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _spread(part: str) -> list[str]:
    """A cell, followed by an empty one for each further column that it covers."""
    covered = 1

    def spread(_: str, groups: list[str]) -> str:
        nonlocal covered
        covered = int(groups[0]) if groups[0].strip().isdecimal() and len(groups[0].strip()) < 3 else 1
        return groups[2]

    text = replace_commands(part, "multicolumn", 3, spread)
    text = replace_commands(text, "multirow", 3, lambda _, groups: groups[2])
    return [text] + [""] * (covered - 1)
