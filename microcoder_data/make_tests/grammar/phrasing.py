"""Rewrite the ways in which contest statements speak of lines into those that `sentences.py` reads.

    rewritten("then follows a line containing `m`")        # "the next line holds `m`"
    rewritten("input consists of a single integer `n`")    # "the only line holds `n`"

A sentence that only counts the lines says nothing that the others do not; it becomes empty.
"""

from __future__ import annotations

import re

_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a single|an?|several)"
_HOLDS = r"(?:with|holding|containing|consisting of|that (?:holds|contains|consists of)|which (?:holds|contains)|of)"
_THING = (
    r"(?:(?:single|non-empty|space-separated|(?:non-)?(?:positive|negative)|whole|natural) )*"
    r"(?:integers?|numbers?|strings?|words?|letters?|characters?|digits?|names?)\b"
)
_INPUT = r"(?:the )?(?:standard )?input(?: file)?"
_FOLLOWS = (
    r"(?:(?:then|next|finally|afterwards|after (?:this|that))[ ,]+)?"
    r"(?:(?:this|it|these|which) (?:is|are) followed by|(?:there )?(?:follows?|comes?|is|are))"
)
_LINES = r"(?:lines|rows)"
_COUNT = r"(?:\$[^$]+\$|`[^`]+`|[A-Za-z]|\d+|two|three|four|five|six|seven|eight|nine|ten)"
_ONE_LINE = r"(?:an?|one|another|the) (?:single )?line"
_OF_THEM = r"(?:with )?the [$`]?i[$`]?-?(?:th|\^\S*) (?:of (?:which|them|these)|(?:such )?line) ?"

_REWRITES = tuple((re.compile(pattern, re.IGNORECASE), by) for pattern, by in (
    (rf"{_INPUT} (?:consists of|contains|has) {_NUMBER} (?:lines?|test cases?)", ""),
    (rf"there (?:is|are) {_NUMBER} (?:lines?|test cases?)(?: (?:of|in) (?:the )?input)?", ""),
    (rf"{_INPUT} consists of", ""),
    (rf"((?:one|an?|a single) line) {_HOLDS} (.+)", r"\1 with \2"),
    (rf"{_INPUT} (?:consists of|contains|is given (?:on|as|in)|is|has) (?:(?:an?|one|the) )?(?:single|only)? ?line,? "
     rf"{_HOLDS} (.+)", r"the only line holds \1"),
    (rf"{_INPUT} (?:consists of|contains|is|has|gives) ((?:an?|one|the|two|three|four|five|six)? ?{_THING}.*)",
     r"the only line holds \1"),
    (rf"{_INPUT} (?:consists of|contains) ({_COUNT} {_LINES}\b.+)", r"\1"),
    (rf"{_INPUT} (?:starts|begins) with (?:(?:an?|one|the first) line,? {_HOLDS} )?(.+)", r"the first line holds \1"),
    (rf"{_FOLLOWS} {_ONE_LINE},? {_HOLDS} (.+)", r"the next line holds \1"),
    (r"(?:then )?follows? (.+?),? (?:all )?on (?:an?|one|the same|the next) (?:single )?line"
     r"(?:,? (?:meaning|denoting) .+)?", r"the next line holds \1"),
    (rf"(?:and |,? ?then )?followed by ((?:{_COUNT}) {_LINES}\b.+)", r"\1"),
    (rf"(?:and |,? ?then )?followed by {_ONE_LINE},? {_HOLDS} (.+)", r"the next line holds \1"),
    (rf"{_FOLLOWS} (?:another |the )?({_COUNT}) (?:(?:other|more|further|such) )?{_LINES}\b,? ?(.+)",
     r"\1 lines follow, \2"),
    (rf"((?:the (?:following|next|last|remaining) )?{_COUNT}) {_LINES},? (?:each (?:line |of them )?|{_OF_THEM})"
     rf"(?:{_HOLDS}|contains?|consists? of|holds?|describes?|gives?) (.+)", r"\1 lines follow, each holds \2"),
    (rf"({_COUNT}) {_LINES} follow,? (?:each )?(?:{_HOLDS}) (.+)", r"\1 lines follow, each holds \2"),
))  # fmt: skip
"""Whole clauses and what they become, tried in this order, each once."""

_ITEM = re.compile(r"((?:one|an?) (?:string|word|integer|number)\b.*)", re.IGNORECASE)
_LISTED = re.compile(r"\bconsists of:?\s*\n", re.IGNORECASE)


def rewritten(clause: str) -> str:
    """The clause as `sentences.py` reads it; empty if it only counts the lines."""
    for pattern, by in _REWRITES:
        if match := pattern.fullmatch(clause):
            clause = match.expand(by)
    return clause


def rewritten_item(clause: str, text: str) -> str:
    """The clause; a value that is an item of the list of lines becomes a line of its own."""
    match = _ITEM.fullmatch(clause) if _LISTED.search(text) else None
    return f"the next line holds {match[1]}" if match else rewritten(clause)
