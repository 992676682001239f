"""Makes untrusted text safe to print: text that a program, a judge, a dataset or a model wrote.

    echo(printable(stderr))

Control characters, and characters that hide text or change its direction, are shown as escapes; long lines are cut.
Rich's markup stays: `command_line.literal` escapes that too.
"""

from __future__ import annotations

import re

LONGEST_LINE = 4000
"""How many characters of a line are shown."""
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters except tab and newline
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # change the direction, or have no width
    "\U000e0000-\U000e0fff"  # tags: can hold whole texts that are invisible
    "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001343f"  # format the next letters
    "\ud800-\udfff]"  # halves of characters, which cannot be encoded
)


def visible(text: str) -> str:
    r"""Show control characters, characters that change the direction of text, and those without width, as escapes.

    >>> visible("a\x1b[31mb\u202ec\td")
    'a\\x1b[31mb\\u202ec\td'
    """
    return UNPRINTABLE.sub(_escaped, text)


def printable(text: object, longest_line: int = LONGEST_LINE) -> str:
    """Like `visible`, and cut long lines; the cut says how many characters are left out.

    >>> printable("12345678", longest_line=5)
    '12345 ... (3 characters more)'
    """
    return "\n".join(_cut(line, longest_line) for line in str(text).split("\n"))


def in_a_line(text: object, longest: int = LONGEST_LINE) -> str:
    r"""Like `printable`, with spaces for the ends of lines.

    >>> in_a_line("a\nb")
    'a b'
    """
    return printable(str(text).replace("\n", " "), longest)


def _cut(line: str, longest: int) -> str:
    shown = visible(line[:longest])
    left_out = len(line) - longest
    if len(shown) > longest:  # escapes are longer than the characters that they replace
        left_out, shown = max(left_out, 0) + len(shown) - longest, shown[:longest]
    return f"{shown} ... ({left_out} characters more)" if left_out > 0 else shown


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "surrogatepass").decode("ascii")
