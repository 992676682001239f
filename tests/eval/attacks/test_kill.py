"""Attacks that try to end a trusted process, by judges' programs and by submissions. None may succeed.

Each attack is graded alone. After it, the same grader with the same processes accepts an honest program.
"""

from __future__ import annotations

import pytest

from tests.eval.attacks import hostile_judges, hostile_submissions
from tests.eval.attacks.alone import Alone, grade_alone
from tests.eval.attacks.grading import REFUSED, WAYS, Attack
from tests.eval.toolchains import is_here

JUDGES = hostile_judges.attacks()
EVERY = [attack for attack in hostile_submissions.attacks() if attack.language == "python" or is_here(attack.language)]
SLOW_TO_FILL = "cpp-macro-doubling"
"""Takes the compiler seconds to fill its memory; `cpp-assembler-repeats` does it at once."""
SUBMISSIONS = [attack for attack in EVERY if attack.name != SLOW_TO_FILL]


@pytest.fixture(scope="module")
def results() -> dict[str, Alone]:
    return grade_alone([*JUDGES, *SUBMISSIONS], WAYS["spaces-test"])


def check(attack: Attack, result: Alone) -> None:
    assert result.verdict, result.detail
    assert not result.replaced, f"{result.replaced} trusted processes were replaced: {result.verdict} {result.detail}"
    if attack.wants == (REFUSED,):
        assert result.verdict not in ("ACCEPTED", "JUDGE_ERROR"), result.detail
    else:
        assert result.verdict in attack.wants, result.detail
    assert result.honest_after == "ACCEPTED"


@pytest.mark.parametrize("attack", JUDGES, ids=lambda attack: attack.name)
def test_a_judge_that_lies_is_to_blame(results: dict[str, Alone], attack: Attack) -> None:
    check(attack, results[attack.name])


@pytest.mark.parametrize("attack", SUBMISSIONS, ids=lambda attack: attack.name)
def test_a_submission_ends_no_trusted_process(results: dict[str, Alone], attack: Attack) -> None:
    check(attack, results[attack.name])


@pytest.mark.slow  # seconds of CPU time
def test_a_compiler_that_fills_its_memory_slowly_ends_no_trusted_process() -> None:
    for attack in (attack for attack in EVERY if attack.name == SLOW_TO_FILL):
        check(attack, grade_alone([attack], WAYS["spaces-test"], processes=1)[attack.name])
