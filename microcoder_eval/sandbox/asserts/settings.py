"""Settings of a process that tests change for the program too: seeds, environment, arguments, limits, decimals.

Where tests and program share a process, `random.seed(42)` in the tests decides what the program draws. Here the tests'
process hands over what the tests have changed before it asks the program for anything. What the program changes is its
own: the tests never take it over.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple


class Setting(NamedTuple):
    words: tuple[str, ...]
    """Tests that change it have one of these words in their text."""
    read: Callable[[], Any]
    write: Callable[[Any, Any], None]
    """Called in the program's process with the tests' earlier value and the new one."""


def _seeds() -> tuple[Any, Any]:
    import random

    numpy = sys.modules.get("numpy")
    return random.getstate(), numpy and numpy.random.get_state()


def _set_seeds(_: Any, now: tuple[Any, Any]) -> None:
    import random

    random.setstate(now[0])
    numpy = sys.modules.get("numpy")
    if numpy is not None and now[1] is not None:
        numpy.random.set_state(now[1])


def _set_environment(before: dict[str, str], now: dict[str, str]) -> None:
    for name in before.keys() - now.keys():
        os.environ.pop(name, None)
    os.environ.update({name: value for name, value in now.items() if before.get(name) != value})


def _set_arguments(_: Any, now: list[str]) -> None:
    sys.argv[:] = now


def _decimals() -> list[Any]:
    import decimal

    context = decimal.getcontext()
    return [context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp]


def _set_decimals(_: Any, now: list[Any]) -> None:
    import decimal

    context = decimal.getcontext()
    context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp = now


REPLACEABLE = ("input", "print", "open")
ORIGINAL = {name: vars(builtins)[name] for name in REPLACEABLE}


def _replaced_builtins() -> dict[str, Any]:
    now = {name: vars(builtins)[name] for name in REPLACEABLE}
    return {name: value for name, value in now.items() if value is not ORIGINAL[name]}


def _replace_builtins(_: Any, now: dict[str, Any]) -> None:
    vars(builtins).update({**ORIGINAL, **now})


def _replace_stdin(_: Any, now: Any) -> None:
    sys.stdin = sys.__stdin__ if now is None else now


SEEDS = "seeds"
SEEDING = ("seed", "setstate", "set_state")
"""The names of the libraries' functions that seed."""
SETTINGS = {
    SEEDS: Setting(SEEDING, _seeds, _set_seeds),
    "environment": Setting(("environ", "env("), lambda: dict(os.environ), _set_environment),
    "arguments": Setting(("argv",), lambda: list(sys.argv), _set_arguments),
    "builtins": Setting(("builtins",), _replaced_builtins, _replace_builtins),
    "standard input": Setting(("stdin",), lambda: None if sys.stdin is sys.__stdin__ else sys.stdin, _replace_stdin),
    "recursion": Setting(("setrecursionlimit",), sys.getrecursionlimit, lambda _, now: sys.setrecursionlimit(int(now))),
    "decimals": Setting(("getcontext", "setcontext", "localcontext"), _decimals, _set_decimals),
}


def settings_changed_by(test_code: str) -> list[str]:
    """The settings that a test program may change.

    >>> settings_changed_by("random.seed(1)")
    ['seeds']
    """
    return [name for name, setting in SETTINGS.items() if any(word in test_code for word in setting.words)]


class Shared:
    """In the tests' process: what the program knows of the settings that its tests may change."""

    def __init__(self, names: list[str]) -> None:
        self._known = {name: SETTINGS[name].read() for name in names if name != SEEDS}
        self._seeded = False

    def note_seeding(self, function: Any) -> Any:
        """Note that the tests are about to call a function; only one of the libraries' own seeds. Returns it."""
        libraries = [found for found in (sys.modules.get("random"), sys.modules.get("numpy.random")) if found]
        known = [vars(library).get(name) for library in libraries for name in SEEDING]
        self._seeded |= function is not None and any(function is one for one in known)
        return function

    def changes(self) -> list[tuple[str, Any, Any]]:
        """Each setting that has changed since the last call: its name, the value before, and now."""
        found: list[tuple[str, Any, Any]] = []
        if self._seeded:
            found.append((SEEDS, None, _seeds()))
            self._seeded = False
        for name, before in self._known.items():
            now = SETTINGS[name].read()
            if now != before:
                found.append((name, before, now))
                self._known[name] = now
        return found


def change(name: str, before: Any, now: Any) -> None:
    """Change a setting in the program's process."""
    SETTINGS[name].write(before, now)
