"""Numeric bounds that a statement states: `1 <= n, m <= 10^5`, `$0 \\le a_i < 10^9$`, `-1000 <= nums[i] <= 1000`."""

from __future__ import annotations

import re
from typing import NamedTuple

from microcoder_data.process.exponents import has_doubtful_bounds
from microcoder_data.process.render import whole_text
from microcoder_data.schema import Row

_NUMBER = r"-?[ \t]*\d+(?:[ \t]*\*[ \t]*\d+)?(?:[ \t]*\^[ \t]*\d+)?(?:[ \t]*[-+][ \t]*\d+)?"
_NAME = r"[A-Za-z]\w*(?:\[\w+\]|\.\w+(?:\(\))?)*|\|\w+\||len\(\w+\)"
_BOUND = re.compile(
    rf"(?<![\w.^*/)])(?<!\d[ \t])({_NUMBER})\s*(<=?)\s*((?:{_NAME})(?:\s*,\s*(?:{_NAME}))*)\s*(<=?)\s*({_NUMBER})"
    r"(?!\w|\^|\.\d|[ \t]*[*/^(]|[ \t]+(?:10[ \t]*\^|10[1-9]|\d{3}(?!\d))(?!\d*[ \t]*<)|[ \t]*[-+][ \t]*[A-Za-z])"
)
"""Both sides are plain numbers (not `2 * n`, `1.5 * 10^5`, or `2 10^5`), and no number goes on in the next line."""
_THOUSANDS = re.compile(r"(?<![\w.^])(\d{1,3})((?:[ \u00a0\u202f\u2009]000)+)(?![\w.^]\d|\d| \d)")
"""`1 000 000`. Other groups, such as `2 105`, may be two numbers."""
_LIST_MARK = re.compile(r"\n[ \t]*[-*+][ \t]+")
"""The mark before an item of a list: the `-` of `- 1 <= n` is not a minus."""
_TERM = re.compile(r"(-?)(\d+)(?:\*(\d+))?(?:\^(\d+))?([-+]\d+)?")
_SPELLINGS = (
    ("\\≤⩽&", re.compile(r"\\leq?(?:slant)?\b|≤|⩽|&le;"), "<="),
    ("\\&", re.compile(r"\\lt\b|&lt;"), "<"),
    ("\\×⋅·", re.compile(r"\\c?times\b|\\cdot\b|×|⋅|·"), "*"),
    ("*", re.compile(r"\*\*"), "^"),
    ("−–", re.compile(r"−|–"), "-"),
    (",\\{_", re.compile(r"[,\\{_](?<=\d.)(?:(?<=[,_])|(?<=\\),|(?<=\{),\})(?=\d{3}\b)"), ""),
    ("\\${}`", re.compile(r"[\\${}`](?:(?<=\\)(?:text|mathrm|mathit|leftarrow|[,;! ]))?"), ""),
)
"""Characters with one of which a match begins, the pattern, and what is written for it."""
_RAISED = re.compile(r"(?<=\d)\s*<sup>\s*(\d+)\s*</sup>")


class Bound(NamedTuple):
    """A quantity between two numbers, both included."""

    name: str
    low: int
    high: int


def bounds_of(row: Row) -> list[Bound]:
    """The bounds that a row's text states. None if an exponent may be lost: a wrong bound would make wrong tests."""
    return [] if has_doubtful_bounds(row) else stated_bounds(whole_text(row))


def stated_bounds(statement: str) -> list[Bound]:
    """The bounds in a statement, in order.

    >>> stated_bounds("where $1 \\\\le n, m \\\\le 2 \\\\cdot 10^{5}$ and 0 <= nums[i] < 1,000")
    [Bound(name='n', low=1, high=200000), Bound(name='m', low=1, high=200000), Bound(name='nums[i]', low=0, high=999)]
    """
    statement = _LIST_MARK.sub("\n", f"\n{statement}")
    for signs, pattern, plain in _SPELLINGS:
        if any(map(statement.__contains__, signs)):
            statement = pattern.sub(plain, statement)
    if "000" in statement:
        statement = _THOUSANDS.sub(lambda found: found[1] + "000" * found[2].count("000"), statement)
    if "<sup>" in statement:
        statement = _RAISED.sub(r"^\1", statement)
    found = []
    for match in _BOUND.finditer(statement):
        low, high = _number(match[1]), _number(match[5])
        if low is None or high is None:
            continue
        low += match[2] == "<"
        high -= match[4] == "<"
        if low <= high:
            found += [Bound(name.strip(), low, high) for name in match[3].split(",")]
    return found


def _number(text: str) -> int | None:
    """The value of `2*10^5+1` and the like; None for an exponent above 40."""
    match = _TERM.fullmatch(re.sub(r"\s", "", text))
    if match is None:
        return None
    sign, factor, other, power, rest = match.groups()
    if power and int(power) > 40:
        return None
    if power is None:
        value = int(factor) * int(other or 1)
    else:  # 2*10^5: the power belongs to the last factor
        base = int(other or factor)
        value = (int(factor) if other else 1) * base ** int(power)
    return (-value if sign else value) + int(rest or 0)
