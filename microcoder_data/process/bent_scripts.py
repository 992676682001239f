"""Subscripts that a dump of Codeforces has bent: `a_{i}_{j}` for a_(i_j), `s_{l}, s_{l} + 1, ..., s_{r}` for s_(l + 1).

Repaired is what cannot be meant as written: a subscript of a subscript, a number to a power with a subscript, a member
compared with itself plus one, and a list of members in which one is a member plus one.
"""

from __future__ import annotations

import re

_NESTED = re.compile(r"(?<![\\}\w])([A-Za-z]_|\d+\^)\{([A-Za-z])\}_(?:\{(\w+)\}|(\w)(?!\w))")
_MEMBER = r"(?<![\\}\w])([A-Za-z])_\{([A-Za-z])\}"
_ITSELF = re.compile(rf"{_MEMBER}(\s*(?:[<>≤≥≠]|<=|>=|!=)\s*)\1_\{{\2\}} ([+-]) (\d)\b(?!\s*[*·^_])")
_DOTS = r"(?:\.\.\.|…)"
_SECOND = re.compile(
    rf"{_MEMBER}(\s*([,|+])\s*)\1_\{{\2\}} \+ 1"
    rf"(?=\s*\4\s*(?:\1_\{{\2\}} \+ 2\s*\4\s*)?{_DOTS}\s*\4\s*\1_\{{[A-Za-z]\}})"
)
_LAST = re.compile(
    rf"(?<![\\}}\w])(?=([A-Za-z])_)((?:\1_\{{?\d\}}?\s*,\s*)+{_DOTS}\s*,\s*)\1_\{{([A-Za-z])\}} ([+-]) (\d)\b"
)


_FORMULA = re.compile(r"\$[^$\n]+\$")
_ESCAPED = re.compile(r"(?<![\\A-Za-z])([A-Za-z])\\_(?=[A-Za-z0-9{])")
_OF_WORDS = re.compile(r"\\(?:text|math(?:tt|rm|it|sf)|tt|operatorname|mbox)")


def without_escapes(text: str) -> str:
    r"""The text with subscripts in formulas that a converter to Markdown has escaped.

    >>> without_escapes(r"$1 \le x\_i \le c\_{ij}$, but $\text{a\_b}$ and x\_i")
    '$1 \\le x_i \\le c_{ij}$, but $\\text{a\\_b}$ and x\\_i'
    """
    return _FORMULA.sub(
        lambda formula: formula[0] if _OF_WORDS.search(formula[0]) else _ESCAPED.sub(r"\1_", formula[0]), text
    )


def scripts_in_place(text: str) -> str:
    """The text with bent subscripts where they belong.

    >>> scripts_in_place("Take a_{i}_{j} or 2^{w}_{i} of s_{l}, s_{l} + 1, ..., s_{r}, where p_{i} < p_{i} + 1.")
    'Take a_{i_{j}} or 2^{w_{i}} of s_{l}, s_{l + 1}, ..., s_{r}, where p_{i} < p_{i + 1}.'
    >>> scripts_in_place("a_2, a_3, ..., a_{n} - 1")
    'a_2, a_3, ..., a_{n - 1}'
    >>> meant = "Set a_{i} = a_{i} + 1 if a_{i} < b_{i} + 1, for x^{a}_{i} and l_{i}, l_{i} + 1, ..., r_{i}."
    >>> scripts_in_place(meant) == meant
    True
    """
    if "}_" in text:
        text = _NESTED.sub(lambda found: f"{found[1]}{{{found[2]}_{{{found[3] or found[4]}}}}}", text)
    if "} + " in text or "} - " in text:
        text = _ITSELF.sub(r"\1_{\2}\3\1_{\2 \4 \5}", text)
        text = _SECOND.sub(r"\1_{\2}\3\1_{\2 + 1}", text)
        text = _LAST.sub(r"\2\1_{\3 \4 \5}", text)
    return text
