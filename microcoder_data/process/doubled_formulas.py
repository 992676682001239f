"""Some dumps hold each formula twice: as a page shows it, and as TeX glued behind it (`1≤i≤N$1 \\le i \\le N$`)."""

from __future__ import annotations

import re

_TWICE = re.compile(r"\$(?=([A-Za-z0-9])\$)(?<=\1\$)")
"""A letter and the same letter as a formula. It begins at the dollar, which is searched for faster than a letter."""
_FORMULA = re.compile(r"\$([^$\n]+)\$")
LEAST = 3
"""Fewer formulas than this may stand behind an equal word by chance."""
_SHOWN = {
    "leqslant": "≤", "leq": "≤", "le": "≤", "geqslant": "≥", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "lt": "<",
    "gt": ">", "times": "×", "cdot": "⋅", "ldots": "…", "dots": "…", "cdots": "⋯", "lfloor": "⌊", "rfloor": "⌋",
    "lceil": "⌈", "rceil": "⌉", "oplus": "⊕", "in": "∈", "sum": "∑", "infty": "∞", "to": "→", "rightarrow": "→",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+|.)")
_NOT_SHOWN = re.compile(r"[\s{}_^]")
_ALIKE = str.maketrans({"−": "-", "–": "-", "·": "⋅", "∗": "*", "′": "'"})


def without_shown_copies(text: str) -> str:
    """The text with each formula once, as TeX, where it holds formulas twice.

    >>> without_shown_copies("Given N$N$ and K$K$, print Ai$A_i$ for 1≤i≤N−1$1 \\\\le i \\\\le N-1$.")
    'Given $N$ and $K$, print $A_i$ for $1 \\\\le i \\\\le N-1$.'
    >>> without_shown_copies("The price in US$5$ is not known.")
    'The price in US$5$ is not known.'
    """
    if "$" not in text or not _TWICE.search(text):
        return text
    kept: list[str] = []
    end = removed = 0
    for formula in _FORMULA.finditer(text):
        before = text[end : formula.start()]
        length = _copy_length(before, _as_shown(formula[1]))
        kept += [before[: len(before) - length], formula[0]]
        end = formula.end()
        removed += length > 0
    return "".join([*kept, text[end:]]) if removed >= LEAST else text


def _as_shown(tex: str) -> str:
    """The characters that a page shows for a formula, without spaces and levels."""
    shown = _COMMAND.sub(lambda command: _SHOWN.get(command[1], command[1] if command[1] in "{}%$&#_" else ""), tex)
    return _NOT_SHOWN.sub("", shown).translate(_ALIKE)


def _copy_length(before: str, shown: str) -> int:
    """How many characters at the end of a text are the formula as a page shows it; 0 if they are not."""
    left = shown
    for position in range(len(before) - 1, -1, -1):
        character = before[position].translate(_ALIKE)
        if character.isspace() and left != shown:
            continue
        if not left.endswith(character):
            return 0
        left = left[:-1]
        if not left:
            return len(before) - position
    return 0
