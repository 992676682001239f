"""The tests' proxy for a coroutine of the program: `await solve(5)`, `asyncio.run(solve(5))`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from microcoder_eval.sandbox.asserts.proxies import Remote, facts_of


class RemoteCoroutine(Remote, defined_here=True):
    """The coroutine of an async function of the program. Awaiting it runs it to its end, in the program's process."""

    __slots__ = ()

    def __next__(self) -> NoReturn:  # asyncio drives it as an iterator
        raise StopIteration(facts_of(self).peer.ask("await", self))

    def send(self, _: Any) -> NoReturn:
        next(self)

    def throw(self, *error: Any) -> NoReturn:
        raise error[0]

    def close(self) -> None:
        return

    def __await__(self) -> Iterator[Any]:
        return facts_of(self).peer.ask("await", self)
        yield
