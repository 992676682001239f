"""Reads the opinions of checkers and interactors as hostile input: bounds first, one exact form, no recursion.

    read_opinion(answer, secret, "checker", most_points=100)
    read_points("0.5", most=1)

For a checker or an interactor that is a Python function, the harness writes the secret that came with the test, then
[accepted, message, points]. An answer without the secret was written by something else, such as a program's text that
the judge evaluates. An answer that cannot be read is a failure of the judge, and the message says what is wrong.
"""

from __future__ import annotations

import json
import math
import os
import re
from typing import NamedTuple

from microcoder_eval.supervisor.run import Run
from microcoder_eval.verdict import Verdict

LONGEST_ANSWER = 1 << 16
MOST_POINTS = 1e9
"""The bound on a test's points when the problem's groups set none."""
SHOWN = 60
TEXT = r'"[^"\\\x00-\x1f\x80-\U0010ffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f\x80-\U0010ffff]*)*"'
"""A text in JSON."""
_NUMBER = r"-?[0-9]{1,20}(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,4})?"
_ANSWER = rf"\[(true|false|null), ({TEXT}), (null|NaN|-?Infinity|{_NUMBER})\]"
"""Not compiled here: that takes 5 ms, and most supervisors never need it."""
_POINTS = re.compile(r"[-+]?(?:[0-9]{1,20}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,4})?")


class Opinion(NamedTuple):
    """What a checker or an interactor decided about a program."""

    verdict: Verdict
    """ACCEPTED or WRONG_ANSWER; JUDGE_ERROR when the judge failed."""
    message: str = ""
    points: float | None = None
    exhausted: bool = False
    """Whether the judge failed because it ran out of time or memory."""
    raised: bool = False
    """Whether the judge's function raised an exception, as it does when it cannot read an output."""
    own_fault: bool = False
    """Whether the judge would fail whatever a program writes."""
    judge_failed: bool = False
    """Whether a WRONG_ANSWER means that the judge failed on this output. A right output does not make it fail."""


class Asked(NamedTuple):
    """A checker's opinion on one output, and the run that gave it."""

    opinion: Opinion
    run: Run | None
    """None: the checker could not be started."""


def new_secret() -> bytes:
    """A secret for one question. It is the line before the question; the harness must write it before the answer."""
    return os.urandom(16).hex().encode()


def read_opinion(answer: bytes, secret: bytes, who: str, most_points: float) -> Opinion:
    """The opinion that the harness wrote for a judge's function; `who`: "checker" or "interactor"."""
    if not answer:
        return _failed(f"the {who} ended without an answer")
    if len(answer) > LONGEST_ANSWER:
        return _failed(f"the {who}'s answer is longer than {LONGEST_ANSWER >> 10} KiB")
    if not answer.startswith(secret):
        return _failed(f"the {who}'s answer was not written by its own function")
    found = re.fullmatch(_ANSWER, answer[len(secret) :].decode("ascii", "replace"))
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
    """The number of points that a text spells in decimal digits; None when it is not from 0 to `most`.

    >>> read_points("0.5", 1), read_points("nan", 1), read_points("1_0", 100), read_points("2", 1)
    (0.5, None, None, None)
    """
    points = float(text) if _POINTS.fullmatch(text) else math.nan
    return points + 0.0 if 0 <= points <= most + 1e-9 else None


def _failed(message: str) -> Opinion:
    return Opinion(Verdict.JUDGE_ERROR, message)
