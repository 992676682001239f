"""Which lines of the extracted program each token of a reply belongs to. Pure: the decoder is an argument.

    lines_of_tokens(decode, ids, code)      # for each token the set of its lines, or None when it cannot be known

Fences, prose and indentation around the program do not matter, nor do characters that several tokens share. The result
is None when the text cannot be divided exactly among the tokens, or the program is not a block of the reply's lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

Decode = Callable[[Sequence[int]], str]
REPLACEMENT = "\ufffd"
"""Decoders return this for a character whose bytes are incomplete."""


def lines_of_tokens(decode: Decode, ids: Sequence[int], code: str) -> list[frozenset[int]] | None:
    """The program's lines (from 1) that each token overlaps. Tokens outside the program have none.

    >>> words = ["So\\n", "a = 1", "\\n  b", "\\nend"]
    >>> found = lines_of_tokens(lambda ids: "".join(words[i] for i in ids), range(4), "a = 1\\n  b")
    >>> [sorted(lines) for lines in found]
    [[], [1], [1, 2], [2]]
    """
    cut = token_spans(decode, ids)
    if cut is None:
        return None
    text, spans = cut
    first = _place(text.split("\n"), code.split("\n"))
    if first is None:
        return None
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))][:-1]
    count = len(code.split("\n"))
    found = []
    for begin, end in spans:
        lines = range(bisect_right(starts, begin) - 1, bisect_right(starts, end - 1)) if begin < end else range(0)
        found.append(frozenset(line - first + 1 for line in lines if 0 <= line - first < count))
    return found


def token_spans(decode: Decode, ids: Sequence[int]) -> tuple[str, list[tuple[int, int]]] | None:
    """The decoded text, and where each token's characters begin and end in it. Tokens that share a character have the
    same span. None when the text is not that of its tokens one after another."""
    spans: list[tuple[int, int]] = []
    pieces: list[str] = []
    context, done, position = 0, 0, 0
    for end in range(1, len(ids) + 1):
        before, after = decode(ids[context:done]), decode(ids[context:end])
        if after.endswith(REPLACEMENT) and end < len(ids):
            continue
        piece = after[len(before) :]
        spans += [(position, position + len(piece))] * (end - done)
        pieces.append(piece)
        position, context, done = position + len(piece), done, end
    text = "".join(pieces)
    return (text, spans) if text == decode(ids) else None


def _place(lines: Sequence[str], program: Sequence[str]) -> int | None:
    """The index of the line at which the program begins, compared without indentation. With several, the last."""
    ours = [line.strip() for line in lines]
    wanted = [line.strip() for line in program]
    while wanted and not wanted[-1]:  # in the reply the fence may follow instead of the program's last empty lines
        wanted.pop()
    places = range(len(ours) - len(wanted), -1, -1) if any(wanted) else ()
    return next((place for place in places if ours[place : place + len(wanted)] == wanted), None)
