"""Remove the lines that only announced figures that are gone: "The graph of the first example:".

What announces "the following" stays where the text goes on about it: without "In the second example, one gets this
with the following moves:", nobody knows which example the next sentence is about, and an example reads as a rule.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re

NOUN = r"(?:figures?|images?|pictures?|diagrams?|drawings?|photos?|illustrations?|animations?|sketch(?:es)?|screenshots?|fig\.)(?!\s?\[)"
GONE = "\x00"
"""Stands for a figure that was removed; the rule `text` has removed this character from every text."""
_ENDS_THERE = rf"[^\n]{{0,80}}[:：]\s*{GONE}[ \t]*$"
_ANNOUNCEMENT = re.compile(
    rf"^[^\n]{{0,80}}\b(?:graphs?|trees?|{NOUN}|looks? like|illustrat\w+|shown|drawn)\b{_ENDS_THERE}(?!\n+(?-i:[a-z]))",
    re.IGNORECASE | re.MULTILINE,
)
_OF_WHAT_FOLLOWS = re.compile(
    rf"(?:^[^\n]{{0,80}}\bfollowing\b{_ENDS_THERE}\s*)+(?!(?-i:[a-z]))", re.IGNORECASE | re.MULTILINE
)
_OF_AN_EXAMPLE = re.compile(r"\bfollowing (?:example|case|situation|scenario)s?\s*[:：]", re.IGNORECASE)
_GOES_ON = re.compile(
    r"[-*+] |\d+[.)]|(?:(?:In|With|On|From|Of|Here) )?(?:this|that|these|those|such|it|here|he|she|they)\b",
    re.IGNORECASE,
)
"""The beginning of a paragraph about what was announced: a list of it, or a word that refers to it."""
_AT_THE_END = re.compile(
    rf"(?:(?:(?<=[.!?] )|(?<={GONE})|^)[^.!?:\n{GONE}]*\b(?:samples?|examples?|tests?|{NOUN})\b[^.!?:\n{GONE}]*:\s*{GONE}\s*)+\Z",
    re.IGNORECASE | re.MULTILINE,
)
"""`The tree of the first sample: <image>`, with nothing behind it but other figures."""


def without_announcements(text: str, of_samples: bool) -> str:
    """The text without the lines that announced its removed figures. `of_samples`: the text is about samples.

    >>> without_announcements(f"Flip it.\\n\\nThe following grids are even:\\n\\n{GONE}\\n\\nCount the flips.", False)
    'Flip it.\\n\\nCount the flips.'
    >>> kept = f"Consider the following string:\\n\\n{GONE}\\n\\nThis string can be decoded."
    >>> without_announcements(kept, False) == kept
    True
    """
    if of_samples:
        text = _AT_THE_END.sub("", text)
    text = _ANNOUNCEMENT.sub("", text)

    def kept(lines: re.Match[str]) -> str:
        rest = text[lines.end() :].lstrip(f"{GONE} \t\n")
        goes_on = rest and (of_samples or _OF_AN_EXAMPLE.search(lines[0]) or _GOES_ON.match(rest))
        return lines[0] if goes_on else ""

    return _OF_WHAT_FOLLOWS.sub(kept, text)
