"""Removes strings and comments from code, one line at a time: enough to see that a fence is inside a docstring.

It takes linear time and is not a tokenizer: it never fails, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Syntax:
    """The strings and comments of a family of languages."""

    tokens: re.Pattern[str]
    """Matches a comment to the end of the line, a string on one line, or the opening of a multi-line one."""
    ends: dict[str, re.Pattern[str]]
    """For each opening, the pattern of its end. The pattern also matches escapes, which are not an end."""


_STRINGS = r'"(?:\\.|[^"\\])*(?:"|\\?$)|' r"'(?:\\.|[^'\\])*(?:'|\\?$)"
PYTHON = Syntax(
    re.compile(rf"#.*|\"\"\"|'''|{_STRINGS}"),
    {'"""': re.compile(r'\\.|"""'), "'''": re.compile(r"\\.|'''")},
)
BRACES = Syntax(re.compile(rf"//.*|/\*|{_STRINGS}"), {"/*": re.compile(r"\*/")})


_LONGEST_LINE = 100_000  # a longer line is a table of numbers, or hostile


def syntax_of(language: str) -> Syntax:
    return PYTHON if language in ("python", "ruby") else BRACES


def strip_line(line: str, inside: str | None, syntax: Syntax) -> tuple[str, str | None]:
    """The line without strings and comments, and the string or comment that is still open at its end.

    >>> strip_line('x = "a#b"  # note', None, PYTHON)
    ('x = ""  ', None)
    >>> strip_line('text = \"\"\"first', None, PYTHON)
    ('text = ', '\"\"\"')
    """
    if len(line) > _LONGEST_LINE:
        return line, inside
    kept, position = [], 0
    while True:
        if inside is not None:
            end = syntax.ends[inside].search(line, position)
            while end is not None and end.group().startswith("\\"):
                end = syntax.ends[inside].search(line, end.end())
            if end is None:
                break
            kept.append('""' if inside[0] in "\"'" else " ")
            inside, position = None, end.end()
        token = syntax.tokens.search(line, position)
        if token is None:
            kept.append(line[position:])
            break
        kept.append(line[position : token.start()])
        if token.group() in syntax.ends:
            inside = token.group()
        elif token.group()[0] in "\"'":
            kept.append('""')
        position = token.end()
    return "".join(kept), inside


def strip_lines(lines: Iterable[str], syntax: Syntax) -> tuple[list[str], str | None]:
    """Every line without strings and comments, and the string or comment that is open at the end of the last."""
    inside: str | None = None
    kept = []
    for line in lines:
        rest, inside = strip_line(line, inside, syntax)
        kept.append(rest)
    return kept, inside


def open_brackets(code: str, syntax: Syntax) -> int:
    """How many brackets are open at the end. An open string or comment counts as one."""
    lines, inside = strip_lines(code.split("\n"), syntax)
    text = "".join(lines)
    opened = sum(map(text.count, "([{"))
    closed = sum(map(text.count, ")]}"))
    return opened - closed + (inside is not None)
