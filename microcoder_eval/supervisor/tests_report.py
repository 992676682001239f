"""Reads the report of a unit of a test program (problem kind `asserts`): within bounds, and in one exact form.

The report is the secret that came with the unit, then a JSON object of texts, so nothing in it is nested. The sandbox's
own code writes it, but a test program, or a program's text that it evaluates, may write anything in its place.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from microcoder_eval.supervisor.opinion import TEXT

LONGEST = 1 << 20
SHOWN = 4000
_OBJECT = rf'\{{(?:"[a-z]+": {TEXT}(?:, (?=")|(?=\}})))*\}}'


class Report(NamedTuple):
    """How a unit ended (see `ENDINGS` in `sandbox/asserts/run_unit.py`), and where."""

    ended: str
    detail: str
    where: str
    got: str = ""
    wanted: str = ""
    """Both sides of a false comparison; empty when the unit failed in another way."""
    line: str = ""
    exception: str = ""
    """The line at which the program raised an exception, and the exception's class; empty when it raised none."""


KEYS = tuple({"ended", "detail", "where", *more} for more in ((), ("got", "wanted"), ("line", "exception")))


def read_report(written: bytes, secret: bytes) -> Report | None:
    """The report; None when it does not begin with the secret or has another form.

    >>> read_report(b'key{"ended": "passed", "detail": "", "where": ""}', b"key")
    Report(ended='passed', detail='', where='', got='', wanted='', line='', exception='')
    >>> read_report(b'key{"ended": ["passed"]}', b"key") is None
    True
    >>> read_report(b'{"ended": "passed", "detail": "", "where": ""}', b"key") is None
    True
    """
    if len(written) > LONGEST:
        return Report("flooded", f"the tests report more than {LONGEST >> 20} MiB", "")
    if not written.startswith(secret):
        return None
    text = written[len(secret) :].decode("ascii", "replace")
    if not re.fullmatch(_OBJECT, text):
        return None
    record = json.loads(text)
    if record.keys() not in KEYS:
        return None
    return Report(record.pop("ended"), **{name: text[:SHOWN] for name, text in record.items()})
