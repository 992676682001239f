"""Asks a checker in such a way that no program gains by making the checker fail.

    opinion = ask_fairly(ask, output, other_outputs(expected_output, input), loaded.judge_limits, index)

If the checker fails on a program's output, it is asked about the expected output too, once for each test. If it does
not fail on that one, the failure is the program's: WRONG_ANSWER. A test without an expected output has a few short
outputs in its place, and the checker must fail on all of them to be at fault. The checker's limits follow from what it
used for these outputs. As long as the checker gives an opinion, it is asked only once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from microcoder_eval.supervisor.loaded_problem import LEAST_OUTPUT_BYTES
from microcoder_eval.supervisor.opinion import Asked, Opinion
from microcoder_eval.supervisor.run import BoxLost
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits
from microcoder_eval.verdict import Verdict

LEAST = Limits(cpu_s=3.0, memory_bytes=1024 * MEBIBYTE, output_bytes=LEAST_OUTPUT_BYTES)
"""What a checker may always use, even if it used less for the expected output."""
ON_EXPECTED = Limits(cpu_s=10.0, memory_bytes=1024 * MEBIBYTE, output_bytes=LEAST_OUTPUT_BYTES)
"""What a checker may use for the expected output."""
MULTIPLE = 4
"""How many times as much as for those outputs a checker may use for a program's output."""
ON_OTHERS = "there is no expected output, and on other outputs it does not fail"
Output = TypeVar("Output")


def other_outputs(expected: Any, given: Any) -> tuple[Any, ...]:
    """The outputs on one of which at least a sound checker gives an opinion."""
    if not isinstance(expected, (str, bytes)) or expected.strip():
        return (expected,)
    return (expected, *((b"0\n", b"1\n") if isinstance(expected, bytes) else ("0\n", "1\n")), given)


def ask_fairly(
    ask: Callable[[Output, Limits], Asked],
    output: Output,
    others: Sequence[Output],
    known: dict[int, Limits | None],
    index: int,
) -> Opinion:
    """The opinion on an output. `known` keeps the limits found with the other outputs, by test. Raises `BoxLost`."""
    limits = known.get(index) or LEAST
    opinion = ask(output, limits).opinion
    if opinion.verdict is not Verdict.JUDGE_ERROR or opinion.own_fault:
        return opinion
    if index not in known:
        found = (_limits_from(ask(other, ON_EXPECTED)) for other in others)
        known[index] = next((limits for limits in found if limits is not None), None)
    allowed = known[index]
    if allowed is None:
        return opinion
    if opinion.exhausted and allowed != limits:
        opinion = ask(output, allowed).opinion
        if opinion.verdict is not Verdict.JUDGE_ERROR:
            return opinion
    return blame_the_program(opinion, ON_OTHERS if len(others) > 1 else "on the expected output it does not fail")


def blame_the_program(opinion: Opinion, why: str) -> Opinion:
    """The opinion WRONG_ANSWER in place of a judge's failure, with the reason."""
    return Opinion(Verdict.WRONG_ANSWER, f"{opinion.message}; {why}", judge_failed=True)


def _limits_from(asked: Asked) -> Limits | None:
    """The limits for programs' outputs, from what the checker used for the expected one; None when it failed on it."""
    opinion, run = asked
    if run is not None and run.killed:
        raise BoxLost("the checker was killed", crashed=False)
    if run is None or opinion.verdict is Verdict.JUDGE_ERROR:
        return None
    return replace(
        LEAST,
        cpu_s=max(LEAST.cpu_s, MULTIPLE * run.cpu_s),
        memory_bytes=max(LEAST.memory_bytes, MULTIPLE * run.memory_kb << 10),
    )
