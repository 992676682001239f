"""The rule of Kattis' default output validator, for the checker `kattis_default`.

Tokens are compared one by one. Upper and lower case are the same unless the flag `case_sensitive` is given. With a
float tolerance, tokens are compared as numbers wherever the expected token is a number, integers included. White space
counts only under `space_change_sensitive`, and must then be the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

_SWITCHES = ("case_sensitive", "space_change_sensitive")
_TOLERANCES = ("float_tolerance", "float_absolute_tolerance", "float_relative_tolerance")
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")
_HEXADECIMAL = re.compile(rb"[+-]?0[xX](?:[\da-fA-F]+\.?[\da-fA-F]*|\.[\da-fA-F]+)(?:[pP][+-]?\d+)?\Z")
_NON_SPACE = re.compile(rb"[^ \t\n\v\f\r]+")


class Rule(NamedTuple):
    """The validator's flags, read once."""

    case_sensitive: bool = False
    space_change_sensitive: bool = False
    absolute: float = -1.0
    relative: float = -1.0

    @classmethod
    def from_flags(cls, flags: Sequence[str]) -> Rule:
        """Read the validator's command line; raise ValueError where the validator would refuse it.

        >>> Rule.from_flags(["case_sensitive", "float_tolerance", "1e-6"]).relative
        1e-06
        """
        settings: dict[str, bool | float] = {}
        words = iter(flags)
        for word in words:
            if word in _SWITCHES:
                settings[word] = True
            elif word in _TOLERANCES:
                value = _number(next(words, "").encode())
                if value is None:
                    raise ValueError(f"{word} needs a number")
                names = {"float_absolute_tolerance": ["absolute"], "float_relative_tolerance": ["relative"]}
                settings.update(dict.fromkeys(names.get(word, ["absolute", "relative"]), value))
            else:
                raise ValueError(f"unknown flag {word!r}; known: {', '.join((*_SWITCHES, *_TOLERANCES))}")
        return cls(**settings)  # type: ignore[arg-type]

    def agrees(self, expected: bytes, actual: bytes) -> bool:
        """Whether the validator accepts the token `actual` where `expected` is expected.

        >>> Rule(relative=1e-6).agrees(b"1e3", b"1000"), Rule().agrees(b"Yes", b"YES"), Rule().agrees(b"1", b"1.0")
        (True, True, False)
        """
        if self.absolute >= 0 or self.relative >= 0:
            wanted = _number(expected)
            if wanted is not None:
                given = _number(actual)
                return given is not None and (
                    abs(wanted - given) <= self.absolute or abs(wanted - given) <= self.relative * abs(wanted)
                )
        return expected == actual if self.case_sensitive else expected.lower() == actual.lower()

    def same_spaces(self, expected: bytes, actual: bytes) -> bool:
        """Whether the white space is the same, or does not count."""
        return not self.space_change_sensitive or _NON_SPACE.split(expected) == _NON_SPACE.split(actual)


def _number(token: bytes) -> float | None:
    """The finite number that C's scanf would read from a token, or None."""
    if _NUMBER.match(token):
        value = float(token)
    elif _HEXADECIMAL.match(token):
        try:
            value = float.fromhex(token.decode())
        except OverflowError:
            return None
    else:
        return None
    return value if math.isfinite(value) else None
