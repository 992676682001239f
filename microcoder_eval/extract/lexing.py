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
    raw: tuple[re.Pattern[str], str] | None = None
    """A raw string: its opening, and its end as a template of what the opening holds."""

    def end_of(self, token: str) -> re.Pattern[str] | None:
        """The end of the multi-line string or comment that a token opens; None for another token."""
        if token in self.ends:
            return self.ends[token]
        opening = self.raw and self.raw[0].fullmatch(token)
        return re.compile(re.escape(opening.expand(self.raw[1]))) if opening and self.raw else None


_STRINGS = r'"(?:\\.|[^"\\])*(?:"|\\?$)|' r"'(?:\\.|[^'\\])*(?:'|\\?$)"
PYTHON = Syntax(
    re.compile(rf"#.*|\"\"\"|'''|{_STRINGS}"),
    {'"""': re.compile(r'\\.|"""'), "'''": re.compile(r"\\.|'''")},
)
_COMMENT = {"/*": re.compile(r"\*/")}
BRACES = Syntax(re.compile(rf"//.*|/\*|{_STRINGS}"), _COMMENT)
_CPP_RAW, _RUST_RAW = r'R"([^\s()\\"]{0,16})\(', r'r(#{1,255})"'
CPP = Syntax(re.compile(rf"//.*|/\*|{_CPP_RAW}|{_STRINGS}"), _COMMENT, (re.compile(_CPP_RAW), r')\1"'))
RUST = Syntax(re.compile(rf"//.*|/\*|{_RUST_RAW}|{_STRINGS}"), _COMMENT, (re.compile(_RUST_RAW), r'"\1'))
TEXT_BLOCKS = Syntax(re.compile(rf'//.*|/\*|"""|{_STRINGS}'), {**_COMMENT, '"""': re.compile(r'\\.|"""')})
_OTHERS = {
    **dict.fromkeys(("python", "ruby"), PYTHON),
    **dict.fromkeys(("cpp", "cpp17", "cpp20"), CPP),
    "rust": RUST,
    **dict.fromkeys(("java", "kotlin", "scala"), TEXT_BLOCKS),
}


_LONGEST_LINE = 100_000  # a longer line is a table of numbers, or hostile


def syntax_of(language: str) -> Syntax:
    return _OTHERS.get(language, BRACES)


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
            ending = syntax.end_of(inside)
            assert ending is not None, "only such a token is left open"
            end = ending.search(line, position)
            while end is not None and end.group().startswith("\\"):
                end = ending.search(line, end.end())
            if end is None:
                break
            kept.append(" " if inside == "/*" else '""')
            inside, position = None, end.end()
        token = syntax.tokens.search(line, position)
        if token is None:
            kept.append(line[position:])
            break
        kept.append(line[position : token.start()])
        if syntax.end_of(token.group()):
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
