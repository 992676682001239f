"""The program in a Jupyter notebook: its code cells, in order.

    program_of_notebook(Path("solution.ipynb").read_bytes())    # Notebook(code="print(1)\\n", language="python")

Lines for IPython (`%matplotlib inline`, `!pip install ...`) do nothing here, and cells in another language (`%%bash`)
are left out. Outputs and text cells are not read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from microcoder_eval.arguments import read_json
from microcoder_eval.errors import InputError
from microcoder_eval.languages.table import PYTHON, language_named

_FOR_IPYTHON = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?{1,2}[ \t]*)$", re.MULTILINE)
_MAGIC_AROUND_PYTHON = re.compile(r"\s*%%(?:time|timeit|capture|prun)\b.*\n?")


class Notebook(NamedTuple):
    """The program in a notebook."""

    code: str
    language: str


def program_of_notebook(content: bytes) -> Notebook:
    """The program in a notebook's bytes. Raises `InputError` if they are not a notebook with code.

    >>> program_of_notebook(b'{"cells": [{"cell_type": "code", "source": ["%time x = 1\\\\n", "y = 2"]}]}').code
    'pass\\ny = 2\\n'
    """
    try:
        value = read_json(content.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        raise InputError("not a Jupyter notebook: not JSON") from None
    cells = list(_sources(value))
    if not cells:
        raise InputError("not a Jupyter notebook with code cells")
    language = _language(value.get("metadata"))
    if language == PYTHON:
        cells = [_plain_python(cell) for cell in cells]
    return Notebook("".join(f"{cell}\n" for cell in cells if cell), language)


def _sources(value: Any) -> Iterator[str]:
    """The texts of the code cells; notebooks of version 3 have them in worksheets."""
    if not isinstance(value, Mapping):
        return
    sheets = value.get("worksheets")
    for sheet in [value, *(sheets if isinstance(sheets, list) else [])]:
        cells = sheet.get("cells") if isinstance(sheet, Mapping) else None
        for cell in cells if isinstance(cells, list) else []:
            if isinstance(cell, Mapping) and cell.get("cell_type") == "code":
                source = cell.get("source", cell.get("input", ""))
                yield "".join(map(str, source)) if isinstance(source, list) else str(source)


def _language(metadata: Any) -> str:
    for name, key in (("kernelspec", "language"), ("language_info", "name")):
        about = metadata.get(name) if isinstance(metadata, Mapping) else None
        word = about.get(key) if isinstance(about, Mapping) else None
        if isinstance(word, str):
            return language_named(word) or word
    return PYTHON


def _plain_python(cell: str) -> str:
    """A cell without what only IPython understands. Text that is Python already is not changed."""
    cell = _MAGIC_AROUND_PYTHON.sub("", cell, count=1) if _MAGIC_AROUND_PYTHON.match(cell) else cell
    if cell.lstrip().startswith("%%"):
        return ""
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _FOR_IPYTHON.sub(r"\1pass", cell)
    return cell
