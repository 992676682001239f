"""Objects of `unittest.mock` that tests hand to the program. An object that asks for its parts stands for each there.

The program may call a mock, enter it, read its parts, and set parts to data. It may neither read nor change what tells
the tests how a mock was used: with `reset_mock` or an `assert_called_with` of its own it could answer for them. An
object of the program in the place of a part, or another mock, would have such methods.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from microcoder_eval.sandbox.asserts.data_codec import contents
from microcoder_eval.sandbox.asserts.proxies import is_handle, is_remote

SPECIAL = ("__call__", "__enter__", "__exit__", "__iter__", "__getitem__", "__len__", "__contains__", "__bool__")
PLACING = (list, deque, dict)
"""Data whose parts have places that the program can fill anew."""
HOLDING = (*PLACING, tuple, set, frozenset)


def is_mock(value: Any) -> bool:
    """Whether it is an object of `unittest.mock`, which has every method."""
    mock = sys.modules.get("unittest.mock")
    return mock is not None and isinstance(value, mock.NonCallableMock)


def holds_only_data(values: list[Any]) -> bool:
    """Whether neither a mock nor an object of the program is anywhere in these values."""
    return not any(is_mock(value) or _is_of_program(value) for value in _held_in(values))


class Places:
    """Where the data that tests hand over holds mocks. No object of the program may take such a place."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, Any], Any] = {}

    def check(self, container: Any, items: list[Any]) -> None:
        """Raise a `ValueError` if the new contents of a list, a mapping or an object have one there."""
        for place, value in _placed(container, contents(container)):
            if any(map(is_mock, _held_in(value))):
                self._places[id(container), place] = container  # while it is kept, no other gets its id
        for place, value in _placed(container, items):
            if (id(container), place) in self._places and any(map(_is_of_program, _held_in(value))):
                raise ValueError("an object of the program in the place of a mock")


def _placed(container: Any, items: list[Any]) -> Iterable[tuple[Any, Any]]:
    is_sequence = isinstance(container, (list, deque))
    return enumerate(items) if is_sequence else zip(items[::2], items[1::2], strict=True)


def _is_of_program(value: Any) -> bool:
    return is_remote(value) or is_handle(value)


def _held_in(value: Any) -> Iterator[Any]:
    """A value, and what is in it at any depth."""
    waiting, seen = [value], set()
    while waiting:
        value = waiting.pop()
        yield value
        if id(value) not in seen and isinstance(value, HOLDING) and not _is_of_program(value):
            seen.add(id(value))
            waiting += [*value, *value.values()] if isinstance(value, dict) else value


def special_parts(mock: Any) -> list[str]:
    """The special methods that a mock has."""
    return [name for name in SPECIAL if any(name in vars(kind) for kind in type(mock).__mro__)]


def part(mock: Any, name: str) -> Any:
    """A part of a mock that the program may have; raises `AttributeError` for any other."""
    if name == "__call__" or name not in special_parts(mock):
        _refuse_unless_free(name)
    return getattr(mock, name)


def set_part(mock: Any, name: str, value: Any) -> None:
    """Set a part of a mock, as the program does."""
    _refuse_unless_free(name)
    setattr(mock, name, value)


def stand_in(special: list[str], ask: Callable[..., Any]) -> Any:
    """The program's object for a mock. `ask` requests an operation on the mock."""

    def forwarding(name: str) -> Any:
        def forward(_: Any, /, *given: Any, **named: Any) -> Any:
            return ask("part", name)(*given, **named)

        return forward

    body: dict[str, Any] = {name: forwarding(name) for name in special}
    body["__getattr__"] = lambda _, name: ask("part", name)
    body["__setattr__"] = lambda _, name, value: ask("set part", name, value)
    if "__call__" in special:
        body["__call__"] = lambda _, /, *given, **named: ask("call", *given, **named)
    return type("Mock", (), body)()


def _refuse_unless_free(name: str) -> None:
    mock = sys.modules["unittest.mock"]
    own = (*dir(mock.NonCallableMock), *dir(mock.AsyncMock), "method_calls")  # the last one is in no class
    if name.startswith("_") or name in own:
        raise AttributeError(name)
