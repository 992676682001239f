"""The conditional truncation mask: which truncated replies get the advantage 0. Pure functions.

By the paper's rule a reply qualifies when it was cut at the length limit, is not known to be wrong, and does not
repeat itself. A share rho of the qualifying replies, drawn from each sample's own seed, is masked. Masked replies
still count in the group's statistics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def is_repeating(tokens: Sequence[int], *, window: int = 128, kind: str = "exact") -> bool:
    """Whether a reply ends in repeated tokens.

    "exact": its last `window` tokens equal the `window` tokens before, which finds the periods that divide the
    window. "periodic": its last 2 * window tokens have any period up to `window`. Shorter replies never repeat.

    >>> is_repeating([7, 8, 9] * 4, window=6), is_repeating([7, 8, 9] * 4, window=4)
    (True, False)
    >>> is_repeating([7, 8, 9] * 4, window=4, kind="periodic")
    True
    """
    if len(tokens) < 2 * window:
        return False
    tail = np.asarray(tokens[-2 * window :])
    if kind == "exact":
        return bool((tail[:window] == tail[window:]).all())
    return any(bool((tail[period:] == tail[:-period]).all()) for period in range(1, window + 1))


def qualifies(kind: str, *, correct: bool, complete: bool) -> bool:
    """Whether a truncated reply may be masked. `complete`: it ends with its program, in a closed block.

    "paper": correct, or incomplete. "correct" and "incomplete": only those. "all": every one. "deepcoder": every
    one that was not correct.

    >>> [qualifies("paper", correct=False, complete=complete) for complete in (True, False)]
    [False, True]
    """
    return {
        "paper": correct or not complete,
        "correct": correct,
        "incomplete": not complete and not correct,
        "all": True,
        "deepcoder": not correct,
    }[kind]


def mask_reason(
    *,
    truncated: bool,
    correct: bool,
    complete: bool,
    repeating: bool,
    draw: float,
    share: float,
    qualify: str = "paper",
) -> str | None:
    """Why the reply is masked, or None when it is not. `draw` is the sample's own random number in [0, 1).

    >>> mask_reason(truncated=True, correct=False, complete=False, repeating=False, draw=0.1, share=0.2)
    'truncated, incomplete'
    """
    if not truncated or repeating or draw >= share or not qualifies(qualify, correct=correct, complete=complete):
        return None
    return "truncated, " + ("correct" if correct else "wrong" if complete else "incomplete")
