"""Samples in one form, and how much an equal one says."""

from __future__ import annotations

import pytest

from microcoder_data.compare.calls import _in_brackets, called
from microcoder_data.compare.examples import canonical, example_key

pytestmark = pytest.mark.fast


def test_samples_compare_equal_however_they_are_written() -> None:
    ways = ["nums = [2,1], k = 3", "[2, 1]\n3", "nums = [2, 1]\nk = 3", "[2,1], 3"]
    ways += ["nums: [2, 1]   k: 3", "nums = [2,1], `k` = 3.", "`nums `= [2,1] k= 3", "nums : [2,1]\nk : 3"]
    assert len(set(map(canonical, ways))) == 1
    assert canonical("[2, 1]") != canonical("[2], [1]") != canonical("[1, 2]")
    assert canonical("-1") != canonical("1")
    assert len(set(map(canonical, ["Yes: 3", "No: 3", "12:30", "12:3", "a == 3", "grid = ...", "grid = .."]))) == 7


def test_short_numbers_and_yes_or_no_say_little_of_a_sample() -> None:
    def weight(given: str, wanted: str) -> int:
        key = example_key(given, wanted)
        assert key is not None
        return key[1]

    assert weight("1000000000", "999999999") == 6
    assert weight("5", "true") == 2
    assert weight('s = "cbacdcbc"', "acdb") == 10
    assert weight("[4,2,6,1,3]", "[1,2]") > weight("4 2", "1")


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        ("f(1, (2, 3))", "1, [2, 3]"),
        ("f(')', \"((\", '\\'(')", "')', \"((\", '\\'('"),
        ("f(a=1, b=(2,))", "a=1, b=[2,]"),
        ("f(lambda x: (x), None)", "lambda x: [x], null"),
        ("f(f(1))", "f[1]"),
        ("sorted( f((1, 2)) )", "[1, 2]"),
    ],
)
def test_the_arguments_of_one_call_are_compared(given: str, arguments: str) -> None:
    assert called("f", given, "3") == (arguments, "3")


@pytest.mark.parametrize(
    "given",
    [
        "f(1) + f(2)", "f(1)[0]", "f(1).x", "f(1)(2)", "f(1).g(2)", "f(1), f(2)", "not f(1)", "f(1) == f(2)", "g(f(1))",
        "sorted(f(1), key=len)", "set(f(1)) | set(f(2))", "list(f(1))[0]", "lambda: f(1)", "f(1", "f(')", "f(1)\nf(2)",
    ],
)  # fmt: skip
def test_an_expression_is_not_one_call(given: str) -> None:
    assert called("f", given, "3") == (_in_brackets(given), "3")


def test_brackets_alone_are_no_call() -> None:
    assert called("", "(1, 2)", "3") == ("[1, 2]", "3")
    assert called("", f"({'-' * 590}1)", "3") == (f"[{'-' * 590}1]", "3")
