"""Subscripts that a publisher without `<sub>` wrote as a sum: `hi < hi + 1` for h_i < h_(i + 1).

Repaired is what cannot be meant as written: a member compared with itself plus one, and the difference of the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_MAY_HOLD_ONE = re.compile(r"[ijk] ?[+-] ?1\b")
_MEMBER = r"(?<![\w\\^])([A-Za-z]\w*?)_?([ijk])"
_NEXT = r" ?([+-]) ?1\b(?!\s*[*·^_])"
_ITSELF = re.compile(rf"{_MEMBER}(\s*(?:[<>≤≥≠]|<=|>=|!=)\s*)\1_?\2{_NEXT}")
_FIRST = re.compile(rf"(?<=\|){_MEMBER}{_NEXT} - \1_?\2(?=\|)")
_SECOND = re.compile(rf"(?<=\|){_MEMBER} - \1_?\2{_NEXT}(?=\|)")


def with_subscripts(texts: Iterable[str]) -> tuple[list[str], int]:
    """The parts of a statement with the subscripts of neighbours, and how many pairs were repaired.

    >>> with_subscripts(["From hi to hi + 1; then xi + 1.", "hi ≠ hi+1 and |ai + 1 - ai| <= 1"])
    (['From h_i to h_{i + 1}; then xi + 1.', 'h_i ≠ h_{i + 1} and |a_{i + 1} - a_i| <= 1'], 3)
    """
    texts = list(texts)
    if not any(map(_MAY_HOLD_ONE.search, texts)):
        return texts, 0
    members = {(found[1], found[2]) for text in texts for found in _ITSELF.finditer(text)}
    repairs = [(_ITSELF, r"\1_\2\3\1_{\2 \4 1}"), (_FIRST, r"\1_{\2 \3 1} - \1_\2"), (_SECOND, r"\1_\2 - \1_{\2 \3 1}")]
    for name, index in sorted(members):  # the text speaks of neighbours: elsewhere beside each other too
        beside = rf"(?<![\w\\^]){name}_?{index}(,| to| and) {name}_?{index}{_NEXT}"
        repairs.append((re.compile(beside), rf"{name}_{index}\1 {name}_{{{index} \2 1}}"))
    repaired = 0
    for pattern, written in repairs:
        for number, text in enumerate(texts):
            texts[number], count = pattern.subn(written, text)
            repaired += count
    return texts, repaired
