"""What a proxy carries: what is known about the program's object, and the peer that it asks for everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from microcoder_eval.sandbox.asserts.trust import PLAIN, Standing


class Asker(Protocol):
    """The methods of the tests' side (`Tests` in `tests_side.py`) that proxies call."""

    tested_methods: frozenset[str]

    def ask(self, operation: str, /, *arguments: Any, **named: Any) -> Any: ...
    def note_part(self, part: Any, owner: Any) -> None: ...
    def note_removal(self, thing: Any) -> None: ...
    def was_asked_to_remove(self, thing: Any) -> bool: ...
    def reading(self, read: Callable[[], Any]) -> Any: ...
    def recall(self, operation: str, thing: Any, /, *arguments: Any) -> Any: ...
    def refuse(self, thing: Any, what: str) -> NoReturn: ...
    def proxy(self, thing: Any, standing: Standing) -> Any: ...
    def items(self, thing: Any) -> Iterator[Any]: ...
    def next_item(self, thing: Any) -> Any: ...
    def has_member(self, thing: Any, item: Any) -> bool: ...
    def may_suppress(self, error: BaseException) -> bool: ...


@dataclass
class RemoteFacts:
    """What the tests' side knows about an object or a class of the program."""

    peer: Asker
    number: int
    base: type | None = None
    """The builtin type that it extends."""
    value: Any = None
    """Its value as that type, where it cannot change."""
    standing: Standing = PLAIN
    trusted: bool = False
    """Whether it is a class that the tests construct by a name in their own text."""
