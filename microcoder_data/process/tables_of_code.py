"""Tables of HTML whose cells hold blocks of code, which have no place in a table of Markdown."""

from __future__ import annotations

import html
import re

from microcoder_data.process.headings import heading_of
from microcoder_data.process.pairs import Pair

_CELL = re.compile(r"<(/?)t[dh]\b[^<>]*>", re.IGNORECASE)
_CELLS = re.compile(r"<t[dh]\b[^<>]*>(.*?)</t[dh]>", re.IGNORECASE | re.DOTALL)
_ROW = re.compile(r"</?(?:table|thead|tbody|tfoot|tr)\b[^<>]*>", re.IGNORECASE)
_BEGIN_OF_ROW = re.compile(r"<tr\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def cells_apart(table: Pair) -> str:
    """The cells of a table that holds blocks of code below each other: each sample's below the headings of the columns.

    >>> from microcoder_data.process.html_text import html_to_markdown
    >>> row = "<tr><td><pre>{}</pre></td><td><pre>{}</pre></td></tr>"
    >>> table = f"<table><tr><th>Input</th><th>Output</th></tr>{row.format(1, 2)}{row.format(3, 4)}</table>"
    >>> html_to_markdown(table).replace("```", "").split()
    ['Input', '1', 'Output', '2', 'Input', '3', 'Output', '4']
    """
    if "<pre" not in table.inside.lower():
        return table.whole
    head, *rows = [_CELLS.findall(row) for row in _BEGIN_OF_ROW.split(table.inside)[1:]] or [[]]
    names = [html.unescape(_TAG.sub(" ", cell)).strip() for cell in head]
    if rows and all(map(heading_of, names)) and all(len(row) == len(names) for row in rows):
        below = [pair for row in rows for pair in zip(names, row, strict=True)]
        return "".join(f"<div>{name}</div><div>{cell}</div>" for name, cell in below)
    return _ROW.sub("", _CELL.sub(r"<\1div>", table.whole))
