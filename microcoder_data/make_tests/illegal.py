"""Texts that are not allowed as inputs: those that every validator must refuse, and those that a good one refuses.

    for text, fault, certain in near_illegal(known_input): ...

`certain`: no problem allows the text if its inputs look like the known one. The other texts are only likely illegal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_INTEGER = re.compile(r"-?(?:0|[1-9]\d*)")


def near_illegal(known: str) -> Iterator[tuple[str, str, bool]]:
    """Changed copies of an allowed input: (text, what is wrong, whether that is certain).

    >>> [fault for _, fault, certain in near_illegal("2\\n1 5\\n") if certain][:3]
    ['empty', 'not text', 'doubled space']
    """
    lines = known.removesuffix("\n").split("\n")
    words = [line.split(" ") for line in lines]
    numbers = [(row, at) for row, line in enumerate(words) for at, word in enumerate(line) if _INTEGER.fullmatch(word)]
    digits_as_text = any(re.fullmatch(r"0\d+", word) for line in words for word in line)
    yield "", "empty", True
    yield "\x00\x01\ufffd\x7f\n", "not text", True
    spaced = next(((row, at) for row, line in enumerate(words) for at in range(1, len(line))), None)
    if spaced is not None:
        row, at = spaced
        line = words[row]
        yield _with(lines, row, f"{' '.join(line[:at])}  {' '.join(line[at:])}"), "doubled space", True
        yield _with(lines, row, f"{' '.join(line[:at])}\t{' '.join(line[at:])}"), "tabulator", True
    yield f"{known.rstrip()}\nxyzzy -1 ?\n", "trailing junk", True
    if numbers:
        row, at = numbers[0]
        word = words[row][at]
        signless = word.lstrip("-")
        written = [("not whole", f"{word}.0"), ("no number", "x"), ("plus sign", f"+{signless}")]
        for fault, text in [("leading zero", f"0{signless}"), *written]:
            yield _with(lines, row, _replaced(words[row], at, text)), fault, not digits_as_text
        for text, fault in (("-1", "negative"), (str(10**19), "huge"), (str(int(word) + 1), "count and items differ")):
            yield _with(lines, row, _replaced(words[row], at, text)), fault, False
        row, at = numbers[-1]
        yield _with(lines, row, _replaced(words[row], at, str(10**19))), "huge", False
        yield _with(lines, row, _replaced(words[row], at, str(-(10**19)))), "hugely negative", False
    last = words[-1]
    if len(last) > 1:
        yield _with(lines, len(lines) - 1, " ".join(last[:-1])), "a word is missing", False
    if len(lines) > 1:
        yield "\n".join(lines[:-1]) + "\n", "a line is missing", False
        yield "\n".join([*lines, lines[-1]]) + "\n", "a line too many", False
    yield _with(lines, len(lines) - 1, f"{lines[-1]} {last[-1]}"), "a word too many", False


def _with(lines: list[str], row: int, line: str) -> str:
    return "\n".join([*lines[:row], line, *lines[row + 1 :]]) + "\n"


def _replaced(words: list[str], at: int, word: str) -> str:
    return " ".join([*words[:at], word, *words[at + 1 :]])
