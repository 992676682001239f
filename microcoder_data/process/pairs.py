"""Find what stands between an opening and the first closing behind it, in time in proportion to the text's length.

    for pair in pairs(text, PRE, lambda opened: [END_OF_PRE]): ...

A pattern such as `<pre>.*?</pre>` reads the rest of the text again for every opening that nothing closes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

AT_ONCE = re.compile("")
"""The closing of an opening that is whole by itself."""

Closings = Callable[[re.Match[str]], Sequence[re.Pattern[str]]]
"""The patterns that may close an opening. The first one that is found anywhere behind it does."""


class Pair(NamedTuple):
    """An opening that is closed."""

    opened: re.Match[str]
    inside: str
    end: int
    """Where the closing ends."""

    @property
    def whole(self) -> str:
        """The pair as it is written, from its opening to its closing."""
        return self.opened.string[self.opened.start() : self.end]


def pairs(text: str, opening: re.Pattern[str], closings: Closings) -> Iterator[Pair]:
    """The openings that are closed, from left to right, without those inside another pair.

    >>> [pair.inside for pair in pairs("<b>a<b>c</b> d</b> <b>", re.compile("<b>"), lambda _: [re.compile("</b>")])]
    ['a<b>c']
    """
    ahead: dict[re.Pattern[str], re.Match[str] | None] = {}  # the next place of each closing; None: there is none
    position = 0
    while opened := opening.search(text, position):
        position = opened.end()
        for closing in closings(opened):
            if closing not in ahead or ((known := ahead[closing]) is not None and known.start() < position):
                ahead[closing] = closing.search(text, position)
            if closed := ahead[closing]:
                yield Pair(opened, text[position : closed.start()], closed.end())
                position = closed.end()
                break
        else:
            position = opened.start() + 1  # another opening may stand inside this one


def pairs_replaced(
    text: str,
    opening: re.Pattern[str],
    closings: Closings,
    replacement: Callable[[Pair], str] = lambda pair: "",
    outside: Callable[[str], str] = lambda piece: piece,
) -> str:
    """The text with another text for each pair, and with `outside` applied to what stands between pairs.

    >>> pairs_replaced("a <!-- b --> c", re.compile("<!--"), lambda _: [re.compile("-->")])
    'a  c'
    """
    pieces, end = [], 0
    for pair in pairs(text, opening, closings):
        pieces += [outside(text[end : pair.opened.start()]), replacement(pair)]
        end = pair.end
    return "".join([*pieces, outside(text[end:])])


def outside_pairs(text: str, opening: re.Pattern[str], closings: Closings, change: Callable[[str], str]) -> str:
    """The text with `change` applied to what stands between pairs.

    >>> outside_pairs("a <pre>a</pre> a", re.compile("<pre>"), lambda _: [re.compile("</pre>")], str.upper)
    'A <pre>a</pre> A'
    """
    return pairs_replaced(text, opening, closings, lambda pair: pair.whole, change)
