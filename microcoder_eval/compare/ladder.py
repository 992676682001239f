"""The ladder: which rungs may accept an answer, in what order, under each policy and checker.

A rung is a name and a function that accepts an answer or does not. The first rung that accepts decides. A rung that
raises accepts nothing. The supervisor runs checkers that are programs (`python`, `cpp`); nothing here does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from microcoder_eval.compare import difference_text, livecodebench_rungs
from microcoder_eval.compare.literal_rungs import MOST_BYTES, read_output, same_literals, same_readings
from microcoder_eval.compare.number_rungs import CONTEST_NEAR, close_or_rounded, tokens_agree, within
from microcoder_eval.compare.paired_batches import Agree, first_difference
from microcoder_eval.compare.text_rungs import (
    either_agrees,
    first_token_line_difference,
    same_case_folded,
    same_lines,
    same_token_lines,
    same_tokens,
)
from microcoder_eval.compare.unordered_rungs import (
    element_mismatch,
    first_unmatched_lines,
    first_unmatched_pair,
    nested_mismatch,
    same_element_sets,
    same_sets,
)
from microcoder_eval.compare.value_rungs import Agreement, Mismatch, mismatch
from microcoder_eval.kattis_rule import Rule
from microcoder_eval.problem import Checker, Policy

Rung = tuple[str, Callable[[Any, Any], bool]]

PROGRAMS = ("python", "cpp")


class Comparison(NamedTuple):
    """Whether an answer is accepted, and why: the rung that accepted it, or the first difference."""

    accepted: bool
    rung: str | None
    detail: str = ""


def compare_output(expected: bytes, actual: bytes, checker: Checker, policy: Policy) -> Comparison:
    """Compare what a program printed with the expected output.

    >>> compare_output(b"0.5\\n", b"0.5000001", Checker(), Policy.CONTEST)
    Comparison(accepted=True, rung='numbers', detail='')
    """
    _refuse_programs(checker, policy)
    if expected == actual:  # the first rung of most ladders, and the usual case
        return Comparison(True, "exact")
    return _climb(_output_rungs(checker, policy), expected, actual, partial(_explain_output, checker, policy))


def compare_value(expected: Any, actual: Any, checker: Checker, policy: Policy) -> Comparison:
    """Compare what a function returned with the expected value.

    >>> compare_value([1, 2], (1, 3), Checker(), Policy.CONTEST)
    Comparison(accepted=False, rung=None, detail='at [1]: expected 2, got 3')
    """
    _refuse_programs(checker, policy)
    return _climb(_value_rungs(checker, policy), expected, actual, partial(_explain_value, checker, policy))


def _refuse_programs(checker: Checker, policy: Policy) -> None:
    if checker.kind in PROGRAMS and policy is not Policy.STRICT:
        raise ValueError(f"the checker {checker.kind} is a program: run it instead")


def _climb(rungs: Iterator[Rung], expected: Any, actual: Any, explain: Callable[[Any, Any], str]) -> Comparison:
    failures = []
    for name, accepts in rungs:
        try:
            if accepts(expected, actual):
                return Comparison(True, name)
        except Exception as error:  # hostile data may break a rung: it accepts nothing, and the next rung is tried
            failures.append(f"; rung {name} failed: {type(error).__name__}")
    try:
        detail = explain(expected, actual)
    except Exception as error:
        detail = f"the answers differ; the difference could not be shown: {type(error).__name__}"
    return Comparison(False, None, detail + "".join(failures))


def _output_rungs(checker: Checker, policy: Policy) -> Iterator[Rung]:
    if policy is Policy.STRICT:
        yield "lines", livecodebench_rungs.same_lines
        yield "decimals", livecodebench_rungs.same_decimals
        return
    yield from _contest_output_rungs(checker)
    if policy is Policy.LENIENT:
        if checker.kind == "exact":
            yield from _contest_output_rungs(Checker())
        close = tokens_agree(close_or_rounded)
        yield "approximate", _tokens_that(close)
        yield "literals", partial(same_literals, agreement=_CLOSE)
        yield "unordered", _items_that(close, "lines")
        yield "sets", same_sets


def _contest_output_rungs(checker: Checker) -> Iterator[Rung]:
    yield "exact", operator.eq
    if checker.kind == "exact":
        return
    if checker.kind == "kattis_default":
        rule = Rule.from_flags(checker.flags)
        agree = _tokens_that(rule.agrees)
        yield "checker", lambda expected, actual: rule.same_spaces(expected, actual) and agree(expected, actual)
        return
    if checker.kind == "lines":
        yield "token_lines", same_token_lines
        return
    yield "lines", same_lines
    yield "tokens", same_tokens
    numbers = _numbers(checker)
    yield "numbers", _tokens_that(numbers)
    if checker.kind == "case_insensitive":
        yield "case", _tokens_that(either_agrees(same_case_folded, numbers))
    if checker.kind == "unordered" and not checker.nested:
        yield "unordered", _items_that(numbers, checker.of)
    elif checker.kind == "unordered" and checker.of == "lines":
        yield "unordered", lambda expected, actual: first_unmatched_lines(expected, actual) is None
    elif checker.kind == "unordered":
        yield "unordered", lambda expected, actual: _nested_output_mismatch(expected, actual) is None


def ignores_space_at_end(checker: Checker, policy: Policy) -> bool:
    """Whether the rung `lines` accepts an output that differs from the expected one in white space at its end only."""
    return policy is not Policy.STRICT and checker.kind not in (*PROGRAMS, "exact", "kattis_default", "lines")


def _nested_output_mismatch(expected: bytes, actual: bytes) -> Mismatch | None:
    """Where two outputs, read as literals, differ when nothing in them has an order."""
    if max(len(expected), len(actual)) > MOST_BYTES:
        return Mismatch((), f"{len(expected)} bytes", f"{len(actual)} bytes: too long to be read as a literal")
    return nested_mismatch(read_output(expected), read_output(actual), _CONTEST)


def _numbers(checker: Checker) -> Agree:
    if checker.kind == "float":
        return tokens_agree(within(checker.abs, checker.rel), integers=True)
    return tokens_agree(CONTEST_NEAR)


def _tokens_that(agree: Agree) -> Callable[[bytes, bytes], bool]:
    return lambda expected, actual: first_difference(expected, actual, agree) is None


def _items_that(agree: Agree, of: str) -> Callable[[bytes, bytes], bool]:
    return lambda expected, actual: first_unmatched_pair(expected, actual, of, agree) is None


def _explain_output(checker: Checker, policy: Policy, expected: bytes, actual: bytes) -> str:
    if policy is Policy.STRICT:
        return difference_text.line_difference(livecodebench_rungs.first_difference(expected, actual))
    if checker.kind == "exact" and policy is Policy.CONTEST:
        return difference_text.byte_difference(expected, actual)
    agree = _numbers(checker)
    if checker.kind == "kattis_default":
        rule = Rule.from_flags(checker.flags)
        spaces = "" if rule.same_spaces(expected, actual) else "white space differs; "
        return spaces + difference_text.token_difference(expected, actual, rule.agrees)
    if checker.kind == "lines":
        return difference_text.token_line_difference(first_token_line_difference(expected, actual))
    if checker.nested and checker.of == "lines":
        return difference_text.item_difference(first_unmatched_lines(expected, actual), "lines")
    if checker.nested:
        return "in any order, " + difference_text.value_difference(_nested_output_mismatch(expected, actual))
    if checker.kind == "unordered":
        return difference_text.item_difference(first_unmatched_pair(expected, actual, checker.of, agree), checker.of)
    if checker.kind == "case_insensitive":
        agree = either_agrees(same_case_folded, agree)
    return difference_text.token_difference(expected, actual, agree)


def _value_rungs(checker: Checker, policy: Policy) -> Iterator[Rung]:
    if policy is Policy.STRICT:
        yield "equal", livecodebench_rungs.same_value
        return
    yield from _contest_value_rungs(checker)
    if policy is Policy.LENIENT:
        if checker.kind == "exact":
            yield from _contest_value_rungs(Checker())
        close = _CLOSE._replace(convert=True)
        yield "approximate", _values_that(close)
        yield "literals", partial(same_readings, agreement=_CLOSE)
        yield "unordered", _elements_that(close)
        yield "sets", partial(same_element_sets, agreement=close)


def _contest_value_rungs(checker: Checker) -> Iterator[Rung]:
    yield "exact", _values_that(_SAME)
    if checker.kind == "exact":
        return
    yield "types", _values_that(_CONVERTED)
    agreement = _agreement(checker)
    yield "approximate", _values_that(agreement._replace(fold_case=False))
    if checker.kind == "case_insensitive":
        yield "case", _values_that(agreement)
    if checker.kind == "unordered" and checker.nested:
        yield "unordered", lambda expected, got: nested_mismatch(expected, got, _CONTEST) is None
    elif checker.kind == "unordered":
        yield "unordered", _elements_that(agreement)


_SAME = Agreement()
_CONVERTED = Agreement(convert=True)
_CONTEST = Agreement(convert=True, near=CONTEST_NEAR)
_CLOSE = Agreement(near=close_or_rounded)


def _agreement(checker: Checker) -> Agreement:
    if checker.kind == "float":
        return _CONTEST._replace(near=within(checker.abs, checker.rel), near_integers=True)
    return _CONTEST._replace(fold_case=True) if checker.kind == "case_insensitive" else _CONTEST


def _values_that(agreement: Agreement) -> Callable[[Any, Any], bool]:
    return lambda expected, got: mismatch(expected, got, agreement) is None


def _elements_that(agreement: Agreement) -> Callable[[Any, Any], bool]:
    return lambda expected, got: element_mismatch(expected, got, agreement) is None


def _explain_value(checker: Checker, policy: Policy, expected: Any, got: Any) -> str:
    if policy is Policy.STRICT:
        return difference_text.value_difference(mismatch(expected, got, _CONVERTED) or mismatch(expected, got, _SAME))
    if checker.kind == "exact":
        return difference_text.value_difference(mismatch(expected, got, _SAME))
    if checker.nested:
        return "in any order, " + difference_text.value_difference(nested_mismatch(expected, got, _CONTEST))
    if checker.kind == "unordered":
        return "in any order, " + difference_text.value_difference(element_mismatch(expected, got, _agreement(checker)))
    return difference_text.value_difference(mismatch(expected, got, _agreement(checker)))
