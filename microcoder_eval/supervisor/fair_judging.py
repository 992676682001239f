"""Asks a checker in such a way that no program gains by making the checker fail.

    opinion = ask_fairly(ask, output, other_outputs(expected_output, input), loaded.judge_limits, index)

If the checker fails on a program's output, it is asked about the expected output too, once for each test. If it does
not fail on that one, the failure is the program's: WRONG_ANSWER. A test without an expected output, or with one on
which the checker raises an exception (a remark in its place, perhaps), has a few short outputs instead, and the checker
must fail on all of them to be at fault. Without an expected output a checker that raises on all of them is not at
fault: it may be unable to read such outputs. The checker's limits follow from what it used for these outputs. As long
as the checker gives an opinion, it is asked only once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
STAND_INS: tuple[Any, ...] = (None, 0, "", [])
"""Values in place of an expected one."""
Output = TypeVar("Output")


def other_outputs(expected: Any, given: Any) -> tuple[Any, ...]:
    """The expected output, and others on one of which at least a sound checker gives an opinion."""
    if not isinstance(expected, (str, bytes)):
        return (expected, *STAND_INS)
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
        known[index] = _limits_on(ask, others)
    allowed, is_given = known[index], _is_given(others[0])
    if allowed is None:
        return opinion if is_given or not opinion.raised else Opinion(Verdict.WRONG_ANSWER, opinion.message)
    if opinion.exhausted and allowed != limits:
        opinion = ask(output, allowed).opinion
        if opinion.verdict is not Verdict.JUDGE_ERROR:
            return opinion
    if not is_given:
        return blame_the_program(opinion, ON_OTHERS)
    others_are = "other outputs" if opinion.raised else "the expected output"
    return blame_the_program(opinion, f"on {others_are} it does not fail")


def blame_the_program(opinion: Opinion, why: str) -> Opinion:
    """The opinion WRONG_ANSWER in place of a judge's failure, with the reason."""
    return Opinion(Verdict.WRONG_ANSWER, f"{opinion.message}; {why}", judge_failed=True)


def _limits_on(ask: Callable[[Output, Limits], Asked], others: Sequence[Output]) -> Limits | None:
    """The limits from the first output on which the checker does not fail; None when it is at fault."""
    for place, other in enumerate(others):
        asked = ask(other, ON_EXPECTED)
        limits = _limits_from(asked)
        if limits is not None or (place == 0 and _is_given(other) and not asked.opinion.raised):
            return limits
    return None


def _is_given(expected: Any) -> bool:
    return expected is not None and not (isinstance(expected, (str, bytes)) and not expected.strip())


def _limits_from(asked: Asked) -> Limits | None:
    """The limits for programs' outputs, from what the checker used for the expected one; None when it failed on it."""
    opinion, run = asked
    if run is not None and run.killed:
        raise BoxLost("the checker was killed", crashed=False)
    if run is None or opinion.verdict is Verdict.JUDGE_ERROR:
        return None
    return LEAST._replace(
        cpu_s=max(LEAST.cpu_s, MULTIPLE * run.cpu_s),
        memory_bytes=max(LEAST.memory_bytes, MULTIPLE * run.memory_kb << 10),
    )
