"""Prove and use validators that a model has written: programs in the sandbox that print VALID or INVALID.

    judged = [judge(program, known, grader) for program in written]
    validator = best(judged)            # None if all are refused; `fault` of each says why

A validator must accept every known input and refuse every text that is certainly illegal. The one of these that refuses
most of the likely illegal texts is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from microcoder_data.make_tests.illegal import near_illegal
from microcoder_data.make_tests.questions import Written
from microcoder_eval import ProgramRun
from microcoder_eval.connection import AnyGrader

TIME_S = 10.0
MEMORY_MB = 512
MOST_KNOWN = 20
PROBED = 2
"""This many known inputs are changed into illegal ones."""
LEAST_LIKELY = 0.5
"""A validator must refuse at least this share of the likely illegal texts."""


@dataclass(frozen=True)
class ValidatorProof:
    """The proof of a validator: what it accepted and refused."""

    program: Written
    accepted: int = 0
    known: int = 0
    refused: int = 0
    """How many certainly illegal texts were refused."""
    certain: int = 0
    likely_refused: int = 0
    likely: int = 0
    fault: str = ""
    """Why it may not be used; empty when it may."""

    @property
    def in_words(self) -> str:
        return (
            f"{self.program.name}: takes {self.accepted} of {self.known} known inputs, refuses {self.refused} of "
            f"{self.certain} illegal and {self.likely_refused} of {self.likely} likely illegal texts"
        )


def verdict(program: Written, text: str, grader: AnyGrader) -> bool | None:
    """Whether a validator accepts a text; None if it gives no usable answer."""
    run = grader.run(program.code, stdin=text, time_limit_s=TIME_S, memory_limit_mb=MEMORY_MB, kept_bytes=1000)
    return read_verdict(run)


def read_verdict(run: ProgramRun) -> bool | None:
    """The verdict in the one line that a validator prints; None for any other output.

    >>> from microcoder_eval import Verdict
    >>> [read_verdict(ProgramRun(Verdict.ACCEPTED, text)) for text in ("VALID\\n", "INVALID: n", "VALID\\nVALID")]
    [True, False, None]
    """
    line = run.stdout.strip()
    if not run.ended_well or run.stdout_cut or "\n" in line:
        return None
    if line == "VALID":
        return True
    return False if line.startswith("INVALID") else None


def judge(program: Written, known: Sequence[str], grader: AnyGrader) -> ValidatorProof:
    """Run a validator on texts that it must accept and on texts that it must or should refuse."""
    taken = known[:MOST_KNOWN]
    for accepted, text in enumerate(taken):  # up to the first fault: a validator may need all its time on each text
        if (answer := verdict(program, text, grader)) is not True:
            fault = "it refuses a known input" if answer is False else "it gives no verdict on a known input"
            return ValidatorProof(program, accepted=accepted, known=len(taken), fault=fault)
    counts = {"accepted": len(taken), "known": len(taken)}
    found = {True: [0, 0], False: [0, 0]}
    for text in taken[:PROBED]:
        for changed, _, certain in near_illegal(text):
            if changed not in known:
                found[certain][1] += 1
                found[certain][0] += verdict(program, changed, grader) is False
    (refused, certain_count), (likely_refused, likely) = found[True], found[False]
    fault = ""
    if refused < certain_count:
        fault = "it takes, or fails on, a text that is certainly illegal"
    elif likely_refused < LEAST_LIKELY * likely:
        fault = "it takes most of what is likely illegal"
    return ValidatorProof(program, **counts, refused=refused, certain=certain_count, likely_refused=likely_refused,
                  likely=likely, fault=fault)  # fmt: skip


def best(judged: Sequence[ValidatorProof]) -> ValidatorProof | None:
    """The validator to use: the first of those without a fault that refuse the most; None if all have one."""
    usable = [one for one in judged if not one.fault]
    return max(usable, key=lambda one: one.likely_refused, default=None)
