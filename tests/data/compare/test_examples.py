"""Samples in one form, and how much an equal one says."""

from __future__ import annotations

import pytest

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
