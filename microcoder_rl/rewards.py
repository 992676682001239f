"""Rewards computed from grades. Pure functions; the recipe's section `reward` chooses among them.

    reward_of(grade, problem, RewardConfig(kind="adaptive"), repeating=False)

A reply that the judge could not judge has no reward, whatever the recipe says: a JUDGE_ERROR never becomes a number.
"""

from __future__ import annotations

from microcoder_eval import Grade, Problem, Verdict
from microcoder_rl.recipe.objective import RewardConfig

NOT_COMPILED, BROKE, FAILED_A_TEST, PASSED = -1.0, -0.6, -0.3, 1.0
"""CodeRL's four outcomes."""
_NOT_RUN = (Verdict.COMPILE_ERROR, Verdict.NO_CODE)


def reward_of(grade: Grade, problem: Problem, config: RewardConfig, *, repeating: bool) -> float | None:
    """The reward of a reply; None when the judge failed. `repeating`: the reply ends in repeated tokens.

    >>> grade = Grade("s", "p", Verdict.WRONG_ANSWER, passed=1, total=4)
    >>> [reward_of(grade, Problem("p"), RewardConfig(kind=kind), repeating=False) for kind in ("binary", "score")]
    [0.0, 0.25]
    """
    if grade.reward is None:
        return None
    reward = {
        "binary": lambda: grade.reward,
        "score": lambda: grade.score,
        "outcomes": lambda: outcome(grade),
        "adaptive": lambda: adaptive_outcome(grade),
    }[config.kind]()
    if grade.accepted and config.cost:
        reward -= config.cost * share_of_limits(grade, problem)
    if repeating:
        reward -= config.repetition
    return float(reward)


def outcome(grade: Grade) -> float:
    """CodeRL's and PPOCoder's reward: does not compile -1, breaks -0.6, fails a test -0.3, passes all +1.

    A program breaks when a run of it ends in any other way than with an answer: an error, or a limit exceeded.

    >>> outcome(Grade("s", "p", Verdict.TIME_LIMIT))
    -0.6
    """
    if grade.accepted:
        return PASSED
    if grade.verdict in _NOT_RUN:
        return NOT_COMPILED
    broke = [test.verdict not in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER) for test in grade.tests]
    return BROKE if any(broke) or grade.verdict is not Verdict.WRONG_ANSWER else FAILED_A_TEST


def adaptive_outcome(grade: Grade) -> float:
    """RLTF's adaptive feedback: as `outcome`, but a program that answers wrong gets -0.3 + 1.3 * share of tests passed.

    >>> adaptive_outcome(Grade("s", "p", Verdict.WRONG_ANSWER, passed=0, total=2))
    -0.3
    """
    reward = outcome(grade)
    if reward != FAILED_A_TEST or not grade.total:
        return reward
    return FAILED_A_TEST + (PASSED - FAILED_A_TEST) * grade.passed / grade.total


def share_of_limits(grade: Grade, problem: Problem) -> float:
    """The largest share of its limit of CPU time or memory that any test used, from 0 to 1."""
    shares = [0.0]
    for test in grade.tests:
        limits = problem.tests[test.index] if test.index < len(problem.tests) else None
        time_s = (limits and limits.time_limit_s) or problem.time_limit_s
        memory_mb = (limits and limits.memory_limit_mb) or problem.memory_limit_mb
        shares += [test.cpu_ms / 1000 / time_s, test.memory_kb / 1024 / memory_mb]
    return min(1.0, max(shares))
