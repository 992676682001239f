"""Equations that lost the exponents of their powers: `32 + 42 = 25`, false as written and true with exponents.

    text, repaired = with_powers_in_equations(text)

`exponents.py` uses it. What is not certain is left, and `false_equations` names it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator

_MOST_TERMS = 6
_SIDE = rf"\d{{1,5}}(?: ?[+*-] ?\d{{1,5}}){{0,{_MOST_TERMS}}}"
"""One term more than is tried: a longer sum is part of more, and is left. Without a limit long lines take hours."""
_FIRST_SIDE = _SIDE.replace(r"\d{1,5}", r"\d(?<![\w.^]\d)\d{0,4}", 1)
"""It begins with a digit, which makes the search fast; what must not stand before it is looked for behind."""
_EQUATION = re.compile(rf"{_FIRST_SIDE}(?: ?= ?{_SIDE})+(?![\w^]|\.\d)")
_ANY_SIDE = r"\d{1,9}(?: ?[+*-] ?\d{1,9}){0,40}"
_ANY_EQUATION = re.compile(rf"(?<![\w.^*+=-])(?<![*+=-] ){_ANY_SIDE}(?: ?= ?{_ANY_SIDE}){{1,5}}(?![\w^]|\.\d)")
_IS_BINARY = re.compile(r"0[01]+|[01]{3,}")
_EQUAL_NUMBERS = re.compile(r"=(?:(?<=\d=)|(?<=\d =)) ?\d")
"""Every equation contains this. It begins with one character, which makes the search fast."""
_PART_OF_MORE = re.compile(r"(?:[-+*/&|%^×·⋅<>]|[\d)\]] ?=|\b(?:mod|xor)|\\[a-z]+)[\s~]*$", re.IGNORECASE)
_MORE = re.compile(r"[\s~]*(?:[-+*/=&|%^(×·⋅<>\\]|mod|xor)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


def with_powers_in_equations(text: str, flattened: bool = False) -> tuple[str, int]:
    """The text with exponents restored in equations that are true only with them, and how many equations these were.

    `flattened`: the text has certainly lost other exponents, so that even a single power of 1 is no coincidence.

    >>> with_powers_in_equations("32 + 42 = 25, and 2 + 2 = 4")
    ('3^2 + 4^2 = 25, and 2 + 2 = 4', 1)
    >>> with_powers_in_equations("17 = 23 + 32 = 24 + 30")
    ('17 = 2^3 + 3^2 = 2^4 + 3^0', 1)
    >>> with_powers_in_equations("2 * 4 * 3 * 7 * 10 * 6 = 10080 = 25 * 32 * 5 * 7 and 2 * 16 * 32 = 1024 = 210")
    ('2 * 4 * 3 * 7 * 10 * 6 = 10080 = 2^5 * 3^2 * 5 * 7 and 2 * 16 * 32 = 1024 = 2^10', 2)
    """
    repaired = 0
    if _EQUAL_NUMBERS.search(text) is None:
        return text, repaired

    def mend(match: re.Match[str]) -> str:
        nonlocal repaired
        if _PART_OF_MORE.search(text[max(0, match.start() - 12) : match.start()]) or _MORE.match(text, match.end()):
            return match[0]
        better = _true_with_powers(match[0], flattened)
        repaired += better is not None
        return better or match[0]

    return _EQUATION.sub(mend, text), repaired


def false_equations(text: str) -> Iterator[str]:
    """The equations that are false as written, though they may be true with exponents.

    >>> list(false_equations("The sum is 12 + 22 + 32 + 42 + 12 + 22 + 12 = 36, and 2 + 2 = 4."))
    ['12 + 22 + 32 + 42 + 12 + 22 + 12 = 36']
    """
    for match in _ANY_EQUATION.finditer(text) if _EQUAL_NUMBERS.search(text) else ():
        before = text[max(0, match.start() - 12) : match.start()]
        if _PART_OF_MORE.search(before) or _MORE.match(text, match.end()) or before.endswith(("AND ", "OR ")):
            continue
        sides = match[0].split("=")
        numbers = _NUMBER.findall(match[0])
        has_digits = any(len(number) > 1 for number in numbers) and not any(map(_IS_BINARY.fullmatch, numbers))
        if has_digits and len({_value(side) for side in sides}) > 1:
            yield match[0]


def _true_with_powers(equation: str, flattened: bool) -> str | None:
    """The equation with exponents, if it is false as written and exactly one way to restore them makes it true.

    Where two sides of a chain are equal as written, each other side must become equal to them.
    """
    sides = equation.split("=")
    agreed = [value for value, count in Counter(map(_value, sides)).items() if count > 1] if len(sides) > 2 else []
    if len(agreed) != 1:
        return _only_way(equation, flattened)
    for number, side in enumerate(sides):
        if _value(side) != agreed[0]:
            better = _only_way(f"{agreed[0]}={side}", flattened, 1)
            if better is None:
                return None
            sides[number] = better.partition("=")[2]
    return "=".join(sides) if "^" in "".join(sides) else None


def _only_way(equation: str, flattened: bool, given: int = 0) -> str | None:
    """The equation with exponents, where one way makes it true. The first `given` numbers stay."""
    numbers = _NUMBER.findall(equation)
    if len(numbers) > _MOST_TERMS or not any(len(number) > 1 for number in numbers) or _holds(numbers, equation):
        return None
    ways = [[number, *(_splits(number) if place >= given else ())] for place, number in enumerate(numbers)]
    right = [
        way
        for way in itertools.product(*ways)
        if way != tuple(numbers) and _proves(way, flattened) and _holds(way, equation)
    ]
    if len(right) != 1:
        return None
    parts = iter(right[0])
    return _NUMBER.sub(lambda _: next(parts), equation)


def _splits(number: str) -> list[str]:
    """The number with its last digit as the exponent, and `210` as 2^10."""
    if not 1 < len(number) <= 3:
        return []
    return [
        f"{number[:-1]}^{number[-1]}",
        *([f"{number[0]}^{number[1:]}"] if len(number) == 3 and number.startswith("21") else []),
    ]


def _proves(way: tuple[str, ...], flattened: bool) -> bool:
    """Whether this is no coincidence, as `20 = 1` would be: a power with an exponent above 1, not of 1 alone."""
    powers = [part.split("^") for part in way if "^" in part]
    if flattened:
        return len(powers) > 1 or int(powers[0][1]) > 1
    return any(int(base) > 1 and int(power) > 1 for base, power in powers)


def _holds(numbers: tuple[str, ...] | list[str], equation: str) -> bool:
    """Whether the equation, or chain of equations, is true with these numbers."""
    parts = iter(numbers)
    return len({_value(side) for side in _NUMBER.sub(lambda _: next(parts), equation).split("=")}) == 1


def _value(side: str) -> int:
    """The value of a sum of products of powers."""
    total = 0
    for term in re.findall(r"([+-]?)([^+-]+)", side.replace(" ", "")):
        product = 1
        for factor in term[1].split("*"):
            base, _, power = factor.partition("^")
            product *= int(base) ** int(power or 1)
        total += -product if term[0] == "-" else product
    return total
