"""Exponents and indices that stand as HTML behind a formula, as HackerRank's authors write them, and formulas inside
`<sup>` and `<sub>`."""

from __future__ import annotations

import re
from collections.abc import Mapping

_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
_LONGEST_SCRIPT, _LONGEST_SCRIPTS = 40, 100
_TEX = r"[^$<>\n{}\\]|\\(?:[A-Za-z]+(?![A-Za-z])|[^A-Za-z\n])|\{[^{}$<>\n]*\}"
_SCRIPT = re.compile(
    rf"<(?P<tag>su[pb])\b[^<>]*>\s{{0,9}}(?P<sign>\${{0,2}})(?P<script>(?:{_TEX}){{1,{_LONGEST_SCRIPT}}}?)(?P=sign)\s{{0,9}}</(?P=tag)>",
    re.IGNORECASE,
)
_HOLDS_FORMULAS = re.compile(
    r"(?P<first>(?:^|<(?:br|p|div|center|li|td)\b[^<>]*>)[ \t]*)?(?P<opened><su[pb]\b[^<>]*>)"
    r"(?P<inside>(?:[^<>$\n]{0,400}(?P<sign>\$\$?)(?!\$)[^$\n]{1,400}(?P=sign)){1,9}[^<>$\n]{0,400})(?P<closed></su[pb]>)",
    re.IGNORECASE | re.MULTILINE,
)
_ITS_SCRIPTS = re.compile(r"(?:[\^_](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[^\s{}\\^_]))+\Z")
"""The exponent and the index at the end of a formula."""
_TWO_WORDS = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{2,}[,.]? +[A-Za-z]{2,}")
MOST_LEVELS = 3


def scripts_in_formulas(text: str) -> str:
    """A text without code, with such exponents and indices inside the formula, with what goes on as one behind them.

    >>> scripts_in_formulas("$10$<sup>9</sup>, the $i$<sup>th</sup> and $a$<sub>$1$</sub>$, b$, but 5$<sup>1</sup>")
    '$10^{9}$, the $i^{th}$ and $a_{1}, b$, but 5$<sup>1</sup>'
    >>> scripts_in_formulas("10<sup>$9$</sup>")
    '10<sup>9</sup>'
    """
    for _ in range(MOST_LEVELS):
        before, text = text, _with_scripts(text)
        if text == before:
            break
    return _HOLDS_FORMULAS.sub(_without_signs, text)


def _with_scripts(text: str) -> str:
    formulas = {formula.start(): formula for formula in _FORMULA.finditer(text)}
    pieces: list[str] = []
    taken = 0  # how much of the text is in `pieces`
    for start, formula in formulas.items():
        if start < taken or not _SCRIPT.match(text, formula.end()):
            continue
        whole, end = _whole(text, formula, formulas)
        pieces += [text[taken:start], *whole, " " * text.startswith("$", end)]  # `$$` would begin a display
        taken = end
    return "".join(pieces) + text[taken:]


def _whole(text: str, formula: re.Match[str], formulas: Mapping[int, re.Match[str]]) -> tuple[list[str], int]:
    """The pieces of a formula with the scripts behind it and the formulas behind these, and where all that ends."""
    sign = "$$" if formula[0].startswith("$$") else "$"
    inside, end = formula[0].strip("$"), formula.end()
    pieces, tail = [inside], inside[-_LONGEST_SCRIPTS:]
    while not tail[-1:].isspace() and (script := _SCRIPT.match(text, end)):
        end = script.end()
        added = [f"{'^' if script['tag'].lower() == 'sup' else '_'}{{{script['script']}}}"]
        goes_on = formulas.get(end)
        if goes_on and sign == "$" and goes_on[0][1] != "$" and not _TWO_WORDS.search(goes_on[0]):
            added.append(goes_on[0].strip("$"))
            end = goes_on.end()
        for piece in added:
            scripts = _ITS_SCRIPTS.search(tail)
            if scripts and piece[0] in scripts[0]:
                piece = f"{{}}{piece}"  # a second exponent needs a base of its own
            pieces.append(piece)
            tail = (tail + piece)[-_LONGEST_SCRIPTS:]
    return [sign, *pieces, sign], end


def _without_signs(found: re.Match[str]) -> str:
    """What is inside the tags. What begins a line, is long or has several words is small print; TeX stays a formula."""
    script = found["inside"].replace("$", "").strip()
    if found["first"] is not None or len(script) > _LONGEST_SCRIPT or _TWO_WORDS.search(script):
        return (found["first"] or "") + found["inside"]
    if "\\" not in script:
        return f"{found['opened']}{script}{found['closed']}"
    return f"${'^' if found['opened'][3] in 'pP' else '_'}{{{script}}}$"
