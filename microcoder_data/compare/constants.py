"""The constants of a statement: its numbers, in order, and the bounds of its variables.

Two versions of a problem often differ in nothing else: `k <= 100` and `k <= 10^12`, `k <= m` and `k <= min(m, 20)`. A
copy of a statement may have lost its exponents, a formula or a note, so a number that only one text has says nothing:
another number in its place does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

TEXTS_KEPT = 512
"""How many texts have their constants cached: a row is compared with few others, soon after another."""
LINK = re.compile(r"!?\[[^\]]*\]\([^)]*\)|https?://\S+")
_FROM_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_THOUSANDS = re.compile(r"(?<![\d,\w])\d{1,3}(?:(?:,|\{,\}| )\d{3})+(?!\d|,\d)")
_ROUND = re.compile(r"(?<![\w.])([1-9]\d*?)(0{3,})(?!\w|\.\d)")
_POWER = re.compile(r"(\d)[ \t]*(?:\^|\*\*)[ \t]*(?:\{\s*(\d+)\s*\}|(\d+))")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_SIGN = re.compile(r"(?<![\w.\\])(?:\d+(?:\.\d+)?|[A-Za-z])(?!\w)")
"""A number or a letter that stands alone."""
_BOUND = re.compile(
    r"(?<!\w)([A-Za-z]\w*(?:\[\w+\])?)[ \t]*(?:\\(?:leq?(?:slant)?|lt)(?![A-Za-z])|≤|⩽|<=?)[ \t]*"
    r"((?:[^≤⩽<$;\n()]|\([^()\n]*\))*?)(?=\s*(?:[$;\n]|\)[\s.,;]|[.,;]\s|\)?\Z| and | for |[—–≤⩽<]|\\le))"
)

_LISTED = re.compile(r"^[ \t]*\d+[.)][ \t]+", re.MULTILINE)
"""The number of a list's item: one copy counts, another one has `1.` in front of each."""
_POWER_OF_TEN = re.compile(r"([1-9]\d*?)?10([3-9]|1\d)")
"""A bound in the form of `plain`: `2105` is `2 * 10^5`."""
_POWER_OF_TWO = re.compile(r"2(15|16|31|32|63|64)1?")
"""The same for `2^31`, and for `2^31 - 1` without its sign."""
FAR_APART = 100
"""Sites change a bound that they keep by less than so many times; the versions of a task for two divisions differ by
more."""
_RELATION = re.compile(r"\\(?:leq?(?:slant)?|lt)(?![A-Za-z])|≤|⩽|<=?")
_OPERAND = r"\S+(?:\s+(?:[*×·+-]|\\cdot|\\times)\s+\S+)*"
_FIRST_OPERAND, _LAST_OPERAND = re.compile(rf"\s*{_OPERAND}"), re.compile(rf"{_OPERAND}\s*\Z")
LONGEST_OPERAND = 40
_PROSE = re.compile(r"(?<![\\\w])[A-Za-z]{4,}")
"""A word behind a bound: the sentence goes on."""


@lru_cache(maxsize=TEXTS_KEPT)
def plain(text: str) -> str:
    """A text with its numbers in a form that is the same for `10^5`, `10⁵`, `100000`, and `105` with a lost exponent.

    >>> plain("n <= 2 * 10^5"), plain("n <= 200000."), plain("n <= 2 * 105")
    ('n <= 2 * 105', 'n <= 2 105 .', 'n <= 2 * 105')
    """
    found = re.sub(r"</?su[pb]>", "^", _LISTED.sub("", LINK.sub(" ", text))).replace("\\,", " ")
    found = _SUPERSCRIPT.sub(lambda run: "^" + run[0].translate(_FROM_SUPERSCRIPT), found)
    found = _THOUSANDS.sub(lambda number: re.sub(r"\D", "", number[0]), found)
    found = found.replace("1000000007", "109 7").replace("1000000009", "109 9").replace("1_000_000_007", "109 7")
    found = _ROUND.sub(lambda number: f"{number[1] if number[1] != '1' else ''} 10{len(number[2])} ", found)
    found = _POWER.sub(lambda power: power[1] + (power[2] or power[3]), found)
    return re.sub("  +", " ", found)


@lru_cache(maxsize=TEXTS_KEPT)
def numbers(text: str) -> frozenset[str]:
    """The numbers of a text, in the form of `plain`.

    >>> numbers("1 <= n <= 2 * 10^5, k") == numbers(r"1 ≤ n ≤ 200\\,000, k") == numbers("1 <= n <= 2 * 105, k")
    True
    """
    return frozenset(set(_NUMBER.findall(plain(text))) - {"0", "1", "2"})


def constants_differ(one: str, other: str) -> bool:
    """Whether one text has a number or a bound, and the other text another one in its place.

    >>> constants_differ("n items, 1 <= k <= 10^5", "n items, 1 <= k <= 50"), constants_differ("k <= 105", "k <= 10^5")
    (True, False)
    >>> constants_differ("k <= m", "k <= min(m, 20)"), constants_differ("Sum up to 50 of them", "Sum them")
    (True, False)
    >>> constants_differ(r"$1\\le n\\le10^4$.", r"mod 7, $1\\le n\\le10^{100}$.")
    True
    """
    for run, instead in _replaced(_signs(one), _signs(other)):
        if any(map(str.isdecimal, map(_first, run))) and any(map(str.isdecimal, map(_first, instead))):
            return True
    ours, theirs = _bounds(one), _bounds(other)
    return any(_another_number(ours[name], theirs[name]) for name in ours.keys() & theirs.keys())


def bounds_far_apart(one: str, other: str) -> bool:
    """Whether a variable may be far larger in one text than in the other: they need different algorithms.

    >>> bounds_far_apart("1 <= n <= 100", "1 <= n <= 10^5"), bounds_far_apart("1 <= n <= 10^4", "1 <= n <= 10^5")
    (True, False)
    """
    ours, theirs = _bounds(one), _bounds(other)
    pairs = [(_largest(ours[name]), _largest(theirs[name])) for name in ours.keys() & theirs.keys()]
    return any(a and b and max(a, b) >= FAR_APART * min(a, b) for a, b in pairs)


def _largest(bounds: set[str]) -> int:
    """The largest number among bounds in the form of `plain`; 0 if one of them is no number."""
    found = []
    for most in bounds:
        if power := _POWER_OF_TEN.fullmatch(most):
            found.append(int(power[1] or 1) * 10 ** int(power[2]))
        elif power := _POWER_OF_TWO.fullmatch(most):
            found.append(2 ** int(power[1]))
        else:
            found.append(int(most) if most.isdecimal() else 0)
    return max(found) if all(found) else 0


def without_bounds(text: str) -> str:
    """A text without the bounds of its variables: a site changes those of a task that it keeps.

    >>> without_bounds("up to 3 rows, 1 <= n <= 2 * 10^5 and 4 columns")
    'up to 3 rows,  and 4 columns'
    """
    return "\n".join(map(_without_relations, text.split("\n")))


def _without_relations(line: str) -> str:
    """A line without its relations and what they compare."""
    first, *others = _RELATION.split(line)
    if not others:
        return line
    between = [part for part in others[:-1] if _PROSE.search(part)]
    ends = "".join(_without_last(_FIRST_OPERAND.sub("", part, 1)) for part in between)
    return _without_last(first) + ends + _FIRST_OPERAND.sub("", others[-1], 1)


def _without_last(part: str) -> str:
    return part[:-LONGEST_OPERAND] + _LAST_OPERAND.sub("", part[-LONGEST_OPERAND:], 1)


def letters_differ(one: str, other: str) -> bool:
    """Whether one text has a single letter, and the other text another one in its place: the X gate and the Z gate."""
    return any(
        any(map(str.isalpha, run)) and any(map(str.isalpha, instead))
        for run, instead in _replaced(_signs(one), _signs(other))
    )


def _replaced(one: Sequence[str], other: Sequence[str]) -> list[tuple[Counter[str], Counter[str]]]:
    """What each has instead of the other's, place by place."""
    if one == other:
        return []
    runs = [
        (Counter(one[i:j]), Counter(other[k:m]))
        for kind, i, j, k, m in SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
        if kind == "replace"
    ]
    return [(a - b, b - a) for a, b in runs if a - b and b - a]


def _first(text: str) -> str:
    return text[0]


@lru_cache(maxsize=TEXTS_KEPT)
def _signs(text: str) -> tuple[str, ...]:
    return tuple(_SIGN.findall(plain(text).lower()))


@lru_cache(maxsize=TEXTS_KEPT)
def _bounds(text: str) -> dict[str, set[str]]:
    """What each variable is at most, without markup."""
    found: dict[str, set[str]] = {}
    for name, most in _BOUND.findall(re.sub(r"[{}_*]", "", plain(text))):
        found.setdefault(name, set()).add(re.sub(r"\\[A-Za-z]+|\W", "", _PROSE.split(most, 1)[0]).lower())
    return found


def _another_number(one: set[str], other: set[str]) -> bool:
    """Whether the bounds of a variable differ, with other digits; a lost formula leaves nothing or a picture."""
    ours, theirs = one - other, other - one
    if not (ours and theirs) or not all(ours | theirs) or any("image" in most for most in ours | theirs):
        return False
    return _digits(ours) != _digits(theirs)


def _digits(bounds: set[str]) -> list[str]:
    return sorted(re.sub(r"\D", "", most) for most in bounds)
