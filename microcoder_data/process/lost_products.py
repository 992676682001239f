"""Bounds whose product has lost its sign: `n ≤ 2  10^5`, `$n \\le 2 10^5$`, `n ≤ 210^5` for 2 * 10^5.

    text, repaired = with_products(text)

A number beside a power of ten, where a bound ends, is meant as a product: nobody writes 210^5. A number beside what may
be a power that has lost its exponent too (`n ≤ 2 105`) is not repaired; `exponents.py` marks the row for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMPARED = (
    r"(?:<=?|>=?|≤|≥|⩽|⩾|\\(?:leq?|geq?|lt|gt)(?:slant)?(?![A-Za-z])|"
    r"\b(?:exceed(?:s|ing)?|at most|up to|(?:less|more|greater|larger|fewer) than(?: or equal to)?)\s)[\s$({]*-?"
)
_GAP = r"(?:[ \t\u00a0\u2009]|\\[ ,;:]|\{\}|~)"
_PRODUCT = re.compile(
    rf"(?P<before>{_COMPARED})(?:(?P<factor>\d{{1,3}}(?:\.\d+)?)(?P<gap>{_GAP}{{1,4}})|(?P<digit>[2-9]))"
    r"(?P<power>10\s?\^\s?\{?\d{1,2}\}?)(?![\w.^]\d)"
)
_BEHIND_A_DIGIT = "|".join(rf"(?<=\d[ \t\u00a0\u2009\\,;:{{}}~]{{{size}}}10)" for size in range(9))
"""Behind the 10 that stands beside a digit, or behind a gap after one: every gap is of these characters."""
_MAY_BE_PRODUCT = re.compile(rf"10(?=\s?\^)(?:{_BEHIND_A_DIGIT})")
_DOUBTFUL = re.compile(rf"{_COMPARED}(\d{{1,2}}{_GAP}{{1,4}}10(?:[3-9]|1[0-8]))(?![\w^]|[.,]\d| ?\d)")
_MAY_BE_DOUBTFUL = re.compile(rf"10(?=[1-9])(?:{_BEHIND_A_DIGIT})")
"""Every match of the pattern of that name contains this. It begins with 10, which makes the search fast."""


def with_products(text: str) -> tuple[str, int]:
    """The text with the signs of these products, and how many were repaired.

    >>> with_products("1 <= n <= 2  10^5, $m \\\\le 310^{5}$ and 1 <= k <= 10^5")
    ('1 <= n <= 2 * 10^5, $m \\\\le 3 \\\\cdot 10^{5}$ and 1 <= k <= 10^5', 2)
    """
    if "^" not in text or _MAY_BE_PRODUCT.search(text) is None:
        return text, 0

    def mended(found: re.Match[str]) -> str:
        in_formula = text.count("$", text.rfind("\n", 0, found.start()) + 1, found.start("power")) % 2
        sign = r"\cdot" if in_formula else "*"
        return f"{found['before']}{found['factor'] or found['digit']} {sign} {found['power']}"

    return _PRODUCT.subn(mended, text)


def doubtful_products(text: str) -> Iterator[str]:
    """Bounds of two numbers, the second of which may be a power: `n <= 2 105`.

    >>> list(doubtful_products("1 <= n <= 2 105, 1 <= m <= 2 000 and k <= 105"))
    ['2 105']
    """
    for found in _DOUBTFUL.finditer(text) if "10" in text and _MAY_BE_DOUBTFUL.search(text) else ():
        yield found[1]
