"""Subscripts that a publisher without `<sub>` wrote as a sum: `hi < hi + 1` for h_i < h_(i + 1).

Repaired is what cannot be meant as written: a member compared with itself plus one, the difference of the two, a
binary number that equals its value with the base behind it (`4 = 1002` for 4 = 100_2), and several binary numbers with
their base behind them (`0112` for 011_2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_MAY_HOLD_ONE = re.compile(
    r"[ijk](?:\s*(?:[<>≤≥≠]|<=|>=|!=)\s*\w+[ijk] ?[+-] ?1\b| ?[+-] ?1 - \w+\|| - \w+ ?[+-] ?1\|)"
)
"""Every match of the patterns below contains this. It begins with a set of letters, which makes the search fast."""
_ONE_MORE_OR_LESS = ("+1", "+ 1", "-1", "- 1")
"""One of them is in all that the pattern above matches."""
_MEMBER = r"(?<![\w\\^])([A-Za-z]\w*?)_?([ijk])"
_NEXT = r" ?([+-]) ?1\b(?!\s*[*·^_])"
_ITSELF = re.compile(rf"{_MEMBER}(\s*(?:[<>≤≥≠]|<=|>=|!=)\s*)\1_?\2{_NEXT}")
_FIRST = re.compile(rf"(?<=\|){_MEMBER}{_NEXT} - \1_?\2(?=\|)")
_SECOND = re.compile(rf"(?<=\|){_MEMBER} - \1_?\2{_NEXT}(?=\|)")

_BINARY = re.compile(r"([01](?<![\w.^{\[\"'`-].)[01]{2,})2(?![\w\]\"'`^]|\.\d|\s*[*·])")
_EQUAL = re.compile(r"(?<![\w.^])(\d{1,20})10( = )([01]{1,64})_2\b")
_TWICE = re.compile(
    r"(?<![\w.^$\\])(?P<value>\d{1,20})(?P<equal> ?= ?)(?P<binary>1[01]{0,63})2(?![\w^$]|[.,]\d|\s*[-+*·/×])|"
    r"(?<![\w.^$\\])(?P<first>1[01]{0,63})2(?P<sign> ?= ?)(?P<last>\d{1,20})10(?![\w^$]|[.,]\d|\s*[-+*·/×])"
)
_MAY_BE_TWICE = re.compile(r"=(?: ?1[01]*2\b|(?<=2=) ?\d+10\b|(?<=2 =) ?\d+10\b)")
_IN_COMPUTATION = re.compile(r"\S *[-+*·/×^]\s*$|\b(?:mod|xor) $", re.IGNORECASE)
_WORDS_OF_BINARY = ("inary", "bit", "Bit", "xor", "Xor", "XOR")
_WORDS_OF_BASES = (*_WORDS_OF_BINARY, "base", "notation")
_OF_BINARY = re.compile(r"\b(?:[Bb]inary|[Bb]its?|[Bb]itwise|[Xx]or|XOR)\b")
_FEW, _MANY = 2, 3
"""Different numbers that show a lost base: few where one has a zero in front, else many, as `1012` may be 10^12."""


def with_subscripts(texts: Iterable[str]) -> tuple[list[str], int]:
    """The parts of a statement with the subscripts of neighbours and of binary numbers, and how many were repaired.

    >>> with_subscripts(["From hi to hi + 1; then xi + 1.", "hi ≠ hi+1 and |ai + 1 - ai| <= 1"])
    (['From h_i to h_{i + 1}; then xi + 1.', 'h_i ≠ h_{i + 1} and |a_{i + 1} - a_i| <= 1'], 3)
    """
    texts = list(texts)
    repairs: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = []
    if _shows_bases(texts):
        repairs += [(_BINARY, r"\1_2"), (_EQUAL, _with_both_bases)]
    whole = "\n".join(texts)
    if not repairs and not (any(map(whole.__contains__, _ONE_MORE_OR_LESS)) and any(map(_MAY_HOLD_ONE.search, texts))):
        return texts, _mend_bases(texts)
    members = {(found[1], found[2]) for text in texts for found in _ITSELF.finditer(text)}
    repairs += [
        (_ITSELF, r"\1_\2\3\1_{\2 \4 1}"),
        (_FIRST, r"\1_{\2 \3 1} - \1_\2"),
        (_SECOND, r"\1_\2 - \1_{\2 \3 1}"),
    ]
    for name, index in sorted(members):  # the text speaks of neighbours: elsewhere beside each other too
        beside = rf"(?<![\w\\^]){name}_?{index}(,| to| and) {name}_?{index}{_NEXT}"
        repairs.append((re.compile(beside), rf"{name}_{index}\1 {name}_{{{index} \2 1}}"))
    repaired = 0
    for pattern, written in repairs:
        for number, text in enumerate(texts):
            texts[number], count = pattern.subn(written, text)
            repaired += count
    return texts, repaired + _mend_bases(texts)


def _mend_bases(texts: list[str]) -> int:
    """Write the bases of binary numbers that stand beside their values into the texts; how many there are."""
    repaired = 0
    for number, text in enumerate(texts):
        if _MAY_BE_TWICE.search(text) and any(word in part for part in texts for word in _WORDS_OF_BASES):
            texts[number], count = _with_bases(text)
            repaired += count
    return repaired


def _with_bases(text: str) -> tuple[str, int]:
    """The text with the bases of binary numbers that stand beside their values.

    >>> _with_bases("1310 = 11012, 4 = 1002, 1011112 = 4710 and 3 = 102")
    ('13_10 = 1101_2, 4 = 100_2, 101111_2 = 47_10 and 3 = 102', 3)
    """
    repaired = 0

    def mend(found: re.Match[str]) -> str:
        nonlocal repaired
        if _IN_COMPUTATION.search(text, max(0, found.start() - 8), found.start()):
            return found[0]
        if found["first"]:
            same = int(found["first"], 2) == int(found["last"])
            better = f"{found['first']}_2{found['sign']}{found['last']}_10"
        else:
            value, binary = found["value"], int(found["binary"], 2)
            with_ten = value.endswith("10") and value[:-2] == str(binary)
            same = with_ten or (binary > 1 and value == str(binary))
            better = f"{value[:-2]}_10" if with_ten else value
            better += f"{found['equal']}{found['binary']}_2"
        repaired += same
        return better if same else found[0]

    return _TWICE.sub(mend, text), repaired


def _with_both_bases(found: re.Match[str]) -> str:
    """`510 = 101_2` as `5_10 = 101_2`, if the two are equal."""
    return f"{found[1]}_10{found[2]}{found[3]}_2" if int(found[1]) == int(found[3], 2) else found[0]


def _shows_bases(texts: list[str]) -> bool:
    """Whether a text about binary numbers has several that end with their base.

    >>> _shows_bases(["Choose the bits 0112 or 1012."]), _shows_bases(["XOR of n numbers, n ≤ 1012 and k ≤ 102"])
    (True, False)
    """
    if not any(map("\n".join(texts).__contains__, _WORDS_OF_BINARY)):  # a fast check
        return False
    found = {number for text in texts for number in _BINARY.findall(text)}
    enough = len(found) >= (_FEW if any(number.startswith("0") for number in found) else _MANY)
    return enough and any(map(_OF_BINARY.search, texts))
