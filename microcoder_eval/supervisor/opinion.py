"""What judges' programs say, read as hostile input: bounds first, one exact form, nothing that recurses.

    read_opinion(answer, secret, "checker", most_points=100)
    read_points("0.5", most=1)

A checker or an interactor that is a Python function answers through the harness: the secret that came with its test,
then [accepted, message, points]. Without the secret something else has written to the answer's descriptor, such as a
program that the judge evaluates. Whatever cannot be read is the judge's failure, and the message says what is wrong.
"""

from __future__ import annotations

import json
import math
import re
import secrets
from typing import NamedTuple

from microcoder_eval.supervisor.run import Run
from microcoder_eval.verdict import Verdict

LONGEST_ANSWER = 1 << 16
MOST_POINTS = 1e9
"""Where the problem's groups set no bound."""
SHOWN = 60
TEXT = r'"[^"\\\x00-\x1f\x80-\U0010ffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f\x80-\U0010ffff]*)*"'
"""A text in JSON."""
_NUMBER = r"-?[0-9]{1,20}(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,4})?"
_ANSWER = re.compile(rf"\[(true|false|null), ({TEXT}), (null|NaN|-?Infinity|{_NUMBER})\]")
_POINTS = re.compile(r"[-+]?(?:[0-9]{1,20}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,4})?")


class Opinion(NamedTuple):
    """What a checker or an interactor made of a program."""

    verdict: Verdict
    """JUDGE_ERROR: it failed."""
    message: str = ""
    points: float | None = None
    exhausted: bool = False
    """Whether it failed because it ran out of time or memory itself."""
    own_fault: bool = False
    """Whether it would fail whatever a program says."""
    judge_failed: bool = False
    """Whether a WRONG_ANSWER means that the judge failed on this output. A right output does not make it fail."""


class Asked(NamedTuple):
    """What a checker said when it was asked about one output, and what that has cost."""

    opinion: Opinion
    run: Run | None
    """None: it could not be started."""


def new_secret() -> bytes:
    """What the harness must write before an answer; it stands before the question, on a line of its own."""
    return secrets.token_hex(16).encode()


def read_opinion(answer: bytes, secret: bytes, who: str, most_points: float) -> Opinion:
    """The opinion that the harness wrote for a judge's function; `who`: "checker" or "interactor"."""
    if not answer:
        return _failed(f"the {who} ended without an answer")
    if len(answer) > LONGEST_ANSWER:
        return _failed(f"the {who}'s answer is longer than {LONGEST_ANSWER >> 10} KiB")
    if not answer.startswith(secret):
        return _failed(f"the {who}'s answer was not written by its own function")
    found = _ANSWER.fullmatch(answer[len(secret) :].decode("ascii", "replace"))
    if found is None:
        return _failed(f"the {who}'s answer is not of the form [accepted, message, points]")
    accepted, text, given = found.groups()
    message: str = json.loads(text)
    if accepted == "null":
        return Opinion(Verdict.JUDGE_ERROR, f"the {who} failed: {message}", own_fault=True)
    points = None
    if given != "null":
        points = read_points(given, most_points)
        if points is None:
            return _failed(f"the {who} gives {given[:SHOWN]} points, which is not from 0 to {most_points:g}")
    return Opinion(Verdict.ACCEPTED if accepted == "true" else Verdict.WRONG_ANSWER, message, points)


def read_points(text: str, most: float) -> float | None:
    """A number of points from 0 to `most`, in decimal digits; None when it is none.

    >>> read_points("0.5", 1), read_points("nan", 1), read_points("1_0", 100), read_points("2", 1)
    (0.5, None, None, None)
    """
    points = float(text) if _POINTS.fullmatch(text) else math.nan
    return points + 0.0 if 0 <= points <= most + 1e-9 else None


def _failed(message: str) -> Opinion:
    return Opinion(Verdict.JUDGE_ERROR, message)
