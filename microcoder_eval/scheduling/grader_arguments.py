"""Checks of a `Grader`'s arguments, each with a message that names the argument.

A value of a wrong type raises TypeError; a value that is out of range or unknown raises `InputError`. `check_options`
checks all arguments of a grader that is started later, or in another process.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from microcoder_eval.boundary.layers import LAYERS
from microcoder_eval.errors import InputError
from microcoder_eval.problem import Policy
from microcoder_eval.scheduling.test_order import ORDERS
from microcoder_eval.suggest import did_you_mean

ISOLATIONS = ("test", "submission")
MOST_PROCESSES = 4096
"""More than any machine has processors: a larger number is a mistake, and the machine would be full of processes."""


def count(name: str, value: Any) -> int:
    """An integer from 1 to `MOST_PROCESSES`.

    >>> count("workers", 4)
    4
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer, not {value!r:.80}")
    if value < 1:
        raise InputError(f"{name} must be at least 1, not {value!r:.80}")
    if value > MOST_PROCESSES:
        raise InputError(f"{name} must be at most {MOST_PROCESSES}")
    return value


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {value!r:.80}")
    return value


def positive(name: str, value: Any) -> float:
    _refuse_non_number(name, value)
    if not 0 < value < math.inf:
        raise InputError(f"{name} must be a positive number, not {value!r:.80}")
    return value


def finite(name: str, value: Any) -> float:
    _refuse_non_number(name, value)
    if not -math.inf < value < math.inf:
        raise InputError(f"{name} must be a finite number, not {value!r:.80}")
    return value


def _refuse_non_number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {value!r:.80}")


def path(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} must be a path, not {value!r:.80}")


def one_of(name: str, value: Any, known: Iterable[str]) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r:.80}")
    if value not in known:
        raise InputError(f"unknown {name} {value!r:.80}; known: {', '.join(known)}")
    return value


def layers_of(name: str, values: Any) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list of texts, not {values!r:.80}")
    named = tuple(values)
    for value in named:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a list of texts, not {named!r:.80}")
        if value not in LAYERS:
            raise InputError(f"unknown sandbox layer {value!r:.80} in {name}; known: {', '.join(LAYERS)}")
    return named


CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "workers": lambda name, value: value is None or count(name, value),
    "policy": lambda name, value: one_of(name, value, [policy.value for policy in Policy]),
    "isolation": lambda name, value: one_of(name, value, ISOLATIONS),
    "all_tests": flag,
    "require_sandbox": layers_of,
    "layers": layers_of,
    "cache": path,
    "cache_mb": positive,
    "programs": path,
    "require_fence": flag,
    "tests_order": lambda name, value: one_of(name, value, ORDERS),
}
"""The check of each argument of `Grader`, by the argument's name."""


def check_options(options: Mapping[str, Any]) -> None:
    """Raise what `Grader(**options)` would raise for an option that cannot be used; nothing is started.

    >>> check_options({"workers": 4, "policy": "strict"})
    """
    for name, value in options.items():
        if name not in CHECKS:
            raise TypeError(f"a Grader has no option {name!r:.80}{did_you_mean(name, CHECKS)}")
        CHECKS[name](name, value)
