"""The form of a table of text: its encoding, and what separates its columns. Spreadsheets write `;` where the comma is
the decimal point, and their Windows' code page unless UTF-8 is asked for.

encoding = encoding_of(open("replies.csv", "rb"))
reader = csv_reader(open("replies.csv", newline="", encoding=encoding), "replies.csv")
"""

from __future__ import annotations

import codecs
import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from microcoder_eval.errors import InputError
from microcoder_eval.record_schema import shown

_DELIMITERS = ",;\t|"
UTF8, WESTERN = "utf-8-sig", "cp1252"
_BLOCK, _BLOCKS = 1 << 20, 64
_MOST_BEYOND_ASCII = 1 / 3
"""A smaller share of the letters of Western languages is beyond ASCII. In Russian or Chinese nearly all letters are."""


def encoding_of(file: BinaryIO) -> str:
    """The encoding of a table: UTF-8, or Windows' Western one if no line with letters beyond ASCII is UTF-8.

    >>> import io
    >>> encoding_of(io.BytesIO("id,task,größe".encode("latin-1"))), encoding_of(io.BytesIO("id,task,größe".encode()))
    ('cp1252', 'utf-8-sig')
    """
    letters = beyond = 0
    for line in _lines_beyond_ascii(file):
        try:
            codecs.getincrementaldecoder("utf-8")().decode(line)  # a long line may end within a letter
            return UTF8
        except UnicodeDecodeError:
            plain = line.decode("ascii", "ignore")
            beyond += len(line) - len(plain)
            letters += len(line) - len(plain) + sum(map(str.isalpha, plain))
    return WESTERN if 0 < beyond < _MOST_BEYOND_ASCII * letters else UTF8


def _lines_beyond_ascii(file: BinaryIO) -> Iterator[bytes]:
    """The lines at the beginning of a file that are not ASCII. A damaged archive, whose place the reader names, ends
    them."""
    for _ in range(_BLOCKS):
        try:
            block = file.read(_BLOCK) + file.readline(_BLOCK)
        except OSError:
            return
        if not block:
            return
        if not block.isascii():
            yield from (line for line in block.split(b"\n") if not line.isascii())


def csv_reader(lines: Iterable[str], name: str, **options: Any) -> csv.DictReader[str]:
    """A reader of the rows under the header, which shows the delimiter. A first line `sep=;` of Excel names it.

    >>> list(csv_reader(["id;code\\n", "a;print(1, 2)\\n"], "a.csv"))
    [{'id': 'a', 'code': 'print(1, 2)'}]
    """
    remaining = iter(lines)
    first = next(filter(str.strip, remaining), "")
    if named := re.fullmatch(r"sep=(.)\s*", first):
        return csv.DictReader(remaining, delimiter=named.group(1), **options)
    outside_quotes = re.sub(r'"[^"]*"?', "", first)
    separators = {*outside_quotes} & {*_DELIMITERS}
    is_tabbed = name.endswith(".tsv") and (not separators or "\t" in separators)
    delimiter = "\t" if is_tabbed else max(_DELIMITERS, key=outside_quotes.count)
    return csv.DictReader(itertools.chain([first], remaining), delimiter=delimiter, **options)


def refuse_twins(reader: csv.DictReader[str], path: Path | str) -> None:
    """Raise `InputError` for two columns with one name: the reader would give the last one without a word."""
    counts = Counter(filter(None, reader.fieldnames or []))
    if twice := next((name for name, count in counts.items() if count > 1), None):
        raise InputError(f"{path}: two columns are called {shown(twice)}: rename one")


def is_decimal_comma(text: str) -> bool:
    """Whether a text is a number as spreadsheets of many countries write it.

    >>> is_decimal_comma("12,566"), is_decimal_comma("1, 2")
    (True, False)
    """
    return re.fullmatch(r"\s*[+-]?\d+,\d+\s*", text) is not None
