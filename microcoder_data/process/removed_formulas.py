"""Find where a dump has removed the picture of a formula, and with it what a statement says.

What is left is a gap between words that cannot stand beside each other: `the value of  is maximized`, `replace pair i
by pair  or`, `a line with equation .`, `from 1 to , more formally`; or behind a colon: `using the potion:         Map`,
`the code is as follows:  Note that`.
Two spaces between other words are a typing habit and no gap, and a full stop may be a character that the text is about.
"""

# ruff: noqa: E501 - a pattern is one line

from __future__ import annotations

import re

_WANTS = r"(?:of|by|from|than|to|equals?|be|where|define|at most|at least|between \w+ and|(?:of|by|with|as) (?:the |a )?(?:pair|equation|formula|expression|inequality|function))"
_CANNOT_FOLLOW = r"(?:is|are|was|will|denotes?|means|has|have|equals?|occurs?|or|and|for|if|where|satisf(?:y|ies)|of (?:them|these|those|which))"
_GAP = re.compile(
    rf"(?i:\b{_WANTS}  +{_CANNOT_FOLLOW}\b)|"
    rf"(?i:\b{_WANTS}) +[.;](?=\s+[A-Z]|[A-Z]|\s*$)|"
    r"(?i:\b(?:from \w+ to|between \w+ and|at most|at least) +,)|"
    r"[;:]  +, where\b|"
    r"(?i:\b(?:figure|picture|image|diagram|drawing)s?): {2,}(?=[A-Z])|"
    r"\bas follows: {2,}(?=(?:Note that|Also|Your task|Help|Now|Find|Print)\b)|"
    r"[a-z]: {6,}(?=[A-Z][a-z]+ [a-z])",
    re.MULTILINE,
)
_MAY_HAVE_GAP = re.compile(r" [ ,.;]")
_WORDS_BEFORE = re.compile(r"(?:\S+[ \t]+){0,2}\S*$")
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_NO_PART_OF_A_NUMBER = re.compile(r"(?<!\d)[.;]|[.;](?!\d)")


def removed_formula(text: str, data: str = "") -> str | None:
    """The words around the first gap, or None.

    A full stop or semicolon that `data` has too, what programs read and print, is a character that the text is about.

    >>> removed_formula("Print the maximum possible value of .")
    'possible value of .'
    >>> removed_formula("The grid consists of . and #.  It is  given  on  the  next lines .")
    >>> removed_formula("Empty cells are denoted by . and walls are not. A wall is marked by . Print it.", "..#")
    """
    if _MAY_HAVE_GAP.search(text) is None:
        return None
    text = _INLINE_CODE.sub("x", text)
    characters = set(_NO_PART_OF_A_NUMBER.findall(data))
    for gap in _GAP.finditer(text):
        if gap[0][-1] not in characters:
            before = _WORDS_BEFORE.search(text[max(0, gap.start() - 40) : gap.start()])
            return f"{before[0] if before else ''}{gap[0]}".strip()
    return None
