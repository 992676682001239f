"""Properties of every comparison, tested on generated outputs and values."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from microcoder_eval.compare import compare_output, compare_value
from microcoder_eval.problem import Checker, Policy

pytestmark = pytest.mark.fast

CHECKERS = (
    Checker(),
    Checker("exact"),
    Checker("case_insensitive"),
    Checker("float"),
    Checker("unordered", of="lines"),
    Checker("unordered", of="tokens"),
    Checker("unordered", of="elements"),
)
checkers = st.sampled_from(CHECKERS)
judges = st.sampled_from((Policy.CONTEST, Policy.LENIENT))
policies = st.sampled_from(tuple(Policy))

integers = st.integers(-(10**40), 10**40).map(str)
reals = st.floats(-1e9, 1e9).map(repr)
words = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=6)
spaces = st.text(" \t\n\r\v\f", min_size=1, max_size=3).map(str.encode)
token_lists = st.lists(st.one_of(integers, reals, words).map(str.encode), max_size=12)

scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.lists(inner, max_size=4).map(tuple), st.dictionaries(st.text(max_size=3), inner)
    ),
    max_leaves=12,
)


def joined(tokens: list[bytes], between: list[bytes]) -> bytes:
    return b"".join(token + between[index % len(between)] for index, token in enumerate(tokens))


@given(st.binary(max_size=60), checkers, policies)
def test_every_output_equals_itself(output: bytes, checker: Checker, policy: Policy) -> None:
    assert compare_output(output, bytes(bytearray(output)), checker, policy).rung == "exact"


@given(values, checkers, st.sampled_from((Policy.CONTEST, Policy.LENIENT)))
def test_every_value_equals_itself(value: Any, checker: Checker, policy: Policy) -> None:
    assert compare_value(value, value, checker, policy).rung == "exact"


@given(st.binary(max_size=40), st.binary(max_size=40), checkers, policies)
def test_any_bytes_get_a_verdict_and_a_short_reason(
    expected: bytes, actual: bytes, checker: Checker, policy: Policy
) -> None:
    comparison = compare_output(expected, actual, checker, policy)
    assert comparison.accepted is (comparison.rung is not None) is (comparison.detail == "")
    assert comparison.detail.isprintable() and len(comparison.detail) < 400


@given(values, values, checkers, policies)
def test_any_values_get_a_verdict_and_a_short_reason(
    expected: Any, actual: Any, checker: Checker, policy: Policy
) -> None:
    comparison = compare_value(expected, actual, checker, policy)
    assert comparison.accepted is (comparison.rung is not None) is (comparison.detail == "")
    assert "failed" not in comparison.detail and len(comparison.detail) < 400


@given(token_lists, st.lists(spaces, min_size=1), st.lists(spaces, min_size=1), judges)
def test_white_space_does_not_matter(
    tokens: list[bytes], between: list[bytes], instead: list[bytes], policy: Policy
) -> None:
    expected, actual = joined(tokens, between), b"\n " + joined(tokens, instead)
    assert compare_output(expected, actual, Checker(), policy).accepted


@given(st.lists(integers.map(str.encode), min_size=1, max_size=8), st.data())
def test_no_digit_of_an_integer_may_change(tokens: list[bytes], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(tokens) - 1))
    digits = bytearray(tokens[at])
    place = data.draw(st.integers(int(digits[:1] == b"-"), len(digits) - 1))
    digits[place] = data.draw(st.sampled_from([digit for digit in b"0123456789" if digit != digits[place]]))
    wrong = [*tokens[:at], bytes(digits), *tokens[at + 1 :]]
    for checker in (Checker(), Checker("case_insensitive"), Checker("exact")):
        comparison = compare_output(b" ".join(tokens), b" ".join(wrong), checker, Policy.CONTEST)
        assert not comparison.accepted
        assert ("byte" if checker.kind == "exact" else f"token {at + 1}:") in comparison.detail
    right, other = ([int(token) for token in each] for each in (tokens, wrong))
    assert right == other or not compare_value(right, other, Checker(), Policy.CONTEST).accepted  # 0 and -0 are one int


@given(st.integers().map(abs), st.sampled_from(["0{}", "+{}", "{}.0", "{}.", "{}e0", "{}_0", "{}L", "0x{:x}", "'{}'"]))
def test_an_integer_has_one_spelling(number: int, spelling: str) -> None:
    other = spelling.format(number).encode()
    for policy in (Policy.CONTEST,) if "'" in spelling else (Policy.CONTEST, Policy.LENIENT):
        assert not compare_output(str(number).encode(), other, Checker(), policy).accepted


@given(token_lists, token_lists, judges)
def test_fewer_or_more_tokens_are_never_accepted(tokens: list[bytes], more: list[bytes], policy: Policy) -> None:
    assume(more)
    short, long = b" ".join(tokens), b" ".join([*tokens, *more])
    for expected, actual in ((short, long), (long, short)):
        for checker in (Checker(), Checker("float", abs=1e9), Checker("case_insensitive"), Checker("unordered")):
            assert not compare_output(expected, actual, checker, Policy.CONTEST).accepted
        assert compare_output(expected, actual, Checker(), policy).rung in (None, "sets", "literals")


@given(st.floats(-1e12, 1e12), st.floats(-2e-6, 2e-6))
@example(0.5, 1e-6)
def test_a_real_number_is_granted_a_millionth_and_no_more(number: float, change: float) -> None:
    other = number + change * max(1.0, abs(number))
    error = abs(other - number) / max(1.0, abs(number))
    assume(not math.isclose(error, 1e-6, rel_tol=1e-3))
    right, answer = (f"{each:.20f}".encode() for each in (number, other))
    assert compare_output(right, answer, Checker(), Policy.CONTEST).accepted is (error < 1e-6)
    assert compare_value(number, other, Checker(), Policy.CONTEST).accepted is (error < 1e-6)


@given(st.lists(st.one_of(integers, words).map(str.encode), max_size=10), st.randoms())
def test_any_order_means_any_order_but_the_same_number_of_each(tokens: list[bytes], shuffle: random.Random) -> None:
    shuffled = shuffle.sample(tokens, len(tokens))
    for of, separator in (("lines", b"\n"), ("tokens", b" ")):
        checker = Checker("unordered", of=of)
        expected, actual = separator.join(tokens), separator.join(shuffled)
        assert compare_output(expected, actual, checker, Policy.CONTEST).accepted
        if len(set(tokens)) > 1:
            doubled = [shuffled[0] if token == shuffled[-1] else token for token in shuffled]
            assume(shuffled[0] != shuffled[-1])
            assert not compare_output(expected, separator.join(doubled), checker, Policy.CONTEST).accepted
    elements = Checker("unordered", of="elements")
    assert compare_value(tokens, shuffled, elements, Policy.CONTEST).accepted


@given(values)
def test_a_json_round_trip_changes_nothing(value: Any) -> None:
    assert compare_value(json.loads(json.dumps(value)), value, Checker(), Policy.CONTEST).accepted


@given(st.integers(60_000, 70_000), st.integers(1, 200), st.sampled_from([b" ", b"\n", b"  "]), st.data())
def test_outputs_longer_than_a_batch_are_compared_to_the_last_byte(
    size: int, width: int, separator: bytes, data: st.DataObject
) -> None:
    tokens = [b"7" * width] * (2 * size // width)
    expected = b" ".join(tokens)
    assert compare_output(expected, separator.join(tokens), Checker(), Policy.CONTEST).accepted
    at = data.draw(st.integers(0, len(tokens) - 1))
    wrong = [*tokens[:at], b"7" * (width - 1) + b"8", *tokens[at + 1 :]]
    comparison = compare_output(expected, separator.join(wrong), Checker(), Policy.CONTEST)
    assert comparison.detail.startswith(f"line 1, token {at + 1}: ")
