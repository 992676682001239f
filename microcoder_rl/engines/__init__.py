"""Engines sample replies. The trainer knows only `Engine`; `from_recipe.py` opens the engine that a recipe names.

    torch_engine   samples from the trainer's own model or a copy (fused_decoder, gpu_decoder, generic_decoder)
    vllm_engine    vLLM in the trainer's process
    server_engine  vLLM in another process or on another machine (server_process, server_client, weight_transfer)
    first_rank     one engine shared by several ranks
    chat           any server with the OpenAI chat interface, for evaluation only

An engine yields each reply as soon as it ends, so that grading can begin while sampling goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from microcoder_rl.errors import RunFailed
from microcoder_rl.rollout import Request, Rollout
from microcoder_rl.seeds import derive_seed


class EngineError(RunFailed):
    """The engine died or hangs. The message gives its last output line."""


def seeds_of(request: Request) -> tuple[int, ...]:
    """The seeds of a request, for an engine that cannot skip numbers of a seed's stream: a reply that is continued gets
    a new seed, derived from how many tokens it has."""
    return tuple(derive_seed(seed, request.drawn) for seed in request.seeds) if request.drawn else request.seeds


class Engine(Protocol):
    """The interface of all engines. An engine samples replies to requests."""

    def generate(self, requests: Sequence[Request], *, temperature: float, max_tokens: int) -> Iterator[Rollout]:
        """Yield every reply as it ends, in no particular order. Temperature 0 is greedy."""

    def sync(self) -> None:
        """Load the trainer's current weights."""

    def rest(self) -> None:
        """Release memory for the update. Nothing is sampled until the next `sync`."""

    def close(self) -> None:
        """Stop the engine and release everything that it holds."""
