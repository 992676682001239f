"""Which lines of the extracted program each token of a reply belongs to. Pure: the decoder is an argument.

    lines_of_tokens(decode, ids, code)      # for each token the set of its lines, or None when it cannot be known

Fences, prose, indentation and quote marks around the program do not matter, nor do line ends of any kind, a byte order
mark, or characters that several tokens share. The result is None when the text cannot be divided exactly among the
tokens, or the program is not a block of the reply's lines (it was put together from several blocks, or completed).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

Decode = Callable[[Sequence[int]], str]
REPLACEMENT = "\ufffd"
"""Decoders return this for a character whose bytes are incomplete."""
MOST_PENDING = 16
"""The most tokens that wait for the rest of a character. One of UTF-8 has 4 bytes; more are a reply of broken bytes."""
_LINE_END = re.compile("\r\n|\r|\n")
_FENCE = ("```", "~~~")


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
    program = _LINE_END.split(code)
    first, count = _place(_LINE_END.split(text), program), len(program)
    if first is None:
        return None
    starts = [0, *(line_end.end() for line_end in _LINE_END.finditer(text))]
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
        if after.endswith(REPLACEMENT) and end < len(ids) and end - done < MOST_PENDING:
            continue
        piece = after[len(before) :]
        spans += [(position, position + len(piece))] * (end - done)
        pieces.append(piece)
        position, context, done = position + len(piece), done, end
    text = "".join(pieces)
    return (text, spans) if text == decode(ids) else None


def _place(lines: Sequence[str], program: Sequence[str]) -> int | None:
    """The index of the line at which the program begins, compared without indentation and quote marks. Of several
    copies that between fences counts, and the last one of these."""
    ours, wanted = [_bare(line) for line in lines], [_bare(line) for line in program]
    while wanted and not wanted[-1]:  # in the reply the fence may follow instead of the program's last empty lines
        wanted.pop()
    if not wanted:
        return None
    *before, last = wanted
    ends = [place for place, line in enumerate(ours) if line == last or _before_fence(line) == last]
    places = [end - len(before) for end in ends if end >= len(before) and ours[end - len(before) : end] == before]
    return max(places, key=lambda place: (_fences(ours, place, len(wanted)), place), default=None)


def _fences(lines: Sequence[str], place: int, size: int) -> int:
    """How many fences, of at most two, stand around the lines: one that opens and one that closes."""
    above = next((line for line in reversed(lines[:place]) if line), "")
    below = next((line for line in lines[place + size :] if line), "")
    closed = below.startswith(_FENCE) or lines[place + size - 1].endswith(_FENCE)
    return any(fence in above for fence in _FENCE) + closed


def _before_fence(line: str) -> str:
    """A line without the fence at its end."""
    return line.rstrip("`~").rstrip() if line.endswith(_FENCE) else line


def _bare(line: str) -> str:
    return line.lstrip("\ufeff> \t").strip()
