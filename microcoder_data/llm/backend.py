"""The interface of a backend: it answers a chat with a text, or raises an error that says whether to try again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Message = dict[str, str]


@dataclass(frozen=True)
class Sampling:
    """How one answer is sampled."""

    max_tokens: int
    temperature: float
    seed: int
    schema: Mapping[str, Any] | None = None
    """The JSON schema that the answer should follow; None for any text."""


@dataclass(frozen=True)
class Reply:
    """A model's text; a count is None where the backend does not report it."""

    text: str
    reasoning: str = ""
    """The model's thoughts before its answer, where the server returns them separately."""
    truncated: bool = False
    """Whether the answer was cut off at `max_tokens`."""
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


class Failure(Exception):
    """No reply, for a transient reason: try again, after `wait_s` seconds if the server named a time."""

    def __init__(self, reason: str, wait_s: float | None = None) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


class Refusal(Exception):
    """No reply, and the same request would be refused again."""


class Backend(Protocol):
    """Created, used and closed on the event loop of the `Client`."""

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply: ...

    async def close(self) -> None: ...
