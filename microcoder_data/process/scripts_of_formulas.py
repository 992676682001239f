"""Exponents and indices that stand as HTML behind a formula, as HackerRank's authors write them."""

from __future__ import annotations

import re

_BEHIND = re.compile(
    r"(?P<before>[^$\n]*[^$\s])\$<(?P<tag>su[pb])>\s*\$?(?P<script>[^$<>\n]{1,40}?)\$?\s*</(?P=tag)>(?P<goes_on>\$(?=[^\s$]))?",
    re.IGNORECASE,
)


def scripts_in_formulas(text: str) -> str:
    """The text with such exponents and indices inside the formula, with what goes on as a formula behind them.

    >>> scripts_in_formulas("$10$<sup>9</sup>, the $i$<sup>th</sup> and $a$<sub>$1$</sub>$, b$, but 5$<sup>1</sup>")
    '$10^{9}$, the $i^{th}$ and $a_{1}, b$, but 5$<sup>1</sup>'
    """
    if "$<su" not in text.lower():
        return text
    start = 0
    while found := _BEHIND.search(text, start):
        line = text[text.rfind("\n", 0, found.end("before")) + 1 : found.end("before")]
        if line.count("$") % 2 == 0:  # the sign opens a formula, or is money
            start = found.end("before") + 1
            continue
        mark = "^" if found["tag"].lower() == "sup" else "_"
        inside = f"{found['before']}{mark}{{{found['script']}}}" + ("" if found["goes_on"] else "$")
        text, start = text[: found.start()] + inside + text[found.end() :], 0
    return text
