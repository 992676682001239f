"""How single results are shown on every page: a percentage, an interval, a verdict, the reason for a verdict."""

from __future__ import annotations

import re

from microcoder_eval.metrics import Estimate
from microcoder_eval.report.page import Html, element
from microcoder_eval.runs.tally import weakest_rung
from microcoder_eval.verdict import Grade, Verdict

_LONGEST_REASON = 160
_NUMBERS = re.compile("([0-9]{1,18})")

VERDICT_TONES = {
    Verdict.ACCEPTED: "good",
    Verdict.WRONG_ANSWER: "bad",
    Verdict.TIME_LIMIT: "warn",
    Verdict.MEMORY_LIMIT: "warn",
    Verdict.OUTPUT_LIMIT: "warn",
    Verdict.RUNTIME_ERROR: "broken",
    Verdict.COMPILE_ERROR: "broken",
    Verdict.NO_CODE: "broken",
    Verdict.FORBIDDEN: "broken",
    Verdict.JUDGE_ERROR: "odd",
}
"""The colour of each verdict, by its name in the style sheet."""


def percent(value: float) -> str:
    """A share as a percentage.

    >>> percent(0.625)
    '62.5 %'
    """
    return f"{100 * value:.1f} %"


def share(part: int, whole: int) -> str:
    """A part of a whole as a percentage; of nothing, "0 %".

    >>> share(5, 8), share(0, 0)
    ('62.5 %', '0 %')
    """
    return percent(part / whole) if whole else "0 %"


def interval_text(estimate: Estimate) -> str:
    """The interval of an estimate in per cent; empty when it has none.

    >>> interval_text(Estimate(0.5, 0.4, 0.6, problems=20))
    '40.0 to 60.0'
    """
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f}"


def verdict_badge(verdict: Verdict) -> Html:
    """A verdict in its colour.

    >>> verdict_badge(Verdict.ACCEPTED)
    '<span class="verdict" data-tone="good">ACCEPTED</span>'
    """
    return element("span", verdict, class_="verdict", data_tone=VERDICT_TONES[verdict])


def natural_order(name: str) -> list[tuple[int, str]]:
    """A key that sorts names as people number them.

    >>> sorted(["p10", "p9", "p"], key=natural_order)
    ['p', 'p9', 'p10']
    """
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBERS.split(name)]


def reason(grade: Grade) -> str:
    """Why a submission has its verdict, on one line: the rung that accepted it, or the first difference.

    >>> reason(Grade("s", "p", Verdict.WRONG_ANSWER, 0, 1, detail="line 1: expected '2', got '3'"))
    "line 1: expected '2', got '3'"
    """
    if grade.accepted:
        return weakest_rung(grade)
    return last_line(grade.detail)


def last_line(detail: str) -> str:
    """The line of a message that says what happened: the end of a traceback.

    >>> last_line("Traceback (most recent call last):\\n  ...\\nKeyError: 3\\n")
    'KeyError: 3'
    """
    lines = detail.strip().splitlines()
    return lines[-1][:_LONGEST_REASON] if lines else ""
