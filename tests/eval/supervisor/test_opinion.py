"""The answers of judges: read in one form, or refused with the reason."""

from __future__ import annotations

import json

import pytest

from microcoder_eval import Verdict
from microcoder_eval.supervisor.opinion import LONGEST_ANSWER, new_secret, read_opinion, read_points
from microcoder_eval.supervisor.tests_report import LONGEST, Report, read_report

SECRET = b"secret"


def verdict(said: bytes, most: float = 100.0) -> Verdict:
    opinion = read_opinion(said, SECRET, "checker", most)
    assert opinion.points is None or 0 <= opinion.points <= most
    return opinion.verdict


@pytest.mark.parametrize("points", [None, 0.0, -0.0, 1e-9, 5e-324, 33.3, 99.99999999999999, 100, 100.0])
@pytest.mark.parametrize("message", ["", "fine", 'a "b" \\ \n\t\x00\x1b', "\ud800é\U0001f600", "[[[{"])
@pytest.mark.parametrize("accepted", [True, False])
def test_what_the_harness_writes_is_read(accepted: bool, message: str, points: float | None) -> None:
    opinion = read_opinion(SECRET + json.dumps([accepted, message, points]).encode(), SECRET, "checker", 100.0)
    assert opinion.verdict is (Verdict.ACCEPTED if accepted else Verdict.WRONG_ANSWER)
    assert (opinion.message, opinion.points) == (message, points)


@pytest.mark.parametrize(
    "said",
    [
        *(b"", SECRET, b'[true, "", null]', SECRET[:-1] + b'[true, "", null]', b"x" + SECRET + b'[true, "", null]'),
        *(SECRET + b"[true, null, null]", SECRET + b'[true, "", "5"]', SECRET + b'[true, "", [5]]'),
        *(SECRET + b'[true, "", NaN]', SECRET + b'[true, "", Infinity]', SECRET + b'[true, "", -1]'),
        *(SECRET + b'[true, "", 100.1]', SECRET + b'[true, "", 1e400]', SECRET + b'[true, "", ' + b"9" * 6000 + b"]"),
        *(SECRET + b'[true, "", null]x', SECRET + b'[true, "", null]\n', SECRET + b'[true, "", null][]'),
        *(SECRET + b"[" * 60_000, SECRET + b'[true, "' + b"x" * LONGEST_ANSWER + b'", null]', b"\xff" * 100),
        *(SECRET + b'[true, "\xff", null]', SECRET + b'[true, "\\x", null]', SECRET + b'[true, "\n", null]'),
    ],
)
def test_anything_else_is_the_judges_failure(said: bytes) -> None:
    assert verdict(said) is Verdict.JUDGE_ERROR


def test_secrets_differ_and_are_one_line() -> None:
    first, second = new_secret(), new_secret()
    assert first != second and b"\n" not in first + second


@pytest.mark.parametrize("text", ["", " 1", "1 ", "1_0", "٣", "nan", "inf", "0x1", "1e", "--1", "1,5", "9" * 400])
def test_points_are_decimal_numbers(text: str) -> None:
    assert read_points(text, 1e9) is None


def test_points_have_a_bound() -> None:
    assert [read_points(text, 2) for text in ("0", "-0", "2", "2.0", ".5", "5.", "2e0", "+1")] == [
        *(0, 0, 2, 2, 0.5, None, 2, 1)
    ]
    assert [read_points(text, 2) for text in ("2.1", "-0.1", "1e9999")] == [None] * 3


@pytest.mark.parametrize(
    "said",
    [
        *(b"", b"null", b"5", b"[]", b"{}", b'{"ended": "passed"}', b'{"ended": "passed", "detail": "", "where": 5}'),
        *(b'{"ended": "passed", "detail": "", "where": ""}x', b"[" * 100_000, b'{"a":' * 10_000),
        *(b'{"ended": "passed", "detail": "", "where": "", "more": ""}', b'{"ended": "passed\xff"}'),
    ],
)
def test_a_report_of_another_form_is_none(said: bytes) -> None:
    assert read_report(said, b"") is None


def test_a_report_is_read_and_a_long_one_is_the_programs() -> None:
    for detail in ("", "a\n\ud800\\", 'é"'):
        said = read_report(json.dumps({"ended": "failed", "detail": detail, "where": "line 1"}).encode(), b"")
        assert said == Report("failed", detail, "line 1")
    long = read_report(b"x" * (LONGEST + 1), b"")
    assert long is not None and long.ended == "flooded"
