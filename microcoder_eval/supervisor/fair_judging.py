"""Asks a checker in such a way that no program gains by making the checker fail.

    opinion = ask_fairly(ask, output, expected_output, loaded.judge_limits, index)

If the checker fails on a program's output, it is asked about the expected output too, once for each test. If it does
not fail on that one, the failure is the program's: WRONG_ANSWER. The checker's limits follow from what it used for the
expected output. As long as the checker gives an opinion, it is asked only once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

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
"""How many times as much as for the expected output a checker may use for a program's output."""
Output = TypeVar("Output")


def ask_fairly(
    ask: Callable[[Output, Limits], Asked],
    output: Output,
    expected: Output,
    known: dict[int, Limits | None],
    index: int,
) -> Opinion:
    """The opinion on an output. `known` keeps the limits found with the expected output, by test. Raises `BoxLost`."""
    limits = known.get(index) or LEAST
    opinion = ask(output, limits).opinion
    if opinion.verdict is not Verdict.JUDGE_ERROR or opinion.own_fault:
        return opinion
    if index not in known:
        known[index] = _limits_from(ask(expected, ON_EXPECTED))
    allowed = known[index]
    if allowed is None:
        return opinion
    if opinion.exhausted and allowed != limits:
        opinion = ask(output, allowed).opinion
        if opinion.verdict is not Verdict.JUDGE_ERROR:
            return opinion
    return blame_the_program(opinion, "on the expected output it does not fail")


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
