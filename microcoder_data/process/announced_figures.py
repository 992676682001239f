"""Remove the lines that only announced figures that are gone: "The graph of the first example:".

They stay where the text goes on about it: without "In the second example, the strip looks like this:", nobody knows
which example the next sentence is about, and without "For example, if n = 5:" an example reads as a rule.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re

NOUN = r"(?:figures?|images?|pictures?|diagrams?|drawings?|photos?|illustrations?|animations?|sketch(?:es)?|screenshots?|fig\.)(?!\s?\[)"
GONE = "\x00"
"""Stands for a figure that was removed; the rule `text` has removed this character from every text."""
_ANNOUNCEMENTS = re.compile(
    rf"(?:^[^\n]{{0,80}}\b(?:graphs?|trees?|{NOUN}|looks? like|illustrat\w+|shown|drawn|following)\b"
    rf"[^\n]{{0,80}}[:：]\s*{GONE}[ \t]*$\s*)+(?!\s|(?-i:[a-z]))",
    re.IGNORECASE | re.MULTILINE,
)
_OF_AN_EXAMPLE = re.compile(
    r"\bfollowing (?:example|case|situation|scenario)s?\s*[:：]|\bfor (?:example|instance),? there\b|"
    r"\b(?:suppose|let)\b[^\n]*\d",
    re.IGNORECASE,
)
"""It says what the example is."""
_OF_ONE_SAMPLE = re.compile(
    r"\W*(?:(?:and|but|however|so|or|next),? )?(?:in|for|with|from|after|by)\b|[^\n]*\bfollowing\b", re.IGNORECASE
)
"""A sentence about a sample, no caption such as `The picture of the first sample:`."""
_OF_THE_NEXT_SAMPLE = re.compile(
    r"(?:in|for) (?:the )?(?:first|second|third|fourth|fifth|sixth|next|last) (?:samples?|examples?|tests?)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"[-*+] |\d+[.)]|(?:(?:in|with|on|from|of|here) )?(?:this|that|these|those|such|it|here|he|she|they)\b|"
    r"(?:then|so|thus|hence|therefore|however|in particular|as you can see)\b",
    re.IGNORECASE,
)
"""The beginning of a paragraph about what was announced: a list of it, or a word that refers to it."""
_REST = re.compile(rf"[^{GONE}\s]")
_OF_SAMPLES = re.compile(
    rf"(?:(?:(?<=[.!?] )|(?<={GONE})\s*|^)[^.!?:\n{GONE}]{{0,200}}\b(?:samples?|examples?|tests?|{NOUN})\b[^.!?:\n{GONE}]{{0,200}}:\s*{GONE})+",
    re.IGNORECASE | re.MULTILINE,
)
"""`The tree of the first sample: <image>`, with nothing behind it but other figures: at the end it goes."""


def without_announcements(text: str, of_samples: bool) -> str:
    """The text without the lines that announced its removed figures. `of_samples`: the text is about samples.

    >>> without_announcements(f"Flip it.\\n\\nThe following grids are even:\\n\\n{GONE}\\n\\nCount the flips.", False)
    'Flip it.\\n\\nCount the flips.'
    >>> kept = f"Consider the following string:\\n\\n{GONE}\\n\\nThis string can be decoded."
    >>> without_announcements(kept, False) == kept
    True
    """
    if of_samples:
        text = _OF_SAMPLES.sub(lambda lines: lines[0] if _REST.search(text, lines.end()) else "", text)

    def kept(lines: re.Match[str]) -> str:
        rest = _REST.search(text, lines.end())
        if not rest:
            return ""
        if of_samples:
            goes = not _OF_ONE_SAMPLE.match(lines[0]) or bool(_OF_THE_NEXT_SAMPLE.match(text, rest.start()))
        else:
            goes = not (_GOES_ON.match(text, rest.start()) or _OF_AN_EXAMPLE.search(lines[0]))
        return "" if goes else lines[0]

    return _ANNOUNCEMENTS.sub(kept, text)
