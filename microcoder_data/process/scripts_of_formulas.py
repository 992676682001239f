"""Exponents and indices that stand as HTML behind a formula, as HackerRank's authors write them."""

from __future__ import annotations

import re

_END_OF_FORMULA = re.compile(r"(?<=[^$\s])\$(?=<su[pb]>)", re.IGNORECASE)
_SCRIPT = re.compile(
    r"<(?P<tag>su[pb])>\s{0,9}\$?(?P<script>[^$<>\n]{1,40}?)\$?\s{0,9}</(?P=tag)>(?P<goes_on>\$(?=[^\s$]))?",
    re.IGNORECASE,
)


def scripts_in_formulas(text: str) -> str:
    """The text with such exponents and indices inside the formula, with what goes on as a formula behind them.

    >>> scripts_in_formulas("$10$<sup>9</sup>, the $i$<sup>th</sup> and $a$<sub>$1$</sub>$, b$, but 5$<sup>1</sup>")
    '$10^{9}$, the $i^{th}$ and $a_{1}, b$, but 5$<sup>1</sup>'
    """
    pieces: list[str] = []
    taken = signs = 0  # how much of the text is in `pieces`, and how many dollar signs their last line has
    for end in _END_OF_FORMULA.finditer(text) if "$<su" in text.lower() else ():
        if end.start() < taken:
            continue
        before = text[taken : end.start()]
        line_break = before.rfind("\n")
        signs = before.count("$", line_break + 1) + (signs if line_break < 0 else 0)
        scripts, behind, goes_on = "", end.end(), False
        while signs % 2 and not goes_on and (found := _SCRIPT.match(text, behind)):  # else it opens one, or is money
            scripts += f"{'^' if found['tag'].lower() == 'sup' else '_'}{{{found['script']}}}"
            behind, goes_on = found.end(), found["goes_on"] is not None
        pieces += [before, scripts, "" if goes_on else "$"]
        taken, signs = behind, signs + (not goes_on)
    return "".join(pieces) + text[taken:]
