"""Numbers with a decimal point: how many digits follow it, by the statement and the known inputs.

decimal_domain([Decimal("1.50"), 2], stated=0)          # up to 2 digits after the point
stated_places("at most two digits after the decimal point")         # 2
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from microcoder_data.make_tests.grammar.grammar import Domain
from microcoder_data.make_tests.grammar.sentences import NUMBERS

_PLACES = re.compile(
    r"\b(?:(?:exactly|at most|up to|no more than|not more than|precisely) )?(?P<count>\d|[a-z]+) "
    r"(?:digits? (?:after|behind|following|to the right of) the (?:decimal )?(?:point|comma)|"
    r"decimal (?:digits?|places?)|decimals)(?! of precision)\b",
    re.IGNORECASE,
)


def stated_places(text: str) -> tuple[int, str]:
    """How many digits after the point a text states, and the text without these words; 0 if it states none.

    >>> stated_places("x has at most 3 digits after the decimal point"), stated_places("two numbers")
    ((3, 'x has '), (0, 'two numbers'))
    """
    for match in _PLACES.finditer(text):
        word = match["count"].lower()
        count = int(word) if word.isdigit() else NUMBERS.get(word, 1 if word == "one" else 0)
        if count:
            return count, text[: match.start()] + text[match.end() :]
    return 0, text


def decimal_domain(values: Sequence[Any], stated: int) -> Domain:
    """What a number with a decimal point may be. `stated`: the digits after the point that the statement allows."""
    shown = [len(f"{value:f}".partition(".")[2]) if isinstance(value, Decimal) else 0 for value in values]
    places = max([stated, *shown])
    counts = [int(Decimal(value).scaleb(places)) for value in values]
    return Domain("decimal", seen=(min(counts), max(counts)), places=places, exact=set(shown) == {places})
