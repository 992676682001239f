"""Explanations of samples: a problem's text may repeat those that its source gives beside a sample or behind its
answer."""

from __future__ import annotations

import re
from functools import lru_cache

_HEADING = re.compile(r"^(?:expla[a-z]{1,8}tions?|解释)\s*[:：]\s*", re.IGNORECASE)
_FIGURE = re.compile(r"!\[[^\]\n]{0,300}\]\([^()\n]*\)")
_SCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", "^_{}")
_WORD = re.compile(r"-?\w+|[<>=+/%&|!≤≥≠]")


def remark_of(text: str) -> str:
    """What stands behind an answer, as an explanation: without the sign of a comment and the heading.

    >>> remark_of(" # sum of 21 + 3"), remark_of("\\nExplanation: It is so.")
    ('sum of 21 + 3', 'It is so.')
    """
    return _HEADING.sub("", text.strip().removeprefix("# "))


def together(one: str | None, other: str | None) -> str | None:
    """Two explanations of a sample as one; where one of them has all that the other says, it alone. Of two that say the
    same, the one with exponents, else the longer one. Figures alone say what no words do.

    >>> together("It is 3.", "It is **3**.\\n\\nSo add."), together("As 2 > 1.", "As 1 < 2."), together("So.", None)
    ('It is **3**.\\n\\nSo add.', 'As 2 > 1.\\n\\nAs 1 < 2.', 'So.')
    """
    if not one or not other:
        return one or other or None
    whole = [
        text
        for text, part in ((one, other), (other, one))
        if repeats(text, part) and (words_of(part).strip() or part in text)
    ]
    return max(whole, key=lambda text: (text.count("^"), len(text)), default=f"{one}\n\n{other}")


def repeats(text: str, part: str) -> bool:
    """Whether a text has all lines of another one, in their order. Layout, figures, case and the signs of exponents and
    subscripts may differ.

    >>> repeats("So\\n- it\\n- is **10^9**, or\\nmore.", "So\\nit is 109.\\nMore."), repeats("It is -1.", "It is 1.")
    (True, False)
    """
    words, place = words_of(text), 0
    for line in map(words_of, part.split("\n")):
        if line.strip():
            place = words.find(line, place)
            if place < 0:
                return False
            place += len(line) - 1
    return True


@lru_cache(maxsize=8)
def words_of(text: str) -> str:
    """The words, numbers and operators, with a space on each side."""
    if "![" in text:
        text = _FIGURE.sub(" ", text)
    return f" {' '.join(_WORD.findall(text.lower().translate(_SCRIPTS)))} "
