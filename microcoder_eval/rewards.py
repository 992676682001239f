"""Computes rewards from grades, in the shapes that trainers use. Pure.

    reward_of(grade, shape="fraction", cut_off=-0.5)

A JUDGE_ERROR says nothing about the program, so its reward is `None`, never 0. Each integration states what it does
instead for a trainer that does not accept `None`.
"""

from __future__ import annotations

import math
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.suggest import did_you_mean
from microcoder_eval.verdict import Grade

SHAPES = ("binary", "fraction", "groups")
MOST_REWARD = 1e6


def check_shape(shape: str) -> str:
    """The shape, if there is one of this name; raises `InputError`."""
    if shape not in SHAPES:
        near = did_you_mean(str(shape)[:60], SHAPES)
        raise InputError(f"unknown reward shape {str(shape)[:60]!r}{near}; known: {', '.join(SHAPES)}")
    return shape


def check_reward(name: str, value: Any) -> float:
    """A reward that a setting names, as a number; raises `InputError` for NaN, an infinity, or what is no number.

    >>> check_reward("cut_off", "-0.5")
    -0.5
    """
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not abs(found) < MOST_REWARD:
        raise InputError(f"{name}: a number expected, found {str(value)[:60]!r}")
    return found


def needs_all_tests(shape: str) -> bool:
    """Whether a shape counts tests after the first that fails."""
    return shape != "binary"


def reward_of(grade: Grade, shape: str = "binary", cut_off: float | None = None) -> float | None:
    """The reward for a grade; None when the grader failed.

    shape: "binary" (accepted or not), "fraction" (the share of tests or points), "groups" (the share of groups of a
        scoring problem that got all their points; without groups, as "binary").
    cut_off: the reward of a reply that was cut off and is not accepted.

    >>> from microcoder_eval.verdict import Verdict
    >>> reward_of(Grade("s", "p", Verdict.WRONG_ANSWER, passed=3, total=4), "fraction")
    0.75
    >>> reward_of(Grade("s", "p", Verdict.JUDGE_ERROR)) is None
    True
    """
    check_shape(shape)
    if grade.reward is None:
        return None
    if cut_off is not None and not grade.complete and not grade.accepted:
        return check_reward("cut_off", cut_off)
    if shape == "fraction":
        return grade.score
    if shape == "groups" and not grade.accepted:
        scored = [group for group in grade.groups[:-1] if group.max_points]  # the last one is the whole
        full = sum(group.points >= (group.max_points or 0) for group in scored)
        return full / len(scored) if scored else 0.0
    return grade.reward
