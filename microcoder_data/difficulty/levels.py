"""The level of a predicted difficulty, and the column `difficulty` of a row about which nothing is known."""

from __future__ import annotations

from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS

EMPTY = dict.fromkeys(("native", "rating", "level", "predicted", "predictor", "pass_rate", "pass_n", "pass_model"))
"""The column `difficulty` when nothing is known."""


def level_of(predicted: float, boundaries: tuple[float, ...]) -> str:
    """The level of a predicted difficulty.

    >>> level_of(2.4, (2.5, 2.75)), level_of(2.5, (2.5, 2.75)), level_of(4.0, (2.5, 2.75))
    ('easy', 'medium', 'hard')
    """
    return DIFFICULTY_LEVELS[sum(predicted >= boundary for boundary in boundaries)]
