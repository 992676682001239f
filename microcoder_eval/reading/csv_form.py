"""The form of a table of text: what separates its columns. Spreadsheets write `;` where the comma is the decimal point.

reader = csv_reader(open("replies.csv", newline=""), "replies.csv")
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable
from typing import Any

_DELIMITERS = ",;\t|"


def csv_reader(lines: Iterable[str], name: str, **options: Any) -> csv.DictReader[str]:
    """A reader of the rows under the header, which shows the delimiter. A first line `sep=;` of Excel names it.

    >>> list(csv_reader(["id;code\\n", "a;print(1, 2)\\n"], "a.csv"))
    [{'id': 'a', 'code': 'print(1, 2)'}]
    """
    remaining = iter(lines)
    first = next(remaining, "")
    if named := re.fullmatch(r"sep=(.)\s*", first):
        return csv.DictReader(remaining, delimiter=named.group(1), **options)
    outside_quotes = re.sub(r'"[^"]*"?', "", first)
    order = "\t" + _DELIMITERS if name.endswith(".tsv") else _DELIMITERS
    delimiter = max(order, key=outside_quotes.count)
    return csv.DictReader(itertools.chain([first], remaining), delimiter=delimiter, **options)
