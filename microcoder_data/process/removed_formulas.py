"""Find where a dump has removed the picture of a formula, and with it what a statement says.

What is left is a gap between words that cannot stand beside each other: `the value of  is maximized`, `replace pair i
by pair  or`, `a line with equation .`, `from 1 to , more formally`; or behind a colon: `using the potion:         Map`,
`the code is as follows:  Note that`.
Two spaces between other words are a typing habit and no gap, and a full stop may be a character that the text is about.
"""

# ruff: noqa: E501 - a pattern is one line

from __future__ import annotations

import re

_WANTS = r"\b(?:of|by|from|than|to|equals?|be|where|define|at most|at least|between \w+ and|(?:of|by|with|as) (?:the |a )?(?:pair|equation|formula|expression|inequality|function))$"
_GAPS = tuple(
    (re.compile(left, re.IGNORECASE), spaces, re.compile(right, re.MULTILINE))
    for left, spaces, right in (
        (_WANTS, 2, r"(?:is|are|was|will|denotes?|means|has|have|equals?|occurs?|or|and|for|if|where|satisf(?:y|ies)|of (?:them|these|those|which))\b"),
        (_WANTS, 1, r"[.;](?=\s+[A-Z]|[A-Z]|\s*$)"),
        (r"\b(?:from \w+ to|between \w+ and|at most|at least)$", 1, r","),
        (r"[;:]$", 2, r", where\b"),
        (r", or$", 1, r"[;,](?=\s)"),
        (r"\b(?:figure|picture|image|diagram|drawing)s?:$", 2, r"[A-Z]"),
        (r"\bas follows:$", 2, r"(?:Note that|Also|Your task|Help|Now|Find|Print)\b"),
        (r"(?<=[\w,)] )(?!(?:inputs?|outputs?|samples?|examples?|notes?|explanations?|constraints?|format):)[a-z]+:$", 6, r"[A-Z][a-z]+ [a-z]"),
    )
)  # fmt: skip
"""What stands before a gap, the spaces of the gap, and what stands behind it."""
_SPACES = re.compile(r" (?<=\S )(?: +(?=\S)|(?=[.,;]))")
_MAY_BE_GAPS = ("  ", " .", " ,", " ;")
"""Every gap contains one of these, before and after code is replaced."""
_SEEN = 40
"""Characters on each side of a gap."""
_WORDS_BEFORE = re.compile(r"(?:\S+[ \t]+){0,2}\S*$")
_NO_PART_OF_A_NUMBER = re.compile(r"(?<!\d)[.;]|[.;](?!\d)")
_INLINE_CODE = re.compile(r"`[^`\n]*`")


def removed_formula(text: str, data: str = "") -> str | None:
    """The words around the first gap, or None.

    A full stop or semicolon that `data` has too, what programs read and print, is a character that the text is about.

    >>> removed_formula("Print the maximum possible value of .")
    'possible value of .'
    >>> removed_formula("The grid consists of . and #.  It is  given  on  the  next lines .")
    >>> removed_formula("Empty cells are denoted by . and walls are not. A wall is marked by . Print it.", "..#")
    """
    if not any(map(text.__contains__, _MAY_BE_GAPS)):
        return None
    if "`" in text:
        text = _INLINE_CODE.sub("x", text)
    for gap in _SPACES.finditer(text):
        before, after = text[max(0, gap.start() - _SEEN) : gap.start()], text[gap.end() : gap.end() + _SEEN]
        for left, spaces, right in _GAPS:
            if len(gap[0]) < spaces or not (behind := right.match(after)) or not left.search(before):
                continue
            if behind[0] not in _NO_PART_OF_A_NUMBER.findall(data):
                words = _WORDS_BEFORE.search(before)
                return f"{words[0] if words else ''}{gap[0]}{behind[0]}".strip()
    return None
