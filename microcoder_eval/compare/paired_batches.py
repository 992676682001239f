"""Reads two long texts side by side in batches of tokens or lines, and finds the first difference.

Batches keep memory flat and leave the work to `bytes.split` and list comparison. White space in bytes is what C's
isspace accepts: space, tab, CR, LF, VT, FF.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import AnyStr, NamedTuple

Agree = Callable[[bytes, bytes], bool]
"""A function of an expected token and a printed one that differ in spelling: whether they agree."""


class Place(NamedTuple):
    """The place of a token: it is token `number`, counted from 0, after position `start`. Both texts have the same
    tokens before `start`."""

    start: int
    number: int


_BATCH = 1 << 16
_SPACES = bytes.maketrans(b"\t\n\r\v\f", b"     ")


def _pieces(text: AnyStr, start: int = 0) -> Iterator[tuple[int, int]]:
    """The start and end of pieces of about one batch each. No cut is inside a token."""
    while start < len(text):
        end = min(start + _BATCH, len(text))
        while end < len(text) and not text[end : end + 1].isspace():
            window = text[end : end + _BATCH]
            end += len(window.split(maxsplit=1)[0])
        yield start, end
        start = end


def token_batches(text: AnyStr, start: int = 0) -> Iterator[list[AnyStr]]:
    """The tokens of a text, some thousands at a time. White space is ASCII in bytes and Unicode in a string."""
    return (text[at:end].split() for at, end in _pieces(text, start))


def with_single_spaces(line: bytes) -> bytes:
    """A line with one space between its tokens and none around them."""
    if len(line) < _BATCH:
        return b" ".join(line.split())
    return b" ".join(b" ".join(tokens) for tokens in token_batches(line) if tokens)


def line_batches(text: AnyStr, newline: AnyStr, start: int = 0) -> Iterator[list[AnyStr]]:
    """The lines of a text, some thousands at a time, without their line ends; an empty text is one empty line."""
    while (end := text.find(newline, start + _BATCH)) >= 0:
        yield text[start:end].split(newline)
        start = end + 1
    yield text[start:].split(newline)


def pair_batches(
    left: Iterator[list[AnyStr]], right: Iterator[list[AnyStr]]
) -> Iterator[tuple[list[AnyStr], list[AnyStr]]]:
    """Two streams of lists as pairs of lists of equal length. If one stream is longer, its rest comes last, with []."""
    from_left: list[AnyStr] = []
    from_right: list[AnyStr] = []
    while True:
        from_left = from_left or next(filter(None, left), [])
        from_right = from_right or next(filter(None, right), [])
        length = min(len(from_left), len(from_right))
        if length == 0:
            if from_left or from_right:
                yield from_left, from_right
            return
        yield from_left[:length], from_right[:length]
        from_left, from_right = from_left[length:], from_right[length:]


def first_difference(expected: bytes, actual: bytes, agree: Agree | None = None) -> Place | None:
    """The first token that differs, or None.

    >>> first_difference(b"1 2 3", b"1  2\\n4")
    Place(start=0, number=2)
    """
    start = shared_tokens(expected, actual)
    surely = getattr(agree, "surely", None)  # a quick answer for whole batches, see `number_rungs.TokensAgree`
    passed = 0
    for wanted, printed in pair_batches(token_batches(expected, start), token_batches(actual, start)):
        if wanted != printed and not (surely and len(wanted) == len(printed) and surely(wanted, printed)):
            for index, (want, got) in enumerate(zip_longest(wanted, printed)):
                if want != got and (agree is None or want is None or got is None or not agree(want, got)):
                    return Place(start, passed + index)
        passed += len(wanted)
    return None


def shared_tokens(expected: bytes, actual: bytes) -> int:
    """The position up to which two texts have the same tokens, so that nothing before it must be split.

    Only whole batches are compared, so it is 0 for small texts.

    >>> shared_tokens(b"1 " * 50_000 + b"2", b"1\\n" * 50_000 + b"3")
    65536
    """
    for at in range(0, min(len(expected), len(actual)), _BATCH):
        one, other = expected[at : at + _BATCH], actual[at : at + _BATCH]
        if one != other and one.translate(_SPACES) != other.translate(_SPACES):
            break
    else:
        at = min(len(expected), len(actual)) // _BATCH * _BATCH
    before = max(0, at - _BATCH)
    space = expected[before:at].translate(_SPACES).rfind(b" ")
    return 0 if space < 0 else before + space + 1  # one token fills the batch: start from 0


def shared_lines(expected: bytes, actual: bytes) -> int:
    """The position up to which two texts have the same lines; 0 for small texts."""
    shared = difference_offset(expected, actual) if len(expected) > _BATCH else 0
    return expected.rfind(b"\n", 0, shared) + 1


def find_token(text: bytes, place: Place) -> tuple[int, bytes] | None:
    """The position of the token at a place, and the token; None when the text has fewer tokens.

    >>> find_token(b"1 2\\n30", Place(2, 1))
    (4, b'30')
    """
    index = place.number
    for start, end in _pieces(text, place.start):
        tokens = text[start:end].split()
        if index < len(tokens):
            rest = text[start:end].split(maxsplit=index)[index]
            return end - len(rest), tokens[index]
        index -= len(tokens)
    return None


def difference_offset(left: AnyStr, right: AnyStr) -> int:
    """How many leading bytes or characters two texts share."""
    low, high = 0, min(len(left), len(right))
    while low < high:  # the first difference is at `low` or later, and at `high` or earlier
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
