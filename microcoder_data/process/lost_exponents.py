"""Find numbers that were powers before a publisher removed `<sup>`: `105` for 10^5, `231 - 1`, `109 + 7`, `O(n2)`.

    for place in lost_powers("1 <= n <= 105"): ...

Examples are not searched for bounds: their numbers are data. `exponents.py`, which has the row's tests, decides whether
a number found here really was a power. `power_equations.py` repairs equations, `doubtful_powers.py` finds what may have
been powers in a text that has lost others.
"""

# ruff: noqa: E501 - a pattern is one line

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

_OP = r"(?:<=?|>=?|≤|≥|⩽|⩾|\\(?:leq?|geq?|lt|gt)(?:slant)?(?![A-Za-z]))"
_TIMES = r"(?:\*|×|·|⋅|\\times|\\cdot)"
_POWER_OF_TEN = r"10(?:1[0-8]|[2-9]|[1-9]0{2,5})"
_POWER_OF_TWO = r"2(?:[5-9]|1[0-9]|2[0-8]|3[0-2]|53|6[2-4])"
POWERS_OF_TWO = ("30", "31", "32", "53", "62", "63", "64")
"""Exponents k for which no real bound is the number 2k (`231`). 210, 216 or 250 may be meant as written."""
_TOKEN = re.compile(rf"(?<![\w.^\"'/])(?<!\d,)(?:{_POWER_OF_TEN}|{_POWER_OF_TWO})(?![\w\"'%^]|[.,]\d)")
_OP_BEFORE = re.compile(rf"{_OP}[\s$({{|]*(?:-\s?)?[\s$({{]*(?:[\d.]+\s*{_TIMES}\s*)?$")
_OP_AFTER = re.compile(rf"\s*(?:[-+]\s*1\b)?[\s$)}}]*{_OP}")
_FALSE_BEFORE = re.compile(r"(\d{4,})\s*(?:<=?|≤)\s*$")
_INEQUALITY = re.compile(
    rf"(?<![\w.^])(?P<factor>\d{{1,2}}) ?{_TIMES} ?(?P<small>{_POWER_OF_TEN}) ?(?:<=?|≤) ?(?P<large>{_POWER_OF_TEN})(?!\w|\.\d|\^)"
)
_FACTOR_BEFORE = re.compile(rf"\d\s*{_TIMES}\s*$")
_DOT_BEFORE = re.compile(r"(?<![\d.^])(?<!\d=)(?<!\d = )(?<![+·⋅])(?<![-+·⋅] )\d\s?[·⋅]\s?$")
"""`2·109` in prose: nobody multiplies by 109, except in a computation such as `327 = 3·109`."""
_EQUALS = re.compile(r"\s?(?:[-+*·⋅] ?\d[^.;\n]{0,40})?=")
"""Behind a factor: `3·105 + 2 = 317` is a computation too."""
_VALUE_BEFORE = re.compile(r"(?<![\d.,])(\d[\d ,]{3,40})\(\s*=?\s*$")
_SUMMAND_BEHIND = re.compile(r"\s*(?:\+\s*(\d{1,2})\s*)?\)")
"""`1000003 (106 + 3)`: the number is given twice."""
_VALUE_BEHIND = re.compile(
    r"\s*(?:([-+])\s*(\d{1,2})\s*)?(?:=|\((?:i\.e\.,? ?)?=?|or|i\.e\.)\s*(\d[\d ,]{3,40})(?![.^\d])"
)
"""`231 - 1 = 2147483647`."""
_CODE_SPAN = re.compile(r"`([^`\"'\n]*)`")
"""What is quoted inside it is data."""
_LETTER_AND_DIGIT = re.compile(r"`[a-z][014-9]`")
"""Where `c4` stands for itself, so does `a3`."""
_RANGE_WORD = re.compile(
    r"\b(?:range|interval)s?\b[^.\n]{0,30}$|\bbetween\b[^.\n]{0,40}$|\b(?:in|range)\s*[\[(][^\])\n]*$|"
    rf"\bfrom\s+[-$]*\d+[\s$]*to\s+[-$]*(?:\d+\s*{_TIMES}\s*)?$",
    re.IGNORECASE,
)
_LIMIT_WORD = re.compile(
    r"\b(?:at most|exceed(?:s|ing)?|up to|(?:less|greater|more|fewer|larger|smaller)(?: than)?(?: or equal(?: to)?)?|than|"
    rf"equal to|maximum of|limited to)\s+-?(?:\d+\s*{_TIMES}\s*)?[$({{]*$|"
    r"\bmin\\?[({](?:[^(){}\n]|\([^()\n]*\))*$|\blength of\s+$",
    re.IGNORECASE,
)
_SAME_WORDS = 20
_SEEN = 1000
"""Characters on each side of a number that are looked at."""
_NEGATIVE = re.compile(rf"(?:^|[\s$\[({{,])-\s{{0,2}}(?:\d+\s*{_TIMES}\s*)?$")
_OPERATION = re.compile(r"[=+*/]\s*$|(?:[\d)\]}]|(?<![A-Za-z])[A-Za-z])\s*-\s*$")
"""Before the second operand: `[300 - 214; 300 + 214]` has no bounds."""
_FACTOR_OF_BOUND = re.compile(rf"(?:[\[(,;]|\b(?:between|and|to|from))\s*-?\s?\d{{1,2}}\s*{_TIMES}\s*$")
"""Before a bound: `[0, 5 * 104]`."""
_MODULO = re.compile(r"\s*\+\s*[79]\b(?!\s*=\s*11\d\b)(?!\s*[+\d])")
_MODULO_WORD = re.compile(r"mod|%", re.IGNORECASE)
_MODULO_BEFORE = re.compile(r"\bmod(?:ulo)?\s*[$(]*$", re.IGNORECASE)
_SMALL_SUMMAND = re.compile(r"\s*\+\s*[1-9]\d?\b")
_TAKEN_MODULO = re.compile(r"\s*(?:mod(?:ulo)?\b|%)")
_MINUS_ONE = re.compile(r"\s*-\s*1\b(?!\s*[=\d])")
_QUOTED_OR_LISTED = re.compile(r"(?:[\[\"`|#$]|(?<!\w)')[^\]\"'`|]*$|[=+,*/]\s*$|(?:[1-9]|\d0),? (?:and|or) $")
_IN_DATA = re.compile(_QUOTED_OR_LISTED.pattern.replace("[=+,*/]", r"(?:[=+*/]|\d,)"))
_BARE = re.compile(r"109|101[2-8]|231|263")
_OFTEN_A_BOUND = re.compile(r"10(?:[4-9]|1[0-8])|231|263")
_GIVEN = re.compile(r"\W*(?:Input|Output|输入|输出)\b", re.IGNORECASE)
_TOLERANCE = re.compile(
    r"(?:(?P<word>within|error|tolerance|precision|accura\w*|differ\w*|epsilon)[^.\n]{0,60}?)?"
    r"(?<![\w.])(?P<ten>10) ?- ?(?P<minus>1[0-2]|[1-9])(?![\w^]| ?=)(?(word)|(?= (?:absolute|relative|precision)\b))",
    re.IGNORECASE,
)
_COMPLEXITY = re.compile(r"\bO\([^()\n]{0,20}?\b([A-Za-z])([23])\b[^()\n]{0,20}\)")
_LETTER = re.compile(
    r"(?<![\w\"'`.\[)])(?:([a-z])([23])(?![\w\"'`\[(^]|\.\w|(?<!min\(..)(?<!max\(..), ?\d)|"
    r"([A-Z])([23])(?![\w\"'`])(?:(?=\s?[-+*·]\s?[A-Z])|(?<=[-+*·] [A-Z][23])))"
)
"""A capital only in a sum or product: `A2 + B2`, `A * X2 + B * X`; elsewhere `R2` is a name."""
_CLOSED = re.compile(
    r"(?:(?<=\w)\]|\([^()\n]* [-+−] [^()\n]*\))[2-9](?=\s*(?:[-+=*),.]|for\b|\([a-z]{2}|$))|"
    r"(?:\(-\d+\)[0-9]|\([^()\n]*,[^()\n]*\)[2-9])(?=\s*[-+=*] ?[\w(\[])|"
    r"(?<=[a-z])\([^()\n]*,[^()\n]*\)[2-9](?=[.,;)]|$)|"
    r"(?<![\w)\]])\([^()\n]* [-+−] [^()\n]*\)[2-9][a-z](?![\w(\[])"
)
"""A number in brackets must be negative: `(101)2 = 5` is a binary number, not a power. `(2k + 1)2t` is no product:
that begins with its numbers."""
_MEMBER = re.compile(r"(?<!\w)[A-Za-z]\w*(?:\[[A-Za-z0-9]\w*\])*\[[A-Za-z]\w*(?: ?[-+] ?1)?\]$")
_NAMED_POWER = re.compile(
    rf"(?:{_OP}|==|\[\d+,|min\(\d+,|\bbetween\s+\d+\s+and)\s*(2|3|4|10)([a-z](?![\w(])|[a-z]{{4,}}[A-Z]?\w*)"
)
_NAMED_BIT = re.compile(r"(?<![\w.^*])2([a-z])(?![\w(\[])")
_OF_BITS = re.compile(r"\bbits?\b|\bbinary rep", re.IGNORECASE)
"""Where a text speaks of bits, `2k` is more likely the value of one than twice k."""
_TO_A_NAME = re.compile(r"(?<![\w.^\"'])(2)((?!nd\b|bit)[a-z][A-Za-z]{2,}\w*|[a-wz](?= [-+*=<]))(?![\w\"'(])")
_TWICE_TO_A_NAME = re.compile(r"(?<![\w.^])2(2)([a-z])(?!\w)|(?<![\w.^])(2)([a-z]) ?[x×] ?2\4(?!\w)")
"""`22n - 1` for 2^(2n) - 1, and a `2n x 2n` grid."""
_SERIES = re.compile(r"\* ([a-z])(0) \+[^.\n]{0,40}\* \1(?=1\b)")
"""`a * p0 + b * p1 + ...`"""
_SQUARE = re.compile(r"(?<![\w.^\"'`])([a-z])(2)(?= ?[-+−] ?(?:[2-9]\d*\1|\1 ?[-+−] ?\d+ ?=)(?!\w))")
"""`x2 + 2x + 1` and `x2 - x - 6 = 0`: nobody adds a multiple of x to another name x2."""
_SQUARE_OF_QUADRATIC = re.compile(
    r"(?<![\w.^\"'`])[a-z]([a-z])(2)(?= ?[-+−] ?[a-z]\1(?!\w))|"
    r"(?<![\w.^\"'`])\d+([a-z])(2)(?= ?[-+−] ?\d*\3(?!\w))|(?<=\d)([a-z]) ?[-+−] ?\d*\5(2)(?!\w)"
)
"""`ax2 + bx + c`, `3x2 + 2x`, `3 + 2x + 5x2`."""
_SQUARE_IS = re.compile(r"(?<![\w.^\"'`])([a-z])(2)(?= ?= ?\1 ?[-+−] ?\d)")
_MAY_HOLD_ONE = re.compile(
    r"[0-9](?:(?<=1)0(?:[1-9]| ?-)|(?<=2)[1-9]|(?<=[\])]\d)|(?<=[A-Za-z][23])|(?<=[0234])[a-z]|(?<=\* [a-z]0))"
)
"""Every match of the patterns above contains this: a fast check of a line."""
_MAY_BE_TOKEN = re.compile(r"10[1-9]|2[1-9]")
_MAY_BE_CLOSED = re.compile(r"[0-9](?<=[\])]\d)")
_BESIDE_A_SQUARE = 60
_MAY_BE_SQUARE = re.compile(r"2(?<=[a-z]2)")
_MAY_BE_LETTER = re.compile(r"[23](?<=[A-Za-z][23])")
_MAY_BE_NAMED = re.compile(r"[0234][a-z]")
"""Every match of the pattern of that name contains this. It begins with a digit, which makes the search fast."""
_KEPT = re.compile(
    r"[\^12](?:(?<=[A-Za-z)\]}]\^)\{?\d|(?<=\b1)0(?: \^ \d|[⁰¹²³⁴-⁹])|"
    r"(?:(?<=\b1)0|(?<=\b2))(?:(?:\^|\*\*)\{?[\d-]|\s*\^\s*\{|\s*<sup>))"
)
"""An exponent of a name or a bracket, found from its `^`, or of 10 or 2."""

_EXAMPLE = re.compile(
    r"^[\s>*#_-]*(?:(?:(?:Example|Sample)s?(?: (?:In|Out)puts?)?|示例|样例|例)\s*\d*\s*[*_]*[:：]?[\s*_-]*$|"
    r"(?:Input|Output|Explanation|输入|输出|解释)\s*[*_]*[:：])",
    re.IGNORECASE,
)
_AFTER_EXAMPLES = re.compile(
    r"^-{3,}\s*(?:Input|Output)\s*:\s*-{3,}\s*$|^[\s>*#_-]*(?:Constraints?|Notes?|Follow[- ]?up|提示|进阶|注意|说明|Limits|Limitations?|Restrictions?|Sub-?tasks?|Input Format|Scoring)\s*[*_]*\s*[:：]?",
    re.IGNORECASE,
)
_MAY_ANNOUNCE = re.compile(r"[\s>*#_-]*[esiocnflr示样例输解提进注说]", re.IGNORECASE)
"""Every match of the two patterns above begins like this: a fast check of a line."""


@dataclass(frozen=True)
class LostPower:
    """A place in a text where a power may have lost its exponent."""

    start: int
    end: int
    base: str
    power: str
    kind: str
    """modulo, minus one, equal, tolerance, factor, negative, square, element: only a lost exponent explains the form. bound, range,
    limit: the number may be meant as written. number: in prose. again: in prose, a power only if the row has the same
    one elsewhere for certain. name: `2n` may be 2^n or twice n. equals: `q2 = q + 1` may be a square or define q2. complexity, letter, closed: the
    base is a name, or ends with a bracket."""

    @property
    def shown(self) -> str:
        """What is written: `109`, `10-6`, `n2`."""
        return self.base + self.power

    @property
    def written(self) -> int:
        """The number as it is written."""
        return int(self.base + self.power)

    @property
    def meant(self) -> int:
        """The number with its exponent restored."""
        return int(self.base) ** int(self.power)

    @property
    def proves(self) -> bool:
        """Whether only a lost exponent explains the form, so that the text has lost its exponents."""
        return self.kind in ("modulo", "minus one", "equal", "tolerance", "factor", "negative", "square", "element")


def keeps_exponents(text: str) -> bool:
    """Whether some power in the text still has its exponent."""
    may_keep = "^" in text or "**" in text or "<sup>" in text or not text.isascii()
    return may_keep and _KEPT.search(text) is not None


def is_given(line: str) -> bool:
    """Whether a line shows what a sample reads or prints."""
    return _GIVEN.match(line) is not None


_EMPHASIS_AT_A_NUMBER = re.compile(r"(?<=\d)_(?![\w{])|(?<![\w\\$}])_(?=\d)")
"""`_1 ≤ n ≤ 105_`."""


def lost_powers(text: str) -> Iterator[LostPower]:
    """The numbers in a text that may have been powers, in order.

    >>> [(place.base, place.power, place.kind) for place in lost_powers("-231 <= x <= 231 - 1, modulo 109 + 7")]
    [('2', '31', 'negative'), ('2', '31', 'minus one'), ('10', '9', 'modulo')]
    >>> list(lost_powers("Example 1:\\nInput: n = 105\\nOutput: 231 - 1"))
    []
    """
    text = _EMPHASIS_AT_A_NUMBER.sub("*", text)  # an underscore is a letter of the word beside it
    marks = [mark.start() for mark in _MAY_HOLD_ONE.finditer(text)][::-1]
    if not marks:
        return
    position, example, code = 0, False, False
    for line in text.split("\n"):
        while marks and marks[-1] < position:
            marks.pop()
        if not marks:
            return
        code ^= line.startswith("```") and "`" not in line.lstrip("`")
        if _MAY_ANNOUNCE.match(line):
            if _AFTER_EXAMPLES.match(line):
                example = False
            elif _EXAMPLE.match(line):
                example = True
        if marks[-1] < position + len(line):
            for found in _in_line(line, example, code, text):
                yield LostPower(found.start + position, found.end + position, found.base, found.power, found.kind)
        position += len(line) + 1


def _in_line(line: str, example: bool, code: bool, text: str) -> Iterator[LostPower]:
    """The places in one line; `example`, `code`: the line belongs to an example, to a block of code."""
    places: list[LostPower] = []
    if "`" in line and not _LETTER_AND_DIGIT.search(text) and not (code or (example and _GIVEN.match(line))):
        line = _CODE_SPAN.sub(r" \1 ", line)
    for match in _TOKEN.finditer(line) if _MAY_BE_TOKEN.search(line) else ():
        if kind := _kind(line, match, example) or _again(line, match, example, text):
            width = 2 if match[0].startswith("10") else 1
            places.append(LostPower(match.start(), match.end(), match[0][:width], match[0][width:], kind))
    places += [
        LostPower(at, match.end(), line[at], line[at + 1 : match.end()], _closed_kind(line, match))
        for match in (_CLOSED.finditer(line) if _MAY_BE_CLOSED.search(line) else ())
        for at in [match.end() - (3 if match[0][-1].isalpha() else 2)]
    ]
    if not (example or code):
        places += _with_names(line, text)
    elif example and _MAY_BE_LETTER.search(line) and not _GIVEN.match(line):
        places += [
            LostPower(match.start(1), match.end(2), match[1], match[2], "again")
            for match in _at(_before_figures(line), _LETTER, line)
            if match[1] and not any(line.count(quote, 0, match.start()) % 2 for quote in '"`')
        ]
    if example and "10" in line:
        places += _in_inequality(line)
    yield from sorted(places, key=lambda place: place.start)


def _in_inequality(line: str) -> Iterator[LostPower]:
    """`8 * 106 <= 109`, which is false as written and true with exponents."""
    for match in _INEQUALITY.finditer(line):
        factor, small, large = int(match["factor"]), match["small"], match["large"]
        if factor * int(small) > int(large) and factor * 10 ** int(small[2:]) <= 10 ** int(large[2:]):
            for name in ("small", "large"):
                yield LostPower(match.start(name), match.end(name), "10", match[name][2:], "factor")


def _closed_kind(line: str, match: re.Match[str]) -> str:
    """`element` for a member of a list: `nums[i]2` is nothing else than a square."""
    return "element" if match[0][0] == "]" and _MEMBER.search(line[: match.start() + 1]) else "closed"


def _with_names(line: str, text: str) -> list[LostPower]:
    """Tolerances, complexities and squares of names."""
    named, before_figures = _MAY_BE_NAMED.search(line) is not None, _before_figures(line)
    places = [
        LostPower(match.start("ten"), match.end("minus"), "10", f"-{match['minus']}", "tolerance")
        for match in (_TOLERANCE.finditer(line) if "10-" in line or "10 -" in line else ())
    ]
    places += [
        LostPower(
            match.start(1), match.end(2), match[1], match[2], "complexity" if occurs_alone(match[1], text) else "letter"
        )
        for match in (_COMPLEXITY.finditer(line) if "O(" in line else ())
        if not _has_siblings(match[1], match[2], text)
    ]
    places += [
        LostPower(match.start(1), match.end(2), match[1], match[2], "name")
        for match in (_NAMED_POWER.finditer(line) if named else ())
    ]
    inside = {position for place in places for position in range(place.start, place.end)}
    places += [place for place in _powers_of_names(line, text, before_figures, named) if place.start not in inside]
    inside.update(position for place in places for position in range(place.start, place.end))
    letters: list[LostPower] = []
    for match in _at(before_figures, _LETTER, line):
        quoted = any(line.count(quote, 0, match.start()) % 2 for quote in '"`')
        base, power = match[0][0], match[0][1]
        if match.start() in inside or quoted or _has_siblings(base, power, text):
            continue
        kind = "letter" if occurs_alone(base, text) else "again"
        if kind == "letter" and _is_with(base, "3" if power == "2" else "2", text):
            kind = "name"
        letters.append(LostPower(match.start(), match.end(), base, power, kind))
    for number, (left, right) in enumerate(itertools.pairwise(letters)):
        joined = line[left.end : right.start].strip() in ("+", "-") and left.power == right.power
        if joined and left.kind != right.kind:  # `a2 + b2`, where only a occurs alone
            letters[number : number + 2] = replace(left, kind="letter"), replace(right, kind="letter")
    return places + letters


def _powers_of_names(line: str, text: str, before_figures: list[int], named: bool) -> Iterator[LostPower]:
    """Squares that cannot be names, and names that may be powers: the value of a bit, the terms of a series."""
    marks = [mark.start() for mark in _MAY_BE_SQUARE.finditer(line)] if before_figures else []
    window = (max(0, marks[0] - _BESIDE_A_SQUARE), marks[-1] + _BESIDE_A_SQUARE) if marks else (0, 0)
    for match in _SQUARE_OF_QUADRATIC.finditer(line, *window):
        digit = next(number for number in (2, 4, 6) if match[number])
        at = match.start(digit)
        yield LostPower(at - 1, at + 1, line[at - 1], "2", "square")
    for kind, pattern in (("square", _SQUARE), ("equals", _SQUARE_IS)):
        for match in _at(before_figures, pattern, line):
            if kind == "square" or not _has_siblings(match[1], match[2], text):
                yield LostPower(match.start(), match.end(), match[1], match[2], kind)
    if "0 +" in line:
        for match in _SERIES.finditer(line):
            if occurs_alone(match[1], text):
                yield LostPower(match.start(2) - 1, match.end(2), match[1], match[2], "name")
    if named and _OF_BITS.search(text):
        for match in _NAMED_BIT.finditer(line):
            if occurs_alone(match[1], text):
                yield LostPower(match.start(), match.end(), "2", match[1], "name")
    if named:
        for match in _TO_A_NAME.finditer(line):
            if occurs_alone(match[2], text):
                yield LostPower(match.start(1), match.end(2), "2", match[2], "name")
        for match in _TWICE_TO_A_NAME.finditer(line):
            if occurs_alone(match[2] or match[4], text):
                yield LostPower(match.start(), match.start() + 2, "2", match[2] or match[4], "name")


def _before_figures(line: str) -> list[int]:
    """Where a letter stands before a 2 or 3: these figures are rare."""
    return [mark.start() - 1 for mark in _MAY_BE_LETTER.finditer(line)]


def _at(places: list[int], pattern: re.Pattern[str], line: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern at these places."""
    for place in places:
        if match := pattern.match(line, place):
            yield match


@lru_cache(maxsize=64)
def occurs_alone(letter: str, text: str) -> bool:
    if re.search(rf"{letter}(?<![\w']{letter})(?![\w'])", text):  # it begins with the letter, which is found fast
        return True
    return re.search(rf"\d(?<![\w']\d)\d*{letter}(?![\w'])", text) is not None


@lru_cache(maxsize=64)
def _has_siblings(letter: str, digit: str, text: str) -> bool:
    """Whether `x2` is one of x1, x2, x3, so that the digit is an index."""
    others = "014-9" if digit in "23" and letter.islower() else f"0-{int(digit) - 1}{int(digit) + 1}-9"
    return re.search(rf"{letter}(?<!\w{letter})_?\{{?[{others}]\b", text) is not None


@lru_cache(maxsize=64)
def _is_with(letter: str, digit: str, text: str) -> bool:
    """Whether `x3` stands beside `x2`: without x1 both may be powers, or both names."""
    return re.search(rf"{letter}(?<!\w{letter})_?\{{?{digit}\b", text) is not None


def _kind(line: str, match: re.Match[str], example: bool) -> str:
    """The kind of a number, see `LostPower.kind`; empty if it was no power."""
    before = line[max(0, match.start() - _SEEN) : match.start()]
    after = line[match.end() : match.end() + _SEEN]
    if match[0] == "109" and _MODULO.match(after) and (not example or _MODULO_WORD.search(before[-30:])):
        return "modulo"
    if match[0] in ("105", "106", "107", "108") and _SMALL_SUMMAND.match(after) and _MODULO_BEFORE.search(before):
        return "modulo"
    if match[0] in ("231", "232", "263", "264") and _MODULO_BEFORE.search(before):
        return "modulo"
    if match[0].startswith("101") and _TAKEN_MODULO.match(after):
        return "modulo"
    if _is_given_twice(match[0], before, after):
        return "equal"
    if example:
        false = _FALSE_BEFORE.search(before)
        return "number" if false and int(false[1]) > int(match[0]) else ""
    if match[0] in ("231", "263", "232", "264") and _MINUS_ONE.match(after):
        return "minus one"
    computed = _OPERATION.search(before) and not _FACTOR_OF_BOUND.search(before)
    compared = _OP_BEFORE.search(before) or _OP_AFTER.match(after)
    ranged = not computed and _RANGE_WORD.search(before)
    if compared and match[0].startswith("2") and len(match[0]) > 2 and _MINUS_ONE.match(after):  # 26 may be letters
        return "minus one"
    if len(match[0]) > 4 and not compared:
        return ""
    if not (compared or ranged or _LIMIT_WORD.search(before)):
        if match[0].startswith("10") and _DOT_BEFORE.search(before) and not _EQUALS.match(after):
            return "factor"
        listed = _QUOTED_OR_LISTED.search(before) or after.startswith((")", "-", ","))
        return "number" if _BARE.fullmatch(match[0]) and not listed else ""
    if match[0].startswith("10") and _FACTOR_BEFORE.search(before):
        return "factor"
    if not computed and len(match[0]) > 2 and _NEGATIVE.search(before) and match[0] in after:
        return "negative"
    return "bound" if compared else "range" if ranged else "limit"


def _again(line: str, match: re.Match[str], example: bool, text: str) -> str:
    """`again` for a number in prose; among examples only if its value, such as 1000000000, is given too, or the rest of
    the text has the same words before it."""
    before = line[: match.start()][-_SEEN:]
    if not _OFTEN_A_BOUND.fullmatch(match[0]) or _IN_DATA.search(before):
        return ""
    width = 2 if match[0].startswith("10") else 1
    given = not example or str(int(match[0][:width]) ** int(match[0][width:])) in text
    given = given or (_LIMIT_WORD.search(before) is not None and text.count(before[-_SAME_WORDS:] + match[0]) > 1)
    return "again" if given and not _GIVEN.match(line) else ""


def _is_given_twice(number: str, before: str, after: str) -> bool:
    """Whether the text has the value of the power too: `1000003 (106 + 3)`."""
    width = 2 if number.startswith("10") else 1
    meant = int(number[:width]) ** int(number[width:]) if len(number) < 5 else None
    if given := _VALUE_BEHIND.match(after):
        summand = int(f"{given[1]}{given[2]}") if given[1] else 0
        return _grouped(given[3]) - summand == meant
    behind = _SUMMAND_BEHIND.match(after)
    value = behind and _VALUE_BEFORE.search(before)  # it takes long
    if not (value and behind):
        return False
    return _grouped(value[1]) - int(behind[1] or 0) == meant


def _grouped(digits: str) -> int:
    return int(digits.replace(" ", "").replace(",", ""))
